import Foundation
import Testing

/// What one process leaves for the next.
@Suite struct `Building from saved state` {
    private func site() throws -> TestSite {
        var notes: [String: String] = [:]
        for number in 10..<40 {
            notes["n\(number).md"] =
                "---\ntitle: Note \(number)\ndate: 2024-01-\(number % 20 + 10)\ntags: [t\(number % 3)]\n"
                + "---\nFirst.\n\n[[n\(number % 7 + 10)]]\n"
        }
        return try TestSite(notes: notes, settings: "base-url: https://example.org/\n")
    }

    private func state(_ site: TestSite) -> [String] {
        ["--state", site.root.appending(path: ".daybook").path]
    }

    private func numbers(_ run: Run) throws -> [String: Int] {
        let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
        let fields = try #require(object as? [String: Any])
        return fields.compactMapValues { $0 as? Int }
    }

    /// A build that is under way.
    private func start(_ site: TestSite) throws -> Process {
        let process = Process()
        process.executableURL = Daybook.binary
        process.arguments = ["build", site.root.path, "--now", "2026-06-01T12:00Z"] + state(site)
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// The output against that of a build that remembers nothing.
    private func expectExact(_ site: TestSite, _ comment: Comment) throws {
        let anew = site.root.appending(path: "anew")
        try? FileManager.default.removeItem(at: anew)
        try site.mustBuild(["--output", anew.path, "--state", anew.path + "-state", "--clean"])
        #expect(site.tree(site.output) == site.tree(anew), comment)
    }

    @Test func `a new process renders nothing where nothing changed, and one page for one word`()
        throws
    {
        let site = try site()
        try site.mustBuild(state(site))
        let again = try numbers(try site.build(state(site) + ["--json"]))
        #expect(again["rendered"] == 0)
        #expect(again["written"] == 0)
        #expect(again["notes"] == 30)
        try site.write(
            "content/n39.md",
            "---\ntitle: Note 39\ndate: 2024-01-29\ntags: [t0]\n---\nFirst.\n\n[[n14]] and more\n")
        let edited = try numbers(try site.build(state(site) + ["--json"]))
        // The note, the one it links to (which shows the sentence), and of the
        // feeds those of the site and of its tag.
        #expect(edited["rendered"] == 6)
        try expectExact(site, "one word")
    }

    @Test func `a build that is killed leaves the next one exact`() throws {
        let site = try site()
        // `DAYBOOK_KILLS=200` is the long mode.
        let environment = ProcessInfo.processInfo.environment
        let rounds = environment["DAYBOOK_KILLS"].flatMap { Int($0) } ?? 12
        for round in 0..<rounds {
            let number = 10 + round * 2 % 30
            try site.write(
                "content/n\(number).md",
                "---\ntitle: Round \(round)\ndate: 2024-02-1\(round % 10)\n---\nR\n")
            let process = try start(site)
            // Over all of a build, which takes a tenth of a second.
            usleep(UInt32(round * 7919 % 150_000))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            // Every page is whole: what it was, or what it is to be.
            for path in site.paths where path.hasSuffix(".html") {
                #expect(site.page(path).contains("</html>"), "\(path) is torn in round \(round)")
            }
            try site.mustBuild(state(site))
            try expectExact(site, "round \(round)")
        }
    }

    @Test(arguments: [true, false])
    func `a build that is killed between the last page and its list leaves the next exact`(
        _ isPlannedAnew: Bool
    ) throws {
        let site = try site()
        try site.mustBuild(state(site))
        // The last that is placed of what a title changes.
        let last = site.output.appending(path: "tags/t2/index.html").path
        func file() -> UInt64 {
            var status = stat()
            return stat(last, &status) == 0 ? UInt64(status.st_ino) : 0
        }
        for round in 0..<25 {
            try site.write(
                "content/n11.md",
                "---\ntitle: Round \(round)\ndate: 2024-01-1\(isPlannedAnew ? round % 10 : 1)\ntags: [t2]\n---\nR\n"
            )
            let before = file()
            let process = try start(site)
            while file() == before, process.isRunning {}
            // A little later each time: over all that is left to do.
            usleep(UInt32(round / 5 * 40))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            try site.mustBuild(state(site))
            try expectExact(site, "round \(round)")
        }
    }

    @Test func `a state that is torn, foreign or not writable costs work, never truth`() throws {
        let site = try site()
        try site.mustBuild(state(site))
        let file = site.root.appending(path: ".daybook/state.db")
        let bytes = try Data(contentsOf: file)
        for damage in [Data(), Data("no database".utf8), bytes.prefix(bytes.count / 2)] {
            try damage.write(to: file)
            let run = try numbers(try site.build(state(site) + ["--json"]))
            #expect(run["rendered"] == run["planned"])
            #expect(run["written"] == 0)
        }
        // A file stands where the folder should.
        let run = try site.build(["--state", file.path, "--json"])
        #expect(run.code == 0)
        #expect(try numbers(run)["written"] == 0)
    }

    /// Where the power goes, the system may have kept some pages of a change of the
    /// file and not others.
    @Test(
        .enabled(if: Tool.path("python3") != nil),
        arguments: [
            "notes", "outputs", "fields", "records", "readers", "plan", "summary", "outline",
        ]
    )
    func `pieces of two states are never taken for one`(_ piece: String) throws {
        let site = try site()
        try site.mustBuild(state(site))
        let file = site.root.appending(path: ".daybook/state.db").path
        try FileManager.default.copyItem(atPath: file, toPath: file + ".old")
        let path = "content/n39.md"
        let note = try String(contentsOf: site.root.appending(path: path), encoding: .utf8)
        try site.write(path, note.replacing("First", with: "Second"))
        try site.mustBuild(state(site))
        let script = """
            import sqlite3, sys
            new, old, name = sys.argv[1:]
            rows = sqlite3.connect(old).execute(
                "SELECT bytes, name, number FROM piece WHERE name = ?", (name,)).fetchall()
            base = sqlite3.connect(new)
            base.executemany("UPDATE piece SET bytes = ? WHERE name = ? AND number = ?", rows)
            base.commit()
            assert rows
            """
        let run = try Tool.run("python3", ["-c", script, file, file + ".old", piece])
        #expect(run.code == 0, "\(run.output)")
        // The note as it was: to an old piece nothing has changed.
        try site.write(path, note)
        try site.mustBuild(state(site))
        try expectExact(site, "\(piece) of the state before")
    }

    @Test func `two builds at once harm nothing`() throws {
        let site = try site()
        let processes = try (0..<3).map { _ in
            return try start(site)
        }
        for process in processes { process.waitUntilExit() }
        try site.mustBuild(state(site))
        try expectExact(site, "after three at once")
    }

    @Test func `says why each page was rendered, and what it read`() throws {
        let site = try site()
        try site.mustBuild([])
        try site.write(
            "content/n39.md",
            "---\ntitle: Another\ndate: 2024-01-29\ntags: [t0]\n---\nFirst.\n\n[[n14]]\n")
        let run = try site.build(["--json", "--verbose"])
        let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
        let why = try #require((object as? [String: Any])?["why"] as? [[String: String]])
        // Every page shows the title of the one note that changed.
        #expect(!why.isEmpty)
        for entry in why {
            #expect(entry["because"] == "the title of content/n39.md changed", "\(entry)")
        }
        #expect(why.contains { $0["page"] == "n39/index.html" })
        let page = try Daybook.run(["explain", "/tags/t0/", "--site", site.root.path])
        #expect(page.code == 0)
        #expect(page.output.contains("because the title of content/n39.md changed"))
        #expect(
            page.output.contains("\n  the section `2024` of a query of the notes tagged `t0`\n"))
        #expect(page.output.contains("\n  the title of content/n39.md  ← content/n39.md\n"))
        let note = try Daybook.run(["explain", "n39", "--site", site.root.path, "--json"])
        let fields = try #require(
            try JSONSerialization.jsonObject(with: Data(note.output.utf8)) as? [String: Any])
        #expect(fields["renderedBecause"] as? String == "the title of content/n39.md changed")
        #expect((fields["reads"] as? [Any])?.isEmpty == false)
        // Nothing was rendered since, so the reason stays what it was.
        try site.mustBuild([])
        let again = try Daybook.run(["explain", "/tags/t0/", "--site", site.root.path])
        #expect(again.output == page.output)
    }

    @Test func `nothing is explained of a page that was never built`() throws {
        let site = try site()
        let run = try Daybook.run(["explain", "/tags/t0/", "--site", site.root.path])
        #expect(run.code == 0)
        #expect(run.output.contains("nothing is remembered of the page: build the site first"))
    }

    @Test func `lists in a file what was written and what was removed`() throws {
        let site = try site()
        try site.mustBuild([])
        let file = site.root.appending(path: "changed.txt").path
        func changes() throws -> String { try String(contentsOfFile: file, encoding: .utf8) }
        try site.mustBuild(["--changed", file])
        #expect(try changes() == "")
        try site.remove("content/n39.md")
        try site.write("content/sub/new.md", "N\n")
        let run = try site.build(["--changed", file, "--json", "--verbose"])
        let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
        let report = try #require(object as? [String: Any])
        let written = try #require(report["written"] as? [String])
        let removed = try #require(report["removed"] as? [String])
        #expect(removed == ["n39/index.html"])
        #expect(written.contains("sub/new/index.html"))
        #expect(
            try changes()
                == (written.map { "+ \($0)\n" } + removed.map { "- \($0)\n" }).joined())
    }
}
