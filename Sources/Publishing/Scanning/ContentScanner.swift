package import Bytes
package import Diagnostics
import Notes

/// Finds the files of a folder of sources.
///
/// Follows symbolic links inside the site folder (and to places that
/// `follow:` names), cuts rings, and refuses all others with a message. Hidden
/// files, whose name starts with a dot, are no sources unless asked for. Files come sorted by
/// their paths' bytes, whatever the order of the file system.
package struct ContentScanner: Sendable {
    /// The paths of what was found, in the scanned folder, parts separated by
    /// `/`.
    package private(set) var files: [String] = []
    /// What is to be said.
    package private(set) var messages: [Diagnostic] = []

    private let root: Folder
    /// The real path of the scanned folder.
    private let realRoot: String
    /// The real path of the site folder.
    private let site: String
    /// The scanned folder's path in the site folder; empty where it is that.
    private let prefix: String
    private let followed: [String]
    private let leftOut: @Sendable (_ path: String, _ isFolder: Bool) -> Bool
    private let honoursGitignore: Bool
    private let takesHidden: Bool

    /// Patterns with the folder that they hold below.
    private struct Scope: Sendable {
        var folder: String
        var patterns: IgnorePatterns
    }

    /// A scanner of `root`, which lies at `prefix` of the site folder `site`
    /// (its real path).
    ///
    /// `followed` are real paths of folders outside that links may lead to.
    /// `leftOut` says which paths (of the scanned folder) are not looked at.
    package init(
        _ root: Folder, site: String, prefix: String, followed: [String], honoursGitignore: Bool,
        takesHidden: Bool = false,
        leftOut: @escaping @Sendable (_ path: String, _ isFolder: Bool) -> Bool
    ) {
        self.root = root
        realRoot = FilePath.resolved(root.path) ?? root.path
        self.site = site
        self.prefix = prefix
        self.followed = followed
        self.honoursGitignore = honoursGitignore
        self.takesHidden = takesHidden
        self.leftOut = leftOut
    }

    /// A folder that is to be listed.
    private struct Place: Sendable {
        /// Its path in the scanned folder.
        var path: String
        /// What holds in it.
        var scopes: [Scope] = []
        /// The real paths of the folders that it lies in, and its own.
        var chain: [String]
    }

    /// What was found in one folder.
    private struct Listing: Sendable {
        var files: [String] = []
        var folders: [Place] = []
        var messages: [Diagnostic] = []
    }

    /// Scans the folder. A folder that cannot be listed is an error message.
    ///
    /// Folders of one depth are listed at once.
    package mutating func scan(_ workers: Workers = Workers()) {
        var places = [Place(path: "", chain: [realRoot])]
        while !places.isEmpty {
            let (scanner, level) = (self, places)
            let listings = workers.map(level.count) { scanner.list(level[$0]) }
            for listing in listings {
                files += listing.files
                messages += listing.messages
            }
            places = listings.flatMap(\.folders)
        }
        messages.sort()
        files.sort { $0.precedes($1) }
    }

    private func list(_ place: Place) -> Listing {
        var listing = Listing()
        let entries: [(name: String, kind: FileKind)]
        do throws(FileError) {
            entries = try root.entries(of: place.path)
        } catch {
            listing.messages.append(
                Diagnostic(
                    .error, "unreadable", "cannot list this folder: \(error.reason)",
                    at: SourceSpan(file: NotePath.joined(prefix, place.path))))
            return listing
        }
        var scopes = place.scopes
        if honoursGitignore,
            entries.contains(where: { $0.name == ".gitignore" && $0.kind == .file }),
            let scope = scope(of: place.path)
        {
            scopes.append(scope)
        }
        for (name, entryKind) in entries
        where takesHidden ? name != ".git" : !name.hasPrefix(".") {
            let path = NotePath.joined(place.path, name)
            var kind = entryKind
            var real: String?
            if kind == .link {
                guard let target = linkTarget(path, &listing.messages) else { continue }
                real = target.path
                kind = target.kind
            }
            if kind == .misnamed {
                listing.messages.append(
                    Diagnostic(
                        NotePath.isNote(name) ? .error : .warning, "file-name",
                        "the name of this file is not UTF-8",
                        at: SourceSpan(file: NotePath.joined(prefix, path)), help: "rename it"))
            }
            guard kind == .file || kind == .folder, !leftOut(path, kind == .folder),
                !isIgnored(path, isFolder: kind == .folder, scopes)
            else { continue }
            if kind == .file {
                listing.files.append(path)
                continue
            }
            let realFolder = real ?? (place.chain.last.map { $0 + "/" + name } ?? name)
            // A link to a folder that holds it would go round for ever.
            if real != nil, place.chain.contains(where: { FilePath.isInside($0, realFolder) }) {
                continue
            }
            listing.folders.append(
                Place(path: path, scopes: scopes, chain: place.chain + [realFolder]))
        }
        return listing
    }

    /// Whether a file would be left out at a path, there or not yet: for what
    /// it or a folder above it is called.
    package func leavesOut(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        var scopes: [Scope] = []
        var place = ""
        for (index, part) in parts.enumerated() {
            if honoursGitignore, let scope = scope(of: place) { scopes.append(scope) }
            place = NotePath.joined(place, String(part))
            let isFolder = index + 1 < parts.count
            if !takesHidden && part.hasPrefix(".") || leftOut(place, isFolder)
                || isIgnored(place, isFolder: isFolder, scopes)
            {
                return true
            }
        }
        return false
    }

    /// What a folder's own `.gitignore` says; nil where it says nothing.
    private func scope(of folder: String) -> Scope? {
        let file = NotePath.joined(folder, ".gitignore")
        guard root.status(file)?.kind == .file,
            let bytes = try? root.read(file, limit: 1 << 20)
        else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let patterns = IgnorePatterns(
            lines: text.split { $0 == "\n" || $0 == "\r\n" })
        return patterns.isEmpty ? nil : Scope(folder: folder, patterns: patterns)
    }

    private func isIgnored(_ path: String, isFolder: Bool, _ scopes: [Scope]) -> Bool {
        for scope in scopes.reversed() {
            guard let inside = FilePath.relative(path, to: scope.folder) else { continue }
            if let decision = scope.patterns.decision(for: inside, isFolder: isFolder) {
                return decision
            }
        }
        return false
    }

    /// Where a link leads, or nil with a message where it may not be followed.
    private func linkTarget(
        _ path: String, _ messages: inout [Diagnostic]
    ) -> (path: String, kind: FileKind)? {
        guard let status = root.status(path, followingLinks: true),
            let target = FilePath.resolved(root.path + "/" + path)
        else {
            messages.append(
                Diagnostic(
                    .warning, "dangling-link",
                    "this symbolic link leads to nothing and is left out",
                    at: SourceSpan(file: NotePath.joined(prefix, path))))
            return nil
        }
        if FilePath.isInside(target, site)
            || followed.contains(where: { FilePath.isInside(target, $0) })
        {
            return (target, status.kind)
        }
        messages.append(
            Diagnostic(
                .warning, "outside-link",
                "this symbolic link leads out of the site folder and is not followed",
                at: SourceSpan(file: NotePath.joined(prefix, path)),
                help: "name the place it leads to under `follow:` in daybook.yml"))
        return nil
    }
}
