/// The brackets that are open in a text, as cmark keeps them.
struct BracketStack {
    /// An open bracket.
    struct Bracket {
        var position: Int
        var isImage: Bool
        /// Whether it may still begin a link: none may around a link.
        var isActive = true
        /// Whether another bracket stands behind it.
        var hasInner = false
        /// How much was found before it.
        var findings: Int
        var addresses: Int
    }

    private(set) var open: [Bracket] = []
    /// The links found, by where their marks stand.
    private var links: [Int: Range<Int>] = [:]

    /// Whether a bracket is open.
    var isEmpty: Bool { open.isEmpty }

    mutating func clear() {
        open.removeAll(keepingCapacity: true)
        if !links.isEmpty { links.removeAll(keepingCapacity: true) }
    }

    mutating func push(at position: Int, isImage: Bool, findings: Int, addresses: Int) {
        if !open.isEmpty { open[open.count - 1].hasInner = true }
        open.append(
            Bracket(
                position: position, isImage: isImage, findings: findings, addresses: addresses))
    }

    mutating func pop() -> Bracket? { open.popLast() }

    /// Lets no bracket around a link begin another.
    mutating func deactivate() {
        for index in open.indices.reversed() where !open[index].isImage {
            // Those further out were switched off with this one.
            guard open[index].isActive else { return }
            open[index].isActive = false
        }
    }

    mutating func remember(link: Range<Int>, markedAt place: Int) {
        links[place] = link
    }

    /// The link whose place an empty mark tells.
    func link(markedAt place: Int) -> Range<Int>? {
        links[place]
    }
}

extension InlinePass {
    /// Tells whether the bracket at hand closes a link, and steps over the
    /// link's tail if so.
    mutating func closeBracket() -> Bool {
        guard let opener = brackets.pop() else { return false }
        guard opener.isActive else { return false }
        let next = position + 1
        let syntax = LinkSyntax(text: text, limit: text.count)
        let findingCount = findings.count
        var end = syntax.inlineTail(at: next)
        var label: Range<Int>?
        if end == nil { end = liquidTail(at: next) }
        if end == nil, !found.labels.isEmpty {
            (end, label) = referenceTail(opener, syntax)
        }
        guard let end else {
            // A mark further on may make a tail or a label of what is none.
            let mayBecomeTail =
                peek(next) == .ascii("(")
                || peek(next) == .ascii("[") && syntax.label(at: next) == nil
            if mayBecomeTail { guards.append(next) }
            return false
        }
        // cmark is to read addresses inside as text, escapes and all.
        while addresses.count > opener.addresses, let address = addresses.popLast() {
            findings[address].isWithdrawn = true
            findForgedMarks(in: findings[address].range)
        }
        let hidesLabel = remember(linkFrom: opener, end: end)
        if let label,
            hidesLabel
                || findings[opener.findings..<findingCount].contains(where: { !$0.isWithdrawn })
        {
            // The label as cmark will read it holds marks: spell it out.
            findings.append(Finding(range: next..<end, replacement: .label(label)))
        }
        if !opener.isImage { brackets.deactivate() }
        position = end
        return true
    }

    /// The tail of a reference, and the label where the link's text is it.
    private func referenceTail(
        _ opener: BracketStack.Bracket, _ syntax: LinkSyntax
    ) -> (end: Int?, label: Range<Int>?) {
        let next = position + 1
        var given = syntax.label(at: next)
        // A footnote behind a link is none of the link's.
        if let label = given, isFootnote(label) { given = nil }
        if let given, given.contains(where: { !text[$0].isSpace }) {
            let isDefined = found.labels.contains(ReferenceLabel.normalised(text[given]))
            return (isDefined ? given.upperBound + 1 : nil, nil)
        }
        let own = (opener.position + 1)..<position
        guard !opener.hasInner, own.count <= 1000,
            found.labels.contains(ReferenceLabel.normalised(text[own]))
        else { return (nil, nil) }
        return (given.map { $0.upperBound + 1 } ?? next, own)
    }

    /// Whether the text between brackets refers to a footnote that is defined.
    private func isFootnote(_ label: Range<Int>) -> Bool {
        guard !found.footnotes.isEmpty, label.count > 1,
            text[label.lowerBound] == .ascii("^")
        else { return false }
        return found.footnotes[ReferenceLabel.normalised(text[label.dropFirst()])] != nil
    }

    /// Keeps a link's place, with the dialect on as an empty mark; whether
    /// the mark stands in the link's text.
    private mutating func remember(linkFrom opener: BracketStack.Bracket, end: Int) -> Bool {
        let start = opener.isImage ? opener.position - 1 : opener.position
        if dialect == .commonmark {
            found.links.append(sourceRange(start..<end))
            return false
        }
        // Directly behind a bracket the mark would hide a label from cmark.
        let isBehindBracket =
            !opener.isImage && start > 0 && text[start - 1] == .ascii("]")
        let place = isBehindBracket ? opener.position + 1 : start
        brackets.remember(link: start..<end, markedAt: place)
        pendingPositions.append(
            Finding(
                range: place..<place, replacement: .mark(.linkPosition), leadingEdge: 1,
                trailingEdge: 1))
        return isBehindBracket
    }
}
