/// What is put into the text so that cmark reads what the line pass meant.
struct Insertion {
    /// What it replaces in the gated text.
    var range: Range<Int>
    /// What stands there instead, in ``FoundBlocks/insertedBytes``.
    var bytes: Range<Int>
    /// A line's worth of opaque block behind the bytes.
    var placeholder: Placeholder?
    /// Whether a line ends behind it.
    var endsLine = false

    /// What an opaque block stands for.
    enum Placeholder {
        /// Nothing: it only keeps two lists apart, or an item from being empty.
        case separator
        /// A callout's title, by number.
        case callout(Int)
        /// Nothing, among inlines: what follows is text, whatever it looks like.
        case text
    }
}

/// A list item in the rewritten text that is none in the author's.
///
/// Containers of four columns become items, the only containers of cmark's
/// that indentation alone continues. cmark's tree does not tell them from
/// others; their place among all items does.
struct SyntheticItem {
    /// What it stands for.
    enum Kind {
        /// A footnote's definition, by number.
        case definition(Int)
        /// An admonition; its title is its first child.
        case admonition
    }

    /// How many items begin before it.
    var number: Int
    var kind: Kind
}

/// The dialect's blocks, in the order in which they are looked for.
extension LinePass {
    /// Opens what the dialect lets begin with `first`.
    mutating func openDialectBlock(
        _ first: UInt8, isInLeaf: Bool, mayBeLazy: Bool
    ) -> Beginning {
        switch first {
        case .ascii("["):
            if opensCallout { return openCallout() }
            return openDefinition(isInLeaf: isInLeaf)
        case .ascii("!"), .ascii("?"):
            return isInLeaf || mayBeLazy ? .nothing : openAdmonition(isInLeaf: isInLeaf)
        case .ascii("{"):
            guard found.rareBytes.contains(.brace), isInLeaf || !mayBeLazy else {
                return .nothing
            }
            return openAttributeList() || openCodeTag() ? .wholeLine : .nothing
        default:
            return .nothing
        }
    }

    /// Whether a line that a table could take as a row begins something else:
    /// a comment, or the id of the table.
    func endsTable() -> Bool {
        let first = reader.peek(firstNonspace)
        if first == .ascii("%"), found.rareBytes.contains(.percent) {
            return reader.peek(firstNonspace + 1) == .ascii("%")
        }
        guard first == .ascii("^"), found.rareBytes.contains(.caret) else { return false }
        return BlockID.start(in: reader.text, firstNonspace..<reader.limit) == firstNonspace
    }

    /// Opens an item of four columns in the place of what stands from the line's
    /// offset up to `contentStart`; false where lists lie too deep.
    mutating func openSyntheticItem(
        _ kind: SyntheticItem.Kind, contentStart: Int, placeholder: Insertion.Placeholder?,
        isInLeaf: Bool
    ) -> Bool {
        let top = hasClosedUnmatched || !isInLeaf ? topMatched : nil
        let isBehindParenthesis =
            top.map { $0.kind == .list && $0.isOrdered && $0.delimiter == .ascii(")") } ?? false
        let continues = isBehindParenthesis && top?.isSynthetic == true
        guard continues || openListCount < Self.deepestList else { return false }
        if isBehindParenthesis, !continues { partLists() }
        if continues {
            closeUnmatched()
        } else {
            beginBlock(.list)
            push(
                Container(
                    kind: .list, delimiter: .ascii(")"), isOrdered: true, isSynthetic: true))
        }
        // Its own indent is dropped: the columns behind it are cmark's.
        insert(replacing: offset..<contentStart, placeholder: placeholder) { bytes, blanks in
            for _ in 0..<blanks { bytes.append(32) }
            bytes.append(contentsOf: [.ascii("0"), .ascii("1"), .ascii(")"), 32])
        }
        beginBlock(.item, inList: true)
        found.syntheticItems.append(SyntheticItem(number: found.itemCount, kind: kind))
        found.itemCount += 1
        push(Container(kind: .item, contentOffset: 4, line: lineNumber))
        offset = contentStart
        column += 4
        partiallyConsumedTab = false
        firstNonspace = offset
        if placeholder != nil { beginBlock(.htmlBlock) }
        return true
    }

    /// Keeps a list of the author's and one of synthetic items apart, which
    /// cmark would take for one.
    mutating func partLists() {
        closeUnmatched()
        beginBlock(.htmlBlock)
        insert(replacing: lineStart..<lineStart, placeholder: .separator, endsLine: true) {
            [reader, lineStart, offset] bytes, blanks in
            // On a line of its own in the same containers.
            bytes.append(reader.text, lineStart..<offset)
            for _ in 0..<blanks { bytes.append(32) }
        }
    }

    /// Gives a lazy line behind a callout's title the markers that it needs to
    /// stay in the callout.
    mutating func joinCallout() {
        let missing = containers[matchedCount...]
        // So far indented it began no block, and is not to begin one now.
        insert(replacing: offset..<firstNonspace, placeholder: indent >= 4 ? .text : nil) {
            bytes, blanks in
            for _ in 0..<blanks { bytes.append(32) }
            for container in missing {
                switch container.kind {
                case .quote: bytes.append(contentsOf: [.ascii(">"), 32])
                case .item: for _ in 0..<container.contentOffset { bytes.append(32) }
                case .list: break
                }
            }
        }
        matchedCount = containers.count
    }

    /// Remembers an insertion; `write` gets the bytes to add to and how many
    /// columns of a tab that is replaced belong to what stands before.
    private mutating func insert(
        replacing range: Range<Int>, placeholder: Insertion.Placeholder? = nil,
        endsLine: Bool = false, _ write: (inout [UInt8], Int) -> Void
    ) {
        let start = found.insertedBytes.count
        write(&found.insertedBytes, consumedTabColumns)
        found.insertions.append(
            Insertion(
                range: range, bytes: start..<found.insertedBytes.count,
                placeholder: placeholder, endsLine: endsLine))
    }
}
