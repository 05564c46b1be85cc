import Bytes

/// A tag of another tool's template language: `{% name … %}`, `{{ … }}`,
/// `{{< name … >}}`, `{{% name … %}}`.
struct TemplateTag {
    /// The name, or all of what an output tag holds.
    var name: Range<Int>
    /// What stands behind the name.
    var rest: Range<Int>
    /// The index behind the tag.
    var end: Int
    /// Whose it is, by how it opens.
    var form: Form

    /// How a tag opens.
    enum Form: String {
        /// Liquid's and Jinja's statements.
        case statement = "{%"
        /// Their expressions.
        case output = "{{"
        /// Hugo's shortcodes.
        case shortcode = "{{<"
        case markdownShortcode = "{{%"

        var closer: StaticString {
            switch self {
            case .statement: "%}"
            case .output: "}}"
            case .shortcode: ">}}"
            case .markdownShortcode: "%}}"
            }
        }
    }

    /// Reads a tag at `start`, which is a brace; nil where none stands.
    init?(in text: [UInt8], at start: Int, limit: Int) {
        func peek(_ index: Int) -> UInt8 { index < limit ? text[index] : 0 }
        switch (peek(start + 1), peek(start + 2)) {
        case (.ascii("%"), _): form = .statement
        case (.ascii("{"), .ascii("<")): form = .shortcode
        case (.ascii("{"), .ascii("%")): form = .markdownShortcode
        case (.ascii("{"), _): form = .output
        default: return nil
        }
        let closer = form.closer
        let inner = start + closer.utf8CodeUnitCount
        guard let inside = Self.find(closer, in: text, inner..<min(limit, inner + Self.longest))
        else { return nil }
        end = inside + closer.utf8CodeUnitCount
        var low = inner
        var high = inside
        while low < high, text[low].isSpace || text[low] == .ascii("-") { low += 1 }
        while high > low, text[high - 1].isSpace || text[high - 1] == .ascii("-") { high -= 1 }
        guard low < high else { return nil }
        var nameEnd = low
        while nameEnd < high, !text[nameEnd].isSpace { nameEnd += 1 }
        name = low..<nameEnd
        rest = nameEnd..<high
    }

    /// No tag is longer: a lone brace does not make the rest of a text be read.
    private static var longest: Int { 2000 }

    private static func find(
        _ closer: StaticString, in text: [UInt8], _ range: Range<Int>
    ) -> Int? {
        closer.withUTF8Buffer { closer in
            var index = range.lowerBound
            while index + closer.count <= range.upperBound {
                if text[index] == closer[0], text[index + 1] == closer[1],
                    closer.count == 2 || text[index + 2] == closer[2]
                {
                    return index
                }
                index += 1
            }
            return nil
        }
    }

    /// Whether the tag is Liquid's `{% name … %}`.
    func isNamed(_ name: StaticString, in text: [UInt8]) -> Bool {
        guard form == .statement else { return false }
        return name.withUTF8Buffer { text[self.name].elementsEqual($0) }
    }

    /// What stands behind the name, blanks around it left off.
    func argument(in text: [UInt8]) -> ArraySlice<UInt8> {
        let start = rest.first { !text[$0].isSpace } ?? rest.upperBound
        return text[start..<rest.upperBound]
    }
}

extension InlinePass {
    /// Finds a tag of another tool at the brace at hand, or Kramdown's
    /// attributes behind a span.
    mutating func findTemplateTag() -> Bool {
        if peek(position + 1) == .ascii(":") { return findAttributes() }
        guard let tag = TemplateTag(in: text, at: position, limit: text.count) else {
            return false
        }
        let range = position..<tag.end
        if tag.isNamed("raw", in: text) || tag.isNamed("endraw", in: text) {
            isInRaw = tag.isNamed("raw", in: text)
            hide(range)
            return true
        }
        if isInRaw { return false }
        if tag.isNamed("comment", in: text), let end = endOfLiquidComment(from: tag.end) {
            hide(position..<end)
            return true
        }
        report(tag, at: range)
        add(.templateTag, range)
        return true
    }

    private mutating func endOfLiquidComment(from start: Int) -> Int? {
        if memo.lacksCommentEnd { return nil }
        var index = start
        while index < text.count {
            if text[index] == .ascii("{"), peek(index + 1) == .ascii("%"),
                let tag = TemplateTag(in: text, at: index, limit: text.count),
                tag.isNamed("endcomment", in: text)
            {
                return tag.end
            }
            index += 1
        }
        memo.lacksCommentEnd = true
        return nil
    }

    /// Says once for each name that a tag is not run.
    private mutating func report(_ tag: TemplateTag, at range: Range<Int>) {
        var name = String(decoding: text[tag.name], as: UTF8.self)
        // Of what only closes a tag its opener has told.
        if name.hasPrefix("end") || name.hasPrefix("/") { return }
        if tag.form == .output { name = String(name.prefix { $0 != "|" }) }
        let shown = "\(tag.form.rawValue) \(name)"
        guard reportedTags.insert(shown).inserted else { return }
        found.messages.append(MarkupMessage(.notExecuted(shown), at: sourceRange(range)))
    }

    /// Kramdown's `{: .class}` behind emphasis, code or a link, which says
    /// nothing here.
    private mutating func findAttributes() -> Bool {
        guard let end = AttributeList.end(in: text, at: position, limit: text.count) else {
            return false
        }
        let isBehindSpan =
            position > 0 && AttributeList.closers.contains(text[position - 1])
        let isLine =
            (position == 0 || text[position - 1] == 10) && (end == text.count || text[end] == 10)
        guard isBehindSpan || isLine else { return false }
        hide(position..<end)
        return true
    }

    /// The tail of a link whose destination is written with Liquid's tags, at
    /// the parenthesis at `start`: the tags become the path that they name.
    mutating func liquidTail(at start: Int) -> Int? {
        guard dialect.contains(.templateTags), peek(start) == .ascii("("),
            peek(start + 1) == .ascii("{"), !isInRaw
        else { return nil }
        var index = start + 1
        var path: [UInt8] = []
        while peek(index) == .ascii("{") {
            guard let tag = TemplateTag(in: text, at: index, limit: text.count),
                let part = LiquidPath.path(of: tag, in: text)
            else { return nil }
            path += part
            index = tag.end
        }
        let syntax = LinkSyntax(text: text, limit: text.count)
        guard let end = syntax.inlineTail(destinationAt: index) else { return nil }
        if path.isEmpty, peek(index) != .ascii("/") { path = [.ascii("/")] }
        let pathStart = paths.count
        paths += path
        findings.append(
            Finding(
                range: (start + 1)..<index, replacement: .path(pathStart..<paths.count),
                leadingEdge: 1,
                trailingEdge: 1))
        return end
    }
}

/// The paths that Jekyll's tags name.
enum LiquidPath {
    /// The path that a tag comes to, without the site's base, which links get
    /// anyway; nil where the tag is another.
    static func path(of tag: TemplateTag, in text: [UInt8]) -> [UInt8]? {
        if tag.isNamed("post_url", in: text) {
            let name = Array(tag.argument(in: text))
            guard !name.isEmpty else { return nil }
            // Found by its name, whichever folder of posts it is in.
            return Array(name[(name.lastIndex(of: .ascii("/")).map { $0 + 1 } ?? 0)...])
                + Array(".md".utf8)
        }
        if tag.isNamed("link", in: text) {
            let path = Array(tag.argument(in: text))
            return path.isEmpty ? nil : (path[0] == .ascii("/") ? path : [.ascii("/")] + path)
        }
        guard tag.form == .output else { return nil }
        let inner = text[tag.name.lowerBound..<tag.rest.upperBound]
        if bases.contains(where: { inner.elementsEqual($0.utf8) }) { return [] }
        // `{{ "/about/" | relative_url }}`.
        guard let quote = inner.first, quote == .ascii("\"") || quote == .ascii("'"),
            let end = inner.dropFirst().firstIndex(of: quote)
        else { return nil }
        let filter = inner[(end + 1)...].filter { !$0.isSpace }
        guard filters.contains(where: { filter.elementsEqual($0.utf8) }) else { return nil }
        return Array(inner[(inner.startIndex + 1)..<end])
    }

    private static let bases = ["site.baseurl", "site.url", "site.base_url"]
    private static let filters = ["|relative_url", "|absolute_url", "|relURL", "|absURL"]
}

extension HTMLRenderer {
    /// Shows a tag that is not run as code.
    mutating func append(templateTag mark: Mark) {
        html.append("<code>")
        append(text: marks.bytes, mark.text)
        html.append("</code>")
    }
}
