/// Labels, destinations and titles of links, as cmark 0.30 reads them.
struct LinkSyntax {
    let text: [UInt8]
    /// The index behind the last byte that may be read.
    let limit: Int

    @inline(__always) private func peek(_ index: Int) -> UInt8 {
        index < limit ? text[index] : 0
    }

    /// The inner range of a label that begins at `start`, or nil.
    func label(at start: Int) -> Range<Int>? {
        guard peek(start) == .ascii("[") else { return nil }
        var index = start + 1
        while index < limit, text[index] != .ascii("["), text[index] != .ascii("]") {
            index += text[index] == .ascii("\\") && peek(index + 1).isPunctuation ? 2 : 1
            if index - start - 1 > Self.longestLabel { return nil }
        }
        return peek(index) == .ascii("]") ? (start + 1)..<index : nil
    }

    private static var longestLabel: Int { 1000 }

    /// The index behind a destination that begins at `start`, or nil.
    func destination(at start: Int) -> Int? {
        var index = start
        if peek(index) == .ascii("<") {
            index += 1
            while index < limit {
                switch text[index] {
                case .ascii(">"): return index + 1 < limit ? index + 1 : nil
                case .ascii("\\"): index += 2
                case .ascii("\n"), .ascii("<"): return nil
                default: index += 1
                }
            }
            return nil
        }
        var depth = 0
        scanning: while index < limit {
            switch text[index] {
            case .ascii("\\") where peek(index + 1).isPunctuation:
                index += 2
            case .ascii("("):
                depth += 1
                index += 1
                if depth > 32 { return nil }
            case .ascii(")"):
                if depth == 0 { break scanning }
                depth -= 1
                index += 1
            case let byte where byte.isSpace:
                if index == start { return nil }
                break scanning
            default:
                index += 1
            }
        }
        return index < limit && depth == 0 ? index : nil
    }

    /// The index behind a title that begins at `start`, or nil.
    ///
    /// cmark takes the longest text that can be read as a title, where a
    /// backslash may or may not escape what follows it.
    func title(at start: Int) -> Int? {
        let closer: UInt8
        switch peek(start) {
        case .ascii("\""): closer = .ascii("\"")
        case .ascii("'"): closer = .ascii("'")
        case .ascii("("): closer = .ascii(")")
        default: return nil
        }
        var index = start + 1
        var possibleEnd: Int?
        while index < limit {
            let byte = text[index]
            let isEscaped = text[index - 1] == .ascii("\\") && index - 1 > start
            if byte == closer {
                if !isEscaped { return index + 1 }
                possibleEnd = index + 1
            } else if byte == .ascii("("), closer == .ascii(")"), !isEscaped {
                return possibleEnd
            }
            index += 1
        }
        return possibleEnd
    }

    /// The index behind blanks with at most one line feed among them.
    func skippingBlanksAndLineFeed(_ start: Int) -> Int {
        var index = skippingBlanks(start)
        if peek(index) == .ascii("\n"), index < limit {
            index = skippingBlanks(index + 1)
        }
        return index
    }

    private func skippingBlanks(_ start: Int) -> Int {
        var index = start
        while index < limit, text[index].isBlank { index += 1 }
        return index
    }

    /// The index behind an inline link's `(destination "title")`, or nil.
    func inlineTail(at start: Int) -> Int? {
        guard peek(start) == .ascii("(") else { return nil }
        return inlineTail(destinationAt: skippingSpaces(start + 1))
    }

    /// The index behind the tail of a link whose destination, or the rest of
    /// it, begins at `start`; nil where the tail does not close.
    func inlineTail(destinationAt start: Int) -> Int? {
        var index = start
        guard let destination = destination(at: index) else { return nil }
        index = skippingSpaces(destination)
        if index > destination, let title = title(at: index) {
            index = skippingSpaces(title)
        }
        return peek(index) == .ascii(")") ? index + 1 : nil
    }

    private func skippingSpaces(_ start: Int) -> Int {
        var index = start
        while index < limit, text[index].isSpace { index += 1 }
        return index
    }

    /// A definition at `start`: its label and the index behind its line feed.
    func definition(at start: Int) -> (label: Range<Int>, end: Int)? {
        guard let label = label(at: start), peek(label.upperBound + 1) == .ascii(":"),
            label.contains(where: { !text[$0].isSpace })
        else { return nil }
        let destinationStart = skippingBlanksAndLineFeed(label.upperBound + 2)
        guard let destination = destination(at: destinationStart) else { return nil }
        let titleStart = skippingBlanksAndLineFeed(destination)
        if titleStart > destination, let title = title(at: titleStart),
            let end = lineEnd(at: title)
        {
            return (label, end)
        }
        guard let end = lineEnd(at: destination) else { return nil }
        return (label, end)
    }

    /// The index behind the line feed, where only blanks stand before it.
    private func lineEnd(at start: Int) -> Int? {
        let index = skippingBlanks(start)
        if index >= limit { return limit }
        return text[index] == .ascii("\n") ? index + 1 : nil
    }
}
