import Bytes
import Notes

/// Sends by git, as one commit on a branch: a reader sees the site before it or
/// after it.
///
/// Works in a repository of its own, so that nothing of the site's is touched;
/// what the site's repository says of addresses and credentials holds there too.
/// Somebody else's commit is never overwritten: the difference is worked out
/// again on top of it.
struct GitTransport: SendingTransport {
    private let target: PublishTarget
    private let branch: String
    private let git: ExternalProgram
    private let work: Folder
    private let repository: String
    private let output: String
    private let seconds: Int64
    /// Where the branch is.
    private let url: String
    /// What the site's repository says of it, for the one in use.
    private var configuration: [String: String] = [:]
    private var identity: [String: String] = [:]
    /// The branch's latest commit; nil where there is none.
    private var base: String?

    let attempts = 5

    init(
        _ target: PublishTarget, to remote: String, branch: String, _ context: SendingContext
    ) throws(PublishFailure) {
        self.target = target
        self.branch = branch
        work = context.work
        output = context.output
        seconds = context.seconds
        repository = context.work.path + "/git"
        let environment = GitVariables.removed(from: context.environment)
        guard
            let git = ExternalProgram("git", environment: environment, work: context.work)
        else {
            throw PublishFailure(.missingTool("git", package: "git"), target)
        }
        self.git = git
        do throws(FileError) {
            url = try Self.address(of: remote, context.site, git)
            configuration = try Self.configuration(
                of: context.site, and: GitVariables.configuration(in: environment), git)
        } catch {
            throw PublishFailure(.file(error), target)
        }
    }

    /// The URL of a remote that the site's repository names; else what was
    /// written is one.
    private static func address(
        of remote: String, _ site: String, _ git: ExternalProgram
    ) throws(FileError) -> String {
        let named = try git.run(["-C", site, "remote", "get-url", "--push", remote])
        let url = named.code == 0 ? line(named.output) : remote
        guard !url.contains(":"), !url.hasPrefix("/") else { return url }
        let top = try git.run(["-C", site, "rev-parse", "--show-toplevel"])
        return (named.code == 0 && top.code == 0 ? line(top.output) : site) + "/" + url
    }

    private static func line(_ bytes: [UInt8]) -> String {
        var text = String(decoding: bytes, as: UTF8.self)
        while text.last?.isNewline == true { text.removeLast() }
        return text
    }

    /// What the site's repository says of credentials, proxies and names, and
    /// over that what the environment says, as variables. What all of a user's
    /// repositories share holds by itself.
    private static func configuration(
        of site: String, and variables: [(key: String, value: String)], _ git: ExternalProgram
    ) throws(FileError) -> [String: String] {
        let keys =
            "^(http|url|credential|user|author|committer|protocol)[.]|^core[.](sshcommand|askpass)$"
        let said = try git.run([
            "-C", site, "config", "--local", "--includes", "-z", "--get-regexp", keys,
        ])
        var result: [String: String] = [:]
        var count = 0
        func add(_ key: String, _ value: String) {
            result["GIT_CONFIG_KEY_\(count)"] = key
            result["GIT_CONFIG_VALUE_\(count)"] = value
            count += 1
        }
        for entry in said.output.split(separator: 0) {
            // The key, a line break, the value; a key alone is true.
            let end = entry.firstIndex(of: UInt8(ascii: "\n"))
            let value = end.map { entry[($0 + 1)...] }
            add(
                String(decoding: entry[..<(end ?? entry.endIndex)], as: UTF8.self),
                value.map { String(decoding: $0, as: UTF8.self) } ?? "true")
        }
        for (key, value) in variables { add(key, value) }
        // Nobody's hooks, and no name that was guessed from the machine's.
        add("core.hooksPath", "/dev/null")
        add("user.useConfigOnly", "true")
        add("core.bare", "false")
        result["GIT_CONFIG_COUNT"] = String(count)
        return result
    }

    // MARK: Opening

    mutating func open() throws(PublishFailure) -> OutputManifest {
        try begin()
        base = nil
        let name = "refs/heads/" + branch
        guard try !must(["ls-remote", "--", url, name]).isEmpty else { return OutputManifest() }
        _ = try must([
            "fetch", "--quiet", "--no-tags", "--depth=1", "--", url, "+\(name):refs/daybook/base",
        ])
        base = Self.line(try must(["rev-parse", "--verify", "refs/daybook/base"]))
        let list = try run(["cat-file", "blob", "refs/daybook/base:" + OutputManifest.fileName])
        return list.code == 0 ? OutputManifest(reading: list.output) : OutputManifest()
    }

    /// Makes the repository, once.
    private mutating func begin() throws(PublishFailure) {
        guard work.status("git") == nil else { return }
        _ = try must(["init", "--quiet", "--bare", "--template=", repository], isInside: false)
        do throws(FileError) {
            try work.makeFolder("git/info")
            // Bytes go as they are, whatever attributes lie among them.
            try work.write(
                Array("* -text -ident -filter -working-tree-encoding\n".utf8),
                to: "git/info/attributes")
        } catch {
            throw PublishFailure(.file(error), target)
        }
        for role in ["AUTHOR", "COMMITTER"] where try run(["var", "GIT_\(role)_IDENT"]).code != 0 {
            identity["GIT_\(role)_NAME"] = "Daybook"
            identity["GIT_\(role)_EMAIL"] = "daybook@localhost"
        }
    }

    // MARK: Looking

    func occupied(_ paths: [String], folders: [String]) throws(PublishFailure) -> [String] {
        guard !(paths.isEmpty && folders.isEmpty) else { return [] }
        let listed = try allFiles()
        let files = Set(listed)
        let holding = Set(listed.flatMap { NotePath.folders(above: $0) })
        return paths.filter { files.contains($0) || holding.contains($0) }
            + folders.filter { files.contains($0) }
    }

    func contents(of folders: [String]) throws(PublishFailure) -> [String] {
        guard !folders.isEmpty else { return [] }
        return try allFiles().filter { file in folders.contains { FilePath.isInside(file, $0) } }
    }

    /// The paths of all files of the branch.
    private func allFiles() throws(PublishFailure) -> [String] {
        guard base != nil else { return [] }
        return try must(["ls-tree", "-r", "-z", "--name-only", "refs/daybook/base"])
            .split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: Sending

    func send(
        _ plan: UploadPlan, from old: OutputManifest, to new: OutputManifest
    ) throws(PublishFailure) {
        _ = try must(base == nil ? ["read-tree", "--empty"] : ["read-tree", "refs/daybook/base"])
        _ = try must(
            ["update-index", "--force-remove", "-z", "--stdin"], list: plan.early + plan.removed)
        _ = try must(
            ["update-index", "--add", "--replace", "-z", "--stdin"],
            list: plan.sent + [OutputManifest.fileName])
        let tree = Self.line(try must(["write-tree"]))
        let message = "Publish: \(plan.sent.count) changed, \(plan.gone.count) removed"
        let commit = Self.line(
            try must(["commit-tree", tree, "-m", message] + (base.map { ["-p", $0] } ?? [])))
        let push = try run([
            "push", "--porcelain", "--", url, "\(commit):refs/heads/\(branch)",
        ])
        if push.code == 0 { return }
        // Which of the two says why differs between versions.
        let said = String(decoding: push.output, as: UTF8.self) + "\n" + push.errors
        let isOvertaken = Self.reasons(said).contains { reason in
            Self.overtaking.contains { reason.hasPrefix($0) }
        }
        throw PublishFailure(isOvertaken ? .overtaken : .tool("git push", push), target)
    }

    /// Why the branch could not be pushed, in git's own words: what stands in
    /// parentheses at the end of a line such as
    /// `!	refs/heads/a:refs/heads/a	[remote rejected] (failed to update ref)`.
    /// What a server's hook prints is on lines of other kinds, and says anything.
    private static func reasons(_ said: String) -> [Substring] {
        said.split(whereSeparator: \.isNewline).compactMap { line in
            let line = line.drop { $0 == " " }
            guard line.hasPrefix("!"), line.hasSuffix(")") else { return nil }
            // No branch has a bracket in its name.
            let status = line.drop { $0 != "[" }
            for mark in ["[rejected] (", "[remote rejected] ("] where status.hasPrefix(mark) {
                return status.dropFirst(mark.count).dropLast()
            }
            return nil
        }
    }

    /// What git says where the branch is not, or is not any more, what it was when
    /// it was fetched.
    private static let overtaking = [
        "fetch first", "non-fast-forward", "cannot lock ref", "failed to update ref",
        "incorrect old value provided", "reference already exists",
    ]

    // MARK: Running

    private func run(
        _ arguments: [String], list: [String] = [], isInside: Bool = true
    ) throws(PublishFailure) -> ExternalProgram.Outcome {
        var input: [UInt8] = []
        for path in list { input += Array(path.utf8) + [0] }
        var variables = configuration.merging(identity) { $1 }
        variables["LC_ALL"] = "C"
        variables["GIT_INDEX_FILE"] = work.path + "/index"
        // The moment of the build is that of the commit.
        variables["GIT_AUTHOR_DATE"] = "@\(seconds) +0000"
        variables["GIT_COMMITTER_DATE"] = "@\(seconds) +0000"
        let place = isInside ? ["--git-dir=" + repository, "--work-tree=" + output] : []
        do throws(FileError) {
            return try git.run(place + arguments, input: input, adding: variables)
        } catch {
            throw PublishFailure(.file(error), target)
        }
    }

    private func must(
        _ arguments: [String], list: [String] = [], isInside: Bool = true
    ) throws(PublishFailure) -> [UInt8] {
        let outcome = try run(arguments, list: list, isInside: isInside)
        guard outcome.code == 0 else {
            let command = "git " + (arguments.first ?? "")
            throw PublishFailure(.tool(command, outcome), target)
        }
        return outcome.output
    }
}
