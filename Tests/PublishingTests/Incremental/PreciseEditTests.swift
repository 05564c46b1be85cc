import Diagnostics
import Foundation
import Publishing
import Testing

/// More edits, each with exactly the pages that show it. What a page shows is
/// said in the guide: lists show titles and dates, feeds whole bodies, notes
/// their neighbours' titles and the sentences that link to them.
@Suite struct `An edit renders the pages that show it, and no others` {
    private static let feeds = ["feed.json", "feed.xml"]
    private static let feedsOfOne = ["tags/one/feed.json", "tags/one/feed.xml"]

    private func rendered(
        first: (EditedSite) throws -> Void = { _ in }, _ edit: (EditedSite) throws -> Void
    ) throws -> [String] {
        let site = try EditedSite()
        try first(site)
        try site.build()
        return try site.rendered(after: edit)
    }

    // MARK: Front matter

    @Test func `a comment in the front matter: nothing`() throws {
        let pages = try rendered {
            try $0.replace("content/d.md", "title: Delta", "title: Delta # a word to myself")
        }
        #expect(pages.isEmpty)
    }

    @Test func `other quotes around a title: nothing`() throws {
        let pages = try rendered { try $0.replace("content/d.md", "Delta", "\"Delta\"") }
        #expect(pages.isEmpty)
    }

    @Test func `line ends of another system: nothing`() throws {
        let pages = try rendered { site in
            try site.replace("content/d.md", "\n", "\r\n")
        }
        #expect(pages.isEmpty)
    }

    @Test func `an edit that is taken back before the build: nothing`() throws {
        let pages = try rendered { site in
            try site.replace("content/d.md", "Second", "Other")
            try site.replace("content/d.md", "Other", "Second")
        }
        #expect(pages.isEmpty)
    }

    @Test func `a summary: the note alone, whose head has it, and the feed that gives summaries`()
        throws
    {
        let pages = try rendered {
            try $0.replace("content/sub/e.md", "title: Epsilon", "title: Epsilon\nsummary: Short")
        }
        // Undated notes are in no feed.
        #expect(pages == ["sub/e/index.html"])
    }

    @Test func `a day that keeps the order: the note, lists with dates, feeds, the site map`()
        throws
    {
        let pages = try rendered {
            try $0.replace("content/c.md", "2024-03-03", "2024-03-05")
        }
        #expect(
            pages == ["archive/2024/index.html", "c/index.html"] + Self.feeds
                + ["index.html", "sitemap.xml"])
    }

    @Test func `a day in another year: both years, their index, old and new neighbours`() throws {
        let pages = try rendered {
            try $0.replace("content/c.md", "2024-03-03", "2022-03-03")
        }
        // c was newer than b, and is older than d now; 2022 is a new year, which
        // 2023 links to.
        #expect(
            pages == [
                "archive/2022/index.html", "archive/2023/index.html", "archive/2024/index.html",
                "archive/index.html", "b/index.html", "c/index.html", "d/index.html",
            ] + Self.feeds + ["index.html", "sitemap.xml"])
    }

    @Test func `a tag that others have: the note, the tag, its feeds, the index of tags`() throws {
        let pages = try rendered {
            try $0.replace("content/c.md", "title: Gamma", "title: Gamma\ntags: one")
        }
        #expect(
            pages == ["c/index.html"] + Self.feeds + ["tags/index.html"] + Self.feedsOfOne
                + ["tags/one/index.html"])
    }

    @Test func `a tag that is new: its pages come`() throws {
        let pages = try rendered {
            try $0.replace("content/c.md", "title: Gamma", "title: Gamma\ntags: two")
        }
        #expect(
            pages == ["c/index.html"] + Self.feeds
                + [
                    "sitemap.xml", "tags/index.html", "tags/two/feed.json", "tags/two/feed.xml",
                    "tags/two/index.html",
                ])
    }

    @Test func `the last note of a tag loses it: the tag's pages go`() throws {
        let site = try EditedSite()
        try site.replace("content/a.md", "tags: [one]\n", "")
        try site.build()
        try site.replace("content/b.md", "tags: [one]\n", "")
        let report = try site.build()
        #expect(
            report.removed == [
                "tags/index.html", "tags/one/feed.json", "tags/one/feed.xml", "tags/one/index.html",
            ])
        // No tags at all: headers have no link to their index any more.
        #expect(report.rendered.contains("404.html"))
    }

    @Test func `a draft: as if it were deleted`() throws {
        let site = try EditedSite()
        try site.replace("content/d.md", "title: Delta", "title: Delta\ndraft: true")
        let report = try site.build()
        #expect(report.removed == ["archive/2023/index.html", "d/index.html"])
        #expect(
            report.rendered == [
                "a/index.html", "archive/2024/index.html", "archive/index.html",
            ] + Self.feeds + ["index.html", "sitemap.xml"])
    }

    @Test func `a weight: the folder whose order it changes`() throws {
        let pages = try rendered(first: { try $0.write("content/sub/f.md", "F\n") }) {
            try $0.replace("content/sub/f.md", "F", "---\nweight: 1\n---\nF")
        }
        #expect(pages == ["sub/index.html"])
    }

    @Test func `a slug: the note moves, and what links to it or lists it follows`() throws {
        let site = try EditedSite()
        try site.replace("content/b.md", "title: Beta", "title: Beta\nslug: bee")
        let report = try site.build()
        #expect(report.removed == ["b/index.html"])
        // a links to it and has it as newer note; c has it as older one.
        #expect(
            report.rendered == [
                "a/index.html", "archive/2024/index.html", "bee/index.html", "c/index.html",
            ] + Self.feeds + ["index.html", "sitemap.xml"] + Self.feedsOfOne
                + ["tags/one/index.html"])
    }

    @Test func `an alias that nothing links by: its redirect alone`() throws {
        let pages = try rendered {
            try $0.replace("content/d.md", "title: Delta", "title: Delta\naliases: [delta-old]")
        }
        #expect(pages == ["delta-old/index.html"])
    }

    @Test func `a language: the note alone, and feeds that say it`() throws {
        let pages = try rendered {
            try $0.replace("content/sub/e.md", "title: Epsilon", "title: Epsilon\nlang: de")
        }
        // Lists mark a title in another language.
        #expect(pages.contains("sub/e/index.html"))
        #expect(!pages.contains("c/index.html"))
    }

    // MARK: Links

    @Test func `a link comes: the note, the one it leads to, and the feeds`() throws {
        let pages = try rendered {
            try $0.replace("content/d.md", "Second.", "Second, see [[c]].")
        }
        #expect(pages == ["c/index.html", "d/index.html"] + Self.feeds)
    }

    @Test func `a link to nothing, then the note it means: the note that links wakes`() throws {
        let pages = try rendered(first: {
            try $0.replace("content/sub/e.md", "First.", "First, see [[f]].")
        }) { try $0.write("content/sub/f.md", "F\n") }
        #expect(
            pages == [
                "index.html", "sitemap.xml", "sub/e/index.html", "sub/f/index.html",
                "sub/index.html",
            ])
    }

    @Test func `a heading that another note links to: both`() throws {
        let pages = try rendered(first: {
            try $0.write("content/sub/f.md", "## One\n\nF\n")
            try $0.replace("content/sub/e.md", "First.", "First, see [[f#One]].")
        }) { try $0.replace("content/sub/f.md", "## One", "## Two") }
        #expect(pages == ["sub/e/index.html", "sub/f/index.html"])
    }

    @Test func `a title that a link takes over: the note that links`() throws {
        // Obsidian shows what was typed; an embed has the title.
        let pages = try rendered(first: {
            try $0.write("content/sub/f.md", "F\n\n![[e]]\n")
        }) { try $0.replace("content/sub/e.md", "title: Epsilon", "title: Eps") }
        #expect(
            pages == ["index.html", "sub/e/index.html", "sub/f/index.html", "sub/index.html"])
    }

    @Test func `a body that another note embeds: both`() throws {
        let pages = try rendered(first: {
            try $0.write("content/sub/f.md", "F\n\n![[e]]\n")
        }) { try $0.replace("content/sub/e.md", "First.", "Changed.") }
        #expect(pages == ["sub/e/index.html", "sub/f/index.html"])
    }

    @Test func `a section that nobody embeds, of a note of which another is embedded: the note`()
        throws
    {
        let pages = try rendered(first: {
            try $0.write("content/sub/g.md", "## One\n\nG\n\n## Two\n\nH\n")
            try $0.write("content/sub/f.md", "F\n\n![[g#One]]\n")
        }) { try $0.replace("content/sub/g.md", "H\n", "Changed\n") }
        #expect(pages == ["sub/g/index.html"])
    }

    @Test func `a sentence around a link: the note that it leads to shows it`() throws {
        let pages = try rendered(first: {
            try $0.write("content/sub/f.md", "F, see [[e]].\n")
        }) { try $0.replace("content/sub/f.md", "F, see", "G, see") }
        #expect(pages == ["sub/e/index.html", "sub/f/index.html"])
    }

    @Test func `a note is renamed: links to its old name wake, its list shows the new address`()
        throws
    {
        let site = try EditedSite()
        try site.write("content/sub/f.md", "F, see [[e]].\n")
        try site.build()
        try FileManager.default.moveItem(
            at: site.url("content/sub/e.md"), to: site.url("content/sub/h.md"))
        let report = try site.build()
        #expect(report.removed == ["sub/e/index.html"])
        #expect(
            report.rendered == [
                "index.html", "sitemap.xml", "sub/f/index.html", "sub/h/index.html",
                "sub/index.html",
            ])
    }

    @Test func `a folder is renamed: its pages move, and the lists that show it follow`() throws {
        let site = try EditedSite()
        try FileManager.default.moveItem(at: site.url("content/sub"), to: site.url("content/neu"))
        let report = try site.build()
        #expect(report.removed == ["sub/e/index.html", "sub/index.html"])
        #expect(
            report.rendered == ["index.html", "neu/e/index.html", "neu/index.html", "sitemap.xml"])
    }

    // MARK: Files

    @Test func `a picture that a note shows changes: it is copied, nothing is rendered`() throws {
        let site = try EditedSite()
        try site.write("content/sub/f.md", "![p](p.png)\n")
        try site.build()
        try site.write("content/sub/p.png", "another picture")
        let report = try site.build()
        #expect(report.rendered.isEmpty)
        #expect(report.written == ["sub/p.png"])
    }

    @Test func `a picture that no note shows: neither rendered nor written`() throws {
        let site = try EditedSite()
        try site.write("content/sub/q.png", "picture")
        let report = try site.build()
        #expect(report.rendered.isEmpty)
        #expect(report.written.isEmpty)
    }

    @Test func `a picture that a note shows goes: the note, and the copy`() throws {
        let site = try EditedSite()
        try site.write("content/sub/f.md", "![p](p.png)\n")
        try site.build()
        try FileManager.default.removeItem(at: site.url("content/sub/p.png"))
        let report = try site.build()
        #expect(report.rendered == ["sub/f/index.html"])
        #expect(report.removed == ["sub/p.png"])
    }

    @Test func `a style sheet of one's own comes: every page links to it`() throws {
        let site = try EditedSite()
        try site.write("static/custom.css", "a {}")
        let report = try site.build()
        let whole = report.planned.filter { $0.hasSuffix(".html") }
        #expect(report.rendered == whole)
        try site.write("static/custom.css", "b {}")
        #expect(try site.build().rendered.isEmpty)
    }

    // MARK: Templates and settings

    @Test func `a template of notes: the notes`() throws {
        let pages = try rendered { try $0.write("Templates/note.html", "{{ note.title }}\n") }
        #expect(
            pages == [
                "a/index.html", "b/index.html", "c/index.html", "d/index.html", "sub/e/index.html",
            ])
    }

    @Test func `a key that a template of one's own reads: the notes that have it`() throws {
        let pages = try rendered(first: {
            try $0.write("Templates/note.html", "{{ note.title }}{{ note.extra.mood }}\n")
        }) { try $0.replace("content/d.md", "title: Delta", "title: Delta\nmood: calm") }
        #expect(pages == ["d/index.html"])
    }

    @Test func `a template that no page uses: nothing`() throws {
        let pages = try rendered { try $0.write("Templates/other.html", "{{ 1 }}\n") }
        #expect(pages.isEmpty)
    }

    @Test func `the site's description: the home page and the feeds of the site`() throws {
        let pages = try rendered {
            try $0.write(
                "daybook.yml", "base-url: https://example.org/\ndescription: About things\n")
        }
        // Home has a note of its own, whose summary stands there instead.
        #expect(pages == Self.feeds)
    }

    @Test func `a key under extra that nothing reads: nothing`() throws {
        let pages = try rendered {
            try $0.write(
                "daybook.yml", "base-url: https://example.org/\nextra: { colour: red }\n")
        }
        #expect(pages.isEmpty)
    }

    @Test func `a named query comes: its page and the site map`() throws {
        let pages = try rendered {
            try $0.write(
                "daybook.yml",
                "base-url: https://example.org/\ncollections: { Best: { where: date > 2024 } }\n")
        }
        #expect(pages == ["best/index.html", "sitemap.xml"])
    }

    @Test func `two edits at once: the pages of both, each once`() throws {
        let pages = try rendered { site in
            try site.replace("content/d.md", "Second", "Other")
            try site.replace("content/sub/e.md", "First.", "Changed.")
        }
        #expect(pages == ["d/index.html"] + Self.feeds + ["sub/e/index.html"])
    }

    @Test func `many pages of the output are lost: those, and nothing else`() throws {
        let site = try EditedSite()
        try FileManager.default.removeItem(at: site.url("public/sub"))
        let report = try site.build()
        #expect(report.rendered == ["sub/e/index.html", "sub/index.html"])
        #expect(report.written == report.rendered)
    }

    @Test func `a field that a named query sorts by, after another note came: its page`() throws {
        let settings =
            "base-url: https://example.org/\n"
            + "collections: { Fresh: { where: tags == one, sort: -updated } }\n"
        let site = try EditedSite(settings: settings)
        try site.replace("content/a.md", "title: Alpha", "title: Alpha\nupdated: 2024-05-01")
        try site.replace("content/b.md", "title: Beta", "title: Beta\nupdated: 2024-05-02")
        try site.build()
        // Another plan, in which the query's page is kept.
        try site.write("content/sub/f.md", "F\n")
        #expect(try !site.build().rendered.contains("fresh/index.html"))
        try site.replace("content/a.md", "updated: 2024-05-01", "updated: 2024-05-03")
        #expect(try site.build().rendered.contains("fresh/index.html"))
    }

    @Test func `a file's name in another Unicode form is another file`() throws {
        let site = try EditedSite()
        let (composed, decomposed) = ("Caf\u{E9}", "Cafe\u{301}")
        try site.write("static/\(composed).txt", "x")
        try site.write("content/\(composed).md", "N, see [[d]].\n")
        try site.build()
        for (folder, ending) in [("static", "txt"), ("content", "md")] {
            let from = site.url("\(folder)/\(composed).\(ending)").path
            let to = site.url("\(folder)/\(decomposed).\(ending)").path
            #expect(rename(from, to) == 0)
        }
        let report = try site.build()
        let files = try site.names(in: "public")
        #expect(files.contains(Array("\(decomposed).txt".utf8)))
        #expect(!files.contains(Array("\(composed).txt".utf8)))
        #expect(report.removed.map { Array($0.utf8) } == [Array("\(composed).txt".utf8)])
        // The note is planned anew; its address is the same, in its composed form.
        #expect(report.planned.contains("caf\u{E9}/index.html"))
        #expect(report.messages.isEmpty)
    }
}
