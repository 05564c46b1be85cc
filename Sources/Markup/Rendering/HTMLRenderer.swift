import Bytes

/// Walks a tree once and writes what a ``MarkupDocument`` holds.
///
/// The walk is a loop with a stack of its own, so that no depth of nesting
/// can overflow the thread's. What a construct of the dialect means stands in
/// an extension in that construct's file; here is CommonMark.
struct HTMLRenderer: ~Copyable {
    /// A node whose end tag is still to be written.
    struct OpenNode {
        private let index: Int32
        /// How it ends.
        var ending = Ending.usual
        /// Where its own HTML and text begin.
        var htmlStart: Int
        var textStart: Int
        /// Of a link into the site, its number; else -1.
        var link = -1

        /// A node at `node` in the tree that ends as CommonMark has it.
        init(node: Int, htmlStart: Int, textStart: Int) {
            index = Int32(node)
            self.htmlStart = htmlStart
            self.textStart = textStart
        }

        /// Its index in the tree.
        var node: Int { Int(index) }

        /// What is written behind a node.
        enum Ending: UInt8 {
            case usual, callout, details
            /// Nothing: it is none of the author's.
            case none
        }
    }

    /// A block that carries an id and is open.
    struct OpenBlock {
        /// How many nodes are open while it is the innermost.
        var depth: Int
        var number: Int
        /// Whether an element around it carries its id.
        var isWrapped = false
    }

    /// Where a footnote's definition stands in the tree, and how many headings
    /// stand before it.
    struct DefinitionNode {
        var index: Int
        var headingCount: Int
    }

    /// A section whose end is still to come.
    private struct OpenSection {
        var heading: Int
        var depth: Int
    }

    private(set) var dialect = Dialect.commonmark
    var tree = MarkdownTree()
    var marks = MarkTable()
    /// What the passes found, for the constructs' files.
    var found = FoundBlocks()

    var html = ByteBuffer(capacity: 16 * 1024)
    /// The text so far, blanks unfolded, a line feed after each block.
    var text: [UInt8] = []
    var document = MarkupDocument()
    var open: [OpenNode] = []
    /// How many links the walk is inside of: links do not nest.
    var linkDepth = 0
    /// Where the next link stands in the source, when a mark said so.
    var linkPosition: Range<Int>?
    /// Links of the open block whose sentence is known when it ends.
    var linksInBlock: [(link: Int, text: Range<Int>)] = []
    /// Parts of the open heading's HTML that a contents list leaves out.
    var headingCuts: [Range<Int>] = []
    var anchors = HeadingAnchors()
    /// The headings that carry cells, by number.
    var carriers: [Int] = []
    /// Cells added to short rows so far.
    var padding = 0
    /// What synthetic items stand for, by node, and the definitions among them
    /// by number.
    var itemKinds: [Int: SyntheticItem.Kind] = [:]
    var definitionNodes: [Int: DefinitionNode] = [:]
    /// The footnotes that were referred to: their numbers by definition, and
    /// their definitions in order.
    var footnoteNumbers: [Int: Int] = [:]
    var footnoteNodes: [DefinitionNode] = []
    /// The ids that blocks carry, by node.
    var blockIDs: [Int: String] = [:]
    var openBlocks: [OpenBlock] = []
    /// Alternative text and restored sources are put together here.
    var scratch: [UInt8] = []

    private var sections: [OpenSection] = []
    var headingCount = 0
    var hasContent = false
    private var firstParagraph: Range<Int>?
    private var nestedParagraph: Range<Int>?
    private var titleEnd = 0
    var moreOffset: Int?
    var linkCount = 0

    /// Renders the tree of `text`, which is what the passes made of a body.
    mutating func render(_ text: [UInt8], dialect: Dialect) -> MarkupDocument {
        clear()
        self.dialect = dialect
        text.withUnsafeBufferPointer { tree.parse($0) }
        guard let root = tree.nodes.first else { return document }
        var first = 1
        // The carriers stand in front; their tables show them.
        for _ in 0..<found.carrierCount where first < root.end {
            carriers.append(first)
            first = Int(tree.nodes[first].end)
        }
        prepareDialect(behind: first)
        open.append(OpenNode(node: 0, htmlStart: 0, textStart: 0))
        walk(first..<Int(root.end))
        open.removeAll(keepingCapacity: true)
        closeSections(deeperThan: -1)
        document.bodyEnd = html.count
        if !footnoteNodes.isEmpty { appendFootnotes() }
        document.html = html.copy()
        // A copy of its own size: sharing would make the next document
        // allocate this one's room anew.
        document.text = self.text.withUnsafeBufferPointer { Array($0) }
        if let moreOffset {
            document.summary = foldedText(min(titleEnd, moreOffset)..<moreOffset)
        } else if let paragraph = firstParagraph ?? nestedParagraph {
            document.summary = foldedText(paragraph)
        }
        defer { document = MarkupDocument() }
        return document
    }

    /// Forgets the last document, keeps the memory.
    private mutating func clear() {
        html.clear()
        text.removeAll(keepingCapacity: true)
        carriers.removeAll(keepingCapacity: true)
        padding = 0
        open.removeAll(keepingCapacity: true)
        linkDepth = 0
        linkPosition = nil
        linksInBlock.removeAll(keepingCapacity: true)
        headingCuts.removeAll(keepingCapacity: true)
        anchors.clear()
        sections.removeAll(keepingCapacity: true)
        headingCount = 0
        hasContent = false
        firstParagraph = nil
        nestedParagraph = nil
        titleEnd = 0
        moreOffset = nil
        linkCount = 0
        if !itemKinds.isEmpty {
            itemKinds.removeAll(keepingCapacity: true)
            definitionNodes.removeAll(keepingCapacity: true)
        }
        footnoteNumbers.removeAll(keepingCapacity: true)
        footnoteNodes.removeAll(keepingCapacity: true)
        openBlocks.removeAll(keepingCapacity: true)
        if !blockIDs.isEmpty { blockIDs.removeAll(keepingCapacity: true) }
    }

    /// Ends a block of text: its links learn their sentences.
    mutating func endTextBlock(from start: Int? = nil) {
        if let start { finishSentences(in: start..<text.count) }
        linksInBlock.removeAll(keepingCapacity: true)
        text.append(.ascii("\n"))
        hasContent = true
    }

    mutating func finish(paragraph opened: OpenNode) {
        let range = opened.textStart..<text.count
        endTextBlock(from: opened.textStart)
        if firstParagraph == nil, document.bodyEnd == 0,
            text[range].contains(where: { !$0.isSpace })
        {
            if open.count == 2 {
                firstParagraph = range
            } else if nestedParagraph == nil {
                nestedParagraph = range
            }
        }
    }

    /// Puts the start tag before a heading's inner HTML, which is written by
    /// now, since its anchor is made of its text.
    mutating func finish(heading opened: OpenNode, level: Int) {
        let start = opened.htmlStart
        let inner = html.copy(from: start)
        let firstHole = document.holes.lastIndex { $0.offset < start }.map { $0 + 1 } ?? 0
        html.truncate(to: start)
        html.append("<h")
        html.append(48 + UInt8(level))
        var id = ""
        var prefix: Hole?
        if dialect.contains(.headingIDs) {
            id = anchors.anchor(of: text[opened.textStart...])
            html.append(" id=\"")
            prefix = Hole(offset: html.count, kind: .idPrefix)
            html.append(id)
            html.append(.ascii("\""))
        }
        html.append(.ascii(">"))
        let shift = html.count - start
        for hole in document.holes.indices[firstHole...] {
            document.holes[hole].offset += shift
        }
        if let prefix { document.holes.insert(prefix, at: firstHole) }
        html.append(inner)
        html.append("</h")
        html.append(48 + UInt8(level))
        html.append(">\n")

        let range = start..<html.count
        let spans = found.headings
        document.headings.append(
            Heading(
                level: level, id: id, text: foldedText(opened.textStart..<text.count),
                html: contentsHTML(inner, start: start), range: range, section: range,
                span: headingCount < spans.count ? spans[headingCount] : 0..<0))
        headingCount += 1
        let depth = open.count - 1
        sections.append(OpenSection(heading: document.headings.count - 1, depth: depth))
        if level == 1, depth == 1, !hasContent {
            document.leadingHeading = range
            endTextBlock(from: opened.textStart)
            titleEnd = text.count
        } else {
            endTextBlock(from: opened.textStart)
        }
    }

    private func contentsHTML(_ inner: [UInt8], start: Int) -> String {
        if headingCuts.isEmpty { return String(decoding: inner, as: UTF8.self) }
        var kept: [UInt8] = []
        var position = 0
        for cut in headingCuts {
            kept.append(inner, position..<(cut.lowerBound - start))
            position = cut.upperBound - start
        }
        kept.append(contentsOf: inner[position...])
        return String(decoding: kept, as: UTF8.self)
    }

    /// Ends the sections that a heading or the end of a container ends here.
    mutating func closeSections(deeperThan depth: Int, level: Int32? = nil) {
        while let section = sections.last {
            let heading = document.headings[section.heading]
            let ends =
                section.depth > depth
                || section.depth == depth && level.map { heading.level >= Int($0) } ?? false
            guard ends else { return }
            document.headings[section.heading].section = heading.range.lowerBound..<html.count
            sections.removeLast()
        }
    }
}
