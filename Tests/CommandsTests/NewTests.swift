import Foundation
import Testing

/// `daybook new` on real folders.
@Suite struct `A new note` {
    private func make(_ site: TestSite, _ arguments: [String], environment: [String: String] = [:])
        throws -> Run
    {
        try Daybook.run(
            ["new"] + arguments + ["--now", "2026-05-20T23:30Z"], in: site.root,
            environment: environment)
    }

    private func text(_ site: TestSite, _ path: String) throws -> String {
        try String(contentsOf: site.root.appending(path: path), encoding: .utf8)
    }

    @Test func `has title and date, and its path is printed`() throws {
        let site = try TestSite(notes: ["a.md": "A"])
        let run = try make(site, ["First frost"])
        #expect(run.code == 0 && run.errors.isEmpty)
        #expect(run.output == "content/First frost.md\n")
        #expect(
            try text(site, "content/First frost.md")
                == "---\ntitle: First frost\ndate: 2026-05-20\n---\n\n")
        try site.mustBuild(["--strict"])
        #expect(site.page("first-frost/").contains("<h1 dir=\"auto\">First frost</h1>"))
    }

    @Test func `is dated in the site's zone`() throws {
        let site = try TestSite(notes: ["a.md": "A"], settings: "timezone: Asia/Tokyo\n")
        _ = try make(site, ["Morning"])
        #expect(try text(site, "content/Morning.md").contains("date: 2026-05-21\n"))
    }

    @Test func `goes into a folder with tags and a date of its own`() throws {
        let site = try TestSite(notes: ["a.md": "A"])
        let good = try make(
            site,
            [
                "Weir", "--folder", "places/river/", "--tags", "#river, slow water,", "--date",
                "1 March 2026",
            ])
        #expect(good.output == "content/places/river/Weir.md\n", "\(good.errors)")
        #expect(
            try text(site, "content/places/river/Weir.md")
                == "---\ntitle: Weir\ndate: 2026-03-01\ntags: [river, slow water]\n---\n\n")
    }

    @Test(arguments: [
        ("C# and C++", "C and C++.md", "\"C# and C++\""),
        ("What / is: this?", "What is this.md", "\"What / is: this?\""),
        ("true", "true.md", "\"true\""), ("2026", "2026.md", "\"2026\""),
        ("Índex 日本 🌱", "Índex 日本 🌱.md", "\"Índex 日本 🌱\""), (".hidden", "hidden.md", "\".hidden\""),
        ("../../up", "up.md", "\"../../up\""), ("???", "u3f-u3f-u3f.md", "\"???\""),
        ("Index", "2026-05-20 Index.md", "Index"),
        ("a \u{FFFE}b \u{FEFF}c", "a \u{FFFE}b \u{FEFF}c.md", "\"a \\ufffeb \\ufeffc\""),
        ("bell \u{7} \u{9B}", "bell.md", "\"bell \\u0007 \\u009b\""),
        ("say \"so\"\\", "say so.md", "\"say \\\"so\\\"\\\\\""),
    ])
    func `any title is kept, and its file has a name that all systems take`(
        _ title: String, _ name: String, _ scalar: String
    ) throws {
        let site = try TestSite(notes: ["a.md": "A"])
        let run = try make(site, [title])
        #expect(run.output == "content/\(name)\n", "\(run.errors)")
        #expect(try text(site, "content/\(name)").contains("\ntitle: \(scalar)\n"))
        let list = try Daybook.run(["list", "--json", "--now", "2026-06-01"], in: site.root)
        let notes = try #require(
            JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [[String: Any]])
        #expect(notes.contains { $0["title"] as? String == title })
    }

    @Test func `a very long title makes a name that fits`() throws {
        let site = try TestSite(notes: ["a.md": "A"])
        let title = String(repeating: "word ", count: 100)
        let run = try make(site, [title])
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.utf8.count < 230)
    }

    @Test func `nothing that is there is overwritten`() throws {
        let site = try TestSite(notes: ["Weir.md": "mine", "low-water.md": "mine"])
        let before = site.tree(site.root)
        let same = try make(site, ["Weir"])
        #expect(same.code == 1)
        #expect(same.errors == "daybook: content/Weir.md is there already\n")
        let address = try make(site, ["Low water"])
        #expect(address.code == 1)
        #expect(
            address.errors
                == "daybook: content/low-water.md has the address that this note would have; choose another title\n"
        )
        #expect(site.tree(site.root) == before)
    }

    @Test(arguments: ["../out", "/tmp", "a/../../b", ".trash", "a/.b", "link"])
    func `no folder leads out of the notes`(_ folder: String) throws {
        let site = try TestSite(["content/a.md": "A", "outside/b.md": "B"])
        try FileManager.default.createSymbolicLink(
            at: site.root.appending(path: "content/link"),
            withDestinationURL: site.root.appending(path: "outside"))
        let before = site.tree(site.root)
        let run = try make(site, ["X", "--folder", folder])
        #expect(run.code == (folder == "link" ? 1 : 64))
        #expect(site.tree(site.root) == before)
    }

    @Test func `a plain folder takes it as it is, from anywhere`() throws {
        let site = try TestSite(["a.md": "A"])
        let run = try Daybook.run([
            "new", "Weir", "--site", site.root.path, "--now", "2026-05-20", "--json",
        ])
        let report = try #require(
            JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: String])
        #expect(report == ["path": "Weir.md", "name": "Weir"])
        #expect(try text(site, "Weir.md").hasPrefix("---\n"))
    }

    @Test func `opens in the editor that the variable names`() throws {
        let site = try TestSite(notes: ["a.md": "A"])
        let seen = site.root.appending(path: "seen").path
        let run = try make(
            site, ["It's \"odd\" $HOME", "--edit"],
            environment: ["VISUAL": "", "EDITOR": "sh -c 'cat \"$1\" > \(seen)' editor"])
        #expect(run.code == 0, "\(run.errors)")
        #expect(try text(site, "seen").contains("title: \"It's \\\"odd\\\" $HOME\"\n"))
        let none = try make(site, ["B", "--edit"], environment: ["VISUAL": "", "EDITOR": ""])
        #expect(none.code == 1)
        #expect(none.errors.contains("no editor is named by the variables VISUAL and EDITOR"))
        #expect(
            !FileManager.default.fileExists(atPath: site.root.appending(path: "content/B.md").path))
    }

    @Test func `in a folder of the notes it lands there`() throws {
        for settings in [true, false] {
            let site = try TestSite(
                notes: ["birds/river/a.md": "A"], settings: settings ? "title: T\n" : nil)
            let folder = site.root.appending(path: "content/birds/river")
            let run = try Daybook.run(["new", "Weir", "--now", "2026-05-20"], in: folder)
            #expect(run.output == "Weir.md\n", "\(run.errors)")
            #expect(site.tree(site.root)["content/birds/river/Weir.md"] != nil)
            // And from there the whole site is known.
            let explained = try Daybook.run(["explain", "Weir.md", "--json"], in: folder)
            #expect(explained.output.contains("\"url\": \"/birds/river/weir/\""))
            let removed = try Daybook.run(["remove", "Weir.md"], in: folder)
            #expect(removed.output == "content/birds/river/Weir.md → .trash/birds/river/Weir.md\n")
        }
    }

    @Test(arguments: ["public", "Templates", "static/x", "node_modules", "private", "secret/deep"])
    func `no note lands where none is looked for`(_ folder: String) throws {
        let site = try TestSite([
            "a.md": "A", "daybook.yml": "ignore: [private/]\n",
            ".gitignore": "other/\r\nsecret/\r\n",
            "\(folder)/x.txt": "",
        ])
        let before = site.tree(site.root)
        let reason =
            "daybook: nothing in the folder `\(folder)` is taken for a note: "
            + "it is left out by its name, by `ignore:` or by a .gitignore\n"
        let named = try make(site, ["Weir", "--folder", folder])
        #expect(named.code == 1 && named.errors == reason, "\(named.errors)")
        let standing = try Daybook.run(["new", "Weir"], in: site.root.appending(path: folder))
        #expect(standing.code == 1 && standing.errors == reason, "\(standing.errors)")
        #expect(site.tree(site.root) == before)
    }

    @Test func `an address is taken by what the whole site says, not by a file's name`() throws {
        let site = try TestSite(notes: [
            "low-water.md": "---\nslug: other\n---\n",
            "far/b.md": "---\npermalink: /high-water/\n---\n",
            "c.md": "---\nslug: still\ndraft: true\n---\n",
        ])
        let free = try make(site, ["Low water"])
        #expect(free.code == 0, "\(free.errors)")
        for (title, other) in [("High water", "far/b.md"), ("Still", "c.md")] {
            let taken = try make(site, [title])
            #expect(taken.code == 1)
            #expect(
                taken.errors
                    == "daybook: content/\(other) has the address that this note would have; choose another title\n"
            )
        }
        try site.mustBuild(["--strict"])
    }

    @Test func `the site is the folder itself before one that it lies in`() throws {
        let site = try TestSite([
            "daybook.yml": "title: Outer\n", "content/a.md": "A",
            "content/inner/content/b.md": "B", "content/inner/static/x.css": "",
        ])
        for place in ["content/inner", "content/inner/static", "content/inner/content"] {
            let run = try Daybook.run(
                ["new", "N \(place)", "--json"], in: site.root.appending(path: place))
            #expect(run.code == 0, "\(run.errors)")
        }
        let paths = site.tree(site.root).keys.filter { $0.contains("/N ") }
        #expect(paths.count == 3)
        #expect(paths.allSatisfy { $0.hasPrefix("content/inner/content/N ") })
    }
}
