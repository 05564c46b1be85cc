/// `%%hidden%%`.
extension InlinePass {
    /// Finds a comment that closes in the text at hand.
    ///
    /// One that nothing closes is text, and the author is told: they meant it
    /// to be hidden.
    mutating func findComment() -> Bool {
        let start = position
        guard peek(start + 1) == .ascii("%") else { return false }
        var index = start + 2
        while index + 1 < text.count {
            if text[index] == .ascii("%"), text[index + 1] == .ascii("%") {
                hide(start..<(index + 2))
                return true
            }
            index += 1
        }
        found.messages.append(
            MarkupMessage(.unclosed("%%"), at: sourceRange(start..<(start + 2))))
        position = text.count > start + 2 && text[start + 2] == .ascii("%") ? start + 3 : start + 2
        return true
    }

    /// Makes a mark that shows nothing.
    mutating func hide(_ range: Range<Int>) {
        found.hidesText = true
        add(.comment, range)
    }
}

extension HTMLRenderer {
    /// Whether a paragraph holds nothing but what is not shown.
    func showsNothing(paragraph index: Int) -> Bool {
        var child = index + 1
        while child < Int(tree.nodes[index].end) {
            let node = tree.nodes[child]
            switch node.kind {
            case .softBreak, .lineBreak: break
            case .text where showsNothing(node.text): break
            default: return false
            }
            child += 1
        }
        return true
    }

    private func showsNothing(_ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound {
            // A mark that shows nothing, with its edges.
            let start = tree.bytes.index(
                of: MarkTable.lead.0, in: index..<min(index + 4, range.upperBound))
            if let (number, end) = marks.mark(at: start, in: tree.bytes, limit: range.upperBound),
                start - Int(marks.marks[number].leadingEdge) == index,
                marks.marks[number].kind.isHidden
            {
                index = end + Int(marks.marks[number].trailingEdge)
            } else if tree.bytes[index].isSpace {
                index += 1
            } else {
                return false
            }
        }
        return true
    }

    /// Text without marks for a place that holds no markup, what is hidden
    /// left out.
    func shownText(_ range: Range<Int>) -> (bytes: [UInt8], range: Range<Int>) {
        guard found.hidesText else { return exactText(range) }
        return exactText(range, leavingOutHidden: true)
    }
}

extension MarkKind {
    /// Whether nothing of it shows.
    var isHidden: Bool {
        switch self {
        case .separator, .linkPosition, .comment, .blockID: true
        default: false
        }
    }
}
