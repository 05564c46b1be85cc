import Markup
import Testing

@Suite("Markdown's links in a site")
struct LinkTests {
    @Test(
        "A destination is taken apart, decoded once",
        arguments: [
            ("[x](a%20b.md)", "a b.md", nil, nil), ("[x](c.md#Part)", "c.md", "Part", nil),
            ("[x](#top)", "", "top", nil), ("[x](/x/)", "/x/", nil, nil),
            ("[x](a.md?v=%31#f%20g)", "a.md", "f g", "v=%31"), ("[x](%2525)", "%25", nil, nil),
            ("![x](i.png)", "i.png", nil, nil), ("[x]()", "", nil, nil),
        ] as [(String, String, String?, String?)])
    func takenApart(source: String, target: String, fragment: String?, query: String?) {
        let links = parse(source).links
        #expect(links.map(\.target) == [target])
        #expect(links.map(\.fragment) == [fragment])
        #expect(links.map(\.query) == [query])
    }

    @Test(
        "Addresses that lead out stand in the HTML",
        arguments: ["https://e.org/a", "mailto:a@b.c", "//host/x", "tel:+1"])
    func external(address: String) {
        let document = parse("[x](\(address))")
        #expect(document.links.isEmpty)
        #expect(
            String(decoding: document.html, as: UTF8.self)
                == "<p><a href=\"\(address)\">x</a></p>\n")
    }

    @Test(
        "Addresses that would run a script are disarmed",
        arguments: [
            "[x](javascript:alert(1))", "[x](JAVASCRIPT:alert(1))", "[x](vbscript:x)",
            "[x](file:///etc/passwd)", "[x](data:text/html,x)", "<javascript:alert(1)>",
            "[x][y]\n\n[y]: javascript:alert(1)", "[x](java&#10;script:alert(1))",
        ])
    func disarmed(source: String) {
        #expect(parse(source).links.isEmpty)
        #expect(html(source).hasPrefix("<p><a href=\"\">"))
    }

    @Test("Pictures in data addresses pass, by the four common kinds only")
    func dataPictures() {
        for kind in ["png", "gif", "jpeg", "webp"] {
            #expect(html("![x](data:image/\(kind);base64,AA)").contains("src=\"data:image"))
        }
        #expect(html("![x](data:image/svg+xml,AA)").contains("src=\"\""))
    }

    @Test("A sentence is what stands between full stops around the link")
    func sentence() {
        let document = parse("First one. See *the* [[b]] there! Then more. And [c](c.md)?\n")
        #expect(document.links.map(\.sentence) == ["See the b there!", "And c?"])
    }

    @Test("A long sentence is cut between characters")
    func longSentence() {
        let family = "👨‍👩‍👧‍👦"
        let text =
            String(repeating: family, count: 30) + " [[b]] "
            + String(repeating: family, count: 30)
        let sentence = parse(text).links[0].sentence
        #expect(sentence.contains("b"))
        #expect(sentence.utf8.count <= 240 + 2 * "…".utf8.count)
        #expect(sentence.allSatisfy { "\(family)… b".contains($0) })
    }
}
