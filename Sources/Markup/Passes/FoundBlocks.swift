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
        trace.removeAll(keepingCapacity: true)
    }
}
