/// What a mark in the rewritten text stands for.
enum MarkKind: UInt8 {
    /// Nothing: keeps cmark from seeing syntax that another mark has created.
    case separator
    /// Nothing: says where the next link or picture stands in the source.
    case linkPosition
    /// `[[name]]`.
    case wikilink
    /// `![[name]]`.
    case embed
    /// `#tag`.
    case tag
    /// A bare address.
    case address
    /// A run of `~` or `==` that may open or close a span.
    case delimiter
    /// `[x]` at the start of a list item.
    case task
    /// A whole table, on a line of its own.
    case table
    /// What is not shown: `%%comment%%` and tags that only guide other tools.
    case comment
    /// `$maths$`.
    case maths
    /// `$$maths$$`.
    case displayMaths
    /// `[^1]`.
    case footnote
    /// A callout's title, on a line of its own.
    case callout
    /// `^id` at the end of a block.
    case blockID
    /// Kramdown's `{: #id}` on a line of its own.
    case attributes
    /// A tag of another tool's template language.
    case templateTag
    /// A code block written with such tags.
    case codeTag
    /// A path that such tags name, in a link's destination. Its text is the
    /// path, not the source.
    case path
}

/// A piece of source that cmark does not get to read.
struct Mark {
    /// What it stands for.
    var kind: MarkKind
    /// Bytes of the edge before and behind it in the rewritten text.
    var leadingEdge: UInt8 = 0
    var trailingEdge: UInt8 = 0
    /// Of a delimiter run: whether it can open, can close.
    var canOpen = false
    var canClose = false
    /// Of a delimiter run once paired: the mark at the other end, else -1;
    /// of a block its number; of a wikilink its text's carrier; of a reference
    /// its footnote's definition; of maths its ``LongSpan``.
    var partner: Int32 = -1
    /// Whether pairing has passed over this mark.
    var isSettled = false
    /// Where it stands in the gated text.
    var source: Range<Int>
    /// The exact source in ``MarkTable/bytes``.
    var text: Range<Int>
}

/// All marks of a text.
///
/// In the rewritten text a mark is U+FDD0, its number in decimal, U+FDD1, and
/// on either side an *edge* that shows cmark's flanking rules the class of the
/// source's first and last character: `,` for punctuation, nothing for a
/// letter, U+2003 for white space. No other text holds these noncharacters:
/// the gate replaces them.
struct MarkTable {
    /// The marks by number.
    var marks: [Mark] = []
    /// Their exact sources, one behind the other.
    var bytes: [UInt8] = []

    /// The first two bytes of U+FDD0 and U+FDD1.
    static let lead: (UInt8, UInt8) = (0xEF, 0xB7)
    /// The last byte of U+FDD0, which opens a mark.
    static let opening: UInt8 = 0x90
    /// The last byte of U+FDD1, which closes one.
    static let closing: UInt8 = 0x91

    /// Forgets all marks, keeps the memory.
    mutating func clear() {
        marks.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Writes the mark numbered `index` with its edges.
    func write(_ index: Int, to output: inout [UInt8]) {
        let mark = marks[index]
        Self.writeEdge(mark.leadingEdge, to: &output)
        output.append(Self.lead.0)
        output.append(Self.lead.1)
        output.append(Self.opening)
        output.append(decimal: index)
        output.append(Self.lead.0)
        output.append(Self.lead.1)
        output.append(Self.closing)
        Self.writeEdge(mark.trailingEdge, to: &output)
    }

    private static func writeEdge(_ length: UInt8, to output: inout [UInt8]) {
        switch length {
        case 1: output.append(.ascii(","))
        case 3: output.append(contentsOf: [0xE2, 0x80, 0x83])
        default: break
        }
    }

    /// Where U+FDD0 or U+FDD1 stands next in a piece of text, or nil.
    static func next(in text: [UInt8], _ range: Range<Int>) -> Int? {
        var index = range.lowerBound
        while true {
            index = text.index(of: lead.0, in: index..<range.upperBound)
            guard index + 2 < range.upperBound else { return nil }
            if text[index + 1] == lead.1, text[index + 2] & 0xFE == opening { return index }
            index += 1
        }
    }

    /// The number of the mark whose U+FDD0 stands at `start` in `text`, and
    /// the index behind its U+FDD1; nil where no mark of this table does.
    func mark(at start: Int, in text: [UInt8], limit: Int) -> (index: Int, end: Int)? {
        guard start + 7 <= limit, text[start + 1] == Self.lead.1,
            text[start + 2] == Self.opening
        else { return nil }
        var index = 0
        var position = start + 3
        while position < limit, text[position].isDigit, index < marks.count {
            index = index * 10 + Int(text[position] - 48)
            position += 1
        }
        guard index < marks.count, position + 3 <= limit, text[position] == Self.lead.0,
            text[position + 1] == Self.lead.1, text[position + 2] == Self.closing
        else { return nil }
        return (index, position + 3)
    }
}

extension [UInt8] {
    /// Appends part of another array: one copy, no slice.
    mutating func append(_ other: [UInt8], _ range: Range<Int>) {
        other.withUnsafeBufferPointer {
            append(contentsOf: UnsafeBufferPointer(rebasing: $0[range]))
        }
    }

    /// Appends a number in decimal digits.
    mutating func append(decimal number: Int) {
        if number < 10 {
            append(48 + UInt8(number))
        } else {
            append(decimal: number / 10)
            append(48 + UInt8(number % 10))
        }
    }
}
