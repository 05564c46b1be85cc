import Foundation
import Testing

/// `build --watch` as a command: what it says, what it watches, how it ends.
@Suite struct `Building while watching` {
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal ends it well`(_ signal: Int32) throws {
        let watched = try WatchedSite(try TestSite(notes: ["a.md": "# A\n"]))
        #expect(watched.end(by: signal) == 0)
    }

    @Test func `each build says one line, and a warning that stays is said once`() throws {
        let watched = try WatchedSite(
            try TestSite(notes: ["a.md": "[[nope]]\n", "b.md": "# B\n"]))
        try watched.shell("echo more > b.md")
        try watched.wait("the build") { watched.builds == 1 }
        let last = try #require(watched.errors.split(separator: "\n").last)
        #expect(
            last.contains(
                /^content\/b\.md: \d+ pages rendered, \d+ files written, 1 warning, \d+ ms$/))
        #expect(watched.errors.count(of: "[broken-link]") == 1)
        try watched.shell("echo '[[neither]]' > b.md")
        try watched.wait("the new warning") { watched.errors.contains("neither") }
        #expect(watched.errors.count(of: "[broken-link]") == 2)
    }

    @Test func `a warning that is there twice is said twice`() throws {
        let watched = try WatchedSite(
            try TestSite(notes: ["a.md": "[[nope]]\n\n[[nope]]\n", "b.md": "# B\n"]))
        #expect(watched.errors.count(of: "[broken-link]") == 2)
        try watched.shell("echo more > b.md")
        try watched.wait("the build") { watched.builds == 1 }
        #expect(watched.errors.count(of: "[broken-link]") == 2)
        try watched.shell("printf '[[nope]]\n\n[[nope]]\n\n[[nope]]\n' > a.md")
        try watched.wait("the build") { watched.builds == 2 }
        #expect(watched.errors.count(of: "[broken-link]") == 3)
    }

    @Test func `each build lists what it changed, and tells the service that runs it`() throws {
        let site = try TestSite(notes: ["a.md": "# A\n", "b.md": "[[nope]]\n"])
        // Beside the notes, where a file that changes is a source as a rule.
        let list = site.root.appending(path: "content/changed.txt")
        let summary = site.root.appending(path: "summary.md")
        func changed() -> String { (try? String(contentsOf: list, encoding: .utf8)) ?? "" }
        let watched = try WatchedSite(
            site, ["--changed", list.path],
            environment: ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summary.path])
        #expect(changed().contains("+ a/index.html\n") && changed().contains("+ index.html\n"))
        #expect(watched.errors.count(of: "::warning file=content/b.md") == 1)
        try watched.shell("echo more > a.md")
        try watched.wait("the list") {
            changed().hasPrefix("+ a/index.html\n") && watched.builds == 1
        }
        try watched.shell("rm b.md")
        try watched.wait("the removal") { changed().contains("- b/index.html\n") }
        try watched.wait("the line") { watched.builds == 2 }
        #expect(try String(contentsOf: summary, encoding: .utf8).count(of: "### Daybook") == 3)
        #expect(watched.errors.count(of: "::warning") == 1)
    }

    @Test func `files that are called like backups are watched as they are published`() throws {
        let site = try TestSite([
            "content/a.md": "[dump](dump.bak)\n", "content/a.md~": "left", "static/x~": "One.",
        ])
        let watched = try WatchedSite(site)
        #expect(!site.exists("a.md~") && site.exists("x~"))
        try site.write("content/dump.bak", "a dump")
        try watched.wait("the attachment") { site.exists("dump.bak") }
        try site.write("static/x~", "Two.")
        try watched.wait("the file") { site.outputTree["x~"] == Data("Two.".utf8) }
        try site.remove("static/x~")
        try watched.wait("the removal") { !site.exists("x~") }
        try watched.wait("its line") { watched.builds >= 3 }
        let builds = watched.builds
        // What an editor leaves beside a note is none of it.
        try site.write("content/a.md~", "another")
        try site.write("content/#a.md#", "unsaved")
        usleep(1_500_000)
        #expect(watched.builds == builds)
        try watched.expectExact("the end")
    }

    @Test(.timeLimit(.minutes(5)))
    func `what was built is kept though nobody hears of it`() throws {
        let site = try TestSite(notes: ["a.md": "# A\n", "b.md": "# B\n"])
        // What is open for reading alone cannot be written to.
        let run = try Tool.run(
            "sh",
            [
                "-c", "\"$@\" 1< /dev/null", "sh", Daybook.binary.path, "build", site.root.path,
                "--watch", "--json",
            ] + WatchedSite.now)
        #expect(run.code == 1)
        #expect(run.output.contains("cannot write standard output"), "\(run.output)")
        #expect(try site.mustBuild().errors.contains(" 0 pages rendered"))
    }

    @Test func `with --json each build is one object on one line`() throws {
        let site = try TestSite(notes: ["a.md": "# A\n"])
        let watched = try WatchedSite(site, ["--json"])
        try watched.shell("echo more > a.md")
        try watched.wait("the object") { watched.output.count(of: "\n") == 2 }
        let objects = try watched.output.split(separator: "\n").map {
            try #require(
                try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(objects[0]["changed"] is NSNull)
        #expect(objects[1]["changed"] as? [String] == ["content/a.md"])
        #expect(objects[1]["written"] as? Int ?? 0 > 0)
        #expect(objects[1]["milliseconds"] is Int)
    }

    @Test func `settings, templates, static files and links are watched`() throws {
        let site = try TestSite([
            "content/a.md": "# A\n", "shared/s.md": "Shared.\n", "daybook.yml": "title: One\n",
        ])
        try FileManager.default.createSymbolicLink(
            atPath: site.root.appending(path: "content/s.md").path,
            withDestinationPath: "../shared/s.md")
        let watched = try WatchedSite(site)
        try watched.shell("echo 'title: Two' > new && mv new daybook.yml", in: "")
        try watched.wait("the title") { site.page("").contains("Two") }
        try site.write("Templates/note.html", "<p>{{ note.body }}</p>")
        try watched.wait("the template") { site.page("a/").hasPrefix("<p>") }
        try site.write("static/x.txt", "x")
        try watched.wait("the file") { site.exists("x.txt") }
        try watched.shell("echo Another. > s.md", in: "shared")
        try watched.wait("the linked note") { site.page("s/").contains("Another.") }
        try watched.shell("rm -r Templates", in: "")
        try watched.expectExact("the built-in look")
        // Another folder of notes altogether.
        try site.write("notes/n.md", "# N\n")
        try watched.shell("echo 'content: notes' > daybook.yml", in: "")
        try watched.expectExact("other notes")
        try site.write("notes/n.md", "Elsewhere.\n")
        try watched.wait("a note of them") { site.page("n/").contains("Elsewhere.") }
    }

    /// Where bytes are cut off by a count of characters, or the other way round,
    /// a name that begins like one that is left out is taken for that: two signs
    /// of two bytes take `re` from `republic`.
    @Test func `a vault in a folder whose name is not ASCII is watched as any other`() throws {
        let site = try TestSite([
            "Bücher/März/republic/n.md": "Before.\n", "Bücher/März/a.md": "# A\n",
        ])
        let vault = "Bücher/März"
        let output = site.root.appending(path: vault + "/public")
        func page(_ path: String) -> String {
            (try? String(contentsOf: output.appending(path: path), encoding: .utf8)) ?? ""
        }
        let watched = try WatchedSite(site, inside: vault)
        try site.write(vault + "/republic/n.md", "Afterwards.\n")
        try watched.wait("the edit") { page("republic/n/index.html").contains("Afterwards.") }
        try watched.wait("its line") { watched.builds == 1 }
        // What another tool writes there is none of the notes.
        try site.write(vault + "/_site/x.md", "# X\n")
        try site.write(vault + "/node_modules/y.md", "# Y\n")
        try site.write(vault + "/a.md", "# Once more\n")
        try watched.wait("the next edit") { page("a/index.html").contains("Once more") }
        try watched.wait("its line") { watched.builds == 2 }
        let lines = watched.errors.split(separator: "\n").filter { $0.hasSuffix(" ms") }
        #expect(lines.map { String($0.prefix { $0 != ":" }) } == ["republic/n.md", "a.md"])
    }

    @Test func `a site that is its own content is watched, its output and state are not`() throws {
        let site = try TestSite([
            "a.md": "# A\n", ".gitignore": "hidden.md\n", "hidden.md": "# H\n",
        ])
        let watched = try WatchedSite(site, ["--state", site.root.appending(path: "memory").path])
        try site.write("b.md", "# B\n")
        try watched.wait("the note") { site.exists("b/index.html") }
        try watched.wait("its line") { watched.builds == 1 }
        // What it wrote itself makes no build; the next one is of the next edit.
        try site.write(".gitignore", "a.md\n")
        try watched.wait("the patterns") {
            site.exists("hidden/index.html") && !site.exists("a/index.html")
        }
        try watched.wait("its line") { watched.builds == 2 }
        #expect(watched.errors.contains(".gitignore: "))
    }

    @Test func `a note that falls due appears with no file touched`() throws {
        let site = try TestSite(notes: [
            "a.md": "# A\n", "later.md": "---\ntitle: Later\ndate: 2999-01-01\n---\nYes.\n",
        ])
        let watched = try WatchedSite(site, now: [])
        #expect(watched.errors.contains("next due: 2999-01-01T00:00"))
        // Long enough for the edit to be built before, on a busy machine too.
        let soon = Date.now.addingTimeInterval(15)
        let text = soon.formatted(.iso8601)
        try site.write("content/later.md", "---\ntitle: Later\ndate: \(text)\n---\nYes.\n")
        try watched.wait("the edit") { watched.builds == 1 }
        #expect(!site.exists("later/index.html"))
        try watched.wait("the moment") { site.exists("later/index.html") }
        #expect(Date.now >= soon.addingTimeInterval(-1))
        try watched.wait("the line") { watched.errors.contains("a note is due: ") }
    }

    @Test func `saves during a build are all in the next`() throws {
        var notes: [String: String] = [:]
        for number in 0..<1500 { notes["n\(number).md"] = "# Note \(number)\n\n[[n0]]\n" }
        let site = try TestSite(notes: notes)
        let watched = try WatchedSite(site)
        // A build of every page; the saves come meanwhile.
        try site.write("Templates/note.html", "<p>{{ note.body }}</p>")
        try watched.wait("its beginning") {
            try FileManager.default.contentsOfDirectory(atPath: site.root.path)
                .contains { $0.hasSuffix(".daybook-staging") } || watched.builds > 0
        }
        let start = ContinuousClock.now
        for number in 1...10 { try site.write("content/n\(number).md", "save \(number)\n") }
        try site.write("content/n9.md", "the last\n")
        let isMeanwhile = watched.builds == 0
        let time = start.duration(to: .now)
        try watched.wait("the last save") { site.page("n9/").contains("the last") }
        try watched.expectExact("all saves")
        #expect(isMeanwhile, "the saves took \(time)")
        #expect((2...3).contains(watched.builds), "\(watched.errors)")
    }

    @Test func `titles in long lists follow, however they are written`() throws {
        var notes: [String: String] = [:]
        for number in 0..<150 {
            notes["n\(number).md"] =
                "---\ntitle: Note \(number)\ndate: 2024-05-\(10 + number % 20)\ntags: [all]\n---\nText.\n"
        }
        let site = try TestSite(notes: notes, settings: "precompress: [gzip]\n")
        let watched = try WatchedSite(site, ["--json", "--verbose"])
        let long = String(repeating: "long ", count: 2000) + "end"
        // What stands between double quotes is YAML's, what a page shows HTML's.
        for (number, (title, shown)) in [
            (#"A <b> & 'c'"#, "A &lt;b&gt; &amp; &#39;c&#39;"), (#"\"é\" 日本"#, "&#34;é&#34; 日本"),
            ("n", "n"), (long, long),
            ("Note", "Note"),
        ].enumerated() {
            for note in [number, 149] {
                try site.write(
                    "content/n\(note).md",
                    "---\ntitle: \"\(title)\"\ndate: 2024-05-\(10 + note % 20)\ntags: [all]\n---\nText.\n"
                )
            }
            try watched.wait("the title") {
                site.page("tags/all/").count(of: ">\(shown)</a>") == 2
            }
            try watched.expectExact("the titles of note \(number) and of the last")
        }
        let corrected = #""corrected": ["archive/2024/index.html", "tags/all/index.html"]"#
        #expect(watched.output.contains(corrected), "\(watched.output.suffix(2000))")
    }

    @Test func `a save while another process has the output is written as soon as it is free`()
        throws
    {
        let site = try TestSite(notes: ["a.md": "One.\n", "b.md": "# B\n"])
        let watched = try WatchedSite(site)
        let output = open(site.output.path, O_RDONLY | O_DIRECTORY)
        defer { close(output) }
        try #require(flock(output, LOCK_EX | LOCK_NB) == 0)
        try watched.shell("echo Two. > a.md")
        try watched.wait("the word") { watched.errors.contains("another build is writing to") }
        try watched.shell("echo Bee. > b.md")
        try watched.wait("its line") { watched.builds == 2 }
        #expect(site.page("a/").contains("One."))
        flock(output, LOCK_UN)
        try watched.wait("the saves") {
            site.page("a/").contains("Two.") && site.page("b/").contains("Bee.")
        }
        try watched.wait("the line") { watched.errors.contains("the output is free: ") }
        try watched.expectExact("both saves")
        #expect(watched.builds == 3)
    }

    @Test func `a checkout of 300 files is one build or a few`() throws {
        var notes: [String: String] = [:]
        for number in 0..<300 { notes["n\(number).md"] = "# Note \(number)\n\nOne.\n" }
        let site = try TestSite(notes: notes)
        let git = "git -c user.name=x -c user.email=x@example.org -c commit.gpgsign=false"
        let prepare = Process()
        prepare.executableURL = URL(filePath: "/bin/sh")
        prepare.arguments = [
            "-ec",
            """
            git init -q . && git add content && \(git) commit -qm one && git branch one
            for f in content/*.md; do echo Two. >> $f; done
            git add content && \(git) commit -qm two
            """,
        ]
        prepare.currentDirectoryURL = site.root
        prepare.standardOutput = FileHandle.nullDevice
        prepare.standardError = FileHandle.nullDevice
        try prepare.run()
        prepare.waitUntilExit()
        try #require(prepare.terminationStatus == 0)
        let watched = try WatchedSite(site)
        #expect(site.page("n299/").contains("Two."))
        try watched.shell("git checkout -q one", in: "")
        try watched.expectExact("the checkout")
        #expect(!site.outputHolds("Two."))
        #expect((1...6).contains(watched.builds), "\(watched.errors)")
    }

    @Test(
        .enabled(if: WatchLimits.canBeLowered, "no namespace of its own, or no limit of watches"))
    func `where the system has no more watches it polls, and says so`() throws {
        var notes: [String: String] = [:]
        for number in 0..<6 { notes["\(number)/a.md"] = "# A\n" }
        let watched = try WatchedSite(
            try TestSite(notes: notes), wrapper: WatchLimits.lowered)
        #expect(watched.errors.count(of: "limit of watches is reached after") == 1)
        #expect(watched.errors.contains("fs.inotify.max_user_watches"))
        try watched.shell("echo Polled. > 5/a.md")
        try watched.wait("the edit") { watched.site.page("5/a/").contains("Polled.") }
        #expect(watched.end(by: SIGTERM) == 0)
    }

    @Test(
        .enabled(
            if: WatchLimits.queuedEvents.map { $0 <= 20_000 } ?? false,
            "the system's limit of events is raised, and the test would take long"))
    func `where events are lost all is looked at`() throws {
        let limit = try #require(WatchLimits.queuedEvents)
        let watched = try WatchedSite(try TestSite(notes: ["a.md": "# A\n", "b.md": "# B\n"]))
        watched.send(SIGSTOP)
        try watched.shell("for i in $(seq \(limit / 2 + 500)); do : > a.md; : > b.md; done")
        try watched.shell("mkdir new; echo New. > new/n.md")
        watched.send(SIGCONT)
        try watched.wait("the word") { watched.errors.contains("everything: ") }
        try watched.expectExact("all of it")
        try watched.shell("echo Newer. > new/n.md")
        try watched.wait("what came unseen") { watched.site.page("new/n/").contains("Newer.") }
    }

    @Test func `the whole site folder may go and come back`() throws {
        let outer = try TestSite(["site/content/a.md": "# A\n"])
        let site = try TestSite()
        let output = site.root.appending(path: "out")
        let watched = try WatchedSite(outer, ["--output", output.path], inside: "site")
        try watched.shell("mv site aside", in: "")
        try watched.wait("the word") { watched.errors.contains("daybook: cannot open") }
        #expect(FileManager.default.fileExists(atPath: output.path + "/a/index.html"))
        try watched.shell("echo back > aside/content/a.md; mv aside site", in: "")
        try watched.wait("the site") {
            try String(contentsOfFile: output.path + "/a/index.html", encoding: .utf8)
                .contains("back")
        }
        #expect(watched.isRunning)
    }

    @Test func `--poll needs --watch`() throws {
        let run = try Daybook.run(["build", "--poll"])
        #expect(run.code == 64)
        #expect(run.errors.contains("`--poll` needs `--watch`"))
    }

    @Test func `a folder that is not there is an error at once`() throws {
        let run = try Daybook.run(["build", "/nowhere/at/all", "--watch"])
        #expect(run.code == 1)
        #expect(run.errors.contains("cannot open /nowhere/at/all"))
    }
}

/// The system's limits of what can be watched.
private enum WatchLimits {
    /// How many events wait at most; nil where the system has no such limit.
    static let queuedEvents: Int? = {
        let text = try? String(
            contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        return text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }()

    private static let lowering = "echo 3 > /proc/sys/user/max_inotify_watches"

    /// A command that runs another one where three folders can be watched.
    static let lowered = [
        "/usr/bin/unshare", "-Ur", "/bin/sh", "-c", "\(lowering) && exec \"$0\" \"$@\"",
    ]

    /// Not every system lets a user have a namespace; the limit is also tested
    /// without one.
    static let canBeLowered: Bool = {
        guard FileManager.default.isExecutableFile(atPath: lowered[0]) else { return false }
        let run = try? Tool.run("sh", ["-c", "unshare -Ur /bin/sh -c '\(lowering)'"])
        return run?.code == 0
    }()
}
