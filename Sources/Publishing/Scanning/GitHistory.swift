import Bytes
import Diagnostics
import Notes

/// The dates of notes as the history of the site's repository has them, for
/// `dates: git`.
///
/// One pass over the history, whose result is kept beside the state under the
/// commit it was made of.
struct GitHistory: Sendable {
    /// The dates by the notes' paths in the content folder.
    private(set) var dates: [String: HistoryDates] = [:]
    /// Stands for all of them; absent where there are none.
    private(set) var fingerprint = Fingerprint.absent
    /// The files, from the root, that change when the branch has another commit or
    /// another branch is checked out.
    private(set) var files: [String] = []
    /// Why they cannot be had.
    private(set) var fault: (message: String, help: String?)?

    /// No dates.
    init() {}

    /// Reads the history of the repository that `content` lies in. `cache` is the
    /// folder in which the result may be kept, where there is one.
    init(of content: String, environment: [String: String], cache: String?) {
        guard
            let git = ExternalProgram("git", environment: GitVariables.removed(from: environment))
        else {
            fault = (
                "dates from git need the program `git`, which is not here",
                "install Debian's package git: apt-get install git"
            )
            return
        }
        var said: [UInt8] = []
        let code = git.read(
            [
                "-C", content, "rev-parse", "--is-shallow-repository", "--show-prefix",
                "--git-dir", "--git-common-dir",
            ]
        ) { said += $0 }
        let lines = String(decoding: said, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        guard code == 0, lines.count >= 2 else {
            fault = (
                "dates from git need a git repository, and git finds none that it may read here",
                "begin one (git init), or take `dates` out of daybook.yml"
            )
            return
        }
        if lines.count >= 4 {
            files = Self.files(of: String(lines[2]), common: String(lines[3]), seenFrom: content)
        }
        guard lines[0] != "true" else {
            fault = (
                "the git history here is shallow, so that dates from it would be wrong",
                "fetch all of it: `fetch-depth: 0` for GitHub's checkout, `GIT_DEPTH: 0` in GitLab, "
                    + "`git fetch --unshallow` elsewhere"
            )
            return
        }
        var head: [UInt8] = []
        // Before the first commit there is no history.
        guard
            git.read(["-C", content, "rev-parse", "--verify", "--quiet", "HEAD"], { head += $0 })
                == 0,
            let commit = String(decoding: head, as: UTF8.self).split(separator: "\n").first
        else { return }
        read(git, content, of: String(commit), folder: String(lines[1]), cache)
    }

    /// Where git keeps which commit is checked out: in a folder of the working
    /// tree's own, and in one that all trees of a repository share.
    private static func files(
        of folder: String, common: String, seenFrom content: String
    ) -> [String] {
        func place(_ path: String) -> String? {
            FilePath.resolved(path.hasPrefix("/") ? path : content + "/" + path)
        }
        guard let own = place(folder), let common = place(common) else { return [] }
        var names = ["packed-refs", "reftable/tables.list", "shallow"]
        let head = (try? Folder(own).read("HEAD", limit: 1 << 16)) ?? []
        let words = String(decoding: head, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        if words.count == 2, words[0] == "ref:", !words[1].split(separator: "/").contains("..") {
            names.append(String(words[1]))
        }
        return [own + "/HEAD"] + names.map { common + "/" + $0 }
    }

    /// What nobody's settings change: the result is kept under the commit alone.
    private static let settings = [
        "log.showRoot=true", "log.showSignature=false", "log.follow=false",
        "diff.relative=false", "diff.renameLimit=1000",
    ]

    /// Reads what led to `commit`: the branch itself may move on meanwhile.
    private mutating func read(
        _ git: ExternalProgram, _ content: String, of commit: String, folder: String,
        _ cache: String?
    ) {
        let log =
            ["--no-replace-objects", "-C", content] + Self.settings.flatMap { ["-c", $0] } + [
                "log", "-z", "--topo-order", "--name-status", "-M", "-O/dev/null", "--no-color",
                "--no-ext-diff", "--no-diff-merges", "--format=%x0\(GitLog.marker)%aI",
            ]
        // What was asked otherwise was answered otherwise.
        let key = ContentHash(
            of: ([commit, folder] + log.dropFirst(3)).joined(separator: "\n")
        ).hexadecimal
        if let cache, let kept = Self.load(cache, key) {
            dates = kept
        } else {
            var changes = GitLog()
            let code = git.read(log + [commit, "--"]) { changes.read($0) }
            guard code == 0 else {
                fault = ("git cannot read the history: `git log` ended with \(code)", "try it here")
                return
            }
            dates = changes.dates(in: folder)
            if let cache { save(cache, key) }
        }
        for (path, dates) in dates.sorted(by: { $0.key.precedes($1.key) }) {
            fingerprint.combine(Fingerprint(of: path))
            fingerprint.combine(dates.fingerprint)
        }
    }

    // MARK: What is kept

    // A line of its own names the commit; then path, written, updated of each
    // note, parted by NUL; at the end a digest, so that what is torn is nothing.

    private static let fileName = "git-dates"

    private static func load(_ cache: String, _ key: String) -> [String: HistoryDates]? {
        guard let bytes = try? Folder(cache).read(fileName) else { return nil }
        let fields = bytes.split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard fields.count % 3 == 2, fields.first == key,
            fields.last == digest(fields.dropLast())
        else { return nil }
        var result: [String: HistoryDates] = [:]
        for index in stride(from: 1, to: fields.count - 1, by: 3) {
            guard let written = try? NoteDate(parsing: fields[index + 1]) else { return nil }
            result[fields[index]] = HistoryDates(
                written: written, updated: try? NoteDate(parsing: fields[index + 2]))
        }
        return result
    }

    private static func digest(_ fields: some Sequence<String>) -> String {
        ContentHash(of: fields.joined(separator: "\n")).hexadecimal
    }

    private func save(_ cache: String, _ key: String) {
        var fields = [key]
        for (path, dates) in dates.sorted(by: { $0.key.precedes($1.key) }) {
            fields += [path, dates.written.text, dates.updated?.text ?? ""]
        }
        fields.append(Self.digest(fields))
        guard (try? FilePath.makeFolders(cache)) != nil, let folder = try? Folder(cache) else {
            return
        }
        let draft = Self.fileName + ".new"
        guard (try? folder.write(Array(fields.joined(separator: "\0").utf8), to: draft)) != nil
        else { return }
        try? folder.rename(draft, to: Self.fileName, in: folder)
    }
}
