import Foundation
import FoundationXML
import Testing

/// An XML document read by Foundation's parser: elements with their text, in
/// order. Not well-formed: nil.
final class ParsedXML: NSObject, XMLParserDelegate {
    struct Element {
        var name: String
        var attributes: [String: String]
        var text = ""
    }

    private(set) var elements: [Element] = []
    private var open: [Int] = []

    init?(_ data: Data) {
        super.init()
        let parser = XMLParser(data: data)
        parser.delegate = self
        guard parser.parse() else { return nil }
    }

    func texts(_ name: String) -> [String] { elements.filter { $0.name == name }.map(\.text) }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        open.append(elements.count)
        elements.append(Element(name: name, attributes: attributes))
    }

    func parser(
        _ parser: XMLParser, didEndElement: String, namespaceURI: String?, qualifiedName: String?
    ) {
        open.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        for index in open { elements[index].text += string }
    }
}

/// cases.md, FE: feeds and sitemap.
@Suite struct FeedCases {
    @Test func `H-FE-1 the feed is well-formed whatever the note holds`() throws {
        let site = try TestSite(
            notes: [
                "a.md":
                    "---\ntitle: \"A & B <i>\"\ndate: 2024-01-01\n---\nA code span `]]>`, a byte \u{8}, &nbsp; and 🌱.\n"
            ], settings: "base-url: https://example.org/\n")
        try site.mustBuild()
        for file in ["feed.xml", "sitemap.xml"] {
            let data = try Data(contentsOf: site.output.appending(path: file))
            #expect(ParsedXML(data) != nil, "\(file)")
            #expect(!data.contains { $0 < 0x20 && $0 != 9 && $0 != 10 && $0 != 13 })
        }
        let feed = try #require(ParsedXML(Data(site.page("feed.xml").utf8)))
        #expect(feed.texts("title").contains("A & B <i>"))
        let content = try #require(feed.texts("content").first)
        #expect(content.pieces(between: "<code>", and: "</code>").map(\.htmlText) == ["]]>"])
        #expect(content.contains("🌱"))
    }

    @Test func `H-FE-2 links inside feed content are absolute`() throws {
        let base = "https://example.org/notes/"
        let site = try TestSite(
            notes: [
                "d/a.md":
                    "---\ndate: 2024-01-01\n---\n![](pic.png) [[b]] [x](../c.md#Part) [top](#Here) [^1]\n\n## Here\n\n![[f]]\n\n[^1]: n\n",
                "b.md": "b", "c.md": "## Part\n", "f.md": "f[^1] ^id\n\n[^1]: m\n",
            ], settings: "base-url: \(base)\n")
        try site.write("content/d/pic.png", Data([1]))
        try site.mustBuild()
        let feed = try #require(ParsedXML(Data(site.page("feed.xml").utf8)))
        let content = try #require(feed.texts("content").first)
        let addresses = content.values(of: "href") + content.values(of: "src")
        #expect(addresses.count >= 8)
        for address in addresses {
            #expect(address.hasPrefix(base), "\(address)")
            let parts = address.dropFirst(base.count).split(
                separator: "#", omittingEmptySubsequences: false)
            let path = String(parts[0])
            let file = path.isEmpty || path.hasSuffix("/") ? path + "index.html" : path
            #expect(site.exists(file), "\(address)")
            if parts.count > 1 {
                #expect(site.page(file).contains("id=\"\(parts[1])\""), "\(address)")
            }
        }
    }

    @Test func `H-FE-3 titles and descriptions are escaped exactly once`() throws {
        let title = "Salt & \"Pepper\" <3"
        let description = "it's R&D; already &amp; typed"
        let site = try TestSite(
            notes: [
                "s.md":
                    "---\ntitle: 'Salt & \"Pepper\" <3'\ndescription: \"it's R&D; already &amp; typed\"\ndate: 2024-01-02\n---\n[[t]]\n",
                "t.md": "---\ndate: 2024-01-01\n---\n[[s]]\n",
            ], settings: "base-url: https://example.org/\n")
        try site.mustBuild()
        let page = site.page("s/")
        #expect(
            page.pieces(between: "<title>", and: "</title>").first?.htmlText.hasPrefix(title)
                == true)
        let metas = page.values(of: "content")
        #expect(metas.contains(description))
        #expect(metas.contains(title))
        // The index; older, newer and backlinks of t; the feeds.
        #expect(site.page("").mainPart.withoutTags.contains(title))
        #expect(site.page("t/").withoutTags.contains(title))
        let feed = try #require(ParsedXML(Data(site.page("feed.xml").utf8)))
        #expect(feed.texts("title").contains(title))
        let object =
            try JSONSerialization.jsonObject(with: Data(site.page("feed.json").utf8))
            as? [String: Any]
        let items = try #require(object?["items"] as? [[String: Any]])
        #expect(items.contains { $0["title"] as? String == title })
        // `&amp;` is typed once, so it may be escaped once, and nothing else.
        for (path, data) in site.outputTree where path.hasSuffix(".html") || path.hasSuffix(".xml")
        {
            let text = String(decoding: data, as: UTF8.self)
            #expect(
                text.count(of: "&amp;amp;") == text.count(of: "already &amp;amp; typed"), "\(path)")
        }
    }
}
