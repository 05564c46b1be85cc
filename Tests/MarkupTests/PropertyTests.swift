import Testing

@testable import Markup

/// What holds for every document. Seeds are 0 and up, so that a failure's
/// number makes it again.
@Suite("Properties of random documents")
struct PropertyTests {
    @Test("With the dialect off the HTML is cmark's, byte for byte")
    func dialectOff() {
        var parser = MarkupParser()
        var failures = 0
        for seed in 0..<UInt64(RandomDocument.count) where failures < 5 {
            let text = RandomDocument.make(seed: seed)
            let document = parser.parse(text, in: 0..<text.count, dialect: .commonmark)
            if document.htmlAsTyped() != cmarkHTML(text) {
                failures += 1
                Issue.record("seed \(seed): \(quoted(text))")
            }
        }
    }

    @Test("The line pass finds cmark's blocks, with the dialect off")
    func blocksOff() {
        var gate = SourceGate()
        var lines = LinePass()
        var tree = MarkdownTree()
        var failures = 0
        for seed in 0..<UInt64(RandomDocument.count) where failures < 5 {
            let text = RandomDocument.make(seed: seed)
            gate.open(text, in: 0..<text.count, replacesMarks: false)
            lines.run(gate.text, dialect: .commonmark, tracing: true)
            text.withUnsafeBufferPointer { tree.parse($0) }
            let expected = tree.blocks(behind: 0)
            if lines.found.trace != expected {
                failures += 1
                Issue.record(
                    "seed \(seed): \(quoted(text))\n\(lines.found.trace)\n\(expected)")
            }
        }
    }

    @Test("cmark reads the rewritten text as the line pass means it")
    func blocksOn() {
        var gate = SourceGate()
        var lines = LinePass()
        var inlines = InlinePass()
        var tree = MarkdownTree()
        var rewritten: [UInt8] = []
        var failures = 0
        for seed in 0..<UInt64(RandomDocument.count) where failures < 5 {
            let text = RandomDocument.make(seed: seed)
            gate.open(text, in: 0..<text.count, replacesMarks: true)
            lines.run(gate.text, dialect: .notes, tracing: true)
            let meant = lines.found.trace.map(\.kind)
            swap(&lines.found, &inlines.found)
            inlines.run(gate.text, dialect: .notes)
            if !inlines.write(to: &rewritten) { rewritten = gate.text }
            rewritten.withUnsafeBufferPointer { tree.parse($0) }
            let read = tree.blocks(behind: inlines.found.carrierCount).map(\.kind)
            if meant != read {
                failures += 1
                Issue.record("seed \(seed): \(quoted(text))\n\(quoted(rewritten))")
            }
        }
    }

    /// A dialect that puts marks into every text, of which none means anything:
    /// where links stand, and what keeps marks from making syntax.
    private static let inert: Dialect = [.rawHTML, .taskMarks]

    @Test("Marks that mean nothing leave cmark's HTML as it is, byte for byte")
    func inertMarks() {
        var parser = MarkupParser()
        var failures = 0
        for seed in 0..<UInt64(RandomDocument.count) where failures < 5 {
            let text = RandomDocument.make(seed: seed)
            // What marks are written with is replaced, and is another test's.
            guard !text.contains(0xEF), !quoted(text).contains("FDD") else { continue }
            let document = parser.parse(text, in: 0..<text.count, dialect: Self.inert)
            if document.htmlAsTyped() != cmarkHTML(text) {
                failures += 1
                Issue.record("seed \(seed): \(quoted(text))")
            }
        }
    }

    @Test("In code every mark is the exact source again")
    func restoredInCode() {
        var parser = MarkupParser()
        var failures = 0
        for seed in 0..<UInt64(RandomDocument.count) where failures < 5 {
            // A line of a random document as a code span: whatever it holds.
            let line = RandomDocument.make(seed: seed).split(separator: 10).first ?? []
            let inner = line.filter { $0 != UInt8(ascii: "`") && $0 >= 32 && $0 < 127 }
            guard inner.contains(where: { $0 != 32 }), !quoted(Array(inner)).contains("FDD") else {
                continue
            }
            let text = Array("x ``` ".utf8) + inner + Array(" ``` y".utf8)
            let document = parser.parse(text, in: 0..<text.count, dialect: .notes)
            if document.htmlAsTyped() != cmarkHTML(text) {
                failures += 1
                Issue.record("seed \(seed): \(quoted(text))")
            }
        }
    }

    // `]]]>` ends no CDATA for cmark, nor does `??>` an instruction.
    @Test(
        "What ends raw HTML ends it where cmark says",
        arguments: [
            "<![CDATA[[[w]]]]> &#xFDD0;", "<![CDATA[x]]> &#xFDD0;[[w]]",
            "<![CDATA[\n[a](b)[!n]]]>\n",
            "t <?[[w]]??> &#xFDD0;", "t <?x?> &#xFDD0;[[w]]", "t <![CDATA[]]]]]]> &#xFDD1;",
        ])
    func rawHTMLEnds(_ markdown: String) {
        var parser = MarkupParser()
        let text = Array(markdown.utf8)
        let document = parser.parse(text, in: 0..<text.count, dialect: .notes)
        #expect(document.fault(of: text) == nil)
    }

    @Test("Whatever is written, the document holds together")
    func fuzzMarkdown() {
        var parser = MarkupParser()
        var failures = 0
        let dialects: [Dialect] = [.notes, .gfm, .notes.subtracting(.rawHTML)]
        for seed in 0..<UInt64(RandomDocument.count) where failures < 5 {
            let text = RandomDocument.make(seed: seed)
            let document = parser.parse(
                text, in: 0..<text.count, dialect: dialects[Int(seed % 3)])
            // Without the author's HTML every element is our own.
            let unbalanced = seed % 3 == 2 ? document.unbalancedTag : nil
            if let fault = document.fault(of: text) ?? unbalanced {
                failures += 1
                Issue.record("seed \(seed): \(fault) in \(quoted(text))")
            }
        }
    }
}

extension MarkdownTree {
    /// The blocks behind so many of the root's first children.
    func blocks(behind carriers: Int) -> [FoundBlocks.Trace] {
        var index = 1
        for _ in 0..<carriers where index < nodes.count { index = Int(nodes[index].end) }
        return nodes[min(index, nodes.count)...].filter {
            switch $0.kind {
            case .blockQuote, .list, .item, .codeBlock, .htmlBlock, .paragraph, .heading,
                .thematicBreak:
                true
            default: false
            }
        }.map { FoundBlocks.Trace(kind: $0.kind, line: Int($0.line)) }
    }
}

extension MarkupDocument {
    /// What is wrong with this document of `text`, or nil.
    func fault(of text: [UInt8]) -> String? {
        let html = htmlAsTyped()
        guard String(validating: html, as: UTF8.self) != nil else { return "invalid UTF-8" }
        let texts = links.flatMap { [$0.target, $0.text, $0.sentence, $0.destination] }
        for piece in [String(decoding: html, as: UTF8.self), plainText, summary] + texts
            + headings.flatMap({ [$0.id, $0.text, $0.html] }) + tags.map(\.name)
        where piece.unicodeScalars.contains(where: { $0.value & 0xFFFFFE == 0xFDD0 }) {
            return "a mark is left in \(piece.debugDescription)"
        }
        var offset = 0
        for hole in holes {
            guard hole.offset >= offset, hole.offset <= self.html.count else {
                return "holes out of order"
            }
            offset = hole.offset
        }
        for span in links.map(\.span) + tags.map(\.span) + headings.map(\.span)
        where span.upperBound > text.count {
            return "a span beyond the text"
        }
        for tag in tags where !text[tag.span].elementsEqual("#\(tag.name)".utf8) {
            return "the tag \(tag.name) is not at its place"
        }
        for link in links {
            let source = text[link.span]
            switch link.form {
            case .wikilink where !source.starts(with: "[[".utf8),
                .embed where !source.starts(with: "![[".utf8),
                .image where !source.starts(with: "![".utf8),
                .link where !source.starts(with: "[".utf8):
                return "the \(link.form) \(link.destination) is not at its place \(link.span)"
            default: break
            }
        }
        for heading in headings {
            guard heading.range.upperBound <= heading.section.upperBound,
                heading.section.upperBound <= self.html.count,
                self.html[heading.range].starts(with: "<h\(heading.level)".utf8)
            else { return "the heading \(heading.text) is not at its place" }
        }
        guard Set(headings.map(\.id)).count == headings.count else { return "an id repeats" }
        guard Set(blocks.map(\.id)).count == blocks.count else { return "a block's id repeats" }
        for range in footnotes + blocks.map(\.range)
        where range.lowerBound < 0 || range.upperBound > self.html.count {
            return "a part beyond the HTML"
        }
        return footnoteFault(String(decoding: html, as: UTF8.self))
    }

    /// The first tag that closes nothing, or nothing closes, or a block in a
    /// paragraph.
    var unbalancedTag: String? {
        let html = String(decoding: htmlAsTyped(), as: UTF8.self)
        let blocks: Set<Substring> = [
            "p", "div", "ul", "ol", "pre", "table", "blockquote", "section",
        ]
        var open: [Substring] = []
        for piece in html.split(separator: "<").dropFirst(html.hasPrefix("<") ? 0 : 1) {
            let isClosing = piece.hasPrefix("/")
            let name = piece.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }
            if name.isEmpty || ["br", "hr", "img", "input"].contains(name) { continue }
            if !isClosing {
                if blocks.contains(name), open.contains("p") { return "<\(name)> in a paragraph" }
                open.append(name)
            } else if open.popLast() != name {
                return "</\(name)> closes nothing"
            }
        }
        return open.last.map { "<\($0)> is not closed" }
    }

    /// What is wrong with the ids of footnotes and the ways to them, or nil.
    private func footnoteFault(_ html: String) -> String? {
        guard !footnotes.isEmpty else { return nil }
        func names(_ before: String) -> [Substring] {
            html.ranges(of: before).map { html[$0.upperBound...].prefix { $0 != "\"" } }
        }
        let ids = Set(names(" id=\"fn"))
        let shown = FootnoteList(of: self, in: 0..<bodyEnd)
        guard shown.shown.count == footnotes.count else { return "a footnote is not shown" }
        guard ids.count >= footnotes.count + footnoteReferences.count else {
            return "an id of a footnote is missing"
        }
        for name in names("<a href=\"#fn") where !ids.contains(name) {
            return "#fn\(name) leads nowhere"
        }
        return nil
    }
}
