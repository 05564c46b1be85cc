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
        case .separator, .task, .table: break
        case .linkPosition:
            if let link = open.last?.link, link >= 0, document.links[link].span.isEmpty {
                // Directly behind a bracket the mark stands in the link's text.
                document.links[link].span = mark.source
            } else {
                linkPosition = mark.source
            }
        case .wikilink: append(wikilink: mark)
        case .embed: append(embed: mark, isBlock: false)
        case .tag: append(tag: mark)
        case .address: append(address: mark)
        case .delimiter: append(delimiter: number, node: node)
        }
    }

    /// Writes what a line stands for that is one mark; false where the block
    /// is raw HTML.
    mutating func appendPlaceholder(_ node: MarkdownTree.Node) -> Bool {
        let start = node.text.lowerBound + 2
        guard !marks.marks.isEmpty, start < node.text.upperBound,
            tree.bytes[start] == MarkTable.lead.0,
            let (number, _) = marks.mark(at: start, in: tree.bytes, limit: node.text.upperBound)
        else { return false }
        switch marks.marks[number].kind {
        case .table: append(table: Int(marks.marks[number].partner))
        default: return false
        }
        return true
    }

    /// Writes the inlines of a carrier.
    mutating func append(carrier number: Int) {
        guard number < carriers.count else { return }
        let index = carriers[number]
        let start = text.count
        // As though the heading that carries them were open.
        open.append(OpenNode(node: index, htmlStart: html.count, textStart: start))
        walk((index + 1)..<Int(tree.nodes[index].end))
        open.removeLast()
        endTextBlock(from: start)
    }
}
