import Bytes

/// How what was found is put in the place of the source.
extension InlinePass {
    /// Writes the rewritten text to `output`; false where nothing was
    /// rewritten and the source is to be used as it is.
    mutating func write(to output: inout [UInt8]) -> Bool {
        output.removeAll(keepingCapacity: true)
        if edits.isEmpty, front.isEmpty { return false }
        edits.sort {
            ($0.range.lowerBound, $0.range.upperBound, $0.rank)
                < ($1.range.lowerBound, $1.range.upperBound, $1.rank)
        }
        output.append(contentsOf: front)
        var copied = 0
        for edit in edits where edit.range.lowerBound >= copied {
            output.append(source, copied..<edit.range.lowerBound)
            output.append(patches, edit.patch)
            copied = edit.range.upperBound
        }
        output.append(contentsOf: source[copied...])
        source = []
        return true
    }

    /// The findings that stand, in order, with the empty marks they need.
    mutating func settledFindings() -> [Finding] {
        findings.removeAll(where: \.isWithdrawn)
        if !standIns.isEmpty {
            findings.sort { $0.range.lowerBound < $1.range.lowerBound }
            addMissedStandIns()
        }
        var last = -1
        for finding in findings where !finding.range.isEmpty {
            last = max(last, finding.range.lowerBound)
        }
        for place in guards where place <= last {
            findings.append(
                Finding(
                    range: place..<place, replacement: .mark(.separator), leadingEdge: 1,
                    trailingEdge: 1))
        }
        findings.append(contentsOf: pendingPositions)
        findings.sort {
            ($0.range.lowerBound, $0.range.upperBound)
                < ($1.range.lowerBound, $1.range.upperBound)
        }
        return findings
    }

    /// Writes what stands in a finding's place.
    mutating func makePatch(_ finding: Finding) -> Range<Int> {
        let patchStart = patches.count
        switch finding.replacement {
        case .replacementCharacter:
            patches.append(contentsOf: [0xEF, 0xBF, 0xBD])
        case .label(let label):
            patches.append(.ascii("["))
            for byte in text[label] { patches.append(byte == 10 ? 32 : byte) }
            patches.append(.ascii("]"))
        case .path(let path):
            let start = marks.bytes.count
            marks.bytes.append(paths, path)
            marks.marks.append(
                Mark(
                    kind: .path, leadingEdge: 1, trailingEdge: 1,
                    source: sourceRange(finding.range), text: start..<marks.bytes.count))
            marks.write(marks.marks.count - 1, to: &patches)
        case .mark(.separator):
            appendSeparator()
        case .mark(let kind):
            let start = marks.bytes.count
            // A link's position stands for nothing, but tells the whole link's.
            let isPosition = kind == .linkPosition
            appendSource(of: finding.range)
            if kind == .wikilink, finding.number >= 0 {
                pendingTexts.append(
                    (
                        marks.marks.count,
                        sourceRange(Int(finding.number)..<(finding.range.upperBound - 2))
                    ))
            }
            marks.marks.append(
                Mark(
                    kind: kind, leadingEdge: finding.leadingEdge,
                    trailingEdge: finding.trailingEdge, canOpen: finding.canOpen,
                    canClose: finding.canClose,
                    partner: kind == .wikilink ? -1 : finding.number,
                    source: isPosition
                        ? linkRange(markedAt: finding.range.lowerBound)
                        : sourceRange(finding.range),
                    text: start..<marks.bytes.count))
            marks.write(marks.marks.count - 1, to: &patches)
        }
        return patchStart..<patches.count
    }

    mutating func appendSeparator() {
        if separator < 0 {
            separator = marks.marks.count
            marks.marks.append(
                Mark(
                    kind: .separator, leadingEdge: 1, trailingEdge: 1, source: 0..<0,
                    text: 0..<0))
        }
        marks.write(separator, to: &patches)
    }

    mutating func patch(separatorAt place: Int) {
        let start = patches.count
        appendSeparator()
        edits.append(Edit(range: place..<place, patch: start..<patches.count))
    }

    /// Puts in what the line pass has asked for.
    mutating func write(_ insertion: Insertion) {
        let start = patches.count
        patches.append(found.insertedBytes, insertion.bytes)
        switch insertion.placeholder {
        case nil: break
        case .separator:
            patches.append(contentsOf: [.ascii("<"), .ascii("?")])
            appendSeparator()
            patches.append(contentsOf: [.ascii("?"), .ascii(">")])
        case .text: appendSeparator()
        case .callout(let number):
            appendPlaceholder(.callout, number: number, replacing: insertion.range)
        }
        if insertion.endsLine { patches.append(10) }
        edits.append(Edit(range: insertion.range, patch: start..<patches.count, rank: 0))
    }

    /// Takes a piece of the source out.
    mutating func replace(_ range: Range<Int>) {
        edits.append(Edit(range: range, patch: 0..<0))
    }

    /// Puts a line that is a block of its own in the place of some source.
    mutating func placeholder(_ kind: MarkKind, number: Int, replacing range: Range<Int>) {
        let start = patches.count
        appendPlaceholder(kind, number: number, replacing: range)
        edits.append(Edit(range: range, patch: start..<patches.count))
    }

    private mutating func appendPlaceholder(
        _ kind: MarkKind, number: Int, replacing range: Range<Int>
    ) {
        let start = marks.bytes.count
        marks.bytes.append(source, range)
        marks.marks.append(
            Mark(
                kind: kind, partner: Int32(number), source: range,
                text: start..<marks.bytes.count))
        patches.append(contentsOf: [.ascii("<"), .ascii("?")])
        marks.write(marks.marks.count - 1, to: &patches)
        patches.append(contentsOf: [.ascii("?"), .ascii(">")])
    }
}
