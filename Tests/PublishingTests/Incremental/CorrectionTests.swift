import Bytes
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
        #expect(report.rendered.contains(page))
        #expect(report.corrected.contains(page) == isCorrected)
        #expect(try text(site, page) == expected)
        // What is remembered of it then is true: the next edit finds it.
        try site.replace("content/a.md", "title: '\(Self.title)'", "title: 'Alpha'")
        let back = try session.build(after: changes(site, "content/a.md"), at: now)
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
                #expect(session.prepare(pagesAt: [page, "no/such/index.html"]))
                #expect(!session.prepare(pagesAt: [page, "no/such/index.html"]))
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
}
