/// Finds the blocks of a text line by line, as cmark's block phase does, and
/// among them those of the dialect.
///
/// A faithful copy of cmark's loop without its tree and its inlines: a stack
/// of open containers and one open leaf. Tests hold it against cmark's tree.
/// What is copied are its habits too: a lazy line keeps its leading blanks, an
/// item whose one paragraph was a definition counts as empty again.
struct LinePass {
    /// A block that holds other blocks and is open.
    struct Container {
        enum Kind { case quote, list, item }

        var kind: Kind
        /// Of an item: the column its content begins at, from its list's.
        var contentOffset = 0
        /// Of a list: what its items' markers have in common.
        var delimiter: UInt8 = 0
        var isOrdered = false
        /// Blocks inside so far; definitions do not count.
        var childCount = 0
        /// The line it began on.
        var line = 0
        /// Of a list: whether its items stand for something else, and their
        /// markers are not the author's.
        var isSynthetic = false
    }

    /// The open block that holds lines.
    enum OpenLeaf: Equatable {
        case none, paragraph, table, indentedCode
        /// A callout's title, which a lazy line may follow.
        case title
        case fencedCode(fence: UInt8, length: Int, offset: Int)
        case html(kind: Int)

        var isCode: Bool {
            switch self {
            case .indentedCode, .fencedCode, .html: true
            case .none, .paragraph, .table, .title: false
            }
        }
    }

    /// How deep lists may nest: cmark spends a step on every open item of a
    /// blank line.
    static let deepestList = 100

    private(set) var dialect = Dialect.commonmark
    private(set) var tracing = false
    var reader = LineReader()
    var found = FoundBlocks()

    var containers: [Container] = []
    var listDepth = 0
    var leaf = OpenLeaf.none
    /// The index in ``FoundBlocks/lines`` of the open leaf's first line.
    var leafStart = 0
    var paragraphTrace = 0

    // The line at hand: cmark's names, for the sake of comparison.
    var lineStart = 0
    var lineNumber = 0
    var offset = 0
    var column = 0
    var firstNonspace = 0
    var firstNonspaceColumn = 0
    var indent = 0
    var isBlank = false
    var partiallyConsumedTab = false
    /// The column of the tab that was used in part last.
    var tabColumn = 0
    /// What blocks of the dialect's own begin with.
    private var dialectStarts = ByteSet("")
    /// Whether the text holds what may open a span over several lines.
    var mayHoldLongSpans = false
    /// Of each ``LongSpan/Closer``, up to where there is none.
    var missingClosers = [0, 0, 0, 0]
    /// The end of the line on which each closer was looked for in vain.
    var missingOnLine = [-1, -1, -1, -1]
    /// Up to where no `{% endhighlight %}` stands.
    var missingHighlightEnd = 0

    var matchedCount = 0
    var hasClosedUnmatched = false

    /// Reads the whole text; what it holds is in ``found`` then.
    mutating func run(_ text: [UInt8], dialect: Dialect, tracing: Bool = false) {
        self.dialect = dialect
        self.tracing = tracing
        found.clear()
        containers.removeAll(keepingCapacity: true)
        listDepth = 0
        leaf = .none
        lineStart = 0
        lineNumber = 0
        reader.text = text
        found.rareBytes = RareBytes(in: text, dialect: dialect)
        prepareForLongSpans()
        dialectStarts = ByteSet("")
        if !dialect.isDisjoint(with: [.footnotes, .callouts, .alerts]) {
            dialectStarts.insert("[")
        }
        if dialect.contains(.callouts) { dialectStarts.insert("!?") }
        if found.rareBytes.contains(.brace) { dialectStarts.insert("{") }
        while lineStart < text.count {
            var end = lineStart
            while end < text.count, text[end] != 10 { end += 1 }
            reader.limit = end
            lineNumber += 1
            readLine()
            // A span may have taken further lines.
            lineStart = reader.limit + 1
        }
        closeLeaf()
        reader.text = []
    }

    /// Goes to the start of the line at hand.
    mutating func startLine() {
        offset = lineStart
        column = 0
        firstNonspace = lineStart
        firstNonspaceColumn = 0
        indent = 0
        isBlank = false
        partiallyConsumedTab = false
        findFirstNonspace()
    }

    private mutating func readLine() {
        startLine()
        hasClosedUnmatched = false

        let allContainersMatch = matchContainers(upTo: containers.count)
        var isInLeaf = false
        if allContainersMatch {
            findFirstNonspace()
            switch matchLeaf() {
            case .matched: isInLeaf = true
            case .unmatched: break
            case .closedByLine: return
            }
        }
        let beginning = openBlocks(&isInLeaf, isWhole: allContainersMatch)
        if beginning != .wholeLine {
            addText(isInLeaf: isInLeaf, hasOpened: beginning == .containers)
        }
    }

    // MARK: Blocks that are open

    /// Steps over what continues the outermost `count` containers; whether
    /// the line continues them all.
    mutating func matchContainers(upTo count: Int) -> Bool {
        matchedCount = 0
        while matchedCount < count {
            findFirstNonspace()
            let container = containers[matchedCount]
            switch container.kind {
            case .list:
                break
            case .quote:
                guard indent <= 3, reader.peek(firstNonspace) == .ascii(">") else { return false }
                advance(indent + 1, columns: true)
                if reader.peek(offset).isBlank { advance(1, columns: true) }
            case .item:
                if indent >= container.contentOffset {
                    advance(container.contentOffset, columns: true)
                } else if isBlank, container.childCount > 0 {
                    advance(firstNonspace - offset, columns: false)
                } else {
                    return false
                }
            }
            matchedCount += 1
        }
        return true
    }

    private enum LeafMatch { case matched, unmatched, closedByLine }

    private mutating func matchLeaf() -> LeafMatch {
        switch leaf {
        case .none, .title:
            return .unmatched
        case .paragraph, .table:
            return isBlank ? .unmatched : .matched
        case .indentedCode:
            if indent >= 4 {
                advance(4, columns: true)
            } else if isBlank {
                advance(firstNonspace - offset, columns: false)
            } else {
                return .unmatched
            }
            return .matched
        case .fencedCode(let fence, let length, let fenceOffset):
            if indent <= 3, reader.peek(firstNonspace) == fence,
                reader.closingFence(at: firstNonspace) >= length
            {
                closeLeaf()
                return .closedByLine
            }
            var blanks = fenceOffset
            while blanks > 0, reader.peek(offset).isBlank {
                advance(1, columns: true)
                blanks -= 1
            }
            return .matched
        case .html(let kind):
            return kind >= 6 && isBlank ? .unmatched : .matched
        }
    }

    // MARK: Blocks that begin

    /// What has begun on a line.
    enum Beginning { case nothing, containers, wholeLine }

    /// Opens what begins on the line.
    ///
    /// `isWhole` tells whether the line continues all containers.
    private mutating func openBlocks(_ isInLeaf: inout Bool, isWhole: Bool) -> Beginning {
        var beginning = Beginning.nothing
        var mayBeLazy = leaf == .paragraph || leaf == .title && !isWhole
        while !(isInLeaf && leaf.isCode) {
            findFirstNonspace()
            let isInParagraph = isInLeaf && leaf == .paragraph
            let first = reader.peek(firstNonspace)
            if indent >= 4 {
                guard !mayBeLazy, !isBlank else { break }
                advance(4, columns: true)
                beginBlock(.codeBlock)
                leaf = .indentedCode
                return .wholeLine
            }
            // Prose begins with a letter, and no block does.
            if first.isLetter || first >= 128 { break }
            if first == .ascii(">") {
                advance(firstNonspace + 1 - offset, columns: false)
                if reader.peek(offset).isBlank { advance(1, columns: true) }
                beginBlock(.blockQuote)
                push(Container(kind: .quote, line: lineNumber))
            } else if first == .ascii("#"),
                let heading = reader.headingStart(at: firstNonspace)
            {
                beginBlock(.heading)
                advance(firstNonspace + heading.length - offset, columns: false)
                addHeading()
                return .wholeLine
            } else if case let length = reader.openingFence(at: firstNonspace), length > 0 {
                beginBlock(.codeBlock)
                leaf = .fencedCode(
                    fence: first, length: min(length, 255), offset: firstNonspace - offset)
                return .wholeLine
            } else if case let kind = reader.htmlBlockKind(
                at: firstNonspace,
                interruptsParagraph: isInParagraph || mayBeLazy && leaf == .paragraph),
                kind > 0
            {
                beginBlock(.htmlBlock)
                leaf =
                    reader.endsHTMLBlock(kind: kind, from: firstNonspace)
                    ? .none : .html(kind: kind)
                return .wholeLine
            } else if isInParagraph, reader.setextLevel(at: firstNonspace) > 0 {
                guard closeParagraph(asHeading: true) else {
                    // Only definitions before it: the line is text.
                    break
                }
                return .wholeLine
            } else if reader.isThematicBreak(at: firstNonspace) {
                beginBlock(.thematicBreak)
                return .wholeLine
            } else if dialectStarts.contains(first),
                case let opened = openDialectBlock(
                    first, isInLeaf: isInLeaf, mayBeLazy: mayBeLazy), opened != .nothing
            {
                if opened == .wholeLine { return .wholeLine }
            } else if let marker = reader.listMarker(
                at: firstNonspace, interruptsParagraph: isInParagraph)
            {
                guard openItem(marker, isInLeaf: isInLeaf) else { break }
            } else {
                break
            }
            beginning = .containers
            isInLeaf = false
            mayBeLazy = false
        }
        if leaf == .table, isInLeaf, endsTable() { isInLeaf = false }
        // A row of a table, or the row of dashes that makes one.
        if isInLeaf, indent < 4, addTableLine() { return .wholeLine }
        return beginning
    }

    private mutating func openItem(
        _ marker: LineReader.ListMarker, isInLeaf: Bool
    ) -> Bool {
        let top = hasClosedUnmatched || !isInLeaf ? topMatched : nil
        var continues =
            top.map { list in
                list.kind == .list && list.delimiter == marker.delimiter
                    && list.isOrdered == marker.isOrdered
            } ?? false
        if continues, top?.isSynthetic == true {
            partLists()
            continues = false
        }
        if !continues, dialect != .commonmark, openListCount >= Self.deepestList {
            found.defused.append(firstNonspace)
            return false
        }
        let markerIndent = indent
        advance(firstNonspace + marker.length - offset, columns: false)
        let saved = (offset, column, partiallyConsumedTab)
        while column - saved.1 <= 5, reader.peek(offset).isBlank { advance(1, columns: true) }
        let blanks = column - saved.1
        var padding = marker.length + blanks
        if blanks >= 5 || blanks < 1 || offset >= reader.limit {
            padding = marker.length + 1
            (offset, column, partiallyConsumedTab) = saved
            if blanks > 0 { advance(1, columns: true) }
        }
        if continues {
            closeUnmatched()
        } else {
            beginBlock(.list)
            push(
                Container(
                    kind: .list, delimiter: marker.delimiter, isOrdered: marker.isOrdered))
        }
        beginBlock(.item, inList: true)
        found.itemCount += 1
        push(
            Container(
                kind: .item, contentOffset: markerIndent + padding, line: lineNumber))
        findTask()
        return true
    }

    /// The innermost container that the line continues.
    var topMatched: Container? {
        let count = hasClosedUnmatched ? containers.count : matchedCount
        return count > 0 ? containers[count - 1] : nil
    }

    var openListCount: Int {
        guard !hasClosedUnmatched else { return listDepth }
        return containers[..<matchedCount].count { $0.kind == .list }
    }

    mutating func push(_ container: Container) {
        containers.append(container)
        if container.kind == .list { listDepth += 1 }
    }

    private mutating func popContainer() {
        if containers.removeLast().kind == .list { listDepth -= 1 }
    }

    /// Closes what the line does not continue, and what the new block cannot
    /// stand in.
    mutating func beginBlock(_ kind: MarkdownTree.Kind, inList: Bool = false) {
        closeUnmatched()
        if !inList, containers.last?.kind == .list { popContainer() }
        if !containers.isEmpty { containers[containers.count - 1].childCount += 1 }
        if tracing { found.trace.append(FoundBlocks.Trace(kind: kind, line: lineNumber)) }
    }

    mutating func closeUnmatched() {
        guard !hasClosedUnmatched else { return }
        hasClosedUnmatched = true
        closeLeaf()
        while containers.count > matchedCount { popContainer() }
    }
}
