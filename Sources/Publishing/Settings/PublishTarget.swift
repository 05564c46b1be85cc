import Diagnostics
import YAML

/// A place that the site is published to, as `publish:` names it.
package struct PublishTarget: Sendable, Hashable {
    /// How files get there.
    package enum Transport: Sendable, Hashable {
        /// By rsync, to a folder here or on another machine.
        case rsync(String)
        /// By rclone, to one of its remotes.
        case rclone(String)
        /// By git, to a branch of a repository.
        case git(remote: String, branch: String)
    }

    /// Its name in the settings.
    package var name: String
    /// How files get there.
    package var transport: Transport
    /// Where it stands in the settings file, in bytes.
    package var range: Range<Int>

    /// For people, without passwords: `rsync www@example.org:notes`.
    package var shown: String {
        switch transport {
        case .rsync(let destination): "rsync \(Secrets.masked(destination))"
        case .rclone(let remote): "rclone \(Secrets.masked(remote))"
        case .git(let remote, let branch): "git \(Secrets.masked(remote)) \(branch)"
        }
    }
}

/// How rsync reads a place.
enum RsyncPlace {
    /// The machine of a place, with the user before it, as it is typed there; nil
    /// of a folder here. An address with colons stands in brackets:
    /// `me@[2001:db8::1]:www`.
    static func host(of place: String) -> Substring? {
        let start = place[..<(place.firstIndex(of: "/") ?? place.endIndex)]
        let user = start.firstIndex(of: "@").map { start.index(after: $0) } ?? start.startIndex
        if start[user...].hasPrefix("["), let bracket = start[user...].firstIndex(of: "]") {
            let end = start.index(after: bracket)
            return start[end...].hasPrefix(":") ? start[..<end] : nil
        }
        return start.firstIndex(of: ":").map { start[..<$0] }
    }

    /// The machine of a place as ssh takes it: with the user, without brackets.
    static func login(of place: String) -> String {
        String((host(of: place) ?? "").filter { $0 != "[" && $0 != "]" })
    }

    /// Whether a place is served by a daemon of rsync, without a shell.
    static func isDaemon(_ place: String) -> Bool {
        guard let host = host(of: place) else { return false }
        return host == "rsync" && place.hasPrefix("rsync://")
            || place.dropFirst(host.count).hasPrefix("::")
    }
}

/// Reads one entry of `publish:`.
struct PublishTargetReader {
    private(set) var target: PublishTarget?
    private var complaint: (message: String, range: Range<Int>, help: String?)?

    /// What is wrong with the entry; it may be an address with a password in it.
    var fault: (message: String, range: Range<Int>, help: String?)? {
        complaint.map { (Secrets.masked($0.message), $0.range, $0.help) }
    }

    private static let transports = ["rsync", "rclone", "git"]
    private static let example =
        "write one of `rsync: user@host:folder`, `rclone: remote:folder`, "
        + "`git: {remote: origin, branch: gh-pages}`"

    init(_ entry: YAMLEntry) {
        guard case .mapping(let entries) = entry.value.content, entries.count == 1,
            let only = entries.first
        else {
            complaint = (
                "expected one way to publish to `\(entry.key)`", entry.value.range, Self.example
            )
            return
        }
        switch only.key {
        case "rsync", "rclone":
            guard let place = text(only.value, "a place such as \(sample(only.key))") else {
                return
            }
            let isRsync = only.key == "rsync"
            if let reason = isRsync ? Self.faultOfRsync(place) : Self.faultOfRclone(place) {
                complaint = (reason, only.value.range, "write a place such as \(sample(only.key))")
                return
            }
            target = PublishTarget(
                name: entry.key, transport: isRsync ? .rsync(place) : .rclone(place),
                range: entry.keyRange)
        case "git": readGit(only.value, entry)
        default:
            complaint = (
                "there is no way to publish called `\(only.key)`", only.keyRange,
                closestName(to: only.key, among: Self.transports).map { "did you mean `\($0)`?" }
                    ?? Self.example
            )
        }
    }

    private func sample(_ transport: String) -> String {
        transport == "rsync" ? "user@host:folder or /srv/www" : "remote:folder"
    }

    private mutating func text(_ node: YAMLNode, _ expected: String) -> String? {
        guard let text = node.scalar?.text, !text.isEmpty,
            !text.utf8.contains(where: { $0 < 0x20 })
        else {
            let found = node.scalar.map { "`\($0.text)`" } ?? node.kindName
            complaint = ("expected \(expected), found \(found)", node.range, nil)
            return nil
        }
        return text
    }

    // What begins with a hyphen would be read as an option by the tool.

    private static func faultOfRsync(_ place: String) -> String? {
        let host = RsyncPlace.login(of: place)
        let name = host.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        return place.hasPrefix("-") || name.hasPrefix("-") ? "`\(place)` names no place" : nil
    }

    private static func faultOfRclone(_ remote: String) -> String? {
        if remote.hasPrefix("-") { return "`\(remote)` names no remote" }
        return remote.contains(":") || remote.hasPrefix("/") ? nil : "`\(remote)` names no remote"
    }

    private mutating func readGit(_ node: YAMLNode, _ entry: YAMLEntry) {
        guard case .mapping(let entries) = node.content else {
            complaint = (
                "expected a remote and a branch, found \(node.kindName)", node.range, Self.example
            )
            return
        }
        var remote = "origin"
        var branch: String?
        for part in entries {
            switch part.key {
            case "remote":
                guard let text = text(part.value, "a remote or a URL") else { return }
                remote = text
            case "branch":
                guard let text = text(part.value, "the name of a branch") else { return }
                branch = text
            default:
                complaint = (
                    "there is no git setting `\(part.key)`", part.keyRange,
                    "there are remote and branch"
                )
                return
            }
        }
        guard let branch, Self.isBranch(branch) else {
            complaint = (
                branch.map { "`\($0)` cannot be the name of a branch" } ?? "expected a branch",
                node.range, Self.example
            )
            return
        }
        guard !remote.hasPrefix("-") else {
            complaint = ("`\(remote)` names no remote", node.range, Self.example)
            return
        }
        target = PublishTarget(
            name: entry.key, transport: .git(remote: remote, branch: branch), range: entry.keyRange)
    }

    /// The rules of git for names of branches, a little stricter.
    private static func isBranch(_ name: String) -> Bool {
        !name.hasPrefix("-") && !name.hasPrefix("/") && !name.hasSuffix("/")
            && !name.hasSuffix(".") && !name.hasSuffix(".lock") && name != "@"
            && !["..", "//", "@{", "/."].contains { name.contains($0) } && !name.hasPrefix(".")
            && name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"~^:?*[\\".utf8.contains($0) }
    }
}
