import Bytes
import Diagnostics
import Foundation
import Notes
import Publishing
import Testing

/// A site of a few notes under the built-in look, edited and built again.
final class EditedSite {
    let root: URL
    var options: BuildOptions

    init(settings: String = "base-url: https://example.org/\n") throws {
        root = FileManager.default.temporaryDirectory.appending(
            path: "daybook-precise-\(UUID().uuidString)")
        options = BuildOptions(folder: root.path, now: Instant(seconds: 1_780_000_000))
        options.program = Fingerprint(bits: 5)
        options.state = root.appending(path: ".daybook").path
        options.jobs = 2
        try write("daybook.yml", settings)
        try write("content/index.md", "---\ntitle: Home\n---\nWelcome.\n")
        try write(
            "content/a.md",
            "---\ntitle: Alpha\ndate: 2024-03-01\ntags: [one]\n---\nFirst.\n\nSee [[b]].\n")
        try write("content/b.md", "---\ntitle: Beta\ndate: 2024-03-02\ntags: [one]\n---\nFirst.\n")
        try write("content/c.md", "---\ntitle: Gamma\ndate: 2024-03-03\n---\nFirst.\n")
        try write("content/d.md", "---\ntitle: Delta\ndate: 2023-01-01\n---\nFirst.\n\nSecond.\n")
        try write("content/sub/e.md", "---\ntitle: Epsilon\n---\nFirst.\n")
        try write("content/sub/p.png", "picture")
        try build()
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    func url(_ path: String) -> URL { root.appending(path: path) }

    func write(_ path: String, _ text: String) throws {
        try FileManager.default.createDirectory(
            at: url(path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url(path))
    }

    /// The names in a folder, as bytes: Unicode forms of one name differ.
    func names(in folder: String) throws -> [[UInt8]] {
        try Folder(url(folder).path).entries().map { Array($0.name.utf8) }
    }

    func replace(_ path: String, _ old: String, _ new: String) throws {
        let text = try String(contentsOf: url(path), encoding: .utf8)
        try #require(text.contains(old))
        try write(path, text.replacing(old, with: new))
    }

    @discardableResult
    func build() throws -> BuildReport {
        var builder = try Builder(options)
        return builder.build()
    }

    /// The pages rendered after an edit.
    func rendered(after edit: (EditedSite) throws -> Void) throws -> [String] {
        try edit(self)
        let report = try build()
        #expect(report.messages.filter { $0.severity == .error }.isEmpty)
        // Every file that was written is a page that was rendered, or a copy.
        return report.rendered
    }
}

/// Promise 2: exactly the pages that read something that changed are rendered.
/// The lists follow from what the built-in look shows on each page.
@Suite struct `An edit renders the pages that show it` {
    private static let feeds = ["feed.json", "feed.xml"]

    @Test func `nothing changed: nothing is rendered, nothing is written`() throws {
        let site = try EditedSite()
        let report = try site.build()
        #expect(report.rendered.isEmpty)
        #expect(report.written.isEmpty)
        #expect(report.removed.isEmpty)
        // Five notes, home, a folder, archive and two years,
        // tags and one, two feeds twice, site map, robots, 404.
        #expect(report.planned.count == 19)
    }

    @Test func `all times are reset, as by a checkout: nothing is rendered`() throws {
        let site = try EditedSite()
        for path in ["a.md", "b.md", "c.md", "d.md", "index.md", "sub/e.md"] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
                ofItemAtPath: site.url("content/\(path)").path)
        }
        let report = try site.build()
        #expect(report.rendered.isEmpty)
        #expect(report.written.isEmpty)
    }

    @Test func `a word in a body: the note and the feeds that carry it`() throws {
        let pages = try EditedSite().rendered { try $0.replace("content/d.md", "Second", "Other") }
        #expect(pages == ["d/index.html"] + Self.feeds)
    }

    @Test func `a word in a body of a tagged note: its tag's feeds too`() throws {
        let pages = try EditedSite().rendered {
            try $0.replace("content/a.md", "See [[b]]", "Look at [[b]]")
        }
        // b shows the sentence that links to it.
        #expect(
            pages == ["a/index.html", "b/index.html"] + Self.feeds
                + ["tags/one/feed.json", "tags/one/feed.xml"])
    }

    @Test func `a title: the note, its neighbours, and the lists that show it`() throws {
        let pages = try EditedSite().rendered {
            try $0.replace("content/b.md", "title: Beta", "title: Bet")
        }
        // a and c have it as newer and older note; a's link shows the typed
        // name; neither the index of tags nor of years shows titles.
        #expect(
            pages == [
                "a/index.html", "archive/2024/index.html", "b/index.html", "c/index.html",
                "feed.json", "feed.xml", "index.html", "tags/one/feed.json", "tags/one/feed.xml",
                "tags/one/index.html",
            ])
    }

    @Test func `the title of an undated note: the note, its folder, the home page`() throws {
        let pages = try EditedSite().rendered {
            try $0.replace("content/sub/e.md", "title: Epsilon", "title: Eps")
        }
        // Home lists the newest thirty, undated ones last.
        #expect(pages == ["index.html", "sub/e/index.html", "sub/index.html"])
    }

    @Test func `a key that no template reads: nothing`() throws {
        let site = try EditedSite()
        try site.replace("content/d.md", "title: Delta", "title: Delta\nmood: calm")
        let report = try site.build()
        #expect(report.rendered.isEmpty)
        #expect(report.written.isEmpty)
    }

    @Test func `a new undated note: its page, its folder, the home page, the site map`() throws {
        let pages = try EditedSite().rendered { try $0.write("content/sub/f.md", "F\n") }
        #expect(
            pages == ["index.html", "sitemap.xml", "sub/f/index.html", "sub/index.html"])
    }

    @Test func `a folder comes beside another: home and the site map, not every page's header`()
        throws
    {
        // Headers ask whether there are folders, not which.
        let pages = try EditedSite().rendered { try $0.write("content/neu/g.md", "G\n") }
        #expect(pages == ["index.html", "neu/g/index.html", "neu/index.html", "sitemap.xml"])
    }

    @Test func `the first folder comes: every page links to the list of folders`() throws {
        let site = try EditedSite()
        try FileManager.default.removeItem(at: site.url("content/sub"))
        try site.build()
        let header = "href=\"/#page:folders\""
        func home() throws -> String {
            try String(contentsOf: site.url("public/404.html"), encoding: .utf8)
        }
        #expect(try !home().contains(header))
        try site.write("content/neu/g.md", "G\n")
        try site.build()
        #expect(try home().contains(header))
    }

    @Test func `a note is deleted: those that link to it, neighbours and lists`() throws {
        let site = try EditedSite()
        try FileManager.default.removeItem(at: site.url("content/b.md"))
        let report = try site.build()
        #expect(report.removed == ["b/index.html"])
        #expect(
            report.rendered == [
                "a/index.html", "archive/2024/index.html", "archive/index.html", "c/index.html",
                "feed.json", "feed.xml", "index.html", "sitemap.xml", "tags/index.html",
                "tags/one/feed.json", "tags/one/feed.xml", "tags/one/index.html",
            ])
    }

    @Test func `a template of one page: that page`() throws {
        let pages = try EditedSite().rendered { try $0.write("Templates/404.html", "gone") }
        #expect(pages == ["404.html"])
    }

    @Test func `a static file comes: nothing is rendered, one file is written`() throws {
        let site = try EditedSite()
        try site.write("static/robots.json", "{}")
        let report = try site.build()
        #expect(report.rendered.isEmpty)
        #expect(report.written == ["robots.json"])
    }

    @Test func `an output that somebody changed is made again, and nothing else`() throws {
        let site = try EditedSite()
        try site.write("public/c/index.html", "tampered")
        let report = try site.build()
        #expect(report.rendered == ["c/index.html"])
        #expect(report.written == ["c/index.html"])
    }

    @Test func `time passes without anything falling due: nothing`() throws {
        let site = try EditedSite()
        site.options.now = Instant(seconds: 1_790_000_000)
        #expect(try site.build().rendered.isEmpty)
    }

    @Test func `a note falls due with no file touched: it and the lists that show it`() throws {
        let site = try EditedSite()
        try site.write("content/sub/later.md", "---\nexpires: 2026-06-10\n---\nL\n")
        try site.build()
        #expect(
            FileManager.default.fileExists(atPath: site.url("public/sub/later/index.html").path))
        site.options.now = Instant(seconds: 1_782_000_000)
        let report = try site.build()
        #expect(report.removed == ["sub/later/index.html"])
        #expect(report.rendered == ["index.html", "sitemap.xml", "sub/index.html"])
    }

    @Test func `a site without state builds all again and writes nothing`() throws {
        let site = try EditedSite()
        try FileManager.default.removeItem(at: site.url(".daybook"))
        let report = try site.build()
        #expect(report.rendered == report.planned)
        #expect(report.written.isEmpty)
    }

    @Test func `another program does not believe the state`() throws {
        let site = try EditedSite()
        site.options.program = Fingerprint(bits: 6)
        let report = try site.build()
        #expect(report.rendered == report.planned)
        #expect(report.written.isEmpty)
    }
}
