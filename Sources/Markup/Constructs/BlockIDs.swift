import Bytes

/// `^block-id` at the end of a block.
enum BlockID {
    /// Where an id with the caret before it begins that a text ends with; nil
    /// where it ends with none.
    ///
    /// It stands at the start of a line or behind a blank, and holds letters,
    /// digits and hyphens.
    static func start(in text: [UInt8], _ range: Range<Int>) -> Int? {
        var index = range.upperBound
        while index > range.lowerBound, text[index - 1].isBlank { index -= 1 }
        let end = index
        while index > range.lowerBound,
            text[index - 1].isAlphanumeric || text[index - 1] == .ascii("-")
        {
            index -= 1
        }
        guard index < end, index > range.lowerBound, text[index - 1] == .ascii("^"),
            index - 1 == range.lowerBound || text[index - 2].isSpace
        else { return nil }
        return index - 1
    }
}

extension InlinePass {
    /// Marks the id that the text at hand ends with, and the blanks before it.
    mutating func findBlockID() {
        guard let caret = BlockID.start(in: text, 0..<text.count) else { return }
        var start = caret
        while start > 0, text[start - 1].isSpace { start -= 1 }
        var end = text.count
        while end > caret, text[end - 1].isBlank { end -= 1 }
        guard start >= max(lastEnd, firstScanned), end >= position || position >= text.count
        else { return }
        found.hidesText = true
        found.hasBlockIDs = true
        add(.blockID, start..<end)
    }
}

extension HTMLRenderer {
    /// Finds out which nodes carry ids, before the walk comes to them.
    mutating func findBlockIDs() {
        // Open nodes, and the child of each that was met last.
        var parents: [(node: Int, lastChild: Int)] = []
        var seen: Set<String> = []
        for index in tree.nodes.indices {
            while let parent = parents.last, Int(tree.nodes[parent.node].end) <= index {
                parents.removeLast()
            }
            let node = tree.nodes[index]
            if node.kind == .paragraph || node.kind == .heading,
                let id = blockID(endingNode: index),
                seen.insert(id).inserted
            {
                blockIDs[owner(of: index, parents.last)] = id
            }
            if !parents.isEmpty { parents[parents.count - 1].lastChild = index }
            if Int(node.end) > index + 1 { parents.append((index, -1)) }
        }
    }

    /// What an id at the end of a paragraph names: of one that holds nothing
    /// else the block before it, at the start of an item the item.
    private func owner(of index: Int, _ parent: (node: Int, lastChild: Int)?) -> Int {
        guard let parent, tree.nodes[index].kind == .paragraph else { return index }
        if showsNothing(paragraph: index) {
            if parent.lastChild >= 0 { return parent.lastChild }
            return parent.node > 0 ? parent.node : index
        }
        return tree.nodes[parent.node].kind == .item && parent.lastChild < 0 ? parent.node : index
    }

    private func blockID(endingNode index: Int) -> String? {
        let last = Int(tree.nodes[index].end) - 1
        guard last > index, tree.nodes[last].kind == .text else { return nil }
        let range = tree.nodes[last].text
        // The mark that the text ends with: an id's last byte needs no edge.
        guard range.count >= 7, tree.bytes[range.upperBound - 1] == MarkTable.closing else {
            return nil
        }
        var start = range.upperBound - 3
        while start > range.lowerBound,
            !(tree.bytes[start - 1] == MarkTable.opening
                && tree.bytes[start - 2] == MarkTable.lead.1)
        {
            start -= 1
            if range.upperBound - start > 24 { return nil }
        }
        start -= 3
        guard start >= range.lowerBound,
            let (number, _) = marks.mark(at: start, in: tree.bytes, limit: range.upperBound),
            marks.marks[number].kind == .blockID,
            let caret = marks.bytes[marks.marks[number].text].lastIndex(of: .ascii("^"))
        else { return nil }
        return String(
            decoding: marks.bytes[(caret + 1)..<marks.marks[number].text.upperBound],
            as: UTF8.self)
    }

    /// Writes the start of a block that carries an id; the index to go on with.
    mutating func enter(_ index: Int, named id: String) -> Int {
        let node = tree.nodes[index]
        let number = document.blocks.count
        document.blocks.append(Block(id: id, range: html.count..<html.count))
        switch node.kind {
        case .paragraph where !isTight(index), .item where itemKinds[index] == nil:
            startLine()
            document.blocks[number].range = html.count..<html.count
            html.append(node.kind == .item ? "<li" : "<p")
            append(id: id)
            html.append(.ascii(">"))
            if node.kind == .item { appendTaskBox(item: index) }
            open.append(OpenNode(node: index, htmlStart: html.count, textStart: text.count))
            openBlocks.append(OpenBlock(depth: open.count, number: number))
            return index + 1
        case .heading, .paragraph, .item:
            // Its text carries the id.
            let next = enterPlain(index)
            openBlocks.append(OpenBlock(depth: open.count, number: number))
            append(anchor: id)
            return next
        default:
            startLine()
            document.blocks[number].range = html.count..<html.count
            html.append("<div class=\"block\"")
            append(id: id)
            html.append(">\n")
            let depth = open.count
            let next = enterPlain(index)
            if open.count > depth {
                openBlocks.append(
                    OpenBlock(depth: open.count, number: number, isWrapped: true))
            } else {
                startLine()
                html.append("</div>\n")
                end(block: number)
            }
            return next
        }
    }

    /// Ends a block that carries an id.
    mutating func end(block number: Int) {
        let start = document.blocks[number].range.lowerBound
        document.blocks[number].range = start..<html.count
    }

    private mutating func append(anchor id: String) {
        html.append("<span")
        append(id: id)
        html.append("></span>")
    }

    private mutating func append(id: String) {
        html.append(" id=\"")
        appendHole(.idPrefix)
        html.append(.ascii("^"))
        html.append(id)
        html.append(.ascii("\""))
    }
}
