import Bytes
import Diagnostics
import Templating
import Testing

/// What callers of the library rely on.
@Suite struct LibraryTests {
    @Test func symbolsGivenToTheCompilerAreTheFirstInOrder() {
        let site = Site(["t.html": "{{ other }}"], symbols: ["title", "date"])
        #expect(site.library.symbol(of: "title").rawValue == 0)
        #expect(site.library.symbol(of: "date").rawValue == 1)
        #expect(site.library.symbol(of: "other").rawValue >= 2)
        #expect(site.library.symbol(of: "never mentioned").rawValue == .max)
    }

    @Test func aTemplateOfOnlyTheBodyYieldsTheBodysBytes() {
        let body: [UInt8] = Array("<p>é & \u{0}</p>\n".utf8) + [0xFF]
        let note = StubObject("note", ["body": .markup(MarkupBytes(body))])
        let site = Site(["note.html": "{{ note.body }}"])
        var output = ByteBuffer()
        let globals = [(site.library.symbol(of: "note"), TemplateValue.object(note))]
        #expect(throws: Never.self) {
            try site.library.render(
                site.library.templates[0], with: globals, host: RenderHost(), into: &output)
        }
        #expect(output.copy() == body)
    }

    @Test func escapingFollowsTheTemplatesEnding() {
        let text = TemplateValue.string("<&\"'\u{1}>")
        for (name, expected) in [
            ("t.html", "&lt;&amp;&#34;&#39;\u{1}&gt;"), ("t.HTM", "&lt;&amp;&#34;&#39;\u{1}&gt;"),
            ("t.xml", "&lt;&amp;&#34;&#39;&gt;"), ("t.txt", "<&\"'\u{1}>"), ("t", "<&\"'\u{1}>"),
        ] {
            let source = TemplateSource(name: name, bytes: Array("{{ x }}".utf8))
            let (library, _) = TemplateLibrary.compile([source])
            var output = ByteBuffer()
            #expect(throws: Never.self) {
                try library.render(
                    library.templates[0], with: [(library.symbol(of: "x"), text)],
                    host: RenderHost(), into: &output)
            }
            #expect(output.text() == expected, "\(name)")
        }
    }

    @Test func escapedExactlyOnce() {
        // A title, a description with a typed entity: text, not HTML.
        let site = Site(["t.html": "<a title=\"{{ t }}\">{{ t }}</a>{% set x = t %}{{ x }}{{ d }}"])
        #expect(
            site.render(["t": .string("Salt & \"Pepper\" <3"), "d": .string("R&D &amp;")]) == """
                <a title="Salt &amp; &#34;Pepper&#34; &lt;3">Salt &amp; &#34;Pepper&#34; &lt;3</a>\
                Salt &amp; &#34;Pepper&#34; &lt;3R&amp;D &amp;amp;
                """)
    }

    @Test func scriptsCannotBeClosedByJSON() {
        let site = Site(["t.html": "<script>{{ t | tojson }}</script>"])
        let shown = site.render(["t": .string("</script><script>alert('1')&")])
        #expect(
            shown == """
                <script>"\\u003c/script\\u003e\\u003cscript\\u003ealert(\\u00271\\u0027)\\u0026"</script>
                """)
    }

    @Test func whereMembersArePrintedIsWrittenDown() {
        let note = StubObject("note", ["title": .string("A & B"), "name": .string("")])
        note.number = 7
        note.printedMembers = [1: "title"]
        let site = Site(
            [
                "t.html": """
                {{ note.name }}<b>{{ note.title }}</b>{% set x %}{{ note.title }}{% endset %}{{ note.title | upper }}\
                {% macro m() %}-{{ note.title }}{% endmacro %}{{ m() }}{{ m() | length }}\
                {% autoescape false %}{{ note.title }}{% endautoescape %}{{ note["title"] }}
                """
            ], symbols: ["name", "title"])
        let host = RenderHost()
        host.isRecordingPrints = true
        let text = site.render(["note": .object(note)], host: host)
        #expect(text == "<b>A &amp; B</b>A &amp; B-A &amp; B10A & BA &amp; B")
        let shown = host.prints.map { print in
            String(decoding: Array(text.utf8)[print.range], as: UTF8.self)
        }
        // Not what a filter or a variable got, which may be anywhere, or nowhere.
        #expect(shown == ["A &amp; B", "A &amp; B", "A & B"])
        #expect(host.prints.map(\.range.lowerBound) == [3, 26, 37])
        #expect(host.prints.map(\.number) == [7, 7, 7])
        #expect(host.takenPrints == [7, 7])
        host.isRecordingPrints = false
        #expect(site.render(["note": .object(note)], host: host) == text)
        #expect(host.prints.isEmpty)
    }

    @Test func missingValuesAreFalseAndPrintNothing() {
        let note = StubObject("note", ["extra": .missing])
        let site = Site([
            "t.html": """
            [{{ note.extra }}{{ note.extra.a.b }}{{ note.extra['x'] }}]\
            {{ 'yes' if note.extra.a else 'no' }}{% for x in note.extra %}x{% else %}-{% endfor %}\
            {{ note.extra.a is defined }}{{ note.extra.a | default('d') }}{{ note.extra | length }}\
            {{ note.extra.a ~ '!' }}{{ note.extra | upper }}{{ note.extra.a == none }}
            """
        ])
        #expect(site.render(["note": .object(note)]) == "[]no-Falsed0!True")
    }

    @Test func objectsAnswerWhatTheyAreAsked() {
        let tag = StubObject("tag", ["name": .string("x")], shown: "b")
        let other = StubObject("tag", ["name": .string("y")], shown: "a")
        let list = StubObject("query", parts: [.object(tag), .object(other)])
        let site = Site([
            "t.html": """
            {{ notes | length }} {{ notes[0].name }} {{ notes | map(attribute='name') | join }} \
            {{ notes | sort | join }} {{ tag in notes }} {{ tag == notes[0] }} {{ tag != notes[1] }} \
            {% for n in notes[1:] %}{{ n }}{% endfor %} {{ [tag, tag] | unique | list | length }} \
            {{ tag['name'] }} {{ tag | attr('name') }} {{ 'y' if notes else 'n' }}
            """
        ])
        #expect(
            site.render(["notes": .object(list), "tag": .object(tag)])
                == "2 x xy ab True True True a 1 x x y")
    }

    @Test func customFiltersAndFunctionsSeeTheCallersContext() {
        final class Reader { let zone = "UTC" }
        let site = Site(
            ["t.html": "{{ '2024' | date(format='%Y') }} {{ query(limit=2, where='x') }}"],
            filters: [
                "date": CustomFilter(parameters: ["format"], required: 1) {
                    (value, arguments, host) throws(TemplateFailure) in
                    guard case .string(let text) = value, let reader = host.context as? Reader
                    else { throw TemplateFailure("no date") }
                    return .string("\(text)/\(try arguments.string(0) ?? "")/\(reader.zone)")
                }
            ],
            functions: [
                "query": CustomFunction(parameters: ["where", "sort", "limit"]) {
                    (arguments, _) throws(TemplateFailure) in
                    .string(
                        "\(try arguments.string(0) ?? "-")\(try arguments.string(1) ?? "-")\(try arguments.integer(2) ?? 0)"
                    )
                }
            ])
        #expect(site.render(host: RenderHost(context: Reader())) == "2024/%Y/UTC x-2")
    }

    @Test func usedNamesTheTemplatesThatTookPart() {
        let site = Site([
            "page.html":
                "{% extends 'base.html' %}{% block b %}{% include 'a.html' %}{% endblock %}",
            "base.html":
                "{% block b %}{% endblock %}{% if false %}{% include 'c.html' %}{% endif %}",
            "a.html": "{% from 'm.html' import m %}{{ m() }}",
            "m.html": "{% macro m() %}{% endmacro %}",
            "c.html": "{% import 'd.html' as d %}",
            "d.html": "",
            "lone.html": "",
        ])
        let host = RenderHost()
        #expect(site.render(host: host) == "")
        let names = host.used.map { site.library.source(of: $0).name }
        #expect(names == ["page.html", "base.html", "a.html", "m.html"])
    }

    @Test func absentTemplatesAreKnownToo() {
        let site = Site([
            "t.html": "{% include 'p.html' %}{% set n = 'dynamic' %}{% include n ignore missing %}",
            "p.html": "{% include ['first', 'q.html', 'never'] %}{% include 'x' ignore missing %}",
            "q.html": "q",
        ])
        let host = RenderHost()
        #expect(site.render(host: host) == "q")
        #expect(host.missed == ["first", "x", "dynamic"])
    }

    @Test func aFailedRenderLeavesTheOutputAsItWas() {
        let site = Site(["t.html": "text {{ 1 / 0 }}"])
        var output = ByteBuffer()
        output.append("before")
        #expect(throws: TemplateFailure.self) {
            try site.library.render(
                site.library.templates[0], with: [], host: RenderHost(), into: &output)
        }
        #expect(output.text() == "before")
    }

    @Test func oneHostRendersManyTimes() {
        let site = Site([
            "t.html":
                "{% macro m(x) %}{{ x }}{% endmacro %}{% for i in [1, 2] %}{{ m(i) }}{% endfor %}"
        ])
        let host = RenderHost()
        for _ in 0..<3 { #expect(site.render(host: host) == "12") }
    }

    @Test func oneLibraryServesManyThreads() async {
        let site = Site([
            "t.html": "{% for i in range(50) %}{{ i }}{{ name }}{% endfor %}"
        ])
        let expected = site.render(["name": .string("n")])
        await withTaskGroup(of: String.self) { group in
            for _ in 0..<8 {
                group.addTask { site.render(["name": .string("n")]) }
            }
            for await text in group { #expect(text == expected) }
        }
    }

    /// Templates can store a thing in itself; nothing of it outlives a render.
    @Test(arguments: [
        "{% macro m() %}{% endmacro %}{% set x = m %}",
        "{% set x = self %}", "{% set x = [self.b] %}{% block b %}{% endblock %}",
        "{% set ns = namespace() %}{% set ns.x = [ns] %}{% set ns.note = note %}",
        "{% import 'm.html' as m with context %}{% from 'm.html' import f with context %}",
        "{% for i in [1] %}{{ loop.changed(loop, note) }}{% endfor %}",
        "{% block b %}{% macro m() %}{{ m }}{{ note }}{% endmacro %}{% set x = super %}{% endblock %}",
        "{% set n = note %}{% include 'i.html' %}",
        "{% for i in [1] recursive %}{% set x = loop %}{% endfor %}",
    ])
    func nothingOutlivesARender(_ source: String) {
        let site = Site([
            "t.html": source, "i.html": "{% set s = self %}{% macro k() %}{{ note }}{% endmacro %}",
            "m.html": "{% macro f() %}{{ note }}{% endmacro %}{% set kept = note %}",
        ])
        weak var note: StubObject?
        let host = RenderHost()
        do {
            let object = StubObject("note")
            note = object
            let shown = site.render(["note": .object(object)], host: host)
            #expect(!shown.contains("t.html:"), "\(shown)")
        }
        #expect(note == nil)
    }
}
