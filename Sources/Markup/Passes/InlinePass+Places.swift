/// Where pieces of the text at hand stand in the source.
extension InlinePass {
    /// Where a piece of the text stands in the source.
    func sourceRange(_ range: Range<Int>) -> Range<Int> {
        let start = sourceOffset(range.lowerBound)
        if !standIns.isEmpty, !range.isEmpty, let span = longSpan(at: range.upperBound - 1) {
            return start..<found.longSpans[span].range.upperBound
        }
        return range.isEmpty ? start..<start : start..<(sourceOffset(range.upperBound - 1) + 1)
    }

    func sourceOffset(_ offset: Int) -> Int {
        var low = 0
        var high = pieces.count
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].text <= offset { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return offset }
        return offset - pieces[low - 1].text + pieces[low - 1].source
    }

    func linkRange(markedAt place: Int) -> Range<Int> {
        sourceRange(brackets.link(markedAt: place) ?? place..<place)
    }

    /// The span over several lines that the byte at `offset` stands for.
    func longSpan(at offset: Int) -> Int? {
        let index = standIn(from: offset)
        guard index < standIns.count, standIns[index].offset == offset else { return nil }
        return standIns[index].span
    }

    /// The first stand-in at or behind an offset, as an index of ``standIns``.
    private func standIn(from offset: Int) -> Int {
        var low = 0
        var high = standIns.count
        while low < high {
            let middle = (low + high) / 2
            if standIns[middle].offset < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Adds the exact source of a piece of the text to the marks' bytes.
    mutating func appendSource(of range: Range<Int>) {
        var start = range.lowerBound
        if !standIns.isEmpty {
            for standIn in standIns[standIn(from: start)...] {
                guard standIn.offset < range.upperBound else { break }
                marks.bytes.append(text, start..<standIn.offset)
                marks.bytes.append(source, found.longSpans[standIn.span].range)
                start = standIn.offset + 1
            }
        }
        marks.bytes.append(text, start..<range.upperBound)
    }

    /// Makes marks of the stand-ins that the pass has stepped over, as in code:
    /// cmark is never to read them.
    mutating func addMissedStandIns() {
        let count = findings.count
        var index = 0
        for (offset, span) in standIns {
            while index < count, findings[index].range.upperBound <= offset { index += 1 }
            if index < count, findings[index].range.contains(offset) { continue }
            findings.append(
                Finding(
                    range: offset..<(offset + 1), replacement: .mark(found.longSpans[span].kind),
                    leadingEdge: 1, trailingEdge: 1, number: Int32(span)))
        }
    }
}
