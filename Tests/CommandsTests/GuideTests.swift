import Commands
import Foundation
import Notes
import Publishing
import Testing

/// The guide, the README, `--help` and the program say the same.
@Suite struct `The guide` {
    private func text(_ path: String) throws -> String {
        try String(contentsOf: Daybook.packageRoot.appending(path: path), encoding: .utf8)
    }

    @Test func `builds without a word`() throws {
        let output = FileManager.default.temporaryDirectory.appending(
            path: "daybook-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: output) }
        let run = try Daybook.run([
            "build", Daybook.packageRoot.path, "--output", output.path, "--base-url",
            "https://example.org/", "--strict",
        ])
        #expect(run.code == 0, "\(run.errors)")
        #expect(!run.errors.contains("warning"))
    }

    @Test func `names every command and option, and no other`() throws {
        let guide = try text("content/commands.md")
        var all: Set<String> = ["help", "version"]
        for (command, options) in CommandList.options {
            // Each command has a part of the guide, which names its options.
            let part = try #require(
                guide.components(separatedBy: "\n## \(command)\n").dropFirst().first?
                    .components(separatedBy: "\n## ").first, "\(command)")
            for option in options {
                #expect(
                    part.contains(try Regex("--\(option)[^a-z-]")), "\(command) --\(option)")
            }
            all.formUnion(options)
        }
        for match in guide.matches(of: /--([a-z][a-z-]*)/) {
            #expect(all.contains(String(match.output.1)), "\(match.output.0)")
        }
    }

    @Test func `help shows every option of every command`() throws {
        let overview = try Daybook.run(["--help"])
        #expect(overview.code == 0)
        for (command, options) in CommandList.options {
            #expect(overview.output.contains("  \(command) "))
            let help = try Daybook.run([command, "--help"])
            #expect(help.code == 0)
            #expect(try Daybook.run(["help", command]).output == help.output)
            for option in options { #expect(help.output.contains("  --\(option)"), "\(command)") }
            for line in help.output.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
        }
    }

    @Test func `names every setting, switch and kind of page`() throws {
        let guide = try text("content/settings.md")
        for name in SettingsReader.names {
            #expect(guide.contains("`\(name)`") || guide.contains("## \(name)"), "\(name)")
        }
        for (name, _) in SettingsReader.switches { #expect(guide.contains("`\(name)`"), "\(name)") }
        for page in SiteSettings.PageSwitch.allCases {
            #expect(guide.contains("  \(page.rawValue): true"), "\(page)")
        }
    }

    @Test func `names every front matter key`() throws {
        let guide = try text("content/front-matter.md")
        for (_, keys) in FrontMatterKeys.all {
            for key in keys { #expect(guide.contains("`\(key)`"), "\(key)") }
        }
    }

    @Test func `names everything that templates may read`() throws {
        let guide = try text("content/templates.md")
        for (object, members) in TemplateModel.members {
            for member in members {
                #expect(
                    guide.contains("`\(member)`") || guide.contains(".\(member)`"),
                    "\(object).\(member)")
            }
        }
        for filter in TemplateModel.filters {
            #expect(guide.contains("`\(filter)") || guide.contains("| \(filter)"), "\(filter)")
        }
    }

    @Test func `the look stays small and asks nobody for anything`() throws {
        #expect(try text("Templates/assets/daybook.css").utf8.count <= 16 * 1024)
        #expect(try text("Templates/assets/daybook.js").utf8.count < 6 * 1024)
        let folder = Daybook.packageRoot.appending(path: "Templates")
        let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        while let url = walk?.nextObject() as? URL {
            guard let source = try? String(contentsOf: url, encoding: .utf8) else { continue }
            for match in source.matches(of: #/(?:src=|href=|url\(|import )["']?(?:https?:)?\/\//#) {
                Issue.record("\(url.lastPathComponent): \(match.output)")
            }
        }
    }

    @Test func `names every sign of dates`() throws {
        let site = try TestSite([
            "content/a.md": "---\ndate: 2026-03-01\n---\n",
            "Templates/note.html": "{{ note.date | date('%Q') }}",
        ])
        let help = try #require(site.build().errors.components(separatedBy: "there are ").last)
        let signs = help.matches(of: /%[A-Za-z%]/).map { String($0.output) }.filter { $0 != "%-" }
        #expect(signs.count > 15)
        let guide = try text("content/templates.md")
        for sign in signs { #expect(guide.contains("`\(sign)`"), "\(sign)") }
    }

    @Test func `names every property of the theme`() throws {
        let guide = try text("content/theming.md")
        let styles = try text("Templates/assets/daybook.css")
        for name in Theme.names {
            #expect(guide.contains("`\(name)`"), "\(name)")
            #expect(styles.contains("\n  --\(name): "), "\(name)")
        }
        // And the style sheet has no other that a site could set.
        let root = styles.components(separatedBy: "}").first ?? ""
        for match in root.matches(of: #/\n  --([a-z-]+):/#) {
            #expect(Theme.names.contains(String(match.output.1)), "\(match.output.1)")
        }
    }

    /// All of Jinja's own, less the two that the guide says are left out.
    private static let jinjaFilters = """
        abs attr batch capitalize center count d default dictsort e escape filesizeformat first \
        float forceescape format groupby indent int items join last length list lower map max min \
        reject rejectattr replace reverse round safe select selectattr slice sort string striptags \
        sum title tojson trim truncate unique upper urlencode urlize wordcount wordwrap xmlattr
        """
    private static let jinjaTests = """
        boolean callable defined divisibleby eq equalto escaped even false filter float ge greaterthan \
        gt in integer iterable le lessthan lower lt mapping ne none number odd sameas sequence string \
        test true undefined upper
        """

    @Test func `names every filter and test of the language, and these are there`() throws {
        let guide = try text("content/templates.md")
        func names(_ list: String) -> [String] { list.split(separator: " ").map { String($0) } }
        for name in names(Self.jinjaFilters) + names(Self.jinjaTests) {
            #expect(guide.contains("`\(name)`"), "\(name)")
        }
        let site = try TestSite([
            "content/a.md": "A",
            "Templates/note.html": """
            {% for name in "\(Self.jinjaFilters)".split() if name is not filter %}{{ name }} {% endfor %}
            {%- for name in "\(Self.jinjaTests)".split() if name is not test %}{{ name }} {% endfor %}
            """,
        ])
        try site.mustBuild()
        #expect(site.page("a/").split(separator: " ").isEmpty, "\(site.page("a/"))")
    }

    @Test func `names every template and part of the look`() throws {
        let guide = try text("content/templates.md")
        let folder = Daybook.packageRoot.appending(path: "Templates")
        let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        while let url = walk?.nextObject() as? URL {
            let path = String(url.path.dropFirst(folder.path.count + 1))
            if path.hasPrefix("assets") || path == "partials" { continue }
            #expect(guide.contains("`\(path)`"), "\(path)")
        }
        for match in guide.matches(of: /`(partials\/[a-z.-]+)`/) {
            let path = folder.appending(path: String(match.output.1)).path
            #expect(FileManager.default.fileExists(atPath: path), "\(match.output.1)")
        }
    }

    @Test func `its templates and settings do what it says`() throws {
        // Each example of a template builds, in the place that the text names.
        let guide = try text("content/theming.md")
        let examples = guide.pieces(between: "```jinja\n", and: "```")
        let places = [
            "base.html", "note.html", "base.html", "partials/navigation.html", "films.html",
            "essay.html", "note.html",
        ]
        #expect(examples.count == places.count)
        for (place, example) in zip(places, examples) {
            let site = try TestSite([
                "content/a.md": "---\ndate: 2026-01-02\nrating: 4\ntags: [film]\n---\nA\n",
                "daybook.yml":
                    "base-url: https://example.org/\ncollections: {Films: {template: films.html}}\n",
                "Templates/films.html": "x",
            ])
            try site.write("Templates/\(place)", example)
            if place == "essay.html" {
                try site.write("content/a.md", "---\nlayout: essay\n---\nWords of it.\n")
            }
            try site.mustBuild(["--strict"])
            // The body stands there once.
            if place == "essay.html" {
                #expect(site.page("a/").count(of: "<p>Words of it.</p>") == 1)
            }
        }
        let settings = guide.pieces(between: "```yaml\n", and: "```")
        for file in settings {
            try TestSite(["content/a.md": "A", "daybook.yml": file]).mustBuild(["--strict"])
        }
        #expect(!settings.isEmpty)
    }

    @Test func `README names only commands that there are`() throws {
        let readme = try text("README.md")
        for match in readme.matches(of: /daybook ([a-z]+)/)
        where !["is", "and"].contains(match.output.1) {
            #expect(CommandList.options[String(match.output.1)] != nil, "\(match.output.0)")
        }
        let makefile = try text("Makefile")
        for match in readme.matches(of: /make ([a-z]+)/) {
            #expect(makefile.contains("\n\(match.output.1):"), "\(match.output.0)")
        }
        for match in readme.matches(of: /\]\(([^):]+)\)/) {
            #expect(
                FileManager.default.fileExists(
                    atPath: Daybook.packageRoot.appending(path: String(match.output.1)).path),
                "\(match.output.1)")
        }
    }
}

@Suite struct `Command lines` {
    @Test(arguments: [
        (["bild"], "there is no command `bild`; did you mean `build`?"),
        (
            ["build", "--outptu", "x"],
            "`daybook build` has no option `--outptu`; did you mean `--output`?"
        ),
        (["build", "--output"], "`--output` needs a value: --output DIR"),
        (["build", "--strict=yes"], "`--strict` takes no value"),
        (["build", "a", "b"], "`daybook build` takes no further argument; found `b`"),
        (["build", "--jobs", "0"], "`--jobs`: expected a number from 1 on, found `0`"),
        (
            ["build", "--base-url", "example.org"],
            "`--base-url`: expected an address such as https://example.org/notes/, found `example.org`"
        ),
        (
            ["build", "--now", "yesterday"],
            "`--now`: expected a time such as 2024-12-24T08:00+01:00, found `yesterday`"
        ),
        (["build", "--quiet", "--verbose"], "`--quiet` and `--verbose` exclude each other"),
        (["build", "-x"], "`daybook build` has no option `-x`"),
        (["build", "--output", "--json"], "`--output` needs a value: --output DIR"),
        (["new"], "`daybook new` needs a title: daybook new \"First frost\""),
        (["new", "  "], "`daybook new` needs a title that is not blank"),
        (
            ["new", "x", "--date", "soon"],
            "`--date`: expected a date such as 2024-12-24 or 2024-12-24T08:00, found `soon`"
        ),
        (["explain"], "`daybook explain` needs a note, by its path, its name or its address"),
        (["remove"], "`daybook remove` needs a note, by its path, its name or its address"),
        (
            ["completions", "fsh"],
            "`daybook completions`: expected one of bash, zsh, fish, found `fsh`; did you mean `fish`?"
        ),
        (["completions"], "`daybook completions` needs the name of a shell: bash, zsh, fish"),
    ])
    func `a wrong one exits with 64 and names the likely fix`(_ words: [String], _ message: String)
        throws
    {
        let run = try Daybook.run(words)
        #expect(run.code == 64)
        #expect(run.errors.hasPrefix("daybook: \(message)\n"), "\(run.errors)")
        #expect(run.output.isEmpty)
    }

    @Test func `results go to standard output, talk to standard error`() throws {
        let site = try TestSite(notes: [
            "a.md": "---\ndate: 2024-03-01\ntags: [t]\n---\n[[nope]]\n",
            "b.md": "---\ndraft: true\n---\n", "c.md": "---\ndate: 2027-01-01\n---\n",
        ])
        let run = try site.build(["--json"])
        #expect(run.code == 0)
        let report = try #require(
            JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        #expect(
            Set(report.keys) == [
                "notes", "notesRead", "planned", "rendered", "corrected", "why", "written",
                "removed",
                "heldBack", "messages", "nextDue",
            ])
        #expect(report["notes"] as? Int == 3)
        #expect(report["heldBack"] as? Int == 2)
        #expect((report["nextDue"] as? [String: String])?["time"] == "2027-01-01T00:00Z")
        #expect((report["messages"] as? [[String: Any]])?.first?["line"] as? Int == 5)
        #expect(try site.build(["--strict"]).code == 1)
        #expect(try site.build(["--quiet"]).errors.isEmpty)
        let words = try site.build()
        #expect(words.output.isEmpty)
        #expect(
            words.errors.contains(
                "held back: 2 notes (1 draft, 1 scheduled)\nnext due: 2027-01-01T00:00Z content/c.md\n"
            ))
        let check = try Daybook.run(["check", site.root.path, "--now", "2026-06-01"])
        #expect(check.code == 1)
        #expect(
            check.errors.contains(
                "content/a.md:5:1: warning: `[[nope]]` leads to nothing [broken-link]"))
    }

    @Test func `check writes nothing`() throws {
        let site = try TestSite(notes: ["a.md": "A"])
        let before = site.tree(site.root)
        #expect(try Daybook.run(["check", site.root.path]).code == 0)
        #expect(site.tree(site.root) == before)
    }

    @Test func `list sorts, groups, filters and marks drafts`() throws {
        let site = try TestSite(notes: [
            "a.md": "---\ntitle: Zed\ndate: 2024-03-01\ntags: [x/y]\n---\n",
            "b.md": "---\ntitle: Alf\ndate: 2023-01-01\n---\n",
            "c.md": "---\ndraft: true\n---\n",
        ])
        func list(_ arguments: String...) throws -> String {
            try Daybook.run(["list", site.root.path, "--now", "2026-06-01"] + arguments).output
        }
        #expect(try list() == "2024-03-01  Zed  content/a.md\n2023-01-01  Alf  content/b.md\n")
        #expect(
            try list("--sort", "title")
                == "2023-01-01  Alf  content/b.md\n2024-03-01  Zed  content/a.md\n")
        #expect(
            try list("--group", "year")
                == "2024\n  2024-03-01  Zed  content/a.md\n\n2023\n  2023-01-01  Alf  content/b.md\n"
        )
        #expect(try list("--tag", "x") == "2024-03-01  Zed  content/a.md\n")
        #expect(try list("--drafts").hasSuffix("            c (draft)  content/c.md\n"))
        let notes = try #require(
            JSONSerialization.jsonObject(with: Data(try list("--json").utf8)) as? [[String: Any]])
        #expect(notes.map { $0["url"] as? String } == ["/a/", "/b/"])
    }

    @Test func `list takes blanks between keys and says which field no note has`() throws {
        let site = try TestSite(notes: [
            "a.md": "---\nrating: 1\n---\n", "b.md": "---\nrating: 2\n---\n",
        ])
        func list(_ arguments: String...) throws -> Run {
            try Daybook.run(["list", site.root.path] + arguments)
        }
        let sorted = try list("--sort", " title , -rating")
        #expect(sorted.errors.isEmpty)
        #expect(sorted.output.hasPrefix("            a"))
        #expect(try list("--sort", "-rating, title").output.hasPrefix("            b"))
        let mistyped = try list("--group", "mnth")
        #expect(mistyped.code == 0)
        #expect(mistyped.errors == "daybook: no note has a field `mnth`; did you mean `month`?\n")
        #expect(
            try list("--sort", "ratnig").errors
                == "daybook: no note has a field `ratnig`; did you mean `rating`?\n")
        // A key of the notes that is another spelling of `order`.
        #expect(
            try list("--sort", "wieght").errors
                == "daybook: no note has a field `wieght`; did you mean `weight`?\n")
    }

    @Test func `JSON messages have their further places`() throws {
        let site = try TestSite(notes: ["a b.md": "1", "a-b.md": "---\nslug: a-b\n---\n2"])
        let run = try site.build(["--json"])
        let report = try #require(
            JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let messages = try #require(report["messages"] as? [[String: Any]])
        let notes = try #require(messages.first?["notes"] as? [[String: Any]])
        #expect(notes.count == 1)
        #expect(notes.first?["message"] as? String == "the other one")
        #expect((notes.first?["file"] as? String)?.hasPrefix("content/a") == true)
    }

    @Test(arguments: [1, 2, 7, 20, 40, 80, 200])
    func `help fits any width`(_ width: Int) throws {
        for words in [["--help"], ["build", "--help"], ["new", "--help"]] {
            let run = try Daybook.run(words, environment: ["COLUMNS": "\(width)"])
            #expect(run.code == 0)
            for line in run.output.split(separator: "\n") {
                // A word that is longer than the line has a line to itself.
                let words = line.split(separator: " ")
                #expect(
                    line.count <= max(width, 6 + (words.first?.count ?? 0)) || words.count == 1,
                    "\(line)")
            }
        }
    }

    @Test func `a pipe sees no progress, no colours and no drawing`() throws {
        let notes = Dictionary(uniqueKeysWithValues: (0..<200).map { ("n\($0).md", "[[nope]]\n") })
        let run = try TestSite(notes: notes).build([], environment: ["TERM": "xterm-256color"])
        #expect(!run.errors.contains("\u{1B}") && !run.errors.contains("\r"))
        #expect(!run.errors.contains("reading notes"))
    }

    @Test func `a folder that is not there is named`() throws {
        let run = try Daybook.run(["build", "/nonexistent/notes"])
        #expect(run.code == 1)
        #expect(
            run.errors == "daybook: cannot open /nonexistent/notes: No such file or directory\n")
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `completions name every command`(_ shell: String) throws {
        let script = try Daybook.run(["completions", shell]).output
        for (command, options) in CommandList.options {
            #expect(script.contains(command))
            for option in options {
                #expect(script.contains(shell == "fish" ? "-l \(option)" : "--\(option)"))
            }
        }
    }

    @Test(arguments: [
        (["li"], "list"), (["new", "--fo"], "--folder"), (["list", "--group", "mo"], "month"),
        (["completions", "f"], "fish"),
    ])
    func `bash completes commands, options and values`(_ words: [String], _ expected: String) throws
    {
        let script = try Daybook.run(["completions", "bash"]).output
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments =
            [
                "-c",
                script + """
                    COMP_WORDS=(daybook "$@"); COMP_CWORD=$#; complete() { :; }; _daybook
                    printf '%s' "${COMPREPLY[*]}"
                    """, "bash",
            ] + words
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(String(decoding: printed, as: UTF8.self) == expected)
    }

    @Test func `the clock is an input`() throws {
        let site = try TestSite(notes: ["a.md": "---\ndate: 2024-06-01\nexpires: 2024-07-01\n---\n"]
        )
        func isThere(_ now: String) throws -> Bool {
            try site.mustBuild(["--now", now])
            return site.exists("a/index.html")
        }
        #expect(try !isThere("2024-05-31T23:59:59Z"))
        #expect(try isThere("2024-06-01T00:00Z"))
        #expect(try isThere("2024-06-30T23:59:59Z"))
        #expect(try !isThere("2024-07-01T00:00Z"))
        // 1 June 2024 in seconds since 1970.
        let run = try Daybook.run(
            ["build", site.root.path], environment: ["SOURCE_DATE_EPOCH": "1717200000"])
        #expect(run.code == 0)
        #expect(site.exists("a/index.html"))
    }
}
