/// What lines of text come to: paragraphs, headings, definitions.
extension LinePass {
    mutating func addText(isInLeaf: Bool, hasOpened: Bool) {
        if isInLeaf, leaf.isCode {
            findFirstNonspace()
            if case .html(let kind) = leaf,
                reader.endsHTMLBlock(kind: kind, from: firstNonspace)
            {
                closeLeaf()
            }
            return
        }
        findFirstNonspace()
        if isBlank {
            closeUnmatched()
        } else if isInLeaf {
            addLine(from: firstNonspace, isLazy: false)
        } else if !hasOpened, leaf == .paragraph {
            // cmark leaves the blanks of a lazy line where they are.
            addLine(from: offset, isLazy: true)
        } else {
            let joins = !hasOpened && leaf == .title && matchedCount < containers.count
            let isGuarded = joins && indent >= 4
            if joins { joinCallout() }
            beginBlock(.paragraph)
            paragraphTrace = found.trace.count - 1
            leaf = .paragraph
            leafStart = found.lines.count
            addLine(from: firstNonspace, isLazy: false)
            if isGuarded { found.lines[leafStart].isGuarded = true }
        }
    }

    private mutating func addLine(from start: Int, isLazy: Bool) {
        found.lines.append(line(from: start, isLazy: isLazy))
        guard mayHoldLongSpans else { return }
        if takeLongSpans(from: start, depth: isLazy ? matchedCount : containers.count) {
            found.lines[found.lines.count - 1].end = reader.limit
            found.lines[found.lines.count - 1].spansLines = true
        }
    }

    /// The line at hand from `start` on.
    func line(from start: Int, isLazy: Bool = false) -> TextLine {
        TextLine(
            lineStart: lineStart, blockStart: blockStart, start: start, end: reader.limit,
            isLazy: isLazy)
    }

    /// Where a block may begin on this line, with less than four columns of
    /// indent.
    private var blockStart: Int {
        if indent <= 3 { return firstNonspace }
        return partiallyConsumedTab ? offset + 1 : offset
    }

    mutating func addHeading() {
        findFirstNonspace()
        leafStart = found.lines.count
        let headingStart = lineStart
        let textStart = firstNonspace
        let spansLines =
            mayHoldLongSpans && takeLongSpans(from: textStart, depth: containers.count)
        let end = reader.headingEnd(from: textStart)
        let start = min(textStart, end)
        found.lines.append(
            TextLine(
                lineStart: headingStart, blockStart: start, start: start, end: end,
                isLazy: false, spansLines: spansLines))
        found.leaves.append(Leaf(lines: leafStart..<found.lines.count, definitionEnd: 0))
        found.headings.append(headingStart..<reader.limit)
    }

    /// Ends the open leaf.
    mutating func closeLeaf() {
        switch leaf {
        case .paragraph: closeParagraph(asHeading: false)
        case .table: closeTable()
        default: break
        }
        leaf = .none
    }

    /// Ends the open paragraph, or makes a heading of it; false where it held
    /// nothing but definitions, and then a heading is not made.
    @discardableResult
    mutating func closeParagraph(asHeading: Bool) -> Bool {
        let lines = leafStart..<found.lines.count
        guard let first = lines.first else { return false }
        var definitionEnd = 0
        if reader.text[found.lines[first].start] == .ascii("["), !found.lines[first].isGuarded {
            let (end, isWhole) = readDefinitions(of: lines)
            definitionEnd = end
            if isWhole {
                // Spans over several lines want their marks all the same.
                if found.lines[lines].contains(where: \.spansLines) {
                    found.leaves.append(Leaf(lines: lines, definitionEnd: .max))
                }
                if asHeading {
                    // cmark drops the definitions and goes on with the rest.
                    leafStart = found.lines.count
                    return false
                }
                if !containers.isEmpty { containers[containers.count - 1].childCount -= 1 }
                if tracing { found.trace.remove(at: paragraphTrace) }
                return false
            }
        }
        found.leaves.append(Leaf(lines: lines, definitionEnd: definitionEnd))
        if asHeading {
            if tracing { found.trace[paragraphTrace].kind = .heading }
            found.headings.append(found.lines[first].lineStart..<reader.limit)
            leaf = .none
        }
        return true
    }

    /// Collects the definitions a paragraph begins with.
    private mutating func readDefinitions(of lines: Range<Int>) -> (end: Int, isWhole: Bool) {
        var joined: [UInt8] = []
        for line in found.lines[lines] {
            var start = line.start
            // A span over several lines is one opaque byte, as in the text
            // that is scanned for inlines.
            for span in found.longSpans[found.longSpans(in: line)] {
                joined.append(reader.text, start..<span.range.lowerBound)
                joined.append(LongSpan.standIn)
                start = span.range.upperBound
            }
            joined.append(reader.text, start..<line.end)
            joined.append(10)
        }
        let syntax = LinkSyntax(text: joined, limit: joined.count)
        var end = 0
        while end < joined.count, let definition = syntax.definition(at: end) {
            let label = ReferenceLabel.normalised(joined[definition.label])
            if !label.isEmpty { found.labels.insert(label) }
            end = definition.end
        }
        return (end, joined[end...].allSatisfy(\.isSpace))
    }
}
