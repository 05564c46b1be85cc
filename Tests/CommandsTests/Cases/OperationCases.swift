import Foundation
import Testing

/// cases.md, OP: determinism and safety.
@Suite struct OperationCases {
    @Test func `H-OP-1 same inputs give the same bytes`() throws {
        var notes: [String: String] = [:]
        for number in 0..<40 {
            let title = number < 10 ? "Same" : "Title \(number)"
            let tags = (0..<5).map { "t\((number * 7 + $0 * 3) % 11)" }.joined(separator: ", ")
            notes["n\(number).md"] =
                "---\ntitle: \(title)\ndate: 2024-01-01\ntags: [\(tags)]\n---\nSee [[n\((number + 1) % 40)]].\n"
        }
        let settings = "base-url: https://example.org/\n"
        let sorted = notes.keys.sorted()
        var trees: [[String: Data]] = []
        for order in [sorted, sorted.reversed()] {
            let site = try TestSite(notes: notes, settings: settings, order: order)
            for round in 0..<5 {
                let output = site.root.appending(path: "out\(round)")
                try site.mustBuild(
                    ["--output", output.path, "--jobs", "\(round % 3 + 1)"],
                    environment: [
                        "TZ": ["UTC", "Asia/Tokyo", "America/New_York"][round % 3],
                        "LC_ALL": ["C", "de_DE.UTF-8", "tr_TR.UTF-8"][round % 3],
                    ])
                trees.append(site.tree(output))
            }
        }
        for tree in trees { #expect(tree == trees[0]) }
    }

    @Test func `H-OP-2 files that Daybook did not write stay`() throws {
        let site = try TestSite(notes: ["a.md": "A", "b.md": "B"])
        let foreign = [
            "public/.git/config": "git", "public/CNAME": "example.org", "public/keep.txt": "keep",
        ]
        for (path, text) in foreign { try site.write(path, text) }
        func expectForeign() throws {
            for (path, text) in foreign {
                #expect(
                    try String(contentsOf: site.root.appending(path: path), encoding: .utf8) == text
                )
            }
        }
        try site.mustBuild()
        try expectForeign()
        try site.remove("content/b.md")
        try site.mustBuild()
        try expectForeign()
        #expect(!site.exists("b"))
        let tree = site.outputTree
        try site.mustBuild(["--clean"])
        try expectForeign()
        #expect(site.outputTree == tree)
        try site.mustBuild(["--output", site.output.path + "/"])
        #expect(site.outputTree == tree)
    }

    @Test(arguments: ["", "content", "content/sub", "Templates", "static/x", "..", "/", "link"])
    func `H-OP-2 an output that is, holds or lies in the sources is refused`(_ place: String) throws
    {
        let site = try TestSite([
            "content/a.md": "A", "content/sub/b.md": "B", "Templates/x.html": "x",
            "static/x/y.txt": "y",
        ])
        try FileManager.default.createSymbolicLink(
            at: site.root.appending(path: "link"),
            withDestinationURL: site.root.appending(path: "content"))
        let before = site.tree(site.root)
        let output = place.hasPrefix("/") ? place : site.root.path + "/" + place
        let run = try site.build(["--output", output])
        #expect(run.code == 1)
        #expect(run.errors.contains("error: the output folder"))
        #expect(site.tree(site.root) == before)
        let byClean = try site.build(["--output", output, "--clean"])
        #expect(byClean.code == 1)
        #expect(site.tree(site.root) == before)
    }

    @Test func `a foreign file where a page belongs is an error and stays`() throws {
        let site = try TestSite(["content/a.md": "A", "public/a/index.html": "mine"])
        let before = site.outputTree
        let run = try site.build()
        #expect(run.code == 1)
        #expect(run.errors.contains("a/index.html"))
        #expect(site.outputTree == before)
    }

    @Test func `a plain folder is its own content and an unknown public folder is refused`() throws
    {
        let site = try TestSite([
            "a.md": "A", "sub/b.md": "B", "node_modules/x/readme.md": "no", "Templates/t.md": "no",
            "_site/c.md": "no", ".hidden/d.md": "no", ".gitignore": "private/\n",
            "private/e.md": "no",
        ])
        try site.mustBuild()
        #expect(
            site.paths.filter { $0.hasSuffix("index.html") } == [
                "a/index.html", "index.html", "sub/b/index.html", "sub/index.html",
            ])
        // The output is ours now, so building again is good.
        try site.mustBuild()
        let other = try TestSite(["a.md": "A", "public/mine.txt": "mine"])
        let run = try other.build()
        #expect(run.code == 1)
        #expect(run.errors.contains("public"))
    }

    @Test func `a link put into the output leads nothing out of it`() throws {
        let site = try TestSite([
            "content/a.md": "A", "content/b.md": "B", "outside/index.html": "mine",
        ])
        try site.mustBuild()
        func link() throws {
            try FileManager.default.createSymbolicLink(
                at: site.output.appending(path: "b"),
                withDestinationURL: site.root.appending(path: "outside"))
        }
        func outside() throws -> String {
            try String(
                contentsOf: site.root.appending(path: "outside/index.html"), encoding: .utf8)
        }
        try site.remove("public/b")
        try link()
        // Still a page: nothing is written through the link.
        #expect(try site.build().code == 1)
        #expect(try outside() == "mine")
        // No longer a page: nothing is removed through it, by neither way.
        try site.remove("content/b.md")
        try site.mustBuild()
        #expect(try outside() == "mine")
        try site.mustBuild(["--clean"])
        #expect(try outside() == "mine")
    }

    @Test func `a failed build changes nothing in the output`() throws {
        let site = try TestSite(notes: ["a.md": "A", "b.md": "B"])
        try site.mustBuild()
        let before = site.outputTree
        try site.write("content/a.md", "---\ndate: never\n---\nnew")
        try site.write("content/c.md", "new")
        #expect(try site.build().code == 1)
        #expect(site.outputTree == before)
        try site.write("content/a.md", "A2")
        try site.write("Templates/note.html", "{{ note.titel }}\n")
        let run = try site.build()
        #expect(run.code == 1)
        #expect(run.errors.contains("Templates/note.html:1:"))
        #expect(run.errors.contains("did you mean 'title'?"))
        #expect(site.outputTree == before)
        // Nothing is left beside it either.
        let beside = try FileManager.default.contentsOfDirectory(atPath: site.root.path).sorted()
        #expect(beside == [".daybook", "Templates", "content", "public"])
    }

    @Test(arguments: [["--clean"], ["--strict"], []])
    func `whatever was asked for, a build that fails leaves the site`(_ extra: [String]) throws {
        let site = try TestSite(notes: ["a.md": "A"])
        try site.mustBuild()
        let before = site.outputTree
        if extra == ["--strict"] {
            try site.write("content/a.md", "[[nope]]")
        } else {
            try site.write("Templates/note.html", "{{ note.nope }}")
        }
        #expect(try site.build(extra).code == 1)
        #expect(site.outputTree == before)
    }

    @Test func `a file gives way to a folder of its name, and a folder to a file`() throws {
        let site = try TestSite(["content/a.md": "A", "static/x": "file"])
        for _ in 0..<2 {
            try site.remove("static/x")
            try site.write("static/x/y", "inside")
            try site.mustBuild()
            #expect(site.page("x/y") == "inside")
            try site.remove("static/x")
            try site.write("static/x", "file")
            try site.mustBuild()
            #expect(site.page("x") == "file")
        }
    }

    @Test(arguments: ["static/tags", "static/a", "static/a/index.html/x"])
    func `a file where another needs a folder is an error before anything is placed`(
        _ path: String
    ) throws {
        let site = try TestSite(["content/a.md": "---\ntags: [t]\n---\nA"])
        try site.mustBuild()
        let before = site.outputTree
        try site.write(path, "x")
        let run = try site.build()
        #expect(run.code == 1)
        #expect(run.errors.contains(path))
        #expect(site.outputTree == before)
    }

    @Test(arguments: ["/.daybook-manifest", "/.daybook-manifest/", "/.Daybook-Manifest/x/"])
    func `no page takes the place of the list of what was written`(_ permalink: String) throws {
        let site = try TestSite(notes: ["a.md": "---\npermalink: \(permalink)\n---\nA"])
        #expect(try site.build().code == 1)
        try site.write("content/a.md", "A")
        try site.mustBuild()
    }

    @Test func `things in the way are found before anything is placed`() throws {
        let site = try TestSite(notes: ["a.md": "A", "b.md": "B"])
        try site.mustBuild()
        try site.remove("public/a")
        try site.write("public/a", "mine")
        try site.write("content/b.md", "B2")
        let before = site.outputTree
        let run = try site.build()
        #expect(run.code == 1)
        #expect(site.outputTree == before)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: site.root.path).sorted() == [
                ".daybook", "content", "public",
            ])
    }

    @Test func `a link in the place of the staging folder is not followed`() throws {
        let site = try TestSite(["content/a.md": "A", "victim/f": "kept"])
        try site.mustBuild()
        try FileManager.default.createSymbolicLink(
            at: site.root.appending(path: ".public.daybook-staging"),
            withDestinationURL: site.root.appending(path: "victim"))
        try site.write("content/a.md", "A2")
        try site.mustBuild()
        #expect(site.page("a/").contains("A2"))
        #expect(
            try String(contentsOf: site.root.appending(path: "victim/f"), encoding: .utf8) == "kept"
        )
    }

    @Test func `a file in the place of the staging folder is left alone`() throws {
        let site = try TestSite(["content/a.md": "A"])
        try site.mustBuild()
        try site.write(".public.daybook-staging", "mine")
        try site.write("content/a.md", "A2")
        try site.mustBuild()
        #expect(site.page("a/").contains("A2"))
        #expect(!site.exists(".daybook-staging"))
        let file = site.root.appending(path: ".public.daybook-staging")
        #expect(try String(contentsOf: file, encoding: .utf8) == "mine")
    }

    @Test func `a deleted output comes back, and the list is as a clean build's`() throws {
        let site = try TestSite(notes: ["a.md": "A"])
        try site.mustBuild()
        let before = site.outputTree
        try site.remove("public/a/index.html")
        try site.mustBuild()
        #expect(site.outputTree == before)
    }

    @Test func `of two builds at once one works and the other leaves it alone`() async throws {
        var notes: [String: String] = [:]
        for number in 0..<200 { notes["n\(number).md"] = "note \(number)" }
        let site = try TestSite(notes: notes)
        try site.mustBuild()
        for round in 0..<4 {
            for number in 0..<200 {
                try site.write("content/n\(number).md", "note \(number) \(round)")
            }
            let path = site.root.path
            let codes = await withTaskGroup(of: Int32.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        (try? Daybook.run(["build", path, "--quiet", "--now", "2026-06-01T12:00Z"])
                            .code) ?? -1
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.contains(0))
            for number in 0..<200 {
                #expect(site.page("n\(number)/").contains("note \(number) \(round)<"))
            }
        }
    }

    @Test func `two Unicode forms of one name are two notes that want one address`() throws {
        let site = try TestSite(notes: ["caf\u{E9}.md": "one"])
        let other = site.root.path + "/content/cafe\u{301}.md"
        try Data("two".utf8).write(to: URL(filePath: other))
        guard
            try FileManager.default.contentsOfDirectory(atPath: site.root.path + "/content").count
                == 2
        else { return }
        let run = try site.build()
        #expect(run.code == 1)
        #expect(run.errors.contains("both want the address"))
    }

    @Test func `a failed first build leaves no output behind`() throws {
        let site = try TestSite(["content/a.md": "A", "Templates/note.html": "{{ nope }}\n"])
        #expect(try site.build().code == 1)
        #expect(site.outputTree.isEmpty)
    }

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
        arguments: ["build --json", "list", "check --json", "--version", "completions bash"])
    func `a result that cannot be written is a failure`(_ words: String) throws {
        let site = try TestSite(notes: ["a.md": "A"])
        func run(_ redirection: String) throws -> (code: Int32, errors: String) {
            let process = Process()
            process.executableURL = URL(filePath: "/bin/bash")
            process.arguments = [
                "-c", "set -o pipefail; '\(Daybook.binary.path)' \(words) \(redirection)",
            ]
            process.currentDirectoryURL = site.root
            let errors = Pipe()
            process.standardError = errors
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            let said = errors.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return (process.terminationStatus, String(decoding: said, as: UTF8.self))
        }
        let full = try run("> /dev/full")
        #expect(full.code == 1)
        #expect(
            full.errors.hasSuffix(
                "daybook: cannot write standard output: No space left on device\n"))
        // Somebody who reads no further has heard enough.
        #expect(try !run("| true").errors.contains("cannot write"))
    }

    @Test func `bash completes a file's name with blanks and stars as one word`() throws {
        let site = try TestSite(["my notes/a.md": "", "my *": "", "mx": ""])
        let script = try Daybook.run(["completions", "bash"]).output
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.currentDirectoryURL = site.root
        process.arguments = [
            "-c",
            "complete() { :; }\n" + script
                + "COMP_WORDS=(daybook build my); COMP_CWORD=2; _daybook; printf '%s|' \"${COMPREPLY[@]}\"",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let names = String(decoding: printed, as: UTF8.self).split(separator: "|")
        #expect(names.sorted() == ["my *", "my notes"])
    }

    @Test func `what is said of the output is what became of it`() throws {
        let site = try TestSite(notes: ["a.md": "[[nope]]", "b.md": "B"])
        let said = { (run: Run) in
            run.errors.split(separator: "\n").filter { $0.contains("public") }
        }
        let strict = try site.build(["--strict"])
        #expect(strict.code == 1)
        #expect(said(strict).count == 1)
        #expect(strict.errors.contains("nothing was published: there is no ") && !site.exists(""))
        try site.write("content/bad.md", "---\ndate: 2026-02-30\n---\n")
        #expect(try site.build(["--keep-going"]).code == 1)
        let again = try site.build(["--keep-going"])
        #expect(again.code == 1)
        #expect(again.errors.contains(" 0 files written, 0 removed → "), "\(again.errors)")
        let kept = try site.build(["--keep-going", "--strict"])
        #expect(kept.code == 1 && !kept.errors.contains("nothing was published"))
        let broken = try site.build()
        #expect(broken.code == 1 && broken.errors.contains("nothing was published: "))
        try site.remove("content/bad.md")
        let unchanged = try site.build()
        #expect(unchanged.code == 0 && unchanged.errors.contains(" 0 files written"))
    }

    @Test func `a first build that fails leaves no folder behind`() throws {
        let site = try TestSite([
            "content/a.md": "A", "Templates/note.html": "{{ 1 / 0 }}",
        ])
        let before = site.tree(site.root)
        let output = site.root.appending(path: "deep/er/out").path
        for arguments in [[], ["--output", output], ["--strict", "--output", output]] {
            #expect(try site.build(arguments).code == 1)
            #expect(site.tree(site.root) == before)
        }
        // One that was there before stays.
        try FileManager.default.createDirectory(
            at: site.output, withIntermediateDirectories: false)
        #expect(try site.build().code == 1)
        #expect(FileManager.default.fileExists(atPath: site.output.path))
    }
}
