import Bytes
import Diagnostics
import Foundation
import Markup
import Notes
import Publishing
import Templating
import Testing
import Tracking

/// A site planned from texts, and its pages rendered by given templates.
struct RenderedSite {
    let site: Site
    /// The fingerprints of the templates, by name.
    let fingerprints: [String: Fingerprint]
    fileprivate let renderer: PageRenderer

    /// The site of `notes`, whose numbers are those of `earlier` where there is
    /// one.
    init(
        _ notes: [String: String], templates: [String: String], settings: SiteSettings = .init(),
        after earlier: NoteStore = NoteStore(), attachments: [String] = ["image.png", "other.png"],
        statics: [String] = []
    ) throws {
        var parser = NoteParser(dialect: settings.dialect)
        var parsed: [Note] = []
        for (path, text) in notes {
            parsed.append(try #require(parser.parse(Array(text.utf8), path: path, file: path).note))
        }
        let path = FileManager.default.temporaryDirectory.appending(
            path: "templates-\(UUID().uuidString)"
        ).path
        try FilePath.makeFolders(path)
        let folder = try Folder(path)
        for (name, text) in templates {
            if name.contains("/") {
                try FilePath.makeFolders(path + "/" + NotePath.folder(of: name))
            }
            try folder.write(Array(text.utf8), to: name)
        }
        let loader = TemplateLoader(overriddenBy: templates.keys.sorted(), of: folder)
        try FileManager.default.removeItem(atPath: path)
        let (library, messages) = loader.compile()
        try #require(messages.isEmpty, "\(messages)")
        var planner = SitePlanner(settings: settings)
        let gone = earlier.ids.compactMap { earlier[$0]?.path }.filter { notes[$0] == nil }
        let changes = ChangeSet(from: earlier, changed: parsed, deleted: gone)
        site = planner.plan(
            earlier.applying(changes), attachmentPaths: attachments,
            staticPaths: statics, assetPaths: [], templateNames: loader.names,
            now: Instant(seconds: 1_780_000_000))
        fingerprints = Dictionary(
            uniqueKeysWithValues: library.templates.map { id in
                let source = library.source(of: id)
                return (source.name, Fingerprint(of: source.bytes))
            })
        renderer = PageRenderer(site, library: library, keepsDependencies: true)
    }

    /// The text of a page and what it read.
    func render(_ output: String) throws -> (text: String, reads: Set<SiteRead>) {
        let page = try #require(site.pages.first { $0.address.outputFile == output })
        var buffer = ByteBuffer()
        let rendered = renderer.render(page, into: &buffer)
        #expect(rendered.failure == nil, "\(String(describing: rendered.failure))")
        return (buffer.text(), Set(rendered.dependencies.map(\.read)))
    }

    func id(_ path: String) throws -> NoteID { try #require(site.store.id(ofPath: path)) }
}

@Suite struct `What a page reads` {
    private let notes = [
        "a.md": "---\ntitle: A\ndate: 2024-01-01\ntags: [t]\n---\nSee [[b]] and [[gone]].\n",
        "b.md": "---\ntitle: B\ndate: 2024-01-02\n---\n[[a]]\n",
        "c.md": "---\ntitle: C\ndate: 2024-01-03\n---\nc\n",
    ]

    @Test func `a page that prints a title reads that title and its template`() throws {
        let site = try RenderedSite(notes, templates: ["note.html": "{{ note.title }}"])
        let (text, reads) = try site.render("a/index.html")
        #expect(text == "A")
        #expect(reads == [.field(.title, try site.id("a.md")), .template("note.html")])
    }

    @Test func `neighbours are a question of their own, not the order of all notes`() throws {
        let site = try RenderedSite(
            notes, templates: ["note.html": "{{ note.older.title if note.older }}"])
        let (text, reads) = try site.render("b/index.html")
        #expect(text == "A")
        #expect(
            reads == [
                .neighbours(try site.id("b.md")), .field(.title, try site.id("a.md")),
                .template("note.html"),
            ])
    }

    @Test func `a body reads its links, those that lead nowhere too`() throws {
        let site = try RenderedSite(notes, templates: ["note.html": "{{ note.body }}"])
        let a = try site.id("a.md")
        let (text, reads) = try site.render("a/index.html")
        #expect(
            text
                == "<p>See <a href=\"/b/\">b</a> and <span class=\"broken-link\">gone</span>.</p>\n"
        )
        #expect(
            reads == [
                .field(.body, a), .link(a, 0), .link(a, 1), .address(try site.id("b.md")),
                .setting(.basePath), .template("note.html"),
            ])
    }

    @Test func `backlinks read who links, the sentences and the titles that are shown`() throws {
        let site = try RenderedSite(
            notes,
            templates: [
                "note.html":
                    "{% for link in note.backlinks %}{{ link.note.title }}: {{ link.sentence }}{% endfor %}"
            ])
        let (text, reads) = try site.render("b/index.html")
        #expect(text == "A: See b and gone.")
        let a = try site.id("a.md")
        #expect(
            reads == [
                .backlinks(try site.id("b.md")), .sentence(a, 0), .field(.title, a),
                .template("note.html"),
            ])
    }

    @Test func `a list reads its slice, and of each note only what is printed`() throws {
        let site = try RenderedSite(
            notes,
            templates: [
                "tag.html":
                    "{{ page.notes | length }}{% for note in page.notes %}{{ note.url }}{% endfor %}"
            ])
        let (text, reads) = try site.render("tags/t/index.html")
        #expect(text == "1/a/")
        #expect(
            reads == [
                .count(.tag("t")), .slice(.tag("t"), 0..<Int.max), .address(try site.id("a.md")),
                .template("tag.html"),
            ])
    }

    @Test func `a query of a template is one read of its result`() throws {
        let site = try RenderedSite(
            notes,
            templates: [
                "404.html":
                    "{% for note in site.notes | where('date', '<', '2024-01-03') | sort('title') %}{{ note.title }}{% endfor %}"
            ])
        let (text, reads) = try site.render("404.html")
        #expect(text == "AB")
        let slices = reads.filter { if case .slice = $0 { true } else { false } }
        #expect(slices.count == 1)
        #expect(!reads.contains(.field(.title, try site.id("c.md"))))
        #expect(!reads.contains(.field(.date, try site.id("a.md"))))
    }

    @Test func `a missing extra key is a read of its absence`() throws {
        let site = try RenderedSite(
            notes, templates: ["note.html": "{{ 'yes' if note.extra.mood else 'no' }}"])
        let (text, reads) = try site.render("a/index.html")
        #expect(text == "no")
        #expect(reads == [.extra("mood", try site.id("a.md")), .template("note.html")])
    }

    @Test func `every template that took part is read`() throws {
        let site = try RenderedSite(
            notes,
            templates: [
                "note.html":
                    "{% extends 'outer.html' %}{% block x %}{% include 'inner.html' %}{% endblock %}",
                "outer.html": "[{% block x %}{% endblock %}]", "inner.html": "inner",
            ])
        let (text, reads) = try site.render("a/index.html")
        #expect(text == "[inner]")
        #expect(
            reads == [.template("note.html"), .template("outer.html"), .template("inner.html")])
    }

    @Test func `recorded fingerprints differ exactly where answers do`() throws {
        let template = ["note.html": "{{ note.title }}{{ note.body }}"]
        var edited = notes
        edited["a.md"] = notes["a.md"]?.replacing("See", with: "Look at")
        func dependencies(_ notes: [String: String]) throws -> [SiteRead: Fingerprint] {
            let site = try RenderedSite(notes, templates: template)
            let page = try #require(
                site.site.pages.first { $0.address.outputFile == "a/index.html" })
            var buffer = ByteBuffer()
            let rendered = site.rendered(page, into: &buffer)
            return Dictionary(
                uniqueKeysWithValues: rendered.dependencies.map { ($0.read, $0.seen) })
        }
        let before = try dependencies(notes)
        let after = try dependencies(edited)
        let changed = before.filter { after[$0.key] != $0.value }.map(\.key)
        #expect(before.count == after.count)
        #expect(changed.count == 1)
        #expect(changed.allSatisfy { if case .field(.body, _) = $0 { true } else { false } })
    }
}

extension RenderedSite {
    func rendered(_ page: Page, into buffer: inout ByteBuffer) -> RenderedPage {
        renderer.render(page, into: &buffer)
    }
}
