import Bytes
import Diagnostics
import Markup
import Notes
import Publishing
import Testing
import Tracking
import YAML

/// Whatever an edit changes on a page, the page has read: of each edit, on each
/// page whose text differs, at least one recorded answer differs too. Without
/// that no incremental build could be exact.
@Suite struct `Reads cover what pages show` {
    /// Notes with every field, links of all kinds, embeds, tags and folders.
    private static let notes: [String: String] = [
        "index.md": "---\ntitle: Home\n---\nWelcome [[Alpha]].\n",
        "a.md": """
        ---
        title: Alpha
        date: 2024-03-01 10:00
        updated: 2024-04-01
        expires: 2030-01-01
        tags: [one, two/three]
        aliases: [First, /old/alpha/]
        summary: What alpha is.
        order: 3
        lang: en
        image: image.png
        authors: [Ann, Bob]
        cssclasses: [wide]
        toc: true
        pin: true
        mood: calm
        ---
        # Part one

        Text with [[b]], [[b#Deep|named]], [[gone]], ![[c#Section]] and #inline.

        ## Part two

        [relative](sub/d.md) ![[image.png|200]] ![alt](other.png)
        """,
        "b.md": "---\ntitle: Beta\ndate: 2024-03-02\ntags: one\n---\nB ![[a]]\n\n## Deep\n\nmore\n",
        "c.md":
            "---\ndate: 2023-05-05\n---\n# Gamma\n\nC [[a]]\n\n## Section\n\ninside [[b]] #two/three\n\n## Rest\n\nrest\n",
        "sub/_index.md": "---\ntitle: The folder\n---\nAbout it.\n",
        "sub/d.md": "---\ntitle: Delta\ntags: [One]\n---\nD [up](../a.md) [[First]]\n",
        "sub/deep/e.md": "---\ntitle: Epsilon\ndate: 2022-01-01\ndraft: no\n---\nE\n",
    ]

    /// Prints every member that a template can print of a note and a page, so
    /// that no answer goes unseen.
    private static let templates: [String: String] = {
        func printing(_ object: String, _ names: [String], but left: Set<String>) -> String {
            names.filter { !left.contains($0) }.map { name in
                "\(name)={% if \(object).\(name) is defined %}{{ \(object).\(name) }}{% endif %}\n"
            }.joined()
        }
        let note = printing(
            "note", TemplateModel.members["note"] ?? [],
            but: [
                "tags", "extra", "backlinks", "older", "newer", "folder", "headings", "contents",
            ])
        let page = printing(
            "page", TemplateModel.members["page"] ?? [],
            but: [
                "note", "notes", "tag", "folder", "year", "older_year", "newer_year", "breadcrumbs",
                "target", "sections",
            ])
        let site = printing(
            "site", TemplateModel.members["site"] ?? [],
            but: ["notes", "tags", "years", "folder", "extra"])
        let whole = """
            {% for tag in note.tags %}{{ tag.name }} {{ tag.url }} {{ tag.count }} {{ tag.feed_url }}
            {% for child in tag.children %}{{ child.name }}{% endfor %}{% endfor %}
            {{ note.extra.mood }} {{ site.extra.colour }}
            {% for link in note.backlinks %}{{ link.note.title }} {{ link.sentence }}{% endfor %}
            {{ note.older.title if note.older }} {{ note.newer.url if note.newer }}
            {{ note.folder.title }} {{ note.folder.count }} {{ note.folder.url }}
            {% for heading in note.headings %}{{ heading.level }}{{ heading.html }}{{ heading.id }}{% endfor %}
            {% for crumb in page.breadcrumbs %}{{ crumb.title }}{{ crumb.url }}{% endfor %}
            {{ note.date | rfc3339 if note.date }} {{ note.url | absolute }}
            {% for year in site.years %}{{ year.name }}{{ year.count }}{{ year.url }}{% endfor %}
            {% for tag in site.tags %}{{ tag.name }}{{ tag.url }}{{ tag.count }}{% endfor %}
            {% for folder in site.folder.children %}{{ folder.title }}{{ folder.count }}{% endfor %}
            {% for note in site.notes | where("tags", "one") | sort("title") | limit(2) %}{{ note.title }}{% endfor %}
            {% for part in site.notes | group("month") %}{{ part.title }}{{ part.count }}{% endfor %}
            {% include "optional.html" ignore missing %}
            """
        return ["note.html": note + page + site + whole]
    }()

    /// What a site is made from besides notes and settings.
    private struct Files {
        var templates: [String: String]
        var attachments = ["image.png", "other.png"]
        var statics: [String] = []
    }

    private typealias Edit = (
        name: String,
        change: @Sendable (inout [String: String], inout SiteSettings, inout Files) -> Void
    )

    private static func replacing(_ path: String, _ old: String, _ new: String) -> Edit {
        (
            "in \(path): \(old) → \(new)",
            { notes, _, _ in
                guard notes[path]?.contains(old) == true else {
                    Issue.record("\(path) has no `\(old)`")
                    return
                }
                notes[path] = notes[path]?.replacing(old, with: new)
            }
        )
    }

    private static let edits: [Edit] = [
        replacing("a.md", "title: Alpha", "title: Alef"),
        replacing("a.md", "title: Alpha\n", ""),
        replacing("a.md", "title: Alpha", "title: Part one"),
        replacing("a.md", "2024-03-01 10:00", "2024-03-01 10:01"),
        replacing("a.md", "2024-03-01 10:00", "2024-03-01T10:00+01:00"),
        replacing("a.md", "2024-03-01 10:00", "2021-12-31"),
        replacing("a.md", "date: 2024-03-01 10:00\n", ""),
        replacing("a.md", "updated: 2024-04-01", "updated: 2024-04-02"),
        replacing("a.md", "expires: 2030-01-01", "expires: 2031-01-01"),
        replacing("a.md", "expires: 2030-01-01", "expires: 2020-01-01"),
        replacing("a.md", "[one, two/three]", "[one]"),
        replacing("a.md", "[one, two/three]", "[ONE, two/four]"),
        replacing("a.md", "[one, two/three]", "[two/three, one]"),
        replacing("a.md", "[First, /old/alpha/]", "[Second]"),
        replacing("a.md", "What alpha is.", "What it is."),
        replacing("a.md", "summary: What alpha is.\n", ""),
        replacing("a.md", "order: 3", "order: 1"),
        replacing("a.md", "lang: en", "lang: de"),
        replacing("a.md", "image: image.png", "image: other.png"),
        replacing("a.md", "image: image.png", "image: nowhere.png"),
        replacing("a.md", "[Ann, Bob]", "[Ann]"),
        replacing("a.md", "[wide]", "[narrow]"),
        replacing("a.md", "toc: true", "toc: false"),
        replacing("a.md", "pin: true", "pin: false"),
        replacing("a.md", "pin: true", "noindex: true"),
        replacing("a.md", "mood: calm", "mood: [calm, keen]"),
        replacing("a.md", "mood: calm\n", ""),
        replacing("a.md", "mood: calm", "slug: other"),
        replacing("a.md", "mood: calm", "permalink: /x/y/"),
        replacing("a.md", "mood: calm", "draft: true"),
        replacing("a.md", "mood: calm", "layout: robots.txt"),
        replacing("a.md", "# Part one", "# Part 1"),
        replacing("a.md", "# Part one", "## Part one"),
        replacing("a.md", "Text with", "Words with"),
        replacing("a.md", "#inline", "inline"),
        replacing("a.md", "|named", "|called"),
        replacing("a.md", "image.png|200", "image.png|300"),
        replacing("a.md", "[[gone]]", "[[sub/d]]"),
        replacing("b.md", "## Deep", "## Deeper"),
        replacing("b.md", "B ![[a]]", "B [[a]]"),
        replacing("b.md", "2024-03-02", "2024-02-28"),
        replacing("b.md", "tags: one", "tags: One"),
        replacing("c.md", "# Gamma", "# Gimel"),
        replacing("c.md", "## Section", "## Sektion"),
        replacing("c.md", "inside [[b]]", "within [[b]]"),
        replacing("c.md", "inside [[b]]", "inside [[b|bee]]"),
        replacing("c.md", "C [[a]]", "C"),
        replacing("c.md", "C [[a]]", "See [[b]] and [[a]]"),
        replacing("c.md", "rest\n", "rest of it\n"),
        replacing("c.md", "#two/three", "#two/five"),
        replacing("sub/_index.md", "The folder", "A folder"),
        replacing("sub/d.md", "Delta", "Dalet"),
        replacing("sub/d.md", "[[First]]", "[[Beta]]"),
        ("the folder loses its introduction", { notes, _, _ in notes["sub/_index.md"] = nil }),
        ("b is deleted", { notes, _, _ in notes["b.md"] = nil }),
        ("c is deleted", { notes, _, _ in notes["c.md"] = nil }),
        ("what was missing is written", { notes, _, _ in notes["gone.md"] = "here\n" }),
        ("a note moves", { notes, _, _ in notes["sub/a.md"] = notes.removeValue(forKey: "a.md") }),
        ("a folder comes", { notes, _, _ in notes["new/f.md"] = "---\ntags: one\n---\nF\n" }),
        (
            "title",
            { _, settings, _ in
                settings.title = "Other"
                settings.namesTitle = true
            }
        ),
        ("description", { _, settings, _ in settings.description = "Other" }),
        ("author", { _, settings, _ in settings.author = "Other" }),
        ("language", { _, settings, _ in settings.language = "fr" }),
        (
            "timezone",
            { _, settings, _ in settings.zone = ZoneRules(name: "+03:00", offset: 10_800) }
        ),
        (
            "rules under the zone's name",
            { _, settings, _ in settings.zone = ZoneRules(name: "UTC", offset: 3600) }
        ),
        ("base-url", { _, settings, _ in settings.baseURL = "https://example.org/notes/" }),
        ("no base-url", { _, settings, _ in settings.baseURL = nil }),
        ("paginate", { _, settings, _ in settings.paginate = 2 }),
        ("permalink", { _, settings, _ in settings.permalink = "/:year/:slug/" }),
        ("content", { _, settings, _ in settings.content = "content" }),
        ("opt-in", { _, settings, _ in settings.optIn = true }),
        ("no tag pages", { _, settings, _ in settings.pages.remove(.tags) }),
        ("no archive", { _, settings, _ in settings.pages.remove(.archive) }),
        ("no feeds", { _, settings, _ in settings.pages.remove(.feeds) }),
        ("no folders", { _, settings, _ in settings.pages.remove(.folders) }),
        ("no redirects", { _, settings, _ in settings.pages.remove(.redirects) }),
        ("feed limit", { _, settings, _ in settings.feedLimit = 1 }),
        ("feed content", { _, settings, _ in settings.feedHasFullContent = false }),
        ("feeds of tags", { _, settings, _ in settings.feedsForTags = false }),
        ("a dialect", { _, settings, _ in settings.dialect = .commonmark }),
        (
            "a collection's query",
            { _, settings, _ in settings.collections = best("tags == two") }
        ),
        (
            "a collection's name",
            { _, settings, _ in settings.collections = best("tags == one", name: "worst") }
        ),
        ("no collections", { _, settings, _ in settings.collections = [] }),
        (
            "an extra setting",
            { _, settings, _ in settings.extra = entries("colour: red\n") }
        ),
        (
            "the optional template comes",
            { _, _, files in files.templates["optional.html"] = "here" }
        ),
        (
            "a part of the look is overridden",
            { _, _, files in files.templates["partials/footer.html"] = "my footer" }
        ),
        ("a template differs", { _, _, files in files.templates["404.html"] = "lost" }),
        ("a style sheet comes", { _, _, files in files.statics = ["custom.css"] }),
        ("a picture of that name comes", { _, _, files in files.statics = ["gone.png"] }),
        ("a picture goes", { _, _, files in files.attachments = ["other.png"] }),
        ("a picture moves", { _, _, files in files.attachments = ["other.png", "sub/image.png"] }),
    ]

    /// Edits that change no page that is planned alike before and after: they
    /// change which pages there are, or what nobody is shown.
    private static let quietEdits: Set<String> = [
        "a picture of that name comes", "opt-in", "content", "no redirects",
        // Another template is another plan.
        "in a.md: mood: calm → layout: robots.txt",
        // The first spelling by path is a's.
        "in b.md: tags: one → tags: One",
    ]

    private static func best(
        _ condition: String, name: String = "best"
    ) -> [SiteSettings.Collection] {
        let text = "collections:\n  \(name):\n    where: \(condition)\n"
        let root = try? YAMLDocument(parsing: Array(text.utf8), in: 0..<text.utf8.count).root
        return SettingsReader(root, file: "daybook.yml", zone: { _ in nil }).settings.collections
    }

    private static func entries(_ yaml: String) -> [YAMLEntry] {
        let root = try? YAMLDocument(parsing: Array(yaml.utf8), in: 0..<yaml.utf8.count).root
        guard case .mapping(let entries)? = root?.content else { return [] }
        return entries
    }

    private struct Rendered {
        var text: String
        var dependencies: [PageDependency]
    }

    private static func render(_ site: RenderedSite) -> [Page: Rendered] {
        var result: [Page: Rendered] = [:]
        for page in site.site.pages {
            var buffer = ByteBuffer()
            let rendered = site.rendered(page, into: &buffer)
            result[page] = Rendered(
                text: rendered.failure.map { $0.message } ?? buffer.text(),
                dependencies: rendered.reads.record.dependencies)
        }
        return result
    }

    @Test(arguments: [true, false])
    func `an edit that changes a page changes an answer that the page was given`(
        withBuiltInTemplates: Bool
    ) throws {
        var settings = SiteSettings()
        settings.baseURL = "https://example.org/"
        settings.collections = Self.best("tags == one")
        let templates = withBuiltInTemplates ? [:] : Self.templates
        let before = try RenderedSite(Self.notes, templates: templates, settings: settings)
        let pages = Self.render(before)
        #expect(pages.count > 20)
        for edit in Self.edits {
            var notes = Self.notes
            var edited = settings
            var files = Files(templates: templates)
            edit.change(&notes, &edited, &files)
            let after = try RenderedSite(
                notes, templates: files.templates, settings: edited, after: before.site.store,
                attachments: files.attachments, statics: files.statics)
            var differing = 0
            let reader = SiteReader(after.site)
            for (page, new) in Self.render(after) {
                guard let old = pages[page], old.text != new.text else { continue }
                differing += 1
                let isCovered = old.dependencies.contains { dependency in
                    reader.answer(to: dependency.read) { after.fingerprints[$0] ?? .absent }
                        != dependency.seen
                }
                #expect(
                    isCovered,
                    "\(edit.name): /\(page.address.path) differs, and nothing that it read does")
            }
            // What is printed of everything shows every edit.
            if !withBuiltInTemplates, !Self.quietEdits.contains(edit.name) {
                #expect(differing > 0, "\(edit.name) changes no page")
            }
        }
    }

    @Test func `what was read is answered alike when nothing changed`() throws {
        let site = try RenderedSite(Self.notes, templates: Self.templates)
        let reader = SiteReader(site.site)
        for (page, rendered) in Self.render(site) {
            for dependency in rendered.dependencies {
                let answer = reader.answer(to: dependency.read) { site.fingerprints[$0] ?? .absent }
                #expect(answer == dependency.seen, "/\(page.address.path): \(dependency.read)")
            }
        }
    }
}
