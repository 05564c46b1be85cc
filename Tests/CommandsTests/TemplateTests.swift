import Foundation
import Testing

/// Templates of a site, through the real program.
@Suite struct `Templates of a site` {
    @Test func `a note's body is exactly what the template prints`() throws {
        let site = try TestSite([
            "content/a.md": "---\ntitle: x\n---\n*b*\n", "Templates/note.html": "{{ note.body }}",
        ])
        try site.mustBuild()
        #expect(site.page("a/") == "<p><em>b</em></p>\n")
    }

    @Test func `a block of the built-in look is replaced, the rest stays`() throws {
        let site = try TestSite([
            "content/a.md": "A",
            "Templates/base.html":
                "{% extends \"default/base.html\" %}{% block footer %}<footer>mine</footer>{% endblock %}\n",
        ])
        try site.mustBuild()
        for page in ["a/", ""] {
            #expect(site.page(page).contains("<footer>mine</footer>"))
            #expect(site.page(page).contains("<main"))
            #expect(!site.page(page).contains("Made with Daybook"))
        }
    }

    @Test func `sort refines lists of notes and stays Jinja's for others`() throws {
        let site = try TestSite([
            "content/a.md": "---\ntitle: B\n---\n", "content/b.md": "---\ntitle: A\n---\n",
            "Templates/404.html":
                "{% for note in site.notes | sort('title') %}{{ note.title }}{% endfor %} {{ [3, 1, 2] | sort | join }} {{ [3, 1, 2] | sort(reverse=true) | join }}",
        ])
        try site.mustBuild()
        #expect(site.page("404.html") == "AB 123 321")
    }

    @Test func `H-IS-5 a partial two includes down is in every page, and missed where it is gone`()
        throws
    {
        let site = try TestSite([
            "content/a.md": "---\ntags: [t]\ndate: 2024-01-01\n---\nA\n",
            "daybook.yml": "base-url: https://example.org/\n",
            "Templates/note.html": "{% extends 'base.html' %}",
            "Templates/base.html": "{% include 'nav.html' %}{% block main %}{% endblock %}",
            "Templates/nav.html": "<nav>\n{% include 'badge.html' %}\n</nav>",
            "Templates/badge.html": "v1",
            "Templates/404.html": "{% include 'nav.html' %}",
            "Templates/feed.xml": "{% include 'nav.html' %}",
        ])
        try site.mustBuild()
        let pages = ["a/", "404.html", "tags/t/", "feed.xml", ""]
        for page in pages { #expect(site.page(page).contains("v1"), "\(page)") }
        try site.write("Templates/badge.html", "v2")
        try site.mustBuild()
        for page in pages { #expect(site.page(page).contains("v2"), "\(page)") }
        #expect(!site.outputHolds("v1"))
        let before = site.outputTree
        try site.remove("Templates/badge.html")
        let run = try site.build()
        #expect(run.code == 1)
        #expect(run.errors.contains("Templates/nav.html:2:"))
        #expect(run.errors.contains("badge.html"))
        #expect(site.outputTree == before)
    }

    @Test func `an undefined name is an error with its place, the closest name and the page`()
        throws
    {
        let site = try TestSite([
            "content/a.md": "A", "Templates/note.html": "<p>\n{{ note.titel }}</p>",
        ])
        let run = try site.build()
        #expect(run.code == 1)
        #expect(run.errors.contains("Templates/note.html:2:"))
        #expect(run.errors.contains("did you mean 'title'?"))
        #expect(run.errors.contains("/a/"))
    }

    @Test func `an unknown layout falls back with a warning, a known one is used`() throws {
        let site = try TestSite([
            "content/a.md": "---\nlayout: recipe\n---\nA",
            "content/b.md": "---\nlayout: recipy\n---\nB",
            "Templates/recipe.html": "recipe: {{ note.title }}",
        ])
        let run = try site.mustBuild()
        #expect(site.page("a/") == "recipe: a")
        #expect(site.page("b/").contains("<main"))
        #expect(
            run.errors.contains(
                "content/b.md:2:9: warning: there is no template `recipy.html`; note.html is used"))
        #expect(run.errors.contains("did you mean `recipe.html`?"))
    }

    @Test func `extra keys are values, missing ones are false`() throws {
        let site = try TestSite([
            "content/a.md": "---\nrating: 5\nwho: [x, y]\n---\n",
            "daybook.yml": "extra: { colour: red }\n",
            "Templates/note.html":
                "{{ note.extra.rating + 1 }} {{ note.extra.who | join('-') }} [{{ note.extra.nope }}] {{ 'no' if not note.extra.nope.deeper }} {{ site.extra.colour }}{{ site.extra.nope }}",
        ])
        try site.mustBuild()
        #expect(site.page("a/") == "6 x-y [] no red")
    }

    @Test func `collections become pages`() throws {
        let site = try TestSite([
            "content/a.md": "---\nrating: 5\n---\n", "content/b.md": "---\nrating: 2\n---\n",
            "daybook.yml": "collections:\n  Best of: { where: [\"rating >= 4\"] }\n",
        ])
        try site.mustBuild()
        #expect(site.page("best-of/").mainPart.values(of: "href").contains("/a/"))
        #expect(!site.page("best-of/").mainPart.values(of: "href").contains("/b/"))
    }

    @Test func `a template that cannot be read is said once, where it is wrong`() throws {
        let site = try TestSite([
            "content/a.md": "A", "Templates/base.html": "{% block main %}\n{{ site.title }}\n",
        ])
        let run = try site.build()
        #expect(run.code == 1)
        #expect(run.errors.count(of: " error: ") == 1, "\(run.errors)")
        #expect(run.errors.contains("Templates/base.html:"))
    }

    @Test func `a theme of the settings changes the style sheet and no page`() throws {
        let site = try TestSite(notes: ["a.md": "A", "b.md": "B"])
        try site.mustBuild()
        let before = site.outputTree
        try site.write("daybook.yml", "theme:\n  accent: ['#111111', '#eeeeee']\n")
        try site.mustBuild()
        let changed = site.outputTree.filter { before[$0.key] != $0.value }.keys.sorted()
        #expect(changed == [".daybook-manifest", "assets/daybook.css"])
        #expect(
            site.page("assets/daybook.css").hasSuffix(
                ":root {\n  --accent: light-dark(#111111, #eeeeee);\n}\n"))
        // A style sheet of the site's own in its place is left as it is.
        try site.write("static/assets/daybook.css", "mine")
        try site.mustBuild()
        #expect(site.page("assets/daybook.css") == "mine")
    }

    @Test func `a file at the built-in look's own name is refused`() throws {
        let site = try TestSite([
            "content/a.md": "A", "Templates/default/note.html": "mine",
        ])
        let run = try site.build()
        #expect(run.code == 1)
        #expect(
            run.errors.hasPrefix(
                "Templates/default/note.html: error: `default/` names the built-in look [template]; "
                    + "help: put the file at Templates/note.html\n"), "\(run.errors)")
        #expect(try Daybook.run(["list"], in: site.root).code == 0)
    }

    @Test func `what has no address is no link`() throws {
        let site = try TestSite([
            "content/a.md": "---\ndate: 2024-03-01\ntags: [t]\n---\n",
            "content/b.md": "---\ndate: 2023-03-01\n---\n",
            "daybook.yml":
                "base-url: https://example.org/\npages: { archive: false, tags: false }\n",
            "static/archive/index.html": "mine", "static/tags/index.html": "mine",
        ])
        try site.mustBuild()
        #expect(site.page("").contains("<span>2024</span>"))
        #expect(!site.outputHolds("None"))
        let map = site.page("sitemap.xml")
        #expect(map.contains("<loc>https://example.org/archive/</loc>"))
        #expect(map.contains("<loc>https://example.org/tags/</loc>"))
        #expect(map.count(of: "<url>") == 5 && !map.contains("<loc></loc>"))
    }

    @Test func `the sitemap has every page that people look at, each once`() throws {
        var files = [
            "daybook.yml": """
            base-url: https://example.org/n/
            paginate: 1
            collections:
              Best books: { where: "rating >= 4" }
              Short: { limit: 1, url: /lists/short/ }
            """
        ]
        for day in 1...3 {
            files["content/f/\(day).md"] = "---\ndate: 2024-03-0\(day)\ntags: [t]\n---\n"
        }
        let site = try TestSite(files)
        try site.mustBuild()
        let places = site.page("sitemap.xml").pieces(between: "<loc>", and: "</loc>")
        #expect(Set(places).count == places.count, "\(places)")
        let pages = site.paths.filter { $0.hasSuffix("/index.html") || $0 == "index.html" }
            .map { "https://example.org/n/" + $0.dropLast("index.html".count) }
        #expect(Set(places) == Set(pages))
        #expect(places.contains("https://example.org/n/page/3/"))
        #expect(places.contains("https://example.org/n/best-books/"))
    }

    @Test(arguments: [
        ("none", "absolute: expected an address, found none"),
        ("'a/b'", "absolute: `a/b` is no address of the site: it starts with no /"),
        ("7", "absolute: expected an address"),
    ])
    func `only an address can be made whole`(_ value: String, _ message: String) throws {
        let site = try TestSite([
            "content/a.md": "A", "Templates/note.html": "{{ \(value) | absolute }}",
        ])
        let run = try site.build()
        #expect(run.code == 1)
        #expect(run.errors.contains("error: \(message) ["), "\(run.errors)")
    }

    @Test func `a whole address stays as it is`() throws {
        let site = try TestSite([
            "content/a.md": "A", "daybook.yml": "base-url: https://example.org/n/\n",
            "Templates/note.html":
                "{% for url in ['https://a.example/', '//b.example/x', 'mailto:c@d.example', '/n/e'] %}{{ url | absolute }} {% endfor %}",
        ])
        try site.mustBuild()
        #expect(
            site.page("a/")
                == "https://a.example/ //b.example/x mailto:c@d.example https://example.org/n/e ")
    }

    @Test func `a note tells others what it is, by Open Graph and JSON-LD`() throws {
        let site = try TestSite(
            notes: [
                "a.md": """
                ---
                title: 'Weir & "mill" </script>'
                date: 2024-03-01T08:00
                updated: 2024-04-01
                tags: [river, place/weir]
                description: Low water.
                authors: [Ann, Bob]
                lang: de
                image: /pic.png
                ---
                """,
                "b.md": "B",
            ],
            settings: "title: T\nauthor: Eve\nbase-url: https://example.org/n/\n")
        try site.write("static/pic.png", "png")
        try site.mustBuild()
        func properties(_ page: String) -> [String: String] {
            let pieces = site.page(page).pieces(between: "<meta property=\"", and: "\">")
            return Dictionary(
                pieces.compactMap { piece in
                    let parts = piece.components(separatedBy: "\" content=\"")
                    return parts.count == 2 ? (parts[0], parts[1].htmlText) : nil
                }, uniquingKeysWith: { $0 + "," + $1 })
        }
        #expect(
            properties("a/") == [
                "og:title": "Weir & \"mill\" </script>", "og:site_name": "T",
                "og:type": "article", "og:description": "Low water.",
                "og:url": "https://example.org/n/a/",
                "og:image": "https://example.org/n/pic.png",
                "article:published_time": "2024-03-01T08:00:00Z",
                "article:modified_time": "2024-04-01T00:00:00Z",
                "article:tag": "river,place/weir",
            ])
        #expect(properties("")["og:type"] == "website")
        func data(_ page: String) throws -> [String: Any] {
            let text = try #require(
                site.page(page).pieces(
                    between: "<script type=\"application/ld+json\">", and: "</script>"
                ).first)
            return try #require(
                JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        }
        let whole = try data("a/")
        #expect(whole["@context"] as? String == "https://schema.org")
        #expect(whole["@type"] as? String == "Article")
        #expect(whole["headline"] as? String == "Weir & \"mill\" </script>")
        #expect(whole["description"] as? String == "Low water.")
        #expect(whole["datePublished"] as? String == "2024-03-01T08:00:00Z")
        #expect(whole["dateModified"] as? String == "2024-04-01T00:00:00Z")
        #expect(whole["image"] as? String == "https://example.org/n/pic.png")
        #expect(
            (whole["author"] as? [[String: String]])?.map { $0["name"] } == ["Ann", "Bob"])
        #expect(whole["inLanguage"] as? String == "de")
        #expect(whole["url"] as? String == "https://example.org/n/a/")
        let plain = try data("b/")
        #expect((plain["author"] as? [[String: String]])?.map { $0["name"] } == ["Eve"])
        #expect(plain["datePublished"] == nil && plain["image"] == nil)
        #expect(!site.page("").contains("ld+json"))
    }
}
