import Markup
import Testing

@Suite("Headings")
struct HeadingTests {
    @Test("Anchors are GitHub's, unique and never empty")
    func anchors() {
        let text = """
            # Setup
            # Setup
            # Setup 1
            # 🌱
            # Привет, мир!
            # A: b (c) / d.e
            #
            # `code_x` and *em*
            """
        #expect(
            parse(text).headings.map(\.id) == [
                "setup", "setup-1", "setup-1-1", "u1f331", "привет-мир", "a-b-c--de", "section",
                "code_x-and-em",
            ])
    }

    @Test("A heading's id stands in its tag, behind a hole for a prefix")
    func idPrefix() {
        let document = parse("## One\n")
        #expect(String(decoding: document.html, as: UTF8.self) == "<h2 id=\"one\">One</h2>\n")
        #expect(document.holes == [Hole(offset: 8, kind: .idPrefix)])
    }

    @Test("A section ends at the next heading of its level or a higher one")
    func sections() {
        let document = parse("# A\n\na\n\n## B\n\nb\n\n> # Q\n> q\n\n# C\n\nc\n")
        let sections = document.headings.map {
            String(decoding: document.html[$0.section], as: UTF8.self)
        }
        #expect(sections.map { $0.contains("<p>b</p>") } == [true, true, false, false])
        #expect(sections[0].hasSuffix("</blockquote>\n"))
        #expect(sections[2] == "<h1 id=\"q\">Q</h1>\n<p>q</p>\n")
        #expect(sections[3].hasSuffix("<p>c</p>\n"))
    }

    @Test("Only a level-1 heading that stands first leads")
    func leading() {
        for (text, leads) in [
            ("# T\n\nx", true), ("<!-- c -->\n\n# T\n", true), ("x\n\n# T\n", false),
            ("## T\n", false), ("> # T\n", false),
        ] {
            #expect((parse(text).leadingHeading != nil) == leads, "\(text)")
        }
    }

    @Test("A contents list's HTML has no links")
    func contentsHTML() {
        let headings = parse("# *a* [b](c) <https://d.e> [[f]]\n").headings
        #expect(headings.map(\.html) == ["<em>a</em> b https://d.e f"])
        #expect(headings.map(\.text) == ["a b https://d.e f"])
    }
}
