/// A span that closes on a later line than it opens on: a comment, a display
/// formula.
///
/// Whatever stands between is no block: the line pass takes the lines away, and
/// the text goes on behind the closer.
struct LongSpan {
    /// What stands for a span in a text that is scanned: NUL, which the gate
    /// lets through nowhere.
    static let standIn: UInt8 = 0

    /// What closes a span, and whether it is looked for beyond a blank line.
    enum Closer: Int {
        case comment, maths, mathsBlock, liquidComment

        /// What is looked for.
        var bytes: StaticString {
            switch self {
            case .comment: "%%"
            case .maths, .mathsBlock: "$$"
            case .liquidComment: "endcomment"
            }
        }

        /// Whether blank lines may stand inside.
        var crossesBlankLines: Bool { self != .maths }
    }

    /// What a span comes to.
    var kind: MarkKind
    /// From its opener to behind its closer.
    var range: Range<Int>
    /// What stands inside without the containers' markers, in
    /// ``FoundBlocks/spanLines``.
    var lines: Range<Int>
}

extension FoundBlocks {
    /// The spans over several lines that belong to a line of text.
    func longSpans(in line: TextLine) -> Range<Int> {
        guard line.spansLines else { return 0..<0 }
        var low = 0
        var high = longSpans.count
        while low < high {
            let middle = (low + high) / 2
            if longSpans[middle].range.lowerBound < line.start {
                low = middle + 1
            } else {
                high = middle
            }
        }
        var end = low
        while end < longSpans.count, longSpans[end].range.lowerBound < line.end { end += 1 }
        return low..<end
    }
}

extension LinePass {
    /// Finds out whether spans need looking for at all.
    mutating func prepareForLongSpans() {
        mayHoldLongSpans = found.rareBytes.contains(.longSpan)
        if mayHoldLongSpans {
            missingClosers = [0, 0, 0, 0]
            missingOnLine = [-1, -1, -1, -1]
            missingHighlightEnd = 0
        }
    }

    /// Takes the lines of spans that open on the line at hand, from `start`
    /// on, and close on a later one; false where there are none.
    ///
    /// A closer counts only in the outermost `depth` containers. The line at
    /// hand ends at the end of the closer's line then.
    mutating func takeLongSpans(from start: Int, depth: Int) -> Bool {
        let count = found.longSpans.count
        var index = start
        while index < reader.limit {
            switch reader.text[index] {
            case .ascii("\\"): index += 2
            case .ascii("`"): index = endOfCode(at: index)
            case .ascii("%") where found.rareBytes.contains(.percent):
                index = endOfComment(at: index, depth: depth)
            case .ascii("$") where found.rareBytes.contains(.dollar):
                index = endOfMaths(at: index, depth: depth)
            case .ascii("{") where found.rareBytes.contains(.brace):
                index = endOfLiquidComment(at: index, depth: depth)
            default: index += 1
            }
        }
        return found.longSpans.count > count
    }

    /// Behind a code span that closes on its line, else behind its backticks.
    private func endOfCode(at start: Int) -> Int {
        var index = start
        while reader.peek(index) == .ascii("`") { index += 1 }
        let length = index - start
        let behind = index
        while index < reader.limit {
            let run = index
            while reader.peek(index) == .ascii("`") { index += 1 }
            if index - run == length { return index }
            if index == run { index += 1 }
        }
        return behind
    }

    private mutating func endOfComment(at start: Int, depth: Int) -> Int {
        guard reader.peek(start + 1) == .ascii("%") else { return start + 1 }
        return end(
            of: .comment, .comment, from: start, contentStart: start + 2, depth: depth)
            ?? start + 2
    }

    private mutating func endOfMaths(at start: Int, depth: Int) -> Int {
        var contentStart = start
        while reader.peek(contentStart) == .ascii("$") { contentStart += 1 }
        guard contentStart - start == 2 else { return contentStart }
        // Alone on its line it may hold blank lines.
        let before = reader.text[lineStart..<start]
        let isAlone =
            contentStart == reader.limit
            && before.allSatisfy { !$0.isAlphanumeric && $0 < 128 || $0.isDigit }
        return end(
            of: .displayMaths, isAlone ? .mathsBlock : .maths, from: start,
            contentStart: contentStart, depth: depth) ?? contentStart
    }

    private mutating func endOfLiquidComment(at start: Int, depth: Int) -> Int {
        guard reader.peek(start + 1) == .ascii("%"),
            let tag = TemplateTag(in: reader.text, at: start, limit: reader.limit),
            tag.isNamed("comment", in: reader.text)
        else { return start + 1 }
        return end(
            of: .comment, .liquidComment, from: start, contentStart: tag.end, depth: depth)
            ?? tag.end
    }

    /// Where a span ends; nil where nothing closes it. One that closes further
    /// on is remembered, and its last line becomes the line at hand.
    private mutating func end(
        of kind: MarkKind, _ closer: LongSpan.Closer, from start: Int, contentStart: Int,
        depth: Int
    ) -> Int? {
        // What an opener before it on the line has looked for in vain is not
        // looked for again: a line may be all openers.
        if missingOnLine[closer.rawValue] != reader.limit {
            if let found = find(closer, from: contentStart) { return end(of: closer, at: found) }
            missingOnLine[closer.rawValue] = reader.limit
        }
        guard missingClosers[closer.rawValue] <= start else { return nil }
        let firstLine = found.spanLines.count
        found.spanLines.append(contentStart..<reader.limit)
        guard let place = lookAhead(for: closer, depth: depth) else {
            found.spanLines.removeLast(found.spanLines.count - firstLine)
            return nil
        }
        let end = end(of: closer, at: place)
        found.longSpans.append(
            LongSpan(
                kind: kind, range: start..<end, lines: firstLine..<found.spanLines.count))
        return end
    }

    /// Where a closer stands on the line at hand.
    private func find(_ closer: LongSpan.Closer, from start: Int) -> Int? {
        closer.bytes.withUTF8Buffer { bytes in
            var index = start
            search: while index + bytes.count <= reader.limit {
                for (offset, byte) in bytes.enumerated() where reader.text[index + offset] != byte {
                    index += 1
                    continue search
                }
                let isEscaped = bytes[0] == .ascii("$") && reader.text[index - 1] == .ascii("\\")
                if !isEscaped { return index }
                index += 1
            }
            return nil
        }
    }

    private func end(of closer: LongSpan.Closer, at place: Int) -> Int {
        guard closer == .liquidComment else { return place + 2 }
        var index = place
        while index < reader.limit, reader.text[index] != .ascii("}") { index += 1 }
        return min(index + 1, reader.limit)
    }

    /// Where the pass stands.
    func currentState() -> LineState {
        LineState(
            lineStart: lineStart, limit: reader.limit, lineNumber: lineNumber, offset: offset,
            column: column, firstNonspace: firstNonspace,
            firstNonspaceColumn: firstNonspaceColumn, indent: indent, isBlank: isBlank,
            partiallyConsumedTab: partiallyConsumedTab, tabColumn: tabColumn,
            matchedCount: matchedCount)
    }

    /// What tells where the pass stands in its text.
    struct LineState {
        var lineStart, limit, lineNumber, offset, column, firstNonspace, firstNonspaceColumn: Int
        var indent: Int
        var isBlank, partiallyConsumedTab: Bool
        var tabColumn, matchedCount: Int
    }

    /// Goes on line by line, in the same containers, to the line that holds a
    /// closer; nil, and back to the line at hand, where none does.
    private mutating func lookAhead(for closer: LongSpan.Closer, depth: Int) -> Int? {
        let state = currentState()
        while nextLine(in: depth) {
            if isBlank, !closer.crossesBlankLines { break }
            if let place = find(closer, from: offset) {
                found.spanLines.append(offset..<place)
                return place
            }
            found.spanLines.append(min(offset, reader.limit)..<reader.limit)
        }
        missingClosers[closer.rawValue] = min(lineStart, reader.text.count)
        restore(state)
        return nil
    }

    /// Makes the next line the one at hand; false where it does not continue
    /// the outermost `depth` containers, or there is none.
    mutating func nextLine(in depth: Int) -> Bool {
        let text = reader.text
        lineStart = reader.limit + 1
        guard lineStart < text.count else { return false }
        var end = lineStart
        while end < text.count, text[end] != 10 { end += 1 }
        reader.limit = end
        lineNumber += 1
        startLine()
        guard matchContainers(upTo: depth) else { return false }
        findFirstNonspace()
        return true
    }

    /// Goes back to where the pass stood.
    mutating func restore(_ state: LineState) {
        lineStart = state.lineStart
        reader.limit = state.limit
        lineNumber = state.lineNumber
        offset = state.offset
        column = state.column
        firstNonspace = state.firstNonspace
        firstNonspaceColumn = state.firstNonspaceColumn
        indent = state.indent
        isBlank = state.isBlank
        partiallyConsumedTab = state.partiallyConsumedTab
        tabColumn = state.tabColumn
        matchedCount = state.matchedCount
    }
}
