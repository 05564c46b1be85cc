import Bytes

/// `~struck~`, `~~struck~~` and `==marked==`.
extension InlinePass {
    /// Finds a run of `~` or `=` that may open or close a span.
    ///
    /// Its edges show cmark what stands beyond it: emphasis looks through
    /// these runs.
    mutating func findDelimiterRun(_ byte: UInt8) -> Bool {
        let start = position
        var end = start
        while peek(end) == byte { end += 1 }
        position = end
        guard byte == .ascii("~") ? end - start <= 2 : end - start == 2 else { return true }
        let before = CharacterClass(of: text, before: beyond(start, step: -1))
        let after = CharacterClass(of: text, at: beyond(end, step: 1))
        let canOpen = after != .space && (after != .punctuation || before != .other)
        let canClose = before != .space && (before != .punctuation || after != .other)
        guard canOpen || canClose else { return true }
        findings.append(
            Finding(
                range: start..<end, replacement: .mark(.delimiter), leadingEdge: after.edge,
                trailingEdge: before.edge, canOpen: canOpen, canClose: canClose))
        return true
    }

    /// The index behind further runs on one side.
    private func beyond(_ start: Int, step: Int) -> Int {
        var index = start
        // Runs that make no span are looked through alike: they are rare.
        while true {
            let next = step > 0 ? index : index - 1
            guard next >= 0, next < text.count, isDelimiter(text[next]) else { return index }
            index += step
        }
    }

    private func isDelimiter(_ byte: UInt8) -> Bool {
        byte == .ascii("~") && dialect.contains(.strikethrough)
            || byte == .ascii("=") && dialect.contains(.highlights)
    }
}

extension HTMLRenderer {
    /// Writes the tag that a run comes to, or the run itself.
    mutating func append(delimiter number: Int, node: MarkdownTree.Node) {
        if !marks.marks[number].isSettled { settleDelimiters(parent: open.last?.node ?? 0) }
        let mark = marks.marks[number]
        guard mark.partner >= 0 else {
            append(text: marks.bytes, mark.text)
            return
        }
        let isStruck = marks.bytes[mark.text.lowerBound] == .ascii("~")
        if Int(mark.partner) > number {
            html.append(isStruck ? "<del>" : "<mark>")
        } else {
            html.append(isStruck ? "</del>" : "</mark>")
        }
    }

    /// Pairs all runs among one node's children: a span never crosses
    /// emphasis, a link or another span.
    private mutating func settleDelimiters(parent: Int) {
        var openers = DelimiterStack()
        var child = parent + 1
        let end = Int(tree.nodes[parent].end)
        while child < end {
            let node = tree.nodes[child]
            if node.kind == .text { settleDelimiters(in: node.text, &openers) }
            child = Int(node.end)
        }
    }

    private mutating func settleDelimiters(
        in range: Range<Int>, _ openers: inout DelimiterStack
    ) {
        var index = range.lowerBound
        while index < range.upperBound {
            guard tree.bytes[index] == MarkTable.lead.0,
                let (number, end) = marks.mark(
                    at: index, in: tree.bytes, limit: range.upperBound)
            else {
                index += 1
                continue
            }
            index = end
            guard marks.marks[number].kind == .delimiter else { continue }
            marks.marks[number].isSettled = true
            let mark = marks.marks[number]
            let kind = DelimiterStack.Kind(
                isTilde: marks.bytes[mark.text.lowerBound] == .ascii("~"),
                length: mark.text.count)
            if mark.canClose, let opener = openers.popOpener(kind) {
                marks.marks[opener].partner = Int32(number)
                marks.marks[number].partner = Int32(opener)
            } else if mark.canOpen {
                openers.push(number, kind)
            }
        }
    }
}

/// Runs that wait for their closers.
private struct DelimiterStack {
    /// What has to agree between an opener and its closer.
    enum Kind: Int {
        case tilde, tildes, equals

        init(isTilde: Bool, length: Int) {
            self = isTilde ? (length == 1 ? .tilde : .tildes) : .equals
        }
    }

    private var openers: [(mark: Int, kind: Kind)] = []
    // Tells without a search that there is none, so that pairing is linear.
    private var counts = [0, 0, 0]

    mutating func push(_ mark: Int, _ kind: Kind) {
        openers.append((mark, kind))
        counts[kind.rawValue] += 1
    }

    /// Takes the nearest opener of the kind and all behind it.
    mutating func popOpener(_ kind: Kind) -> Int? {
        guard counts[kind.rawValue] > 0 else { return nil }
        while let opener = openers.popLast() {
            counts[opener.kind.rawValue] -= 1
            if opener.kind == kind { return opener.mark }
        }
        return nil
    }
}
