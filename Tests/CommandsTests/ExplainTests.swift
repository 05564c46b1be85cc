import Foundation
import Testing

/// `daybook explain` on real folders.
@Suite struct `Explaining a note` {
    private func explain(_ site: TestSite, _ name: String, _ arguments: [String] = []) throws -> Run
    {
        try Daybook.run(["explain", name, "--now", "2026-06-01"] + arguments, in: site.root)
    }

    private func object(_ run: Run) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    }

    @Test func `which key set which field, and which was passed over`() throws {
        let site = try TestSite(notes: [
            "2026-01-01 a.md": """
            ---
            created: 2026-05-03
            date: 2026-05-04
            rating: 4
            tag: x
            ---
            # The heading

            Some words with a #tag in them.
            """
        ])
        let run = try explain(site, "content/2026-01-01 a.md")
        #expect(run.code == 0 && run.errors.isEmpty)
        #expect(
            run.output == """
                content/2026-01-01 a.md
                  published    yes: nothing holds it back
                  address      /2026-01-01-a/ from its path
                  linked from  0 notes

                fields
                  title         The heading  ← the heading that opens the note
                  date          2026-05-04  ← `date`, line 3; `created`, line 2, is passed over
                  draft         false  ← no key says so
                  tags          x, tag  ← `tag`, line 5, and #tags in the text
                  summary       Some words with a #tag in them.  ← the text's beginning
                  extra.rating  4  ← `rating`, line 4

                rendered
                  nothing is remembered of the page: build the site first

                """)
    }

    @Test(arguments: [
        ("draft: yes", "it is a draft (`draft`, line 2)", false),
        ("publish: false", "it is a draft (`publish`, line 2)", false),
        ("draft: false\npublish: false", "it is a draft (`publish`, line 3)", false),
        ("publish: false\ndraft: true", "it is a draft (`draft`, line 3)", false),
        (
            "date: 2027-01-01",
            "its date is to come: 2027-01-01T00:00Z, and this is 2026-06-01T00:00Z", false
        ),
        ("expires: 2026-01-01", "it expired on 2026-01-01 (`expires`, line 2)", false),
        ("expires: 2026-07-01", "until it expires, 2026-07-01T00:00Z", true),
        ("title: x", "nothing holds it back", true),
    ])
    func `whether and why it is published`(_ line: String, _ reason: String, _ isPublished: Bool)
        throws
    {
        let site = try TestSite(notes: ["a.md": "---\n\(line)\n---\nA\n"])
        let report = try object(explain(site, "a", ["--json"]))
        #expect(report["published"] as? Bool == isPublished)
        #expect(report["reason"] as? String == reason)
        #expect(report["url"] as? String == "/a/")
    }

    @Test func `a site that asks for consent, and a folder of drafts`() throws {
        let site = try TestSite(
            notes: ["a.md": "A", "_drafts/b.md": "B"], settings: "opt-in: true\n")
        #expect(
            try object(explain(site, "a", ["--json"]))["reason"] as? String
                == "the settings have `opt-in: true`, and the note does not say `publish: true`")
        #expect(
            try object(explain(site, "b", ["--json"]))["reason"] as? String
                == "it is a draft (it lies in a folder _drafts)")
    }

    @Test(arguments: [
        ("permalink: /x/y/", "/x/y/", "`permalink` in its front matter"),
        ("url: /z.html", "/z.html", "`url` in its front matter"),
        ("slug: other", "/sub/other/", "its folder and its `slug`"),
        ("title: T", "/sub/a/", "its path"),
    ])
    func `its address and where that comes from`(_ line: String, _ url: String, _ from: String)
        throws
    {
        let site = try TestSite(notes: ["sub/a.md": "---\n\(line)\naliases: [/old/]\n---\nA\n"])
        let report = try object(explain(site, url, ["--json"]))
        #expect(report["path"] as? String == "content/sub/a.md")
        #expect(report["url"] as? String == url)
        #expect(report["addressFrom"] as? String == from)
        #expect(report["redirects"] as? [String] == ["/old/"])
        // An old address leads to the note as well.
        #expect(
            try object(explain(site, "/old/", ["--json"]))["path"] as? String == "content/sub/a.md")
    }

    @Test func `what it collides with, also before it is published`() throws {
        let site = try TestSite(notes: ["a b.md": "1", "a-b.md": "---\ndraft: true\n---\n2"])
        let run = try explain(site, "content/a-b.md")
        #expect(run.code == 0)
        #expect(run.output.contains("  published    no: it is a draft (`draft`, line 2)\n"))
        #expect(run.output.contains("\ncollides\n  "))
        #expect(run.output.contains("both want the address /a-b/ [address-taken]"))
        // As the site stands nothing collides.
        #expect(try !explain(site, "content/a b.md").output.contains("collides"))
    }

    @Test func `a page that Daybook makes`() throws {
        let site = try TestSite(
            notes: ["a.md": "#river\n"], settings: "base-url: https://example.org/n/\n")
        for name in [
            "/n/tags/river/", "/tags/river", "https://example.org/n/tags/river/",
            "http://127.0.0.1:8080/tags/river/", "http://localhost:8081/tags/river#x",
        ] {
            let report = try object(explain(site, name, ["--json"]))
            #expect(report["kind"] as? String == "tag")
            #expect(report["url"] as? String == "/n/tags/river/")
            #expect(report["template"] as? String == "tag.html")
        }
    }

    @Test func `a broken note shows its faults`() throws {
        let site = try TestSite(notes: ["bad.md": "---\ndate: 2026-02-30\n---\n"])
        let run = try explain(site, "content/bad.md")
        #expect(run.code == 1)
        #expect(run.errors.hasPrefix("content/bad.md:2:7: error: date: "))
        #expect(run.output.isEmpty)
    }

    @Test func `somebody else's output folder is no hindrance`() throws {
        let site = try TestSite(["a.md": "A", "public/mine.txt": "mine"])
        let run = try explain(site, "a")
        #expect(run.code == 0 && run.errors.isEmpty)
        for command in ["list", "check"] {
            let run = try Daybook.run([command], in: site.root)
            #expect(run.code == 0, "\(command): \(run.errors)")
        }
        #expect(try Daybook.run(["build"], in: site.root).code == 1)
    }

    @Test func `of keys that speak of drafts one decides, and the others are named`() throws {
        let site = try TestSite(notes: [
            "a.md": "---\ndraft: false\npublish: false\npublished: no\n---\n",
            "b.md": "---\npublish: true\ndraft: false\n---\n",
            "_drafts/c.md": "---\ndraft: false\n---\n",
        ])
        func draft(_ name: String) throws -> String? {
            try explain(site, name).output.split(separator: "\n")
                .first { $0.hasPrefix("  draft ") }.map { String($0.drop { $0 != "←" }) }
        }
        #expect(
            try draft("a")
                == "← `published`, line 4; `draft`, line 2, is passed over; `publish`, line 3, is passed over"
        )
        #expect(try draft("b") == "← `draft`, line 3; `publish`, line 2, is passed over")
        #expect(
            try draft("c")
                == "← it lies in a folder _drafts; `draft`, line 2, is passed over")
    }

    @Test func `control characters of a note reach no terminal`() throws {
        let site = try TestSite(notes: [
            "a.md": "---\ntitle: \"x \\e[31m \\x9b y\"\nextra: \"\\a\"\n---\n[[nope]]\n"
        ])
        for words in [["list"], ["list", "--group", "title"], ["explain", "a"]] {
            let run = try Daybook.run(words, in: site.root)
            #expect(run.code == 0)
            #expect(run.output.contains("x \\u{1B}[31m \\u{9B} y"), "\(run.output)")
            let text = (run.output + run.errors).unicodeScalars
            #expect(!text.contains { $0.value < 0x20 && $0 != "\n" || 0x7F...0x9F ~= $0.value })
        }
    }

    /// U+202E turns what follows it round, so that `gpj.md` reads `dm.jpg`; U+2066
    /// to U+2069 do likewise, and U+2028 begins a line.
    @Test func `names that turn text round are written out`() throws {
        let name = "a\u{202E}gpj\u{2066}\u{2069}\u{2028}\u{1B}[31m"
        let shown = "a\\u{202E}gpj\\u{2066}\\u{2069}\\u{2028}\\u{1B}[31m"
        let site = try TestSite(notes: [
            "\(name).md": "---\ndraft: maybe\n---\n", "b.md": "[[\(name)]]\n",
        ])
        for words in [
            ["check"], ["build", "--keep-going"], ["explain", "content/\(name).md"],
            ["explain", name + "?"], ["list", "--sort", name],
            ["build", "--keep-going", "--changed", "\(name)/x"], ["remove", name + "?"],
        ] {
            let run = try Daybook.run(words, in: site.root)
            let text = run.output + run.errors
            #expect(text.contains(shown), "\(words): \(text)")
            #expect(
                !text.unicodeScalars.contains {
                    $0.value < 0x20 && $0 != "\n" || 0x2028...0x202E ~= $0.value
                        || 0x2066...0x2069 ~= $0.value
                }, "\(words): \(text)")
        }
        try site.write("content/\(name).md", "---\ntags: x\n---\nGood.\n")
        for words in [["list"], ["explain", name], ["build", "--verbose"], ["remove", name]] {
            let run = try Daybook.run(words, in: site.root)
            #expect(run.code == 0)
            #expect(
                !(run.output + run.errors).unicodeScalars.contains {
                    $0.value < 0x20 && $0 != "\n" || 0x2028...0x202E ~= $0.value
                }, "\(words)")
        }
    }

    @Test func `a path that a program reads is that path`() throws {
        let site = try TestSite(notes: ["a.md": "# A\n"])
        let run = try Daybook.run(
            ["new", "Title", "--folder", "x\u{202E}y", "--date", "2024-01-01"], in: site.root)
        #expect(run.code == 0)
        let path = run.output.split(separator: "\n").first.map { String($0) } ?? ""
        #expect(path.contains("x\u{202E}y/"))
        #expect(FileManager.default.fileExists(atPath: site.root.path + "/" + path))
    }

    @Test func `an address is taken as it is typed in a browser`() throws {
        let site = try TestSite(
            notes: ["index.md": "Home", "myindex.html.md": "A", "b.md": "B"],
            settings: "base-url: https://example.org/n/\npermalink: /:slug.html\n")
        for name in ["https://example.org/n", "https://example.org/n/", "/n", "/n/index.html"] {
            #expect(
                try object(explain(site, name, ["--json"]))["path"] as? String
                    == "content/index.md", "\(name)")
        }
        // Only a whole `index.html` is a folder's page.
        try site.write("content/c.md", "---\npermalink: /c/my/\n---\n")
        #expect(try explain(site, "/n/c/myindex.html").code == 1)
        #expect(try explain(site, "/n/c/my/index.html").code == 0)
    }
}
