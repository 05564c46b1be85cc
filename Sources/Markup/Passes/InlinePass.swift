import Bytes

/// Rewrites a text so that cmark reads the dialect's spans as opaque marks.
///
/// Goes over each leaf's own text from left to right, stepping over what
/// cmark would step over: escapes, code spans, raw HTML, and with a stack of
/// brackets the tails of links. What it finds becomes a mark. Each construct
/// recognises itself in a file of its own.
///
/// Every step is linear in the text: where a search could be repeated in
/// vain, its failure is remembered.
struct InlinePass {
    /// What is put in a piece of text's place.
    enum Replacement {
        case mark(MarkKind)
        /// Part of the text itself, as the label of a reference.
        case label(Range<Int>)
        /// U+FFFD.
        case replacementCharacter
    }

    /// Something found in the text at hand.
    struct Finding {
        var range: Range<Int>
        var replacement: Replacement
        var leadingEdge: UInt8 = 0
        var trailingEdge: UInt8 = 0
        var canOpen = false
        var canClose = false
        var isWithdrawn = false
    }

    /// A replacement in the gated text.
    private struct Edit {
        var range: Range<Int>
        /// What stands there instead, in ``patches``.
        var patch: Range<Int>
    }

    private(set) var dialect = Dialect.commonmark
    private(set) var source: [UInt8] = []
    /// What the line pass has found; this pass adds to it.
    var found = FoundBlocks()
    var marks = MarkTable()

    // The text at hand, and where its pieces stand in the source.
    var text: [UInt8] = []
    private var pieces: [(text: Int, source: Int)] = []
    var position = 0
    var findings: [Finding] = []
    /// Where links stand: empty marks, which are in nobody's way.
    var pendingPositions: [Finding] = []
    /// Places where an empty mark is needed if a mark follows.
    var guards: [Int] = []
    var brackets = BracketStack()
    /// Findings that are withdrawn should a bracket around them be a link.
    var addresses: [Int] = []
    /// The index of the character that a backslash has escaped last.
    private var escaped = -1
    /// The index behind the raw tag that was stepped over last.
    var tagEnd = -1
    private var memo = ScanMemo()

    private var edits: [Edit] = []
    private var patches: [UInt8] = []
    private var front: [UInt8] = []
    private var separator = -1
    private var stops = ByteSet("")
    private var taskIndex = 0

    /// Scans what the line pass has found in `text`.
    mutating func run(_ text: [UInt8], dialect: Dialect) {
        self.dialect = dialect
        source = text
        marks.clear()
        edits.removeAll(keepingCapacity: true)
        patches.removeAll(keepingCapacity: true)
        front.removeAll(keepingCapacity: true)
        separator = -1
        taskIndex = 0
        stops = Self.stops(for: dialect)
        for index in found.leaves.indices { scan(leaf: found.leaves[index]) }
        for index in found.tables.indices { rewrite(table: index) }
        for place in found.defused { patch(separatorAt: place) }
        // Leaves come in the order of their ends, links inside out.
        found.links.sort { $0.lowerBound < $1.lowerBound }
    }

    private static func stops(for dialect: Dialect) -> ByteSet {
        var stops = ByteSet("\\`<[]")
        if dialect != .commonmark { stops.insert("&") }
        if dialect.contains(.tags) { stops.insert("#") }
        if dialect.contains(.strikethrough) { stops.insert("~") }
        if dialect.contains(.highlights) { stops.insert("=") }
        if dialect.contains(.autolinks) { stops.insert(":w") }
        return stops
    }

    /// Writes the rewritten text to `output`; false where nothing was
    /// rewritten and the source is to be used as it is.
    mutating func write(to output: inout [UInt8]) -> Bool {
        output.removeAll(keepingCapacity: true)
        if edits.isEmpty, front.isEmpty { return false }
        edits.sort {
            ($0.range.lowerBound, $0.range.upperBound)
                < ($1.range.lowerBound, $1.range.upperBound)
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

    // MARK: The text at hand

    /// Begins a text that is put together of pieces of the source.
    mutating func beginText() {
        text.removeAll(keepingCapacity: true)
        pieces.removeAll(keepingCapacity: true)
        findings.removeAll(keepingCapacity: true)
        pendingPositions.removeAll(keepingCapacity: true)
        guards.removeAll(keepingCapacity: true)
        addresses.removeAll(keepingCapacity: true)
        brackets.clear()
        escaped = -1
        tagEnd = -1
        memo = ScanMemo()
        position = 0
    }

    /// Adds a piece of the source to the text.
    mutating func appendText(_ range: Range<Int>) {
        pieces.append((text.count, range.lowerBound))
        text.append(source, range)
    }

    /// Whether anything may begin in a leaf: most of prose is left as it is.
    private func holdsStop(_ leaf: Leaf) -> Bool {
        leaf.lines.contains { line in
            let line = found.lines[line]
            return nextStop(in: source, line.start..<line.end) < line.end
        }
    }

    private mutating func scan(leaf: Leaf) {
        guard holdsStop(leaf) else { return }
        beginText()
        var end = -1
        for line in leaf.lines {
            let line = found.lines[line]
            if end >= 0 { text.append(10) }
            if line.start == end + 1, end >= 0 {
                text.append(source, line.start..<line.end)
            } else {
                appendText(line.start..<line.end)
            }
            end = line.end
        }
        position = min(leaf.definitionEnd, text.count)
        if let first = leaf.lines.first, taskIndex < found.tasks.count,
            found.tasks[taskIndex].lowerBound == found.lines[first].start
        {
            taskIndex += 1
            findings.append(Finding(range: 0..<3, replacement: .mark(.task)))
            position = 3
        }
        scan()
        for finding in settledFindings() {
            let patch = makePatch(finding)
            edits.append(Edit(range: sourceRange(finding.range), patch: patch))
        }
    }

    /// Scans the text at hand and puts it in front of everything, as a
    /// heading of one line; the number of the carrier.
    mutating func finishCarrier() -> Int {
        scan()
        front.append(contentsOf: [.ascii("#"), 32])
        var copied = 0
        for finding in settledFindings() {
            front.append(text, copied..<finding.range.lowerBound)
            let patch = makePatch(finding)
            front.append(patches, patch)
            copied = finding.range.upperBound
        }
        front.append(contentsOf: text[copied...])
        front.append(contentsOf: [32, .ascii("#"), 10])
        found.carrierCount += 1
        return found.carrierCount - 1
    }

    private mutating func scan() {
        let start = position
        if position < text.count, text[position] == .ascii("[") { guards.append(position) }
        while true {
            position = nextStop(in: text, min(position, text.count)..<text.count)
            guard position < text.count else { return }
            if !step(over: text[position], start: start) { position += 1 }
        }
    }

    /// The first byte of a range at which something may begin; the range's end
    /// where none may.
    private func nextStop(in bytes: [UInt8], _ range: Range<Int>) -> Int {
        let stops = stops
        // Raw memory: the loop touches every byte of every note.
        return bytes.withUnsafeBufferPointer { bytes in
            var index = range.lowerBound
            while index < range.upperBound {
                let byte = bytes[index]
                // A `w` is a letter like any other unless a second follows.
                if stops.contains(byte),
                    byte != .ascii("w")
                        || index + 1 < range.upperBound && bytes[index + 1] == .ascii("w")
                {
                    return index
                }
                index += 1
            }
            return max(index, range.lowerBound)
        }
    }

    /// Recognises what begins with `byte`; false where it is text.
    private mutating func step(over byte: UInt8, start: Int) -> Bool {
        switch byte {
        case .ascii("\\"):
            guard peek(position + 1).isPunctuation else { return false }
            escaped = position + 1
            position += 2
            return true
        case .ascii("`"): return stepOverCodeSpan()
        case .ascii("<"): return stepOverAngle()
        case .ascii("["):
            if dialect.contains(.wikilinks), findWikilink() { return true }
            brackets.push(
                at: position, isImage: isPicture, findings: findings.count,
                addresses: addresses.count)
            return false
        case .ascii("]"): return closeBracket()
        case .ascii("&"): return findForgedMark()
        case .ascii("#"): return findTag(start: start)
        case .ascii("~"), .ascii("="): return findDelimiterRun(byte)
        case .ascii(":"): return findAddress()
        case .ascii("w"): return findNetworkName()
        default: return false
        }
    }

    @inline(__always) func peek(_ index: Int) -> UInt8 {
        index < text.count ? text[index] : 0
    }

    /// Whether the bracket at hand begins a picture.
    var isPicture: Bool {
        position > 0 && text[position - 1] == .ascii("!") && escaped != position - 1
    }

    /// The index behind what was found last, which no finding may overlap.
    var lastEnd: Int { findings.last?.range.upperBound ?? 0 }

    // MARK: What is stepped over

    private mutating func stepOverCodeSpan() -> Bool {
        let start = position
        while peek(position) == .ascii("`") { position += 1 }
        let length = position - start
        if length >= 3, isLineStart(start) { guards.append(start) }
        guard length <= ScanMemo.longestRun else { return true }
        if memo.runs.isEmpty {
            memo.runs = [Int](repeating: -1, count: ScanMemo.longestRun + 1)
        }
        guard memo.runs[length] > start || !memo.hasSeenAllRuns else { return true }
        var index = position
        while index < text.count {
            guard text[index] == .ascii("`") else {
                index += 1
                continue
            }
            let run = index
            while peek(index) == .ascii("`") { index += 1 }
            if index - run <= ScanMemo.longestRun { memo.runs[index - run] = run }
            if index - run == length {
                position = index
                return true
            }
        }
        memo.hasSeenAllRuns = true
        return true
    }

    private func isLineStart(_ index: Int) -> Bool {
        var index = index
        while index > 0, text[index - 1].isBlank { index -= 1 }
        return index == 0 || text[index - 1] == 10
    }

    private mutating func stepOverAngle() -> Bool {
        let syntax = HTMLSyntax(text: text, limit: text.count)
        let end: Int?
        switch peek(position + 1) {
        case .ascii("!"): end = memo.declarationEnd(in: text, at: position)
        case .ascii("?"): end = memo.end(of: .instruction, in: text, from: position + 2)
        case .ascii("/"): end = syntax.closingTag(at: position)
        default: end = syntax.autolink(at: position) ?? syntax.openingTag(at: position)
        }
        guard let end else {
            guards.append(position + 1)
            return false
        }
        position = end
        tagEnd = end
        return true
    }

    /// `&#xFDD0;` and its kin would pass for marks: they become U+FFFD.
    private mutating func findForgedMark() -> Bool {
        guard peek(position + 1) == .ascii("#") else { return false }
        var index = position + 2
        let isHexadecimal = peek(index) | 32 == .ascii("x")
        if isHexadecimal { index += 1 }
        let digits = index
        var value = 0
        while index - digits < 8, let digit = hexadecimalValue(peek(index)),
            isHexadecimal || digit < 10
        {
            value = value * (isHexadecimal ? 16 : 10) + Int(digit)
            index += 1
        }
        guard peek(index) == .ascii(";"), value == 0xFDD0 || value == 0xFDD1 else {
            return false
        }
        findings.append(
            Finding(range: position..<(index + 1), replacement: .replacementCharacter))
        position = index + 1
        return true
    }

    // MARK: What is found

    /// Makes a mark of a piece of the text.
    mutating func add(_ kind: MarkKind, _ range: Range<Int>) {
        findings.append(
            Finding(
                range: range, replacement: .mark(kind),
                leadingEdge: CharacterClass(of: text, at: range.lowerBound).edge,
                trailingEdge: CharacterClass(of: text, before: range.upperBound).edge))
        position = range.upperBound
    }

    /// The findings that stand, in order, with the empty marks they need.
    private mutating func settledFindings() -> [Finding] {
        var last = -1
        for finding in findings where !finding.isWithdrawn && !finding.range.isEmpty {
            last = max(last, finding.range.lowerBound)
        }
        for place in guards where place <= last {
            findings.append(
                Finding(
                    range: place..<place, replacement: .mark(.separator), leadingEdge: 1,
                    trailingEdge: 1))
        }
        findings.removeAll(where: \.isWithdrawn)
        findings.append(contentsOf: pendingPositions)
        findings.sort {
            ($0.range.lowerBound, $0.range.upperBound)
                < ($1.range.lowerBound, $1.range.upperBound)
        }
        return findings
    }

    /// Writes what stands in a finding's place.
    private mutating func makePatch(_ finding: Finding) -> Range<Int> {
        let patchStart = patches.count
        switch finding.replacement {
        case .replacementCharacter:
            patches.append(contentsOf: [0xEF, 0xBF, 0xBD])
        case .label(let label):
            patches.append(.ascii("["))
            for byte in text[label] { patches.append(byte == 10 ? 32 : byte) }
            patches.append(.ascii("]"))
        case .mark(.separator):
            appendSeparator()
        case .mark(let kind):
            let start = marks.bytes.count
            // A link's position stands for nothing, but tells the whole link's.
            let isPosition = kind == .linkPosition
            marks.bytes.append(text, finding.range)
            marks.marks.append(
                Mark(
                    kind: kind, leadingEdge: finding.leadingEdge,
                    trailingEdge: finding.trailingEdge, canOpen: finding.canOpen,
                    canClose: finding.canClose,
                    source: isPosition
                        ? linkRange(markedAt: finding.range.lowerBound)
                        : sourceRange(finding.range),
                    text: start..<marks.bytes.count))
            marks.write(marks.marks.count - 1, to: &patches)
        }
        return patchStart..<patches.count
    }

    private mutating func appendSeparator() {
        if separator < 0 {
            separator = marks.marks.count
            marks.marks.append(
                Mark(
                    kind: .separator, leadingEdge: 1, trailingEdge: 1, source: 0..<0,
                    text: 0..<0))
        }
        marks.write(separator, to: &patches)
    }

    private mutating func patch(separatorAt place: Int) {
        let start = patches.count
        appendSeparator()
        edits.append(Edit(range: place..<place, patch: start..<patches.count))
    }

    /// Takes a piece of the source out.
    mutating func replace(_ range: Range<Int>) {
        edits.append(Edit(range: range, patch: 0..<0))
    }

    /// Puts a line that is a block of its own in the place of some source.
    mutating func placeholder(_ kind: MarkKind, number: Int, replacing range: Range<Int>) {
        let start = marks.bytes.count
        marks.bytes.append(source, range)
        var mark = Mark(kind: kind, source: range, text: start..<marks.bytes.count)
        mark.partner = Int32(number)
        marks.marks.append(mark)
        let patchStart = patches.count
        patches.append(contentsOf: [.ascii("<"), .ascii("?")])
        marks.write(marks.marks.count - 1, to: &patches)
        patches.append(contentsOf: [.ascii("?"), .ascii(">")])
        edits.append(Edit(range: range, patch: patchStart..<patches.count))
    }

    // MARK: Places

    /// Where a piece of the text stands in the source.
    func sourceRange(_ range: Range<Int>) -> Range<Int> {
        let start = sourceOffset(range.lowerBound)
        return range.isEmpty ? start..<start : start..<(sourceOffset(range.upperBound - 1) + 1)
    }

    private func sourceOffset(_ offset: Int) -> Int {
        var low = 0
        var high = pieces.count
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].text <= offset { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return offset }
        return offset - pieces[low - 1].text + pieces[low - 1].source
    }

    private func linkRange(markedAt place: Int) -> Range<Int> {
        sourceRange(brackets.link(markedAt: place) ?? place..<place)
    }
}

/// What repeated searches in one text have found to be missing.
struct ScanMemo {
    /// Longer runs of backticks never make a code span, as in cmark.
    static let longestRun = 80

    /// The last place where a run of so many backticks stands; empty until
    /// one is looked for, since most texts hold no code.
    var runs: [Int] = []
    /// Whether the text was searched to its end for runs.
    var hasSeenAllRuns = false

    /// What raw HTML may wait for.
    enum Waiting: UInt8 { case instruction = 1, cdata = 2, greater = 4 }
    private var missing: UInt8 = 0

    /// The index behind what closes `kind` at or behind `start`, or nil.
    mutating func end(of kind: Waiting, in text: [UInt8], from start: Int) -> Int? {
        guard missing & kind.rawValue == 0 else { return nil }
        // cmark reads what may end them in bites: of `]]]>` it takes `]]]`
        // first, and then `>` ends nothing. So does this.
        var index = start
        scan: while index < text.count {
            let next = index + 1 < text.count ? text[index + 1] : 0
            switch (kind, text[index]) {
            case (.greater, .ascii(">")): return index + 1
            case (.instruction, .ascii("?")):
                if next == .ascii(">") { return index + 2 }
                index += 2
            case (.cdata, .ascii("]")) where next == .ascii("]"):
                guard index + 2 < text.count else { break scan }
                if text[index + 2] == .ascii(">") { return index + 3 }
                index += 3
            case (.cdata, .ascii("]")): index += 2
            default: index += 1
            }
        }
        missing |= kind.rawValue
        return nil
    }

    /// The index behind a comment, a declaration or CDATA that begins at
    /// `start`, or nil.
    mutating func declarationEnd(in text: [UInt8], at start: Int) -> Int? {
        let rest = text[(start + 2)...]
        if rest.starts(with: "--".utf8) {
            let inner = rest.dropFirst(2)
            if inner.starts(with: ">".utf8) || inner.starts(with: "->".utf8) { return nil }
            var index = inner.startIndex
            while index + 2 < text.count {
                if text[index] == .ascii("-"), text[index + 1] == .ascii("-") {
                    return text[index + 2] == .ascii(">") ? index + 3 : nil
                }
                index += 1
            }
            return nil
        }
        if rest.starts(with: "[CDATA[".utf8) { return end(of: .cdata, in: text, from: start + 9) }
        let name = rest.prefix { $0 &- 65 < 26 }
        guard !name.isEmpty, name.endIndex < text.count, text[name.endIndex].isSpace else {
            return nil
        }
        return end(of: .greater, in: text, from: name.endIndex)
    }
}
