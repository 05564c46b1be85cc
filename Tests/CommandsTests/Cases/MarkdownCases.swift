import Foundation
import Testing

/// cases.md, MD: the Markdown dialect, through the real program.
@Suite struct MarkdownCases {
    @Test func `H-MD-1 bars in wikilinks and image sizes, inside and outside tables`() throws {
        let site = try TestSite(notes: [
            "a.md": "A",
            "m.md": """
            [[ a |Al]] ![[i.png|100x50]] ![pic|60](i.png)

            | h | k |
            |---|---|
            | [[a\\|Al]] | ![[i.png\\|200]] |

            [[a]]

            [a]: https://example.org/other
            """,
        ])
        try site.write("content/i.png", Data([1]))
        let run = try site.mustBuild()
        #expect(!run.errors.contains("warning"))
        let body = site.page("m/").bodyPart
        let row = try #require(body.pieces(between: "<tbody>", and: "</tbody>").first)
        #expect(row.count(of: "<td") == 2)
        #expect(body.values(of: "href") == ["/a/", "/a/", "/a/"])
        #expect(body.pieces(between: "<a href=\"/a/\">", and: "</a>") == ["Al", "Al", "a"])
        #expect(body.values(of: "width") == ["100", "60", "200"])
        #expect(body.values(of: "height") == ["50"])
        #expect(body.values(of: "alt").contains("pic"))
        #expect(body.values(of: "src") == ["/i.png", "/i.png", "/i.png"])
        #expect(!body.contains("[[") && !body.contains("\\|") && !body.contains("example.org"))
    }

    @Test func `H-MD-2 dialect marks inside code stay as typed`() throws {
        let span = "[[a]] #t %%x%% ==y== $z$ ^id"
        let fence = "if [[ $x == 1 ]]; then\n%%\nkept\n%%\n> [!note] n\n![[a]]\n"
        let site = try TestSite(notes: [
            "a.md": "A", "m.md": "`\(span)`\n\n```\n\(fence)```\n\n- item\n\n      [[a]]\n",
        ])
        let run = try site.mustBuild()
        #expect(!run.errors.contains("warning"))
        let codes = site.page("m/").bodyPart.pieces(between: "<code", and: "</code>").map {
            ($0.split(separator: ">", maxSplits: 1).last.map { String($0) } ?? "").htmlText
        }
        #expect(codes == [span, fence, "[[a]]\n"])
        #expect(!site.page("a/").contains("Linked from"))
        #expect(!site.exists("tags/t/index.html"))
    }

    @Test func `H-MD-7 heading ids are unique and links find their headings`() throws {
        let headings = ["Setup", "Setup", "Setup 1", "🌱", "Привет, мир!", "A: b (c) / d.e"]
        let site = try TestSite(notes: [
            "h.md": "intro\n\n" + headings.map { "## \($0)\n" }.joined(separator: "\n"),
            "l.md": "[[h#Setup 1]] [[h#🌱]] [[h#Привет, мир!]] [[h#A: b (c) / d.e]] [[h#Nope]]\n",
        ])
        let run = try site.mustBuild()
        let body = site.page("h/").bodyPart
        let ids = body.pieces(between: "<h2 id=\"", and: "\"").map(\.htmlText)
        #expect(ids.count == 6)
        #expect(Set(ids).count == 6)
        #expect(!ids.contains(""))
        let fragments = site.page("l/").bodyPart.values(of: "href").map {
            ($0.split(separator: "#").dropFirst().first ?? "").removingPercentEncoding ?? ""
        }
        #expect(Array(fragments.prefix(4)) == [ids[2], ids[3], ids[4], ids[5]])
        #expect(run.errors.contains("content/l.md:1:") && run.errors.contains("Nope"))
    }
}
