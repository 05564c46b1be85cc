/// How CommonMark's blocks begin and end, as cmark 0.30 reads them, over one
/// line at a time.
///
/// A line is given by where it ends: `limit` is the index of its line feed,
/// and reading there answers a line feed.
struct LineReader {
    var text: [UInt8] = []
    var limit = 0

    @inline(__always) func peek(_ index: Int) -> UInt8 {
        index < limit ? text[index] : 10
    }

    /// The length of `#`s and the blanks behind them that begin a heading, or
    /// 0.
    func headingStart(at start: Int) -> (level: Int, length: Int)? {
        var index = start
        while peek(index) == .ascii("#") { index += 1 }
        let level = index - start
        guard level >= 1, level <= 6 else { return nil }
        guard index < limit else { return (level, level) }
        guard text[index].isBlank else { return nil }
        while index < limit, text[index].isBlank { index += 1 }
        return (level, index - start)
    }

    /// Where the text of a heading ends, its closing `#`s left off.
    func headingEnd(from start: Int) -> Int {
        var end = limit
        while end > start, text[end - 1].isSpace { end -= 1 }
        var hashes = end
        while hashes > 0, text[hashes - 1] == .ascii("#") { hashes -= 1 }
        if hashes < end, hashes > 0, text[hashes - 1].isBlank {
            end = hashes
            while end > start, text[end - 1].isSpace { end -= 1 }
        }
        return max(start, end)
    }

    /// The length of a fence that opens a code block, or 0.
    func openingFence(at start: Int) -> Int {
        let fence = peek(start)
        guard fence == .ascii("`") || fence == .ascii("~") else { return 0 }
        var index = start
        while peek(index) == fence { index += 1 }
        guard index - start >= 3 else { return 0 }
        let length = index - start
        if fence == .ascii("`") {
            while index < limit {
                if text[index] == fence { return 0 }
                index += 1
            }
        }
        return length
    }

    /// The length of a fence that closes a code block, or 0.
    func closingFence(at start: Int) -> Int {
        let fence = peek(start)
        var index = start
        while peek(index) == fence { index += 1 }
        let length = index - start
        while index < limit, text[index].isBlank { index += 1 }
        return index == limit && length >= 3 ? length : 0
    }

    /// Whether the line is a thematic break.
    func isThematicBreak(at start: Int) -> Bool {
        let mark = peek(start)
        guard mark == .ascii("*") || mark == .ascii("-") || mark == .ascii("_") else {
            return false
        }
        var count = 0
        for index in start..<limit {
            if text[index] == mark {
                count += 1
            } else if !text[index].isBlank {
                return false
            }
        }
        return count >= 3
    }

    /// The level of a setext underline, or 0.
    func setextLevel(at start: Int) -> Int {
        let mark = peek(start)
        guard mark == .ascii("=") || mark == .ascii("-") else { return 0 }
        var index = start
        while peek(index) == mark { index += 1 }
        while index < limit, text[index].isBlank { index += 1 }
        return index == limit ? (mark == .ascii("=") ? 1 : 2) : 0
    }

    /// A list marker: its length, and what parts its list from others.
    struct ListMarker {
        var length: Int
        /// The bullet, or the delimiter behind the number.
        var delimiter: UInt8
        var isOrdered: Bool
    }

    /// The list marker at `start`, or nil.
    func listMarker(at start: Int, interruptsParagraph: Bool) -> ListMarker? {
        var index = start
        var marker = ListMarker(length: 0, delimiter: peek(start), isOrdered: false)
        switch marker.delimiter {
        case .ascii("*"), .ascii("-"), .ascii("+"):
            index += 1
        case _ where marker.delimiter.isDigit:
            var number = 0
            // More digits would overflow in browsers.
            while index - start < 9, peek(index).isDigit {
                number = number * 10 + Int(text[index] - 48)
                index += 1
            }
            if interruptsParagraph, number != 1 { return nil }
            marker.delimiter = peek(index)
            marker.isOrdered = true
            guard marker.delimiter == .ascii(".") || marker.delimiter == .ascii(")") else {
                return nil
            }
            index += 1
        default:
            return nil
        }
        guard peek(index).isSpace else { return nil }
        if interruptsParagraph {
            var content = index
            while content < limit, text[content].isBlank { content += 1 }
            if content == limit { return nil }
        }
        marker.length = index - start
        return marker
    }
}

/// CommonMark's seven kinds of HTML blocks.
extension LineReader {
    /// The kind of HTML block that begins at `start`, or 0.
    func htmlBlockKind(at start: Int, interruptsParagraph: Bool) -> Int {
        guard peek(start) == .ascii("<") else { return 0 }
        switch peek(start + 1) {
        case .ascii("!"):
            let next = peek(start + 2)
            if next == .ascii("-"), peek(start + 3) == .ascii("-") { return 2 }
            if next &- 65 < 26 { return 4 }
            return matches("[CDATA[", at: start + 2) ? 5 : 0
        case .ascii("?"):
            return 3
        default:
            break
        }
        var name = start + 1
        let isClosing = peek(name) == .ascii("/")
        if isClosing { name += 1 }
        var end = name
        while peek(end).isAlphanumeric { end += 1 }
        let tag = lowercased(name..<min(end, limit))
        let next = peek(end)
        if !isClosing, Self.rawTags.contains(tag), next.isSpace || next == .ascii(">") {
            return 1
        }
        if Self.blockTags.contains(tag),
            next.isSpace || next == .ascii(">")
                || next == .ascii("/") && peek(end + 1) == .ascii(">")
        {
            return 6
        }
        guard !interruptsParagraph else { return 0 }
        let syntax = HTMLSyntax(text: text, limit: limit)
        guard var rest = isClosing ? syntax.closingTag(at: start) : syntax.openingTag(at: start)
        else { return 0 }
        while rest < limit, text[rest].isSpace { rest += 1 }
        return rest == limit ? 7 : 0
    }

    /// Whether an HTML block of this kind ends on the line, read from `start`.
    func endsHTMLBlock(kind: Int, from start: Int) -> Bool {
        switch kind {
        case 1:
            var index = start
            while index < limit {
                if text[index] == .ascii("<"), peek(index + 1) == .ascii("/") {
                    var end = index + 2
                    while peek(end).isLetter { end += 1 }
                    if peek(end) == .ascii(">"),
                        Self.rawTags.contains(lowercased((index + 2)..<end))
                    {
                        return true
                    }
                }
                index += 1
            }
            return false
        case 2: return contains("-->", from: start)
        case 3: return contains("?>", from: start)
        case 4: return contains(">", from: start)
        case 5: return contains("]]>", from: start)
        default: return false
        }
    }

    private func matches(_ literal: StaticString, at start: Int) -> Bool {
        literal.withUTF8Buffer { literal in
            for (offset, byte) in literal.enumerated() where peek(start + offset) != byte {
                return false
            }
            return true
        }
    }

    private func contains(_ literal: StaticString, from start: Int) -> Bool {
        var index = start
        while index < limit {
            if matches(literal, at: index) { return true }
            index += 1
        }
        return false
    }

    private func lowercased(_ range: Range<Int>) -> String {
        // Longer than any name of the tables: no need to look further.
        guard range.count <= 12 else { return "" }
        return String(decoding: text[range].lazy.map(\.lowercased), as: UTF8.self)
    }

    private static let rawTags: Set<String> = ["script", "pre", "textarea", "style"]

    private static let blockTags: Set<String> = [
        "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption",
        "center", "col", "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt",
        "fieldset", "figcaption", "figure", "footer", "form", "frame", "frameset", "h1", "h2",
        "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "iframe", "legend", "li",
        "link", "main", "menu", "menuitem", "nav", "noframes", "ol", "optgroup", "option", "p",
        "param", "section", "source", "title", "summary", "table", "tbody", "td", "tfoot",
        "th", "thead", "tr", "track", "ul",
    ]
}
