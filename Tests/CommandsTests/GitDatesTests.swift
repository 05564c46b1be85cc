import Foundation
import Testing

/// `dates: git`, with the real git.
@Suite(.enabled(if: Tool.hasGit, "git is not installed"))
struct `Dates from git` {
    /// A site in a repository, whose pages print what they know of dates.
    private final class Repository {
        let site: TestSite
        private var day = 0

        init(settings: String = "dates: git\n") throws {
            site = try TestSite([
                "daybook.yml": settings, "content/keep.txt": "",
                "Templates/note.html": "{{ note.date }} {{ note.updated }}",
            ])
            try git("init", "-q", "-b", "main")
        }

        @discardableResult
        func git(_ arguments: String..., date: String? = nil) throws -> String {
            var environment = [
                "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
                "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org",
                "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org",
            ]
            // Another moment for the committer: it is the author's that counts.
            if let date { environment["GIT_AUTHOR_DATE"] = date }
            let run = try Tool.run(
                "git", ["-C", site.root.path] + arguments, environment: environment)
            #expect(run.code == 0, "\(arguments): \(run.output)")
            return run.output
        }

        /// Commits everything on the next day of March 2024.
        func commit() throws {
            day += 1
            try git("add", "-A", "content")
            let date = "2024-03-\(day < 10 ? "0" : "")\(day)T23:30:15+0200"
            try git("commit", "-q", "--allow-empty", "-m", "x", date: date)
        }

        func write(_ note: String, _ text: String) throws {
            try site.write("content/\(note)", text)
        }
    }

    private let words = String(repeating: "The same words as ever. ", count: 20)
    private func at(_ day: Int) -> String { "2024-03-0\(day)T23:30:15+02:00" }

    @Test func `are the first and the latest commit's, right after renames`() throws {
        let repository = try Repository()
        let site = repository.site
        try repository.write("a.md", words)
        try repository.write("b.md", "---\ndate: 2020-02-02\nupdated: 2020-02-03\n---\n")
        try repository.write("2021-01-01-c.md", words + "c")
        try repository.write("gone.md", "first of its name")
        try repository.commit()
        try repository.write("a.md", words + "edited")
        try repository.write("b.md", "---\ndate: 2020-02-02\nupdated: 2020-02-03\n---\nmore\n")
        try site.remove("content/gone.md")
        try repository.commit()
        try site.write("content/sub/-a \"q\".md", words + "edited")
        try site.remove("content/a.md")
        try repository.commit()
        try repository.write("2021-01-01-c.md", words + "c edited")
        try repository.write("a.md", "another of this name")
        try repository.write("gone.md", "second of its name")
        try repository.commit()
        try repository.write("new.md", "not committed")
        try site.mustBuild()
        // A move is no edit, and the day is the author's own.
        #expect(site.page("sub/a-q/") == "\(at(1)) \(at(2))")
        #expect(site.page("a/") == "\(at(4)) None")
        #expect(site.page("gone/") == "\(at(4)) None")
        #expect(site.page("b/") == "2020-02-02 2020-02-03")
        #expect(site.page("2021-01-01-c/") == "2021-01-01 \(at(4))")
        #expect(site.page("new/") == "None None")
        #expect(site.page("archive/2024/").contains("datetime=\"2024-03-01"))
    }

    @Test func `are those of the commit that they are kept under, though another comes meanwhile`()
        throws
    {
        let repository = try Repository()
        let site = repository.site
        try repository.write("a.md", words)
        try repository.commit()
        let git = try #require(Tool.path("git"))
        try site.write(
            "shim/git",
            """
            #!/bin/sh
            case " $* " in *" log "*)
              if [ ! -e "${0%/*}/done" ]; then
                touch "${0%/*}/done"
                echo more >> '\(site.root.path)/content/a.md'
                GIT_AUTHOR_DATE=2024-03-09T23:30:15+0200 '\(git)' -C '\(site.root.path)' \
                  -c user.name=x -c user.email=x commit -qam meanwhile >&2
              fi ;;
            esac
            exec '\(git)' "$@"

            """)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: site.root.appending(path: "shim/git").path)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let state = ["--state", site.root.appending(path: "memory").path]
        let first = try site.build(
            state, environment: ["PATH": site.root.appending(path: "shim").path + ":" + path])
        #expect(first.code == 0, "\(first.errors)")
        #expect(site.page("a/") == "\(at(1)) None")
        try site.mustBuild(state)
        #expect(site.page("a/") == "\(at(1)) \(at(9))")
        // Back at the first commit: what was kept was of it.
        try repository.git("reset", "-q", "--hard", "HEAD~1")
        try site.mustBuild(state)
        #expect(site.page("a/") == "\(at(1)) None")
    }

    @Test func `are the same whatever a user has set for git`() throws {
        let repository = try Repository()
        let site = repository.site
        for (key, value) in [
            ("log.showRoot", "false"), ("diff.relative", "true"), ("diff.renameLimit", "1"),
            ("diff.renames", "false"), ("color.ui", "always"), ("log.diffMerges", "on"),
            ("format.pretty", "oneline"), ("log.date", "relative"),
        ] {
            try repository.git("config", key, value)
        }
        for number in 0..<4 { try repository.write("\(number).md", words + "\(number) \(number)") }
        try repository.commit()
        try FileManager.default.moveItem(
            at: site.root.appending(path: "content"), to: site.root.appending(path: "old"))
        // Renamed and edited a little, more of them than the limit.
        for number in 0..<4 {
            try repository.write("new\(number).md", words + "\(number) \(number) more")
        }
        try repository.commit()
        try site.mustBuild()
        for number in 0..<4 {
            #expect(site.page("new\(number)/") == "\(at(1)) \(at(2))")
        }
    }

    @Test(arguments: [[], ["--poll"]], ["the repository", "a worktree"])
    func `are had anew from a commit while the site is watched`(
        _ options: [String], _ kind: String
    ) throws {
        let repository = try Repository()
        try repository.write("a.md", words)
        try repository.commit()
        try repository.git("add", "daybook.yml", "Templates")
        try repository.git("commit", "-q", "-m", "x", date: "2024-03-01T23:30:15+0200")
        let tree = kind == "a worktree" ? "tree" : ""
        if !tree.isEmpty { try repository.git("worktree", "add", "-q", "-b", "other", "tree") }
        let root = repository.site.root.appending(path: tree)
        let output = repository.site.root.appending(path: "out")
        func page() -> String {
            (try? String(contentsOf: output.appending(path: "a/index.html"), encoding: .utf8)) ?? ""
        }
        let watched = try WatchedSite(
            repository.site, ["--output", output.path] + options, inside: tree)
        #expect(page() == "\(at(1)) None")
        try watched.shell("echo more >> a.md", in: tree + "/content")
        try watched.wait("the edit") { watched.builds >= 1 }
        for day in [5, 6] {
            try repository.git(
                "-C", root.path, "commit", "-qam", "x", "--allow-empty",
                date: "2024-03-0\(day)T23:30:15+0200")
            try watched.wait("the commit") { page() == "\(at(1)) \(at(5))" }
        }
        // Another branch, and a commit of it, that leave the notes as they are.
        try repository.git("-C", root.path, "checkout", "-q", "-b", "third")
        try repository.git("-C", root.path, "branch", "-f", "kept")
        try repository.git("-C", root.path, "reset", "-q", "--soft", "HEAD~2")
        try watched.wait("the reset") { page() == "\(at(1)) None" }
        try repository.git("-C", root.path, "reset", "-q", "--soft", "kept")
        try watched.wait("the return") { page() == "\(at(1)) \(at(5))" }
    }

    @Test func `are not had from a shallow clone, nor without a repository, and that is said`()
        throws
    {
        let repository = try Repository()
        try repository.write("a.md", "A")
        try repository.commit()
        try repository.write("a.md", "B")
        try repository.commit()
        let clone = repository.site.root.appending(path: "clone")
        try repository.git(
            "clone", "-q", "--depth", "1", "file://" + repository.site.root.path, clone.path)
        try repository.site.write("clone/daybook.yml", "dates: git\n")
        let run = try Daybook.run(["build", clone.path])
        #expect(run.code == 1)
        #expect(
            run.errors.hasPrefix(
                "daybook.yml:1:8: error: the git history here is shallow, so that dates from it would be wrong [git-dates]; help: fetch all of it: `fetch-depth: 0`"
            ), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: clone.path + "/public"))
        let plain = try TestSite(["content/a.md": "A", "daybook.yml": "dates: git\n"])
        let none = try plain.build(environment: ["GIT_CEILING_DIRECTORIES": "/"])
        #expect(none.code == 1)
        #expect(none.errors.contains("need a git repository"), "\(none.errors)")
        let without = try plain.build(environment: ["PATH": "/nowhere"])
        #expect(without.errors.contains("install Debian's package git"), "\(without.errors)")
        let wrong = try TestSite(["content/a.md": "A", "daybook.yml": "dates: svn\n"])
        #expect(
            try wrong.build().errors.contains("daybook.yml:1:8: error: expected git, found `svn`"))
    }

    @Test func `before the first commit there are none, and a commit is an input`() throws {
        let repository = try Repository()
        let site = repository.site
        for name in ["a", "b", "c"] { try repository.write("\(name).md", name) }
        try site.mustBuild()
        #expect(site.page("a/") == "None None")
        try repository.commit()
        try site.mustBuild()
        #expect(site.page("a/") == "\(at(1)) None")
        // A commit that is not about notes changes nothing; one that is, its note.
        try repository.commit()
        let again = try site.mustBuild()
        #expect(again.errors.contains("0 pages rendered, 0 files written"), "\(again.errors)")
        try repository.write("b.md", "b edited")
        try site.mustBuild()
        #expect(site.page("b/") == "\(at(1)) None")
        try repository.commit()
        let edit = try site.mustBuild(["--verbose"])
        #expect(site.page("b/") == "\(at(1)) \(at(3))")
        #expect(edit.errors.contains("wrote b/index.html"))
        #expect(!edit.errors.contains("wrote a/index.html"))
        // What is kept of the history is no more than a cache.
        for damage in ["", "torn", "\0\0\0\0"] {
            try site.write(".daybook/git-dates", damage)
            #expect(try site.mustBuild().errors.contains("0 pages rendered"))
        }
        // An author's date that is changed afterwards is another date.
        try repository.git(
            "commit", "-q", "--amend", "--no-edit", "--date", "2024-03-09T23:30:15+0200")
        try site.mustBuild()
        #expect(site.page("b/") == "\(at(1)) \(at(9))")
    }

    /// Against git's own way to follow one file, after random edits, moves,
    /// deletions and commits; and what is built over saved state against what is
    /// built anew.
    @Test(arguments: 1...6)
    func `agree with git after random changes, and stay exact`(_ seed: UInt64) throws {
        var random = SystemRandomNumberGenerator.seeded(seed)
        let repository = try Repository()
        let site = repository.site
        var names: [String] = []
        var log: [String] = []
        func body(_ name: String) -> String {
            // Alike enough to be followed when moved, and like no other note.
            String(repeating: "Words of \(name). ", count: 30)
                + "\(Int.random(in: 0..<1000, using: &random))\n"
        }
        for step in 0..<8 {
            for _ in 0..<3 {
                let name = names.randomElement(using: &random)
                switch Int.random(in: 0..<6, using: &random) {
                case 0, 1:
                    let new = "n\(step)-\(names.count)-\(Int.random(in: 0..<99, using: &random)).md"
                    try repository.write(new, body(new))
                    names.append(new)
                    log.append("add \(new)")
                case 2:
                    guard let name else { continue }
                    let path = site.root.appending(path: "content/\(name)")
                    let text = try String(contentsOf: path, encoding: .utf8)
                    try repository.write(name, text + "edit\n")
                    log.append("edit \(name)")
                case 3:
                    guard let name else { continue }
                    let new = "moved/\(step)-\(Int.random(in: 0..<9999, using: &random)).md"
                    let path = site.root.appending(path: "content/\(name)")
                    let text = try String(contentsOf: path, encoding: .utf8)
                    try repository.write(new, text)
                    try site.remove("content/\(name)")
                    names.removeAll { $0 == name }
                    names.append(new)
                    log.append("move \(name) to \(new)")
                case 4:
                    guard let name, names.count > 2 else { continue }
                    try site.remove("content/\(name)")
                    names.removeAll { $0 == name }
                    log.append("remove \(name)")
                default:
                    try repository.commit()
                    log.append("commit")
                }
            }
            guard !names.isEmpty else { continue }
            try site.mustBuild()
            let anew = site.root.appending(path: "anew-\(step)")
            try site.mustBuild([
                "--output", anew.path, "--state", site.root.appending(path: "state-\(step)").path,
            ])
            #expect(site.tree(anew) == site.outputTree, "seed \(seed): \(log)")
        }
        try repository.commit()
        try site.mustBuild()
        for name in names {
            let dates = try repository.git(
                "log", "--follow", "--format=%aI", "--", "content/\(name)"
            ).split(separator: "\n")
            let page = site.page(String(name.dropLast(3)) + "/")
            #expect(page.hasPrefix("\(dates.last ?? "None") "), "seed \(seed), \(name): \(log)")
        }
    }
}

extension SystemRandomNumberGenerator {
    /// The same numbers for the same seed (xorshift64*).
    fileprivate static func seeded(_ seed: UInt64) -> Seeded {
        Seeded(state: seed &* 0x9E37_79B9 | 1)
    }

    fileprivate struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state ^= state >> 12
            state ^= state << 25
            state ^= state >> 27
            return state &* 0x2545_F491_4F6C_DD1D
        }
    }
}
