import Foundation
import Testing

/// Faults of sources, settings and names: each is said at its place, and what
/// would go wrong quietly does not go at all.
@Suite struct InputFaultCases {
    @Test(arguments: ["static/out", "Templates/out", "content/out"])
    func `an output where sources will be looked for is refused before they are there`(
        _ output: String
    ) throws {
        // Neither static/ nor Templates/ exists: a build into them would be
        // copied, or compiled, by the next.
        let site = try TestSite(notes: ["a.md": "A\n"])
        let run = try Daybook.run([
            "build", site.root.path, "--output", site.root.appending(path: output).path,
        ])
        #expect(run.code == 1)
        #expect(run.errors.contains("the output folder is, holds or lies in"))
        #expect(
            !FileManager.default.fileExists(atPath: site.root.appending(path: output).path))
    }

    @Test func `links in Templates are followed inside the site and refused outside it`() throws {
        let site = try TestSite([
            "content/a.md": "A\n", "parts/inner.html": "inner",
            "Templates/note.html":
                "{% include 'linked.html' %}{% include 'secret.html' ignore missing %}",
        ])
        let outside = try TestSite(["secret.html": "SECRET"])
        let templates = site.root.appending(path: "Templates")
        try FileManager.default.createSymbolicLink(
            atPath: templates.appending(path: "linked.html").path,
            withDestinationPath: "../parts/inner.html")
        try FileManager.default.createSymbolicLink(
            atPath: templates.appending(path: "secret.html").path,
            withDestinationPath: outside.root.appending(path: "secret.html").path)
        let run = try site.build()
        #expect(run.code == 0)
        #expect(run.errors.contains("Templates/secret.html: warning:"))
        #expect(site.page("a/index.html") == "inner")
    }

    @Test func `tags may be nested as deep as anybody likes`() throws {
        // The tag index nests a macro for each level, so the levels have a
        // limit; what lies deeper is one name.
        let tag = (0..<100).map { "t\($0)" }.joined(separator: "/")
        let site = try TestSite(notes: ["a.md": "---\ntags: [\"\(tag)\"]\n---\nA\n"])
        try site.mustBuild()
        #expect(site.paths.contains("tags/t0/t1/index.html"))
        #expect(site.page("a/index.html").contains("/tags/t0/t1/t2/"))
    }

    @Test func `aliases of YAML cannot nest deeper than what is written out`() throws {
        let lines = (1..<3000).map { "a\($0): &a\($0) [*a\($0 - 1)]\n" }.joined()
        let site = try TestSite(notes: ["a.md": "---\na0: &a0 [1]\n\(lines)---\nA\n"])
        let run = try site.build()
        #expect(run.code == 1)
        #expect(run.errors.contains("content/a.md:65:"))
        #expect(run.errors.contains("nested more than 64 deep"))
    }

    @Test func `settings that name no place are errors at theirs`() throws {
        let site = try TestSite(
            notes: ["a.md": "A\n"],
            settings: """
                permalink: /../:slug/
                base-url: https://example.org/a/../b/
                timezone: localtime
                """)
        let run = try site.build()
        #expect(run.code == 1)
        for place in [
            "daybook.yml:1:12: error", "daybook.yml:2:11: error", "daybook.yml:3:11: error",
        ] {
            #expect(run.errors.contains(place), "\(run.errors)")
        }
    }

    @Test(arguments: [
        "https://example.org/?a", "https://example.org/#a", "https://example.org//a/",
    ])
    func `a base URL with more than a path is refused`(_ url: String) throws {
        let site = try TestSite(notes: ["a.md": "A\n"], settings: "base-url: \"\(url)\"\n")
        let run = try site.build()
        #expect(run.code == 1)
        #expect(run.errors.contains("daybook.yml:1:11: error: expected an address"))
    }

    @Test func `a bracket that nothing closes is said where it was opened`() throws {
        let site = try TestSite(
            notes: ["a.md": "A\n"], settings: "title: x\nignore: [a\nauthor: b\n")
        let run = try site.build()
        #expect(run.code == 1)
        #expect(run.errors.contains("daybook.yml:2:9: error: a `[` that is not closed"))
        #expect(run.errors.contains("close it with `]`"))
    }

    @Test func `names and settings that are not UTF-8 are said as that`() throws {
        let site = try TestSite(notes: ["a.md": "A\n"])
        // 0xFF stands in no UTF-8. Foundation cannot name such a file.
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = [
            "-c",
            "cd \"$0\" && printf x > content/$(printf '\\377').md && printf 'title: \\377\\n' > daybook.yml",
            site.root.path,
        ]
        try shell.run()
        shell.waitUntilExit()
        try #require(shell.terminationStatus == 0)
        let run = try site.build()
        #expect(run.code == 1)
        #expect(run.errors.contains("the name of this file is not UTF-8"))
        #expect(run.errors.contains("daybook.yml:1:8: error: expected UTF-8"))
    }

    @Test func `a list in groups is not refined further`() throws {
        let site = try TestSite([
            "content/a.md": "A\n",
            "Templates/note.html": "{{ site.notes | group('year') | limit(3) | length }}",
        ])
        let run = try site.build()
        #expect(run.code == 1)
        #expect(run.errors.contains("Templates/note.html:1:"))
        #expect(run.errors.contains("put group last"))
    }

    @Test func `words that Swift reads as numbers are words`() throws {
        // As numbers 0x10 would equal 16, and nan nothing, not even itself.
        let site = try TestSite([
            "content/a.md": "---\nscore: 0x10\n---\nA\n",
            "content/b.md": "---\nscore: nan\n---\nB\n",
            "Templates/404.html":
                "{{ site.notes | where('score', '16') | length }}{{ site.notes | where('score', 'nan') | length }}",
        ])
        try site.mustBuild()
        #expect(site.page("404.html") == "01")
    }

    @Test func `of very many notes of one name the nearest counts, and the message stays short`()
        throws
    {
        var notes: [String: String] = ["from.md": "[[same]]\n"]
        for number in 0..<300 { notes["f\(number)/same.md"] = "[[same]]\n" }
        let site = try TestSite(notes: notes)
        let run = try site.mustBuild()
        // Each finds itself in its own folder; only the one at the root cannot.
        #expect(run.errors.count(of: "[ambiguous-link]") == 1)
        #expect(
            run.errors.contains(
                "may mean `f0/same.md` or `f1/same.md` or `f10/same.md` or 297 others; the first is taken"
            ))
        #expect(site.page("f77/same/index.html").contains("href=\"/f77/same/\""))
    }

    @Test(.timeLimit(.minutes(1)))
    func `folders may lie in each other as deep as the system lets them`() throws {
        // Each page worked the addresses of all folders above it out of all their
        // names: the cube of the depth.
        let folder = Array(repeating: "d", count: 300).joined(separator: "/")
        let site = try TestSite(notes: ["\(folder)/n.md": "N\n"])
        try site.mustBuild()
        #expect(site.page("\(folder)/n/").contains("N"))
    }

    @Test(.timeLimit(.minutes(1)))
    func `patterns of any number of parts take no time that grows with their number`() throws {
        let folder = Array(repeating: "d", count: 30).joined(separator: "/")
        let site = try TestSite(
            [
                "daybook.yml": "ignore: [\"\(String(repeating: "**/", count: 12))x\"]\n",
                "\(folder)/n.md": "N\n", "\(folder)/x/m.md": "M\n",
                ".gitignore": String(repeating: "**/", count: 12) + "x\na/**/b/**\n",
                "a/b/kept.md": "in b\n", "a/q/r/b/left.md": "out\n", "a/b": "",
            ].filter { !$0.value.isEmpty })
        try site.mustBuild()
        #expect(site.exists("\(folder)/n/index.html"))
        #expect(!site.exists("\(folder)/x/m/index.html"))
        // gitignore(5): `/**` is everything below, `**/` any number of folders.
        #expect(!site.exists("a/b/kept/index.html"))
        #expect(!site.exists("a/q/r/b/left/index.html"))
    }

    @Test(arguments: ["build", "list", "new x", "check", "init"])
    func `a current folder that was removed is not taken for the root`(_ command: String) throws {
        let site = try TestSite(notes: ["a.md": "A\n"])
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = [
            "-c", "mkdir \"$0/gone\" && cd \"$0/gone\" && rmdir \"$0/gone\" && \"$1\" \(command)",
            site.root.path, Daybook.binary.path,
        ]
        let errors = Pipe()
        shell.standardError = errors
        try shell.run()
        let said = String(
            decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 1)
        #expect(said.contains("the current folder is not there any more"))
    }

    @Test func `a folder that somebody made in a file's place is left alone`() throws {
        let site = try TestSite(notes: ["a.md": "A\n", "b.md": "B\n"])
        try site.mustBuild()
        try FileManager.default.removeItem(at: site.output.appending(path: "a/index.html"))
        try site.write("public/a/index.html/mine", "mine")
        try FileManager.default.removeItem(at: site.root.appending(path: "content/a.md"))
        try site.write("content/c.md", "C\n")
        try site.mustBuild()
        #expect(site.exists("a/index.html/mine"))
        #expect(site.exists("c/index.html"))
        try site.mustBuild(["--clean"])
        #expect(site.exists("a/index.html/mine"))
    }

    @Test(arguments: ["http://x/a", "//x.org/a", "/.git/hooks/x", "/a/.GIT/config"])
    func `addresses of other sites and of version control are no places of this one`(
        _ address: String
    ) throws {
        let site = try TestSite(
            notes: ["a.md": "---\npermalink: \"\(address)\"\n---\nA\n"],
            settings: "collections:\n  best:\n    url: \"\(address)\"\n")
        let run = try site.build()
        #expect(run.code == 1)
        #expect(run.errors.contains("content/a.md:2:"))
        #expect(run.errors.contains("daybook.yml:3:"))
    }

    @Test func `no value of a note speaks to the service that runs the program`() throws {
        // Carriage return and line feed are one Character to Swift: escaped one
        // by one, the pair passed, and began a command of its own.
        let site = try TestSite(notes: ["a.md": "---\ndraft: \"x\\r\\n::add-mask::m\"\n---\n"])
        let run = try site.build(environment: ["GITHUB_ACTIONS": "true", "GITLAB_CI": ""])
        #expect(run.errors.contains("%0D%0A::add-mask::m"))
        let lines = run.errors.unicodeScalars.split { $0 == "\n" || $0 == "\r" }
        #expect(!lines.contains { String($0).hasPrefix("::add-mask") })
    }

    @Test func `a colour that YAML takes for a comment is said to need quotes`() throws {
        let site = try TestSite(
            notes: ["a.md": "A\n"], settings: "theme:\n  accent: #8a2f1d\n  paper: ~\n")
        let run = try site.build()
        #expect(run.code == 1)
        #expect(run.errors.contains("daybook.yml:2:"))
        #expect(run.errors.contains("starts with `#` in quotes"))
        // A null is absence, everywhere.
        #expect(!run.errors.contains("daybook.yml:3:"))
    }

    @Test func `building the content folder of a site is said to be that`() throws {
        let site = try TestSite(notes: ["a.md": "A\n"], settings: "title: T\n")
        let run = try Daybook.run(
            ["build", site.root.appending(path: "content").path, "--output", site.output.path])
        #expect(run.errors.contains("this folder is the content of a site"))
    }

    @Test func `what is misspelt in settings and notes is said with the closest name`() throws {
        let site = try TestSite(
            notes: [
                "a.md": "---\nimage: nowhere.png\nrating: 3\n---\n[[Great heron]]\n",
                "2026-01-02 heron.md": "---\ntitle: Great heron\n---\nH\n",
                "p/b.md": "[c](q/c.md)\n", "c.md": "C\n",
            ],
            settings: "permalink: /:yaer/:slug/\ncollections:\n  best:\n    where: ratin >= 2\n")
        let run = try site.build()
        #expect(
            run.errors.contains(
                "a permalink has no part `:yaer` [setting]; help: did you mean `:year`?"))
        #expect(run.errors.contains("content/a.md:2:8: warning: `nowhere.png` is no attachment"))
        #expect(run.errors.contains("no note has the field `ratin`"))
        #expect(run.errors.contains("did you mean `rating`?"))
        #expect(run.errors.contains("did you mean `2026-01-02 heron`?"))
        // A file of that name elsewhere comes before names that only look alike.
        #expect(
            run.errors.contains("`q/c.md` leads to nothing [broken-link]; help: did you mean `c`?"))
    }

    @Test func `a broken link is told a name that finds the note`() throws {
        let site = try TestSite(notes: [
            "a.md": "[[Heron]]\n\n[[Hreon]]\n\n[[birds]]\n\n[x](q/heron.md)\n",
            "2026-04-02 Heron.md": "---\ntitle: On the bank\n---\nH\n",
            "birds/_index.md": "B\n", "fish/_index.md": "F\n", "fish/c.md": "[[Home page]]\n",
            "_index.md": "---\ntitle: Home page\n---\n", "2026-05-01.md": "[[2026-05-02]]\n",
        ])
        let run = try site.mustBuild()
        func help(_ link: String) -> String {
            run.errors.pieces(between: "`\(link)` leads to nothing [broken-link]", and: "\n").first
                ?? ""
        }
        // The name has a date before what was written, and a title of its own.
        #expect(help("[[Heron]]") == "; help: did you mean `2026-04-02 Heron`?")
        #expect(help("[[Hreon]]") == "; help: did you mean `2026-04-02 Heron`?")
        #expect(help("q/heron.md") == "; help: did you mean `2026-04-02 Heron`?")
        // Three notes are called `_index`: only a path finds the one that is meant.
        #expect(help("[[birds]]").hasPrefix("; help: did you mean `birds/_index`? "))
        // In a folder with one of its own `_index` is not that of the root.
        #expect(help("[[Home page]]").hasPrefix("; help: did you mean `/_index`? "))
        // A name that is all date has nothing else to be compared, nor is it its own guess.
        #expect(help("[[2026-05-02]]").isEmpty)
        // What is offered is true.
        try site.write("content/a.md", "[[2026-04-02 Heron]] [[birds/_index]]\n")
        try site.write("content/fish/c.md", "[[/_index]]\n")
        try site.write("content/2026-05-01.md", "x\n")
        #expect(try !site.mustBuild().errors.contains("broken-link"))
        #expect(site.page("fish/c/").bodyPart.values(of: "href") == ["/"])
    }

    @Test func `a build that publishes nothing says how the rest is published`() throws {
        let hint = "; --keep-going publishes the rest\n"
        let site = try TestSite(notes: ["a.md": "A\n", "b.md": "---\ndate: never\n---\n"])
        #expect(try site.build().errors.hasSuffix("1 error, 0 warnings" + hint))
        // It does: and then there is nothing to be told.
        let rest = try site.build(["--keep-going"])
        #expect(site.exists("a/index.html"))
        #expect(rest.errors.hasSuffix("1 error, 0 warnings\n"))
        // A check publishes nothing, and warnings leave nothing out.
        let check = try Daybook.run(["check", site.root.path])
        #expect(check.errors.hasSuffix("1 error, 0 warnings\n"))
        try site.write("content/b.md", "[[nowhere]]\n")
        #expect(try site.build(["--strict"]).errors.hasSuffix("0 errors, 1 warning\n"))
        // With settings that cannot be read, going on publishes nothing.
        try site.write("daybook.yml", "paginate: never\n")
        let settings = try site.build(["--keep-going"])
        #expect(settings.errors.contains("nothing was published"))
        #expect(try !site.build().errors.contains("--keep-going"))
    }
}
