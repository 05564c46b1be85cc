import Bytes

/// What marks come to in text: the one list of the dialect's spans.
extension HTMLRenderer {
    /// Writes the text of a node, giving its marks their meaning.
    mutating func append(textOf node: MarkdownTree.Node) {
        guard !marks.marks.isEmpty else {
            append(prose: tree.bytes, node.text)
            return
        }
        let end = node.text.upperBound
        var written = node.text.lowerBound
        var index = written
        while index < end {
            index = tree.bytes.index(of: MarkTable.lead.0, in: index..<end)
            guard index < end,
                let (number, markEnd) = marks.mark(at: index, in: tree.bytes, limit: end)
            else {
                index += 1
                continue
            }
            let mark = marks.marks[number]
            let textEnd = max(written, index - Int(mark.leadingEdge))
            if textEnd > written { append(prose: tree.bytes, written..<textEnd) }
            append(mark: number, node: node)
            index = min(end, markEnd + Int(mark.trailingEdge))
            if mark.kind == .task {
                while index < end, tree.bytes[index].isBlank { index += 1 }
            }
            written = index
        }
        if end > written { append(prose: tree.bytes, written..<end) }
    }

    private mutating func append(mark number: Int, node: MarkdownTree.Node) {
        let mark = marks.marks[number]
        switch mark.kind {
        case .separator, .task, .table, .callout, .attributes, .codeTag, .comment, .blockID: break
        case .linkPosition:
            if let link = open.last?.link, link >= 0, document.links[link].span.isEmpty {
                // Directly behind a bracket the mark stands in the link's text.
                document.links[link].span = mark.source
            } else {
                linkPosition = mark.source
            }
        case .wikilink: append(wikilink: mark)
        case .embed: append(embed: mark, place(ofEmbedIn: open.last?.node ?? 0))
        case .tag: append(tag: mark)
        case .address: append(address: mark)
        case .delimiter: append(delimiter: number, node: node)
        case .maths, .displayMaths: append(maths: mark)
        case .footnote: append(footnote: mark)
        case .templateTag: append(templateTag: mark)
        case .path: append(text: marks.bytes, mark.text)
        }
    }

    /// The mark that a line stands for; nil where the block is raw HTML.
    func placeholderMark(_ node: MarkdownTree.Node) -> Mark? {
        let start = node.text.lowerBound + 2
        guard !marks.marks.isEmpty else { return nil }
        // A separator has edges.
        for start in [start, start + 1] {
            guard start < node.text.upperBound, tree.bytes[start] == MarkTable.lead.0,
                let (number, _) = marks.mark(
                    at: start, in: tree.bytes, limit: node.text.upperBound)
            else { continue }
            return marks.marks[number]
        }
        return nil
    }

    /// Writes what a line stands for that is one mark; false where the block
    /// is raw HTML.
    mutating func appendPlaceholder(_ node: MarkdownTree.Node) -> Bool {
        guard let mark = placeholderMark(node) else { return false }
        switch mark.kind {
        case .table: append(table: Int(mark.partner))
        case .attributes: append(attributes: mark)
        case .codeTag: append(codeTag: mark)
        case .separator, .callout: break
        default: return false
        }
        return true
    }

    /// Writes the inlines of a carrier, which are a block of text.
    mutating func append(carrier number: Int) {
        let start = text.count
        append(carrierText: number)
        endTextBlock(from: start)
    }

    /// Writes the inlines of a carrier among others.
    mutating func append(carrierText number: Int) {
        guard number < carriers.count else { return }
        let index = carriers[number]
        // As though the heading that carries them were open.
        open.append(OpenNode(node: index, htmlStart: html.count, textStart: text.count))
        walk((index + 1)..<Int(tree.nodes[index].end))
        open.removeLast()
    }
}
