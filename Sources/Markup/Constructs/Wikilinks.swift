import Bytes

/// `[[note#Heading|text]]` taken apart.
struct WikilinkSyntax {
    /// The name of the note; empty for a place on the same page.
    var target: Range<Int>
    /// What stands behind the first `#`.
    var fragment: Range<Int>?
    /// What stands behind the first bar.
    var text: Range<Int>?
    /// The index behind the closing brackets.
    var end: Int

    /// Reads a wikilink whose brackets open at `start`, or nil.
    ///
    /// It ends on its line at the first `]]`. Its name holds no bracket; what
    /// stands behind `#` or a bar may hold single ones.
    init?(in source: [UInt8], at start: Int, limit: Int) {
        var index = start + 2
        var hash: Int?
        var bar: Int?
        scanning: while true {
            guard index + 1 < limit else { return nil }
            switch source[index] {
            case 10:
                return nil
            case .ascii("]"):
                if source[index + 1] == .ascii("]") { break scanning }
                if hash == nil, bar == nil { return nil }
            case .ascii("["):
                if source[index + 1] == .ascii("[") { return nil }
                if hash == nil, bar == nil { return nil }
            case .ascii("#"):
                if hash == nil, bar == nil { hash = index }
            case .ascii("|"):
                if bar == nil { bar = index }
            default:
                break
            }
            index += 1
        }
        end = index + 2
        var nameEnd = bar ?? index
        // The bar as it has to be written in a table.
        if let bar, bar > start + 2, source[bar - 1] == .ascii("\\") { nameEnd = bar - 1 }
        text = bar.map { Self.trimmed(source, ($0 + 1)..<index) }
        fragment = hash.map { Self.trimmed(source, ($0 + 1)..<max($0 + 1, nameEnd)) }
        target = Self.trimmed(source, (start + 2)..<(hash ?? nameEnd))
        if target.isEmpty, fragment?.isEmpty ?? true { return nil }
    }

    private static func trimmed(_ source: [UInt8], _ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, source[start].isSpace { start += 1 }
        while end > start, source[end - 1].isSpace { end -= 1 }
        return start..<end
    }
}

extension InlinePass {
    /// Finds a wikilink or an embed whose bracket is at hand.
    mutating func findWikilink() -> Bool {
        guard peek(position + 1) == .ascii("["),
            let link = WikilinkSyntax(in: text, at: position, limit: text.count)
        else { return false }
        // `[[1]](url)` is a link of Markdown's own whose text is `[1]`.
        if peek(link.end) == .ascii("("),
            LinkSyntax(text: text, limit: text.count).inlineTail(at: link.end) != nil
        {
            return false
        }
        if isPicture {
            add(.embed, (position - 1)..<link.end)
        } else {
            // A text with markup in it is scanned and parsed like a leaf.
            let needsCarrier =
                link.text.map { range in
                    text[range].contains { Self.markup.contains($0) }
                        && !text[range].contains(LongSpan.standIn)
                } ?? false
            add(
                .wikilink, position..<link.end,
                number: needsCarrier ? link.text?.lowerBound ?? -1 : -1)
        }
        return true
    }

    private static let markup = ByteSet("*_`~=$%\\&<")

    /// Scans the texts of wikilinks that hold markup, each a text of its own.
    mutating func finishTexts() {
        let texts = pendingTexts
        pendingTexts.removeAll(keepingCapacity: true)
        for (mark, source) in texts {
            beginText()
            appendText(source)
            marks.marks[mark].partner = Int32(finishCarrier())
        }
    }
}

extension HTMLRenderer {
    /// Writes a wikilink: a hole on either side of what is shown.
    mutating func append(wikilink mark: Mark) {
        guard linkDepth == 0, let link = makeLink(wikilink: mark, bracket: 0) else {
            append(text: marks.bytes, mark.text)
            return
        }
        let number = document.links.count
        document.links.append(link)
        appendHole(.linkStart(number))
        let textStart = text.count
        if mark.partner >= 0 {
            // Links do not nest.
            linkDepth += 1
            append(carrierText: Int(mark.partner))
            linkDepth -= 1
        } else {
            let shown = Array(link.text.utf8)
            append(text: shown, 0..<shown.count)
        }
        appendHole(.linkEnd(number))
        linksInBlock.append((number, textStart..<text.count))
        if mark.partner >= 0 {
            document.links[number].text = foldedText(textStart..<text.count)
        }
    }

    /// Leaves a hole for an embed.
    mutating func append(embed mark: Mark, _ place: Hole.Place) {
        guard linkDepth == 0, let link = makeLink(wikilink: mark, bracket: 1) else {
            append(text: marks.bytes, mark.text)
            return
        }
        appendHole(.embed(document.links.count, place))
        linksInBlock.append((document.links.count, text.count..<text.count))
        document.links.append(link)
    }

    /// Where an embed among inlines stands: a note's text, which is made of
    /// blocks, can split a paragraph but no phrase.
    func place(ofEmbedIn node: Int) -> Hole.Place {
        guard tree.nodes[node].kind == .paragraph else {
            return found.carrierCount > 0 && node <= (carriers.last ?? 0) ? .cell : .phrase
        }
        return isTight(node, depth: open.count - 1) ? .cell : .paragraph
    }

    /// Writes what a paragraph comes to that is one mark: an embed, a formula;
    /// false where it is none.
    mutating func appendSoleMark(paragraph index: Int) -> Bool {
        let node = tree.nodes[index]
        guard !marks.marks.isEmpty, Int(node.end) == index + 2,
            case let inner = tree.nodes[index + 1], inner.kind == .text,
            let (mark, end) = soleMark(of: inner), end == inner.text.upperBound
        else { return false }
        let start = text.count
        switch mark.kind {
        case .embed:
            startLine()
            append(embed: mark, .block)
        case .displayMaths:
            startLine()
            append(maths: mark, isBlock: true)
        default:
            return false
        }
        html.append(.ascii("\n"))
        endTextBlock(from: start)
        return true
    }

    /// The mark that a text begins with, and where it ends with its edge.
    private func soleMark(of node: MarkdownTree.Node) -> (mark: Mark, end: Int)? {
        // These begin with punctuation, and so their marks with an edge.
        let start = node.text.lowerBound + 1
        guard start < node.text.upperBound, tree.bytes[start] == MarkTable.lead.0,
            let (number, end) = marks.mark(
                at: start, in: tree.bytes, limit: node.text.upperBound)
        else { return nil }
        let mark = marks.marks[number]
        return (mark, end + Int(mark.trailingEdge))
    }

    private func makeLink(wikilink mark: Mark, bracket: Int) -> Link? {
        let start = mark.text.lowerBound + bracket
        guard
            let parts = WikilinkSyntax(
                in: marks.bytes, at: start, limit: mark.text.upperBound)
        else { return nil }
        func string(_ range: Range<Int>) -> String {
            String(decoding: marks.bytes[range], as: UTF8.self)
        }
        let target = string(parts.target)
        let fragment = parts.fragment.map(string)
        var link = Link(
            form: bracket > 0 ? .embed : .wikilink, target: target, fragment: fragment,
            destination: string((start + 2)..<(parts.end - 2)), text: "", hasText: false,
            span: mark.source)
        if bracket > 0 {
            takeText(of: &link, parts)
            return link
        }
        if let text = parts.text, !text.isEmpty {
            link.text = string(text)
            link.hasText = true
        } else {
            link.text = Self.shownName(target: target, fragment: fragment)
        }
        return link
    }

    /// Reads what stands behind an embed's bars: a size, a text, or both.
    private func takeText(of link: inout Link, _ parts: WikilinkSyntax) {
        guard let range = parts.text, !range.isEmpty else { return }
        var shown = marks.bytes[range]
        if let size = PictureSize(shown) {
            link.size = size
            return
        }
        if let bar = shown.lastIndex(of: .ascii("|")),
            let size = PictureSize(shown[(bar + 1)...].filter { !$0.isBlank })
        {
            link.size = size
            shown = shown[..<bar]
        }
        link.text = String(decoding: shown, as: UTF8.self)
        link.hasText = true
    }

    /// How Obsidian shows a link without a text of its own.
    private static func shownName(target: String, fragment: String?) -> String {
        var levels = target.isEmpty ? [] : [target]
        if let fragment {
            levels += fragment.split(separator: "#").map { level in
                String(level.trimmingBlanks())
            }
        }
        return levels.joined(separator: " > ")
    }
}

extension Substring {
    /// The text without blanks at its ends.
    fileprivate func trimmingBlanks() -> Substring {
        var rest = self
        while rest.first?.isWhitespace ?? false { rest.removeFirst() }
        while rest.last?.isWhitespace ?? false { rest.removeLast() }
        return rest
    }
}
