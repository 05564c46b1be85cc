import Bytes

extension LinePass {
    /// Remembers the box that the item which has just begun starts with.
    mutating func findTask() {
        guard dialect.contains(.taskLists) else { return }
        findFirstNonspace()
        let start = firstNonspace
        guard indent < 4, reader.peek(start) == .ascii("["), start + 3 < reader.limit else {
            return
        }
        let end = start + 2 + characterLength(at: start + 1)
        guard end < reader.limit, reader.text[end - 1] == .ascii("]"), reader.text[end].isBlank
        else { return }
        switch reader.text[start + 1] {
        case .ascii(" "), .ascii("x"), .ascii("X"): found.tasks.append(start..<end)
        case .ascii("["), .ascii("]"), .ascii("\\"), .ascii("`"), 9: break
        default: if dialect.contains(.taskMarks) { found.tasks.append(start..<end) }
        }
    }

    private func characterLength(at index: Int) -> Int {
        let byte = reader.text[index]
        return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
    }
}

extension InlinePass {
    /// Marks the box that the text at hand begins with, should an item have
    /// begun with one at `start` in the source.
    mutating func findTask(at start: Int) {
        // A box that became a table's is nobody's.
        while taskIndex < found.tasks.count, found.tasks[taskIndex].lowerBound < start {
            taskIndex += 1
        }
        guard taskIndex < found.tasks.count, found.tasks[taskIndex].lowerBound == start else {
            return
        }
        let length = found.tasks[taskIndex].count
        taskIndex += 1
        guard length <= text.count else { return }
        // What is a link by its label stays one, but for the usual boxes.
        if !" xX".utf8.contains(text[1]), !found.labels.isEmpty,
            found.labels.contains(ReferenceLabel.normalised(text[1..<(length - 1)]))
        {
            return
        }
        findings.append(Finding(range: 0..<length, replacement: .mark(.task)))
        position = length
    }
}

extension HTMLRenderer {
    /// Writes the box of an item that begins with one.
    mutating func appendTaskBox(item index: Int) {
        guard !found.tasks.isEmpty, index + 2 < tree.nodes.count,
            tree.nodes[index + 1].kind == .paragraph, tree.nodes[index + 2].kind == .text,
            let mark = mark(beginning: tree.nodes[index + 2]), mark.kind == .task
        else { return }
        let state = (mark.text.lowerBound + 1)..<(mark.text.upperBound - 1)
        html.append("<input type=\"checkbox\"")
        if marks.bytes[state.lowerBound] != 32 { html.append(" checked=\"\"") }
        if !" xX".utf8.contains(marks.bytes[state.lowerBound]) {
            html.append(" data-task=\"")
            html.append(escaped: marks.bytes, state)
            html.append(.ascii("\""))
        }
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
