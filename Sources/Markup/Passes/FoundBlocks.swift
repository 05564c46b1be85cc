import Bytes

/// One line of a leaf block.
struct TextLine {
    /// Where the whole line begins, and where a block of its own may begin on
    /// it: behind what belongs to the containers.
    var lineStart: Int
    var blockStart: Int
    /// The text of the leaf.
    var start: Int
    var end: Int
    /// Whether it continues a paragraph without its containers' markers.
    var isLazy: Bool
    /// Whether ``LongSpan``s make it reach over several lines of the source.
    var spansLines = false
    /// Whether an empty mark keeps what it begins with from being syntax.
    var isGuarded = false
}

/// A block whose text holds inlines.
struct Leaf {
    /// Its lines in ``FoundBlocks/lines``.
    var lines: Range<Int>
    /// Bytes of its joined lines that are reference definitions.
    var definitionEnd: Int
}

/// What the line pass has found in a text.
struct FoundBlocks {
    /// A block, for comparing with cmark's tree.
    struct Trace: Equatable {
        var kind: MarkdownTree.Kind
        var line: Int
    }

    /// The lines of all leaves.
    var lines: [TextLine] = []
    /// The leaves, in the order of their ends.
    var leaves: [Leaf] = []
    /// The headings' places in the gated text, in order.
    var headings: [Range<Int>] = []
    /// The tables, in order.
    var tables: [TableBlock] = []
    /// The boxes of task items: the places of `[x]`.
    var tasks: [Range<Int>] = []
    /// The labels of reference definitions, normalised.
    var labels: Set<[UInt8]> = []
    /// How many texts stand in front of the rewritten text, one heading each.
    var carrierCount = 0
    /// Links and pictures in order, where no mark tells their places.
    var links: [Range<Int>] = []
    /// Places in the gated text where markers lie too deep to be read.
    var defused: [Int] = []
    /// Which bytes the text holds that begin rare constructs.
    var rareBytes: RareBytes = []
    /// The spans over several lines, in order, and their lines.
    var longSpans: [LongSpan] = []
    var spanLines: [Range<Int>] = []
    /// How many items lists have.
    var itemCount = 0
    /// The items that stand for something else, in order.
    var syntheticItems: [SyntheticItem] = []
    /// The numbers of the footnotes' definitions, by label.
    var footnotes: [[UInt8]: Int] = [:]
    /// How many definitions of footnotes there are.
    var definitionCount = 0
    /// The callouts, in order.
    var callouts: [CalloutBlock] = []
    /// Kramdown's attribute lists and Liquid's code, each a block of its own.
    var attributeLists: [Range<Int>] = []
    var codeTags: [CodeTag] = []
    /// What is put into the text so that cmark reads what was meant.
    var insertions: [Insertion] = []
    /// The bytes of ``insertions``.
    var insertedBytes: [UInt8] = []
    /// Whether a mark was made that shows nothing.
    var hidesText = false
    /// Whether a block carries an id.
    var hasBlockIDs = false
    /// What is to be said of the text.
    var messages: [MarkupMessage] = []
    /// The blocks in order, when they were asked for.
    var trace: [Trace] = []

    /// Forgets everything, keeps the memory.
    mutating func clear() {
        lines.removeAll(keepingCapacity: true)
        leaves.removeAll(keepingCapacity: true)
        headings.removeAll(keepingCapacity: true)
        tables.removeAll(keepingCapacity: true)
        tasks.removeAll(keepingCapacity: true)
        labels.removeAll(keepingCapacity: true)
        carrierCount = 0
        links.removeAll(keepingCapacity: true)
        defused.removeAll(keepingCapacity: true)
        rareBytes = []
        longSpans.removeAll(keepingCapacity: true)
        spanLines.removeAll(keepingCapacity: true)
        itemCount = 0
        syntheticItems.removeAll(keepingCapacity: true)
        if !footnotes.isEmpty { footnotes.removeAll(keepingCapacity: true) }
        definitionCount = 0
        callouts.removeAll(keepingCapacity: true)
        attributeLists.removeAll(keepingCapacity: true)
        codeTags.removeAll(keepingCapacity: true)
        insertions.removeAll(keepingCapacity: true)
        insertedBytes.removeAll(keepingCapacity: true)
        hidesText = false
        hasBlockIDs = false
        messages.removeAll(keepingCapacity: true)
        trace.removeAll(keepingCapacity: true)
    }
}

/// Bytes that begin rare constructs, as far as a text holds them: most hold
/// none, and then nothing looks for those constructs.
struct RareBytes: OptionSet {
    let rawValue: UInt8

    static let percent = RareBytes(rawValue: 1)
    static let dollar = RareBytes(rawValue: 2)
    static let brace = RareBytes(rawValue: 4)
    static let caret = RareBytes(rawValue: 8)
    /// Something that may reach over lines: `%%`, `$$` or `{%`.
    static let longSpan = RareBytes(rawValue: 16)

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The bytes of `text` that mean something in `dialect`.
    init(in text: [UInt8], dialect: Dialect) {
        self = []
        if dialect.contains(.comments), text.holds(.ascii("%"), then: .ascii("%")) {
            formUnion([.percent, .longSpan])
        }
        if dialect.contains(.maths), text.holds(.ascii("$")) {
            insert(.dollar)
            if text.holds(.ascii("$"), then: .ascii("$")) { insert(.longSpan) }
        }
        if dialect.contains(.templateTags), text.holds(.ascii("{")) {
            insert(.brace)
            if text.holds(.ascii("{"), then: .ascii("%")) { insert(.longSpan) }
        }
        if dialect.contains(.blockIDs), text.holds(.ascii("^")) { insert(.caret) }
    }
}
