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
        /// A mark that stands for a path, in ``paths``.
        case path(Range<Int>)
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
        /// See ``Mark/partner``.
        var number: Int32 = -1
    }

    /// A replacement in the gated text.
    struct Edit {
        var range: Range<Int>
        /// What stands there instead, in ``patches``.
        var patch: Range<Int>
        /// Of two at one place the lower comes first: markers of containers.
        var rank = 1
    }

    private(set) var dialect = Dialect.commonmark
    var source: [UInt8] = []
    /// What the line pass has found; this pass adds to it.
    var found = FoundBlocks()
    var marks = MarkTable()

    // The text at hand, and where its pieces stand in the source.
    var text: [UInt8] = []
    var pieces: [(text: Int, source: Int)] = []
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
    var escaped = -1
    /// The index behind the raw tag that was stepped over last.
    var tagEnd = -1
    var memo = ScanMemo()
    /// Where spans over several lines stand in the text, and which.
    var standIns: [(offset: Int, span: Int)] = []
    /// Where scanning began: behind definitions.
    var firstScanned = 0
    /// The paths that tags of other tools name.
    var paths: [UInt8] = []
    /// Whether Liquid's `raw` is in force.
    var isInRaw = false
    /// The tags that were reported already.
    var reportedTags: Set<String> = []
    /// Wikilinks whose texts hold markup: their marks, and where the texts
    /// stand in the source.
    var pendingTexts: [(mark: Int, source: Range<Int>)] = []

    var edits: [Edit] = []
    var patches: [UInt8] = []
    var front: [UInt8] = []
    var separator = -1
    private var stops = ByteTable()
    var taskIndex = 0

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
        isInRaw = false
        paths.removeAll(keepingCapacity: true)
        if !reportedTags.isEmpty { reportedTags.removeAll(keepingCapacity: true) }
        stops.become(Self.stops(for: dialect, rare: found.rareBytes))
        for index in found.leaves.indices { scan(leaf: found.leaves[index]) }
        for index in found.tables.indices { rewrite(table: index) }
        for index in found.callouts.indices { rewrite(callout: index) }
        for index in found.attributeLists.indices { rewrite(attributeList: index) }
        for index in found.codeTags.indices { rewrite(codeTag: index) }
        for index in found.insertions.indices { write(found.insertions[index]) }
        for place in found.defused { patch(separatorAt: place) }
        // Leaves come in the order of their ends, links inside out.
        found.links.sort { $0.lowerBound < $1.lowerBound }
    }

    private static func stops(for dialect: Dialect, rare: RareBytes) -> ByteSet {
        var stops = ByteSet("\\`<[]")
        if dialect != .commonmark { stops.insert("&") }
        if dialect.contains(.tags) { stops.insert("#") }
        if dialect.contains(.strikethrough) { stops.insert("~") }
        if dialect.contains(.highlights) { stops.insert("=") }
        if dialect.contains(.autolinks) { stops.insert(":w") }
        if rare.contains(.percent) { stops.insert("%") }
        if rare.contains(.dollar) { stops.insert("$") }
        if rare.contains(.brace) { stops.insert("{") }
        if !rare.isEmpty { stops.insert("\0") }
        return stops
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
        if !standIns.isEmpty { standIns.removeAll(keepingCapacity: true) }
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
        if found.rareBytes.contains(.caret), let last = leaf.lines.last,
            case let line = found.lines[last],
            BlockID.start(in: source, line.start..<line.end) != nil
        {
            return true
        }
        return leaf.lines.contains { line in
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
            if line.spansLines {
                append(line: line)
            } else if line.start == end + 1, end >= 0 {
                text.append(source, line.start..<line.end)
            } else {
                appendText(line.start..<line.end)
            }
            end = line.end
        }
        position = min(leaf.definitionEnd, text.count)
        firstScanned = position
        if let first = leaf.lines.first { findTask(at: found.lines[first].start) }
        scan()
        if found.rareBytes.contains(.caret) { findBlockID() }
        for finding in settledFindings() {
            let patch = makePatch(finding)
            edits.append(Edit(range: sourceRange(finding.range), patch: patch))
        }
        if !pendingTexts.isEmpty { finishTexts() }
    }

    /// Adds a line, with a byte for each span over several lines in it.
    mutating func append(line: TextLine) {
        var start = line.start
        // A tag over lines that become one would be a block of its own.
        if start < line.end, source[start] == .ascii("<") { guards.append(text.count) }
        for index in found.longSpans(in: line) {
            let span = found.longSpans[index].range
            if start < span.lowerBound { appendText(start..<span.lowerBound) }
            standIns.append((text.count, index))
            pieces.append((text.count, span.lowerBound))
            text.append(LongSpan.standIn)
            start = span.upperBound
        }
        // Also where nothing is left: what follows stands behind the span.
        appendText(start..<line.end)
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
        let number = found.carrierCount - 1
        if !pendingTexts.isEmpty { finishTexts() }
        return number
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
        // Raw memory: the loop touches every byte of every note.
        bytes.withUnsafeBufferPointer { bytes in
            stops.withMembers { isStop in
                var index = range.lowerBound
                while index < range.upperBound {
                    // A `w` is a letter like any other unless a second follows.
                    if isStop[Int(bytes[index])],
                        bytes[index] != .ascii("w")
                            || index + 1 < range.upperBound && bytes[index + 1] == .ascii("w")
                    {
                        return index
                    }
                    index += 1
                }
                return max(index, range.lowerBound)
            }
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
            if dialect.contains(.footnotes), findFootnote() { return true }
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
        case .ascii("%"): return findComment()
        case .ascii("$"): return findMaths()
        case .ascii("{"): return findTemplateTag()
        case LongSpan.standIn: return addStandIn(at: position)
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

    // MARK: What is found

    /// Makes a mark of a piece of the text.
    ///
    /// `number` is what ``Mark/partner`` will be.
    mutating func add(_ kind: MarkKind, _ range: Range<Int>, number: Int = -1) {
        findings.append(
            Finding(
                range: range, replacement: .mark(kind),
                leadingEdge: CharacterClass(of: text, at: range.lowerBound).edge,
                trailingEdge: CharacterClass(of: text, before: range.upperBound).edge,
                number: Int32(number)))
        position = range.upperBound
    }

    /// Makes a mark of the byte that stands for a span over several lines.
    private mutating func addStandIn(at offset: Int) -> Bool {
        guard let span = longSpan(at: offset) else { return false }
        let kind = found.longSpans[span].kind
        if kind == .comment { found.hidesText = true }
        add(kind, offset..<(offset + 1), number: span)
        return true
    }
}
