import Bytes

extension LinePass {
    /// Remembers the box that the item which has just begun starts with.
    mutating func findTask() {
        guard dialect.contains(.taskLists) else { return }
        findFirstNonspace()
        let start = firstNonspace
        guard indent < 4, start + 3 < reader.limit, reader.text[start] == .ascii("["),
            reader.text[start + 2] == .ascii("]"), reader.text[start + 3].isBlank
        else { return }
        switch reader.text[start + 1] {
        case .ascii(" "), .ascii("x"), .ascii("X"): found.tasks.append(start..<(start + 3))
        default: break
        }
    }
}

extension HTMLRenderer {
    /// Writes the box of an item that begins with one.
    mutating func appendTaskBox(item index: Int) {
        guard !found.tasks.isEmpty, index + 2 < tree.nodes.count,
            tree.nodes[index + 1].kind == .paragraph, tree.nodes[index + 2].kind == .text,
            let mark = mark(beginning: tree.nodes[index + 2]), mark.kind == .task
        else { return }
        let isChecked = marks.bytes[mark.text.lowerBound + 1] != 32
        html.append("<input type=\"checkbox\"")
        if isChecked { html.append(" checked=\"\"") }
        html.append(" disabled=\"\" /> ")
    }

    private func mark(beginning node: MarkdownTree.Node) -> Mark? {
        guard !node.text.isEmpty, tree.bytes[node.text.lowerBound] == MarkTable.lead.0 else {
            return nil
        }
        return marks.mark(
            at: node.text.lowerBound, in: tree.bytes, limit: node.text.upperBound
        ).map { marks.marks[$0.index] }
    }
}
