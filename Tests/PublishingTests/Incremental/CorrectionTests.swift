import Bytes
import Diagnostics
import Foundation
import Notes
import Publishing
import Testing

/// A page that prints a field of a note, and does nothing else with it, gets other
/// words in place; any other is rendered.
@Suite struct `A title that differs` {
    private let now = Instant(seconds: 1_780_000_000)
    private let page = "tags/one/index.html"
    private static let title = "Al<p>ha & \"co\""
    private static let escaped = "Al&lt;p&gt;ha &amp; &#34;co&#34;"

    private func changes(_ site: EditedSite, _ names: String...) -> BuildSession.Changes {
        let root = FilePath.resolved(site.root.path) ?? site.root.path
        return .paths(Set(names.map { root + "/" + $0 }))
    }

    private func text(_ site: EditedSite, _ path: String) throws -> String {
        try String(contentsOf: site.url("public/" + path), encoding: .utf8)
    }

    private func session(_ site: EditedSite, least: Int = 1) -> BuildSession {
        var options = site.options
        options.leastPrints = least
        return BuildSession(options)
    }

    private static func list(_ item: String) -> String {
        "{% for n in page.notes %}\(item);{% endfor %}"
    }

    // The notes of the tag are Beta and Alpha, newest first. What is expected
    // follows from what Jinja makes of the template.
    @Test(arguments: [
        (list("{{ n.title }}"), "Beta;\(escaped);"),
        (list("{{ (n.title) }}"), "Beta;\(escaped);"),
        (list("{{ n.title }}, {{ n.title }}"), "Beta, Beta;\(escaped), \(escaped);"),
        (list("{% autoescape false %}{{ n.title }}{% endautoescape %}"), "Beta;\(title);"),
        (
            "{% macro m(x) %}<b>{{ x.title }}</b>{% endmacro %}" + list("{{ m(n) }}"),
            "<b>Beta</b>;<b>\(escaped)</b>;"
        ),
        (list("{% include \"part.html\" %}"), "(Beta);(\(escaped));"),
        (
            "{% extends \"frame.html\" %}{% block b %}" + list("{{ n.title }}") + "{% endblock %}",
            "[Beta;\(escaped);]"
        ),
    ])
    func `is put where it is printed`(_ template: String, _ expected: String) throws {
        try edit(template, expected, isCorrected: true)
    }

    @Test(arguments: [
        (list("{{ n.title | upper }}"), "BETA;AL&lt;P&gt;HA &amp; &#34;CO&#34;;"),
        (list("{{ n[\"title\"] }}"), "Beta;\(escaped);"),
        (list("{{ n.title ~ \"!\" }}"), "Beta!;\(escaped)!;"),
        (
            list("{{ n.title }}{% if n.title == \"Alpha\" %} the first{% endif %}"),
            "Beta;\(escaped);"
        ),
        (
            list("{% set t %}{{ n.title }}{% endset %}{{ t }}{{ t | length }}"),
            "Beta4;\(escaped)\(escaped.utf8.count);"
        ),
        (
            list("{% filter upper %}{{ n.title }}{% endfilter %}"),
            "BETA;AL&LT;P&GT;HA &AMP; &#34;CO&#34;;"
        ),
        (
            "{% macro m(x) %}{{ x.title }}{% endmacro %}" + list("{{ m(n) | length }}"),
            "4;\(escaped.utf8.count);"
        ),
        (
            list("{{ n.title }}") + "{{ (page.notes | map(attribute=\"title\") | list)[1] }}",
            "Beta;\(escaped);\(escaped)"
        ),
    ])
    func `has a page rendered that uses it otherwise`(
        _ template: String, _ expected: String
    ) throws {
        try edit(template, expected, isCorrected: false)
    }

    private func edit(_ template: String, _ expected: String, isCorrected: Bool) throws {
        let site = try EditedSite()
        try site.write("Templates/tag.html", template)
        try site.write("Templates/part.html", "({{ n.title }})")
        try site.write("Templates/frame.html", "[{% block b %}{% endblock %}]")
        var session = session(site)
        _ = try session.build(at: now)
        try site.replace("content/a.md", "title: Alpha", "title: '\(Self.title)'")
        let report = try session.build(after: changes(site, "content/a.md"), at: now)
        // Which pages are rendered at all is told elsewhere.
        #expect(report.rendered.contains(page))
        #expect(report.corrected.contains(page) == isCorrected)
        #expect(try text(site, page) == expected)
        // What is remembered of it then is true: the next edit finds it.
        try site.replace("content/a.md", "title: '\(Self.title)'", "title: 'Alpha'")
        let back = try session.build(after: changes(site, "content/a.md"), at: now)
        #expect(back.corrected.contains(page) == isCorrected)
        #expect(back.written.contains(page))
        let edited = try text(site, page)
        try site.build()
        #expect(try text(site, page) == edited)
    }

    @Test func `of one note after the other moves the places of all`() throws {
        let site = try EditedSite()
        try site.write("Templates/tag.html", Self.list("{{ n.title }} {{ n.summary }}"))
        var session = session(site)
        _ = try session.build(at: now)
        for (file, old, new, expected) in [
            (
                "b", "title: Beta", "title: A much longer one",
                "A much longer one First.;Alpha First.;"
            ),
            ("a", "title: Alpha", "title: A", "A much longer one First.;A First.;"),
            ("b", "title: A much longer one", "title: B", "B First.;A First.;"),
            ("a", "First.", "Second.", "B First.;A Second.;"),
        ] {
            try site.replace("content/\(file).md", old, new)
            let report = try session.build(after: changes(site, "content/\(file).md"), at: now)
            #expect(report.corrected.contains(page))
            #expect(try text(site, page) == expected)
        }
    }

    @Test func `has a page rendered that somebody else changed`() throws {
        let site = try EditedSite()
        try site.write("Templates/tag.html", Self.list("{{ n.title }}"))
        var session = session(site)
        _ = try session.build(at: now)
        try site.write("public/" + page, "Nothing;of;ours;")
        try site.replace("content/a.md", "title: Alpha", "title: Other")
        let report = try session.build(after: changes(site, "content/a.md"), at: now)
        #expect(!report.corrected.contains(page))
        #expect(try text(site, page) == "Beta;Other;")
    }

    @Test func `leaves to rendering what it takes out of XML`() throws {
        let site = try EditedSite()
        try site.write(
            "Templates/feed.xml", "<f>{% for n in site.notes %}{{ n.title }};{% endfor %}</f>")
        var session = session(site)
        _ = try session.build(at: now)
        try site.replace("content/a.md", "title: Alpha", "title: \"A\\u0007B\"")
        let report = try session.build(after: changes(site, "content/a.md"), at: now)
        #expect(!report.corrected.contains("feed.xml"))
        #expect(try text(site, "feed.xml").contains(";AB;"))
    }

    @Test func `has pages corrected that an earlier process rendered, once they were looked at`()
        throws
    {
        let site = try EditedSite()
        try site.write("Templates/tag.html", Self.list("{{ n.title }}"))
        try site.build()
        for isPrepared in [false, true] {
            var session = session(site)
            _ = try session.build(at: now)
            if isPrepared {
                #expect(session.preparePage(at: [page, "no/such/index.html"]))
                #expect(!session.preparePage(at: [page, "no/such/index.html"]))
            }
            let title = isPrepared ? "Other" : "Another"
            try site.replace(
                "content/a.md", isPrepared ? "title: Another" : "title: Alpha", "title: \(title)")
            let report = try session.build(after: changes(site, "content/a.md"), at: now)
            #expect(report.corrected == (isPrepared ? [page] : []))
            #expect(try text(site, page) == "Beta;\(title);")
            session.save()
        }
    }

    @Test func `has small pages rendered`() throws {
        let site = try EditedSite()
        try site.write("Templates/tag.html", Self.list("{{ n.title }}"))
        var session = session(site, least: 3)
        _ = try session.build(at: now)
        try site.replace("content/a.md", "title: Alpha", "title: Other")
        let report = try session.build(after: changes(site, "content/a.md"), at: now)
        #expect(report.corrected.isEmpty)
        #expect(try text(site, page) == "Beta;Other;")
    }

    @Test func `of several notes at once is put at all their places`() throws {
        let site = try EditedSite()
        // Two prints at one place: of summaries that are empty until the edit.
        try site.write(
            "Templates/tag.html", Self.list("{{ n.summary }}{{ n.summary }}|{{ n.title }}"))
        for name in ["a", "b"] {
            try site.replace("content/\(name).md", "First.", "# H")
        }
        var session = session(site)
        _ = try session.build(at: now)
        let before = try text(site, page)
        try site.replace("content/a.md", "title: Alpha", "title: A long one\nsummary: sa")
        try site.replace("content/b.md", "title: Beta", "title: B\nsummary: sb")
        let report = try session.build(
            after: changes(site, "content/a.md", "content/b.md"), at: now)
        #expect(before.hasPrefix("|Beta;"))
        #expect(report.corrected == [page])
        #expect(try text(site, page) == "sbsb|B;sasa|A long one;")
    }

    @Test func `is rendered where the title comes from elsewhere now`() throws {
        let site = try EditedSite(settings: "title: The site\n")
        try site.write(
            "Templates/tag.html",
            "{% for n in site.folder.notes %}{{ n.title }};{% endfor %}{{ site.folder.note.title }}"
        )
        var session = session(site)
        _ = try session.build(at: now)
        try #require(try text(site, page).hasSuffix(";Home"))
        // A home page without a title has that of the site.
        try site.replace("content/index.md", "title: Home\n", "")
        let gone = try session.build(after: changes(site, "content/index.md"), at: now)
        #expect(!gone.corrected.contains(page))
        #expect(try text(site, page).hasSuffix(";The site"))
        try site.replace("content/index.md", "---\n---", "---\ntitle: Home\n---")
        _ = try session.build(after: changes(site, "content/index.md"), at: now)
        #expect(try text(site, page).hasSuffix(";Home"))
    }

    @Test func `fails with the page that grows too large, as rendering it does`() throws {
        // 64 MB at most, what becomes a value included: 60 and 3 are too many.
        let site = try EditedSite()
        let million = String(repeating: "x", count: 1_000_000)
        try site.write(
            "Templates/tag.html",
            "{% for i in range(60) %}{{ page.notes[0].title }}{% endfor %}"
                + "{% set t %}{% for i in range(8) %}\(million){% endfor %}{% endset %}{{ t | length }}"
        )
        var session = session(site)
        _ = try session.build(at: now)
        try site.replace("content/b.md", "title: Beta", "title: \(million)")
        let report = try session.build(after: changes(site, "content/b.md"), at: now)
        #expect(report.messages.map(\.id) == ["template-limit"])
        #expect(report.outcome == .untouched)
        let clean = try site.build()
        #expect(clean.messages == report.messages)
    }

    @Test func `is put into a page by a build that looks at everything, too`() throws {
        let site = try EditedSite()
        try site.write("Templates/tag.html", Self.list("{{ n.title }}"))
        var session = session(site)
        _ = try session.build(at: now)
        try site.write("public/b/index.html", "somebody else's")
        try site.replace("content/a.md", "title: Alpha", "title: Other")
        let report = try session.build(after: .everything, at: now)
        #expect(report.corrected == [page])
        #expect(report.rendered.contains("b/index.html"))
        #expect(try text(site, page) == "Beta;Other;")
    }

    @Test func `is put into a page that printed it far apart`() throws {
        // So far that it is asked for anew, and remembered twice.
        let site = try EditedSite()
        func write(_ number: Int, _ title: String) throws {
            let day = "20\(10 + number / 28 / 12)-\(number / 28 % 12 + 1)-\(number % 28 + 1)"
            try site.write(
                "content/m/n\(number).md",
                "---\ntitle: \(title)\ndate: \(day)\ntags: [many]\n---\nText.\n")
        }
        for number in 0..<600 { try write(number, "N\(number)") }
        try site.write(
            "Templates/tag.html", Self.list("{{ n.title }}") + Self.list("{{ n.title }}"))
        var session = session(site, least: 64)
        _ = try session.build(at: now)
        let page = "tags/many/index.html"
        for title in ["Other", "Another"] {
            try write(300, title)
            let report = try session.build(after: changes(site, "content/m/n300.md"), at: now)
            #expect(report.corrected.contains(page))
        }
        let corrected = try text(site, page)
        #expect(corrected.components(separatedBy: "Another").count == 3)
        session.save()
        // Another process takes what was remembered for true, and what was written.
        let again = try site.build()
        #expect(again.rendered.isEmpty)
        try FileManager.default.removeItem(at: site.url(".daybook"))
        try site.build()
        #expect(try text(site, page) == corrected)
    }

    @Test func `waits for nothing that was broken while there was time`() throws {
        let site = try EditedSite()
        let template = Self.list("{{ n.title }}")
        try site.write("Templates/tag.html", template)
        try site.build()
        var session = session(site)
        _ = try session.build(at: now)
        try site.write("Templates/tag.html", "{% for %}")
        _ = try session.build(after: .everything, at: now)
        _ = session.preparePage(at: [page])
        try site.write("Templates/tag.html", template)
        _ = try session.build(after: .everything, at: now)
        while session.preparePage(at: [page]) {}
        try site.replace("content/a.md", "title: Alpha", "title: Other")
        let report = try session.build(after: changes(site, "content/a.md"), at: now)
        #expect(report.corrected == [page])
        #expect(try text(site, page) == "Beta;Other;")
    }
}
