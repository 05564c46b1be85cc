import Bytes

/// Text, and the exact source where text is no prose.
extension HTMLRenderer {
    /// Writes text and adds it to the plain text.
    mutating func append(text bytes: [UInt8], _ range: Range<Int>) {
        html.append(escaped: bytes, range)
        text.append(bytes, range)
    }

    /// The bytes of a text that is no prose, with marks undone: code, raw
    /// HTML, addresses, titles.
    ///
    /// Lone noncharacters that entities have made become U+FFFD.
    func exactText(
        _ range: Range<Int>, leavingOutHidden: Bool = false
    ) -> (bytes: [UInt8], range: Range<Int>) {
        guard dialect != .commonmark,
            var index = MarkTable.next(in: tree.bytes, range)
        else { return (tree.bytes, range) }
        var result: [UInt8] = []
        var copied = range.lowerBound
        while true {
            let end: Int
            if let (number, markEnd) = marks.mark(
                at: index, in: tree.bytes, limit: range.upperBound)
            {
                let mark = marks.marks[number]
                let edge = max(copied, index - Int(mark.leadingEdge))
                result.append(tree.bytes, copied..<edge)
                if !leavingOutHidden || !mark.kind.isHidden {
                    result.append(marks.bytes, mark.text)
                }
                end = min(markEnd + Int(mark.trailingEdge), range.upperBound)
            } else {
                result.append(tree.bytes, copied..<index)
                result.append(contentsOf: [0xEF, 0xBF, 0xBD])
                end = index + 3
            }
            copied = end
            guard let next = MarkTable.next(in: tree.bytes, end..<range.upperBound) else {
                break
            }
            index = next
        }
        result.append(tree.bytes, copied..<range.upperBound)
        return (result, 0..<result.count)
    }

    /// Part of the plain text with runs of blanks folded and the ends trimmed.
    func foldedText(_ range: Range<Int>) -> String {
        text.folded(range)
    }

    /// Where the next link or picture stands in the source.
    mutating func takeLinkPosition() -> Range<Int> {
        defer {
            linkPosition = nil
            linkCount += 1
        }
        if let linkPosition { return linkPosition }
        return linkCount < found.links.count ? found.links[linkCount] : 0..<0
    }
}
