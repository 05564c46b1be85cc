import Markup
import Testing

@Suite("Wikilinks and embeds")
struct WikilinkTests {
    @Test("Bars part names from texts and sizes, inside and outside tables")
    func bars() {
        let text = """
            [[ a |Al]] ![[i.png|100x50]] ![pic|60](i.png)

            | h | k |
            |---|---|
            | [[a\\|Al]] | ![[i.png\\|200]] |

            [[a]]

            [a]: https://example.org/other
            """
        let document = parse(text)
        let html = String(decoding: document.html, as: UTF8.self)
        #expect(document.links.map(\.target) == ["a", "i.png", "i.png", "a", "i.png", "a"])
        #expect(
            document.links.map(\.form) == [.wikilink, .embed, .image, .wikilink, .embed, .wikilink])
        #expect(document.links.map(\.text) == ["Al", "", "pic", "Al", "", "a"])
        #expect(
            document.links.map(\.size) == [
                nil, PictureSize(width: 100, height: 50), PictureSize(width: 60), nil,
                PictureSize(width: 200), nil,
            ])
        #expect(html.contains("alt=\"pic\" width=\"60\" />"))
        #expect(html.split(separator: "<td>").count == 3)
        #expect(!html.contains("[[") && !html.contains("\\|") && !html.contains("example.org"))
    }

    @Test(
        "A link without a text shows what was typed, as Obsidian does",
        arguments: [
            ("[[a]]", "a", nil, "a"), ("[[a#H]]", "a", "H", "a > H"),
            ("[[#H]]", "", "H", "H"), ("[[a#H#I]]", "a", "H#I", "a > H > I"),
            ("[[dir/a b]]", "dir/a b", nil, "dir/a b"), ("[[a#^id]]", "a", "^id", "a > ^id"),
        ] as [(String, String, String?, String)])
    func shownText(source: String, target: String, fragment: String?, text: String) {
        let links = parse(source).links
        #expect(links.map(\.target) == [target])
        #expect(links.map(\.fragment) == [fragment])
        #expect(links.map(\.text) == [text])
        #expect(links.map(\.hasText) == [false])
    }

    @Test(
        "What is no wikilink stays as it was written",
        arguments: [
            ("[[]]", "<p>[[]]</p>\n"), ("[[a\nb]]", "<p>[[a\nb]]</p>\n"),
            ("\\[[a]]", "<p>[[a]]</p>\n"), ("[[1]](u)", "<p><a href=\"u\">[1]</a></p>\n"),
            ("`[[a]]`", "<p><code>[[a]]</code></p>\n"),
            ("[x [[a]]](u)", "<p><a href=\"u\">x [[a]]</a></p>\n"),
        ])
    func noLink(source: String, expected: String) {
        #expect(html(source) == expected)
    }

    @Test("A paragraph that is one embed becomes a hole between blocks")
    func blockEmbed() {
        let document = parse("![[a]]\n\nsee ![[b]]\n\n- ![[c]]\n")
        let embeds = document.holes.map(\.kind)
        #expect(
            embeds == [
                .embed(0, .block), .embed(1, .paragraph), .embed(2, .block),
            ])
        #expect(
            String(decoding: document.html, as: UTF8.self)
                == "\n<p>see </p>\n<ul>\n<li>\n\n</li>\n</ul>\n")
    }

    @Test("Places are the author's, also with CRLF, in quotes and in tables")
    func places() {
        let text = "> x\r\n> [[one]] y [two](t)\r\n\r\n| a |\r\n|---|\r\n| p\\|q [[three]] |\r\n"
        let bytes = Array(text.utf8)
        let spans = parse(text).links.map { String(decoding: bytes[$0.span], as: UTF8.self) }
        #expect(spans == ["[[one]]", "[two](t)", "[[three]]"])
    }
}
