import Foundation
import Testing

/// Faults that were found by attacking the program, each with what must hold.
@Suite struct RegressionCases {
    @Test func `an index note beside a folder called index has one address in every process`()
        throws
    {
        let site = try TestSite(notes: [
            "a/index.md": "---\ntitle: I\n---\ni", "a/index/x.md": "x", "b.md": "[[a/index]]",
        ])
        for _ in 0..<6 {
            try site.mustBuild(["--clean"])
            // The index note is the page of its own folder.
            #expect(site.page("b/").bodyPart.values(of: "href") == ["/a/"])
        }
    }

    @Test(arguments: ["Archive", "Tags"])
    func `a folder called as a generated page yields to it with a warning`(_ name: String) throws {
        let site = try TestSite(notes: ["\(name)/n.md": "---\ndate: 2024-01-01\ntags: [t]\n---\nN"])
        let run = try site.mustBuild()
        #expect(run.errors.contains("warning: the folder `\(name)` has no page of its own"))
        #expect(site.page("\(name.lowercased())/n/").contains("N"))
        #expect(site.page("\(name.lowercased())/").contains("page-\(name.lowercased())"))
    }

    @Test func `a note called search is a page, and so is tags where tags have none`() throws {
        let site = try TestSite(
            notes: ["search.md": "SSS", "tags.md": "TTT"], settings: "pages: { tags: false }\n")
        try site.mustBuild()
        #expect(site.page("search/").contains("SSS"))
        #expect(site.page("tags/").contains("TTT"))
    }

    @Test func `a Markdown link to a hidden note by its bare name shows no path`() throws {
        let site = try TestSite(notes: [
            "x/TopSecret.md": "---\ndraft: true\n---\nx", "y/p.md": "[t](TopSecret.md)",
        ])
        try site.mustBuild()
        #expect(!site.outputHolds("TopSecret"))
    }

    @Test func `control characters of a name reach no terminal and begin no line`() throws {
        let site = try TestSite(notes: ["a\nb: error: fake [x]\u{1B}[31m.md": "[[nope]]"])
        let run = try site.build()
        #expect(!run.errors.contains("\u{1B}"))
        #expect(!run.errors.contains("\nb: error: fake"))
    }

    @Test func `going on never takes a site apart because its notes were not found`() throws {
        let site = try TestSite(["content/a.md": "A"])
        try site.mustBuild()
        let before = site.outputTree
        try site.write("daybook.yml", "content: nope\n")
        #expect(try site.build(["--keep-going"]).code == 1)
        #expect(site.outputTree == before)
    }

    @Test(arguments: ["content", "static", "Templates", "daybook.yml"])
    func `a part of the site that is a link out of it is refused`(_ name: String) throws {
        let outer = try TestSite(["outside/secret.md": "SECRET", "settings.yml": "title: SECRET\n"])
        let site = outer.root.appending(path: "site")
        try FileManager.default.createDirectory(at: site, withIntermediateDirectories: true)
        try Data("A".utf8).write(to: site.appending(path: "a.md"))
        try FileManager.default.createSymbolicLink(
            at: site.appending(path: name),
            withDestinationURL: outer.root.appending(
                path: name == "daybook.yml" ? "settings.yml" : "outside"))
        let run = try Daybook.run(["build", site.path, "--now", "2026-06-01"])
        #expect(run.code == 1)
        #expect(run.errors.contains("\(name): error:"))
        #expect(!run.errors.contains("SECRET"))
        #expect(!FileManager.default.fileExists(atPath: site.path + "/public"))
    }

    @Test func `static files are copied as they are, hidden ones too`() throws {
        let site = try TestSite([
            "content/a.md": "A", "static/.nojekyll": "", "static/.well-known/x": "y",
            "static/.git/config": "no",
        ])
        try site.mustBuild()
        #expect(site.exists(".nojekyll") && site.exists(".well-known/x") && !site.exists(".git"))
    }

    @Test func `a static file with a line break in its name is an error`() throws {
        let site = try TestSite(["content/a.md": "A", "static/q\nw": "x"])
        let run = try site.build()
        #expect(run.code == 1)
        #expect(run.errors.contains("control character"))
    }

    @Test func `an address without its last slash leads to the one that is made`() throws {
        let site = try TestSite(notes: ["a.md": "---\ntags: [t]\n---\n[x](/tags) [y](/tags/)"])
        let run = try site.mustBuild()
        #expect(!run.errors.contains("warning"))
        #expect(
            site.page("a/").bodyPart.values(of: "href").filter { $0.hasPrefix("/tags") } == [
                "/tags/", "/tags/",
            ])
    }

    @Test func `an extreme SOURCE_DATE_EPOCH is refused`() throws {
        let site = try TestSite(["a.md": "A"])
        for value in ["-9223372036854775808", "9223372036854775807", "x"] {
            let run = try Daybook.run(
                ["build", site.root.path], environment: ["SOURCE_DATE_EPOCH": value])
            #expect(run.code == 64, "\(value)")
        }
    }

    @Test func `a note of variation selectors only has an address inside the site`() throws {
        let site = try TestSite(notes: ["\u{FE0F}.md": "A"])
        try site.mustBuild()
        #expect(site.paths.contains("ufe0f/index.html"))
    }

    @Test func `a title that XML forbids keeps feeds and sitemap well-formed`() throws {
        let site = try TestSite(
            notes: [
                "a.md": "---\ndate: 2026-01-01\n---\n# x\u{FFFE}y\n\nA #t\u{FFFF}u"
            ],
            settings: "base-url: https://example.org/\n")
        try site.mustBuild()
        for path in ["feed.xml", "sitemap.xml"] {
            let text = site.page(path)
            #expect(!text.isEmpty)
            #expect(!text.unicodeScalars.contains { $0.value == 0xFFFE || $0.value == 0xFFFF })
        }
        #expect(site.page("feed.xml").contains("<title>xy</title>"))
    }

    @Test func `a folder of static files is reached by its index page`() throws {
        let site = try TestSite([
            "content/a.md": "[docs](/docs/) and [more](/docs/sub) and [none](/docs/nope/)",
            "static/docs/index.html": "d", "static/docs/sub/index.html": "s",
        ])
        let run = try site.mustBuild()
        #expect(
            site.page("a/").bodyPart.values(of: "href") == ["/docs/", "/docs/sub/", "/docs/nope/"])
        #expect(run.errors.count(of: "[broken-link]") == 1)
        #expect(run.errors.contains("`/docs/nope/`"))
    }

    @Test(arguments: [
        ("step", nil), ("hoem", "home.html"), ("note-header", nil), ("archiv.html", "archive.html"),
    ])
    func `an unknown layout is told a layout that is close, or none`(
        _ layout: String, _ guess: String?
    ) throws {
        let run = try TestSite(notes: ["a.md": "---\nlayout: \(layout)\n---\n"]).mustBuild()
        #expect(run.errors.contains("[unknown-layout]"))
        #expect(run.errors.contains("did you mean") == (guess != nil), "\(run.errors)")
        if let guess { #expect(run.errors.contains("did you mean `\(guess)`?")) }
    }

    @Test func `a list read aloud has a blank between date and title`() throws {
        let site = try TestSite(notes: ["a.md": "---\ndate: 2026-01-01\n---\n"])
        try site.mustBuild()
        #expect(site.page("").mainPart.contains("</time>\n<a "))
    }

    @Test func `a tag page where nothing is dated needs no heading for that`() throws {
        let site = try TestSite(notes: [
            "a.md": "#x/y", "b.md": "---\ndate: 2026-01-01\ntags: [z]\n---\n", "c.md": "#z",
        ])
        try site.mustBuild()
        #expect(!site.page("tags/x/").contains("Undated"))
        #expect(site.page("tags/z/").contains("Undated"))
        // Nested in its parent, a tag needs only its last part.
        #expect(site.page("tags/x/").mainPart.contains(">y</a>"))
        #expect(site.page("tags/").mainPart.contains("<a href=\"/tags/x/y/\" dir=\"auto\">y</a>"))
    }

    @Test func `a note in a language of its own takes that language's direction`() throws {
        let site = try TestSite(notes: ["a.md": "---\nlang: fa\n---\ncode first", "b.md": "B"])
        try site.mustBuild()
        #expect(site.page("a/").contains("<html lang=\"fa\" dir=\"rtl\">"))
        #expect(site.page("a/").contains("<div class=\"body\">"))
        #expect(site.page("b/").contains("<div class=\"body\" dir=\"auto\">"))
    }

    /// Large files are gone through piece by piece: what arrives is the whole of
    /// them, and what stays as it is is not written again.
    @Test func `a large file is copied whole, and again only where it differs`() throws {
        let large = Data((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 / 7) })
        let site = try TestSite(["content/a.md": "# A\n\n![v](v.mp4)\n"])
        try site.write("static/film.mp4", large)
        try site.write("content/v.mp4", large.reversed() + Data())
        try site.mustBuild()
        func file(_ name: String) throws -> Data {
            try Data(contentsOf: site.output.appending(path: name))
        }
        #expect(try file("film.mp4") == large && file("v.mp4") == Data(large.reversed()))
        // The same bytes at another time, and without what was remembered.
        try site.write("static/film.mp4", large)
        #expect(try site.build().errors.contains(" 0 files written"))
        try site.remove(".daybook")
        #expect(try site.build().errors.contains(" 0 files written"))
        // One byte near the end.
        var other = large
        other[4_999_990] ^= 1
        try site.write("static/film.mp4", other)
        #expect(try site.build().errors.contains(" 1 file written"))
        #expect(try file("film.mp4") == other)
        // The copy is damaged where its size and place are the same.
        try large.write(to: site.output.appending(path: "film.mp4"))
        try site.mustBuild()
        #expect(try file("film.mp4") == other)
    }

    /// Jekyll's posts lie in a folder of which no reader knows.
    @Test func `a post names no folder _posts above itself`() throws {
        let site = try TestSite(notes: [
            "_posts/2026-01-02-a.md": "# A\n", "trips/_posts/2026-01-03-b.md": "# B\n",
            "trips/c.md": "# C\n",
        ])
        try site.mustBuild()
        for (page, isInTrips) in [
            ("2026/01/02/a/", false), ("2026/01/03/b/", true), ("trips/c/", true),
        ] {
            let html = site.page(page)
            #expect(!html.isEmpty && !html.contains("_posts"), "\(page)")
            #expect(html.contains(">trips<") == isInTrips, "\(page)")
        }
    }
}
