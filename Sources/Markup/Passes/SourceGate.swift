/// Makes of a body what the passes read: one byte for a line end, no byte
/// order mark, no NUL, no noncharacter that marks are written with.
///
/// cmark does the first three itself, so that a gated text renders as the
/// body. Remembers where bytes went, so that every place can be told in the
/// body as the author has it.
struct SourceGate {
    /// The gated text.
    private(set) var text: [UInt8] = []
    /// Where text and body part further: from `text` on, the body is `body -
    /// text` bytes ahead. Ascending; empty where they are the same.
    private var shifts: [(text: Int, body: Int)] = []

    /// Takes the body that stands in `source` at `range`.
    mutating func open(_ source: [UInt8], in range: Range<Int>, replacesMarks: Bool) {
        text.removeAll(keepingCapacity: true)
        shifts.removeAll(keepingCapacity: true)
        var start = range.lowerBound
        if source[range].starts(with: [0xEF, 0xBB, 0xBF]) {
            start += 3
            shifts.append((0, 3))
        }
        source.withUnsafeBufferPointer { source in
            // Raw memory: the loop touches every byte of every note.
            var runStart = start
            var index = start
            while index < range.upperBound {
                let byte = source[index]
                guard byte == 0 || byte == 13 || byte == 0xEF else {
                    index += 1
                    continue
                }
                guard
                    let length = Self.replacedLength(
                        source, at: index, limit: range.upperBound, replacesMarks)
                else {
                    index += 1
                    continue
                }
                text.append(contentsOf: UnsafeBufferPointer(rebasing: source[runStart..<index]))
                if byte == 13 {
                    text.append(10)
                } else {
                    text.append(contentsOf: [0xEF, 0xBF, 0xBD])
                }
                index += length
                runStart = index
                shifts.append((text.count, index - range.lowerBound))
            }
            text.append(
                contentsOf: UnsafeBufferPointer(rebasing: source[runStart..<range.upperBound]))
        }
    }

    /// How many bytes at `index` are replaced; nil where they stay.
    private static func replacedLength(
        _ source: UnsafeBufferPointer<UInt8>, at index: Int, limit: Int, _ replacesMarks: Bool
    ) -> Int? {
        switch source[index] {
        case 0: return 1
        case 13: return index + 1 < limit && source[index + 1] == 10 ? 2 : 1
        case 0xEF:
            let isMark =
                replacesMarks && index + 2 < limit && source[index + 1] == MarkTable.lead.1
                && source[index + 2] & 0xFE == MarkTable.opening
            return isMark ? 3 : nil
        default: return nil
        }
    }

    /// The place in the body of a place in the text.
    func bodyOffset(_ offset: Int) -> Int {
        var low = 0
        var high = shifts.count
        while low < high {
            let middle = (low + high) / 2
            if shifts[middle].text <= offset { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return offset }
        return offset + shifts[low - 1].body - shifts[low - 1].text
    }

    /// The place in the body of a range of the text.
    func bodyRange(_ range: Range<Int>) -> Range<Int> {
        guard !shifts.isEmpty else { return range }
        // The end goes by the last byte within, not by what follows it.
        let start = bodyOffset(range.lowerBound)
        guard !range.isEmpty else { return start..<start }
        return start..<(bodyOffset(range.upperBound - 1) + 1)
    }

    /// Tells all places of a document in the body instead of the text.
    func restorePlaces(in document: inout MarkupDocument) {
        guard !shifts.isEmpty else { return }
        for index in document.links.indices {
            document.links[index].span = bodyRange(document.links[index].span)
        }
        for index in document.headings.indices {
            document.headings[index].span = bodyRange(document.headings[index].span)
        }
        for index in document.tags.indices {
            document.tags[index].span = bodyRange(document.tags[index].span)
        }
        for index in document.messages.indices {
            document.messages[index].span = bodyRange(document.messages[index].span)
        }
    }
}
