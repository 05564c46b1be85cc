import Foundation
import Testing

/// `daybook remove` on real folders.
@Suite struct `A removed note` {
    private func site() throws -> TestSite {
        try TestSite(notes: [
            "birds/Kingfisher.md": "---\naliases: [Halcyon]\n---\nBlue.\n",
            "log.md": "One.\n\nSaw a [[Kingfisher]] today.\n",
            "late.md": "---\ndraft: true\n---\nAnd [one](birds/Kingfisher.md) more.\n",
            "other.md": "Nothing of it.\n",
        ])
    }

    @Test(arguments: ["remove", "explain"])
    func `is not guessed where two have the name`(_ command: String) throws {
        let site = try TestSite(notes: [
            "First frost.md": "A\n", "garden/First frost.md": "B\n", "c.md": "# Same\n",
            "d.md": "# Same\n",
        ])
        let before = site.tree(site.root)
        for (name, files) in [
            ("First frost", "`content/First frost.md`, `content/garden/First frost.md`"),
            ("Same", "`content/c.md`, `content/d.md`"),
        ] {
            let run = try Daybook.run(
                [command, name], in: site.root.appending(path: "content/garden"))
            #expect(run.code == 1)
            #expect(
                run.errors
                    == "daybook: 2 notes are called `\(name)`: \(files); name one by its path\n")
        }
        #expect(site.tree(site.root) == before)
        let run = try Daybook.run(
            [command, "First frost.md"], in: site.root.appending(path: "content/garden"))
        #expect(run.code == 0 && run.output.contains("content/garden/First frost.md"))
    }

    @Test(arguments: [
        "content/birds/Kingfisher.md", "birds/Kingfisher.md", "Kingfisher", "halcyon",
        "/birds/kingfisher/",
    ])
    func `goes to the trash, and what leads to nothing is named`(_ name: String) throws {
        let site = try site()
        let before = site.tree(site.root)
        let run = try Daybook.run(["remove", name], in: site.root)
        #expect(run.code == 0)
        #expect(run.output == "content/birds/Kingfisher.md → .trash/birds/Kingfisher.md\n")
        #expect(
            run.errors == """
                content/late.md:4:5: warning: `birds/Kingfisher.md` leads to nothing [broken-link]
                content/log.md:3:7: warning: `[[Kingfisher]]` leads to nothing [broken-link]
                2 places to mend; to undo: mv .trash/birds/Kingfisher.md content/birds/Kingfisher.md

                """)
        let after = site.tree(site.root)
        #expect(
            after[".trash/birds/Kingfisher.md"] == before["content/birds/Kingfisher.md"])
        #expect(after.filter { $0.key.hasPrefix("content/") && !$0.key.hasSuffix("/") }.count == 3)
        try site.mustBuild()
        #expect(!site.outputHolds("Blue."))
    }

    @Test func `links that another note takes over are not broken`() throws {
        let site = try site()
        try site.write("content/Kingfisher.md", "Another.\n")
        let run = try Daybook.run(
            ["remove", "content/birds/Kingfisher.md", "--json"], in: site.root)
        let report = try #require(
            JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        #expect(report["trash"] as? String == ".trash/birds/Kingfisher.md")
        #expect(report["url"] as? String == "/birds/kingfisher/")
        let messages = try #require(report["messages"] as? [[String: Any]])
        #expect(messages.map { $0["file"] as? String } == ["content/late.md"])
        #expect(run.errors.isEmpty)
    }

    @Test func `links that led nowhere before are no places to mend`() throws {
        // Before, the first line's help names the note that is about to go, and
        // the second line's link may mean any of three notes.
        let site = try TestSite(notes: [
            "Kingfisher.md": "Blue.\n", "a/Heron.md": "A", "b/Heron.md": "B", "c/Heron.md": "C",
            "log.md": "[[Kingfihser]]\n\n[[Heron]]\n\n[[Kingfisher]]\n",
        ])
        let run = try Daybook.run(["remove", "Kingfisher"], in: site.root)
        #expect(
            run.errors == """
                content/log.md:5:1: warning: `[[Kingfisher]]` leads to nothing [broken-link]
                1 place to mend; to undo: mv .trash/Kingfisher.md content/Kingfisher.md

                """)
        // Two that remain of three: the link leads somewhere still.
        let other = try Daybook.run(["remove", "content/c/Heron.md"], in: site.root)
        #expect(other.errors == "to undo: mv .trash/c/Heron.md content/c/Heron.md\n")
    }

    @Test func `twice by one name parts the two`() throws {
        let site = try TestSite(notes: ["a.md": "one"])
        _ = try Daybook.run(["remove", "a"], in: site.root)
        try site.write("content/a.md", "two")
        let run = try Daybook.run(["remove", "a"], in: site.root)
        #expect(run.output == "content/a.md → .trash/a 2.md\n")
        // Nothing breaks, and the way back is said all the same.
        #expect(run.errors == "to undo: mv '.trash/a 2.md' content/a.md\n")
        #expect(site.tree(site.root)[".trash/a.md"] == Data("one".utf8))
        #expect(site.tree(site.root)[".trash/a 2.md"] == Data("two".utf8))
    }

    @Test func `a broken note can be removed too`() throws {
        let site = try TestSite(notes: ["a.md": "A", "bad.md": "---\ndate: 2026-02-30\n---\n"])
        let run = try Daybook.run(["remove", "content/bad.md"], in: site.root)
        #expect(run.code == 0)
        #expect(run.output == "content/bad.md → .trash/bad.md\n")
        try site.mustBuild(["--strict"])
    }

    @Test func `one that is not there is named with the closest`() throws {
        let site = try site()
        let before = site.tree(site.root)
        let run = try Daybook.run(["remove", "Kingfihser"], in: site.root)
        #expect(run.code == 1)
        #expect(
            run.errors == "daybook: there is no note `Kingfihser`; did you mean `Kingfisher`?\n")
        #expect(site.tree(site.root) == before)
    }

    @Test func `a trash that is a link is refused`() throws {
        let site = try TestSite(["content/a.md": "A", "outside/x": "x"])
        try FileManager.default.createSymbolicLink(
            at: site.root.appending(path: ".trash"),
            withDestinationURL: site.root.appending(path: "outside"))
        let before = site.tree(site.root)
        #expect(try Daybook.run(["remove", "a"], in: site.root).code == 1)
        #expect(site.tree(site.root) == before)
    }

    @Test func `never leaves the site through a link below the trash`() throws {
        let site = try TestSite(["content/l/a.md": "A", "outside/x": "x", ".trash/y": "y"])
        try FileManager.default.createSymbolicLink(
            at: site.root.appending(path: ".trash/l"),
            withDestinationURL: site.root.appending(path: "outside"))
        let before = site.tree(site.root)
        let run = try Daybook.run(["remove", "a"], in: site.root)
        #expect(run.code == 1)
        #expect(run.errors.hasPrefix("daybook: cannot open "))
        #expect(run.errors.hasSuffix("/.trash/l: Not a directory\n"))
        #expect(site.tree(site.root) == before)
    }
}
