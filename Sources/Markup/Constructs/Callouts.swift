import Bytes

/// `> [!note]- Title` as the line pass finds it, and `!!! note "Title"`.
struct CalloutBlock {
    /// Whether it can be folded, and is.
    enum Fold {
        case none, open, closed
    }

    /// The type as typed.
    var type: Range<Int>
    var fold = Fold.none
    /// What its title's mark replaces: nil where it is an admonition's, whose
    /// item carries the mark.
    var marker: Range<Int>?
    /// The title as typed; empty where it is the type's name.
    var title: TextLine
    /// Whether an empty title was asked for.
    var hidesTitle = false
    /// The title's carrier, or -1. Filled in by the inline pass.
    var carrier = -1
}

extension LinePass {
    /// Whether the line at hand has just opened a quote and goes on like a
    /// callout.
    var opensCallout: Bool {
        guard !dialect.isDisjoint(with: [.callouts, .alerts]),
            reader.peek(firstNonspace + 1) == .ascii("!"), let quote = containers.last
        else { return false }
        return quote.kind == .quote && quote.line == lineNumber && quote.childCount == 0
    }

    /// Takes the rest of the line as a callout's type and title.
    mutating func openCallout() -> Beginning {
        let start = firstNonspace
        guard var callout = readCalloutStart(at: start) else { return .nothing }
        beginBlock(.htmlBlock)
        leaf = .title
        if mayHoldLongSpans, takeLongSpans(from: callout.title.start, depth: containers.count) {
            callout.title.spansLines = true
        }
        callout.title.end = trimmedEnd(from: callout.title.start)
        callout.marker = start..<reader.limit
        found.callouts.append(callout)
        return .wholeLine
    }

    private func readCalloutStart(at start: Int) -> CalloutBlock? {
        var index = start + 2
        while index < reader.limit, reader.text[index] != .ascii("]") {
            guard reader.text[index] != .ascii("["), reader.text[index] != .ascii("\\") else {
                return nil
            }
            index += 1
        }
        guard index < reader.limit, index > start + 2 else { return nil }
        var type = (start + 2)..<index
        index += 1
        var fold = CalloutBlock.Fold.none
        if dialect.contains(.callouts) {
            // Behind a bar stand words for style sheets.
            if let bar = reader.text[type].firstIndex(of: .ascii("|")) {
                type = type.lowerBound..<bar
            }
            switch reader.peek(index) {
            case .ascii("-"): fold = .closed
            case .ascii("+"): fold = .open
            // A link of Markdown's own, or a definition.
            case .ascii("("), .ascii("["), .ascii(":"): return nil
            default: break
            }
            if fold != .none { index += 1 }
        } else {
            guard CalloutType.isAlert(reader.text[type]) else { return nil }
        }
        while index < reader.limit, reader.text[index].isBlank { index += 1 }
        if !dialect.contains(.callouts), index < reader.limit { return nil }
        return CalloutBlock(
            type: type, fold: fold,
            title: TextLine(
                lineStart: lineStart, blockStart: start, start: index, end: reader.limit,
                isLazy: false))
    }

    private func trimmedEnd(from start: Int) -> Int {
        var end = reader.limit
        while end > start, reader.text[end - 1].isSpace { end -= 1 }
        return end
    }

    /// Opens MkDocs' `!!! type "Title"`, or `???` that folds.
    mutating func openAdmonition(isInLeaf: Bool) -> Beginning {
        guard dialect.contains(.callouts), var callout = readAdmonitionStart() else {
            return .nothing
        }
        callout.title.lineStart = lineStart
        let number = found.callouts.count
        guard
            openSyntheticItem(
                .admonition, contentStart: reader.limit, placeholder: .callout(number),
                isInLeaf: isInLeaf)
        else { return .nothing }
        leaf = .none
        found.callouts.append(callout)
        return .wholeLine
    }

    private func readAdmonitionStart() -> CalloutBlock? {
        let mark = reader.peek(firstNonspace)
        var index = firstNonspace
        while reader.peek(index) == mark { index += 1 }
        guard index - firstNonspace == 3 else { return nil }
        var fold = CalloutBlock.Fold.none
        if mark == .ascii("?") {
            fold = .closed
            if reader.peek(index) == .ascii("+") {
                fold = .open
                index += 1
            }
        }
        let behindMark = index
        while reader.peek(index) == 32 { index += 1 }
        let typeStart = index
        while reader.peek(index).isAlphanumeric || reader.peek(index) == .ascii("-")
            || reader.peek(index) == .ascii("_")
        {
            index += 1
        }
        guard index > typeStart, typeStart > behindMark || mark == .ascii("!"),
            reader.text[typeStart].isLetter
        else { return nil }
        let type = typeStart..<index
        // Further words are classes for style sheets.
        while reader.peek(index) == 32 || reader.peek(index).isAlphanumeric
            || reader.peek(index) == .ascii("-") || reader.peek(index) == .ascii("_")
        {
            index += 1
        }
        var title = index..<index
        var hidesTitle = false
        if reader.peek(index) == .ascii("\"") {
            let start = index + 1
            var end = reader.limit
            while end > start, reader.text[end - 1].isSpace { end -= 1 }
            guard end > start, reader.text[end - 1] == .ascii("\"") else { return nil }
            title = start..<(end - 1)
            hidesTitle = title.isEmpty
        } else if index < reader.limit {
            return nil
        }
        return CalloutBlock(
            type: type, fold: fold,
            title: TextLine(
                lineStart: lineStart, blockStart: firstNonspace, start: title.lowerBound,
                end: title.upperBound, isLazy: false),
            hidesTitle: hidesTitle)
    }
}

/// The types of callouts and what they look like.
enum CalloutType {
    /// GitHub's types stand in capitals.
    static func isAlert(_ type: ArraySlice<UInt8>) -> Bool {
        ["NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"].contains {
            type.elementsEqual($0.utf8)
        }
    }

    /// The look of a type: itself, the type it is another name of, or `note`
    /// where nobody knows it.
    static func look(of type: String) -> String { looks[type] ?? "note" }

    private static let looks: [String: String] = {
        var looks: [String: String] = [:]
        for (look, others) in [
            ("note", []), ("abstract", ["summary", "tldr"]), ("info", []), ("todo", []),
            ("tip", ["hint"]), ("important", []), ("success", ["check", "done"]),
            ("question", ["help", "faq"]), ("warning", ["attention"]), ("caution", []),
            ("failure", ["fail", "missing"]), ("danger", ["error"]), ("bug", []),
            ("example", []), ("quote", ["cite"]),
        ] as [(String, [String])] {
            for name in [look] + others { looks[name] = look }
        }
        return looks
    }()
}

extension InlinePass {
    /// Puts a mark in a callout's title's place, and the title in front of the
    /// text.
    mutating func rewrite(callout number: Int) {
        let callout = found.callouts[number]
        if let marker = callout.marker {
            placeholder(.callout, number: number, replacing: marker)
        }
        guard callout.title.start < callout.title.end else { return }
        beginText()
        append(line: callout.title)
        found.callouts[number].carrier = finishCarrier()
    }
}

extension HTMLRenderer {
    /// The callout that a quote or an admonition's item is, if it is one.
    func callout(in container: Int) -> Mark? {
        guard !found.callouts.isEmpty, container + 1 < Int(tree.nodes[container].end),
            tree.nodes[container + 1].kind == .htmlBlock,
            let mark = placeholderMark(tree.nodes[container + 1]), mark.kind == .callout
        else { return nil }
        return mark
    }

    /// Writes a callout up to its body; the index of the node to go on with.
    mutating func enter(callout mark: Mark, container index: Int) -> Int {
        let callout = found.callouts[Int(mark.partner)]
        let shift = mark.text.lowerBound - mark.source.lowerBound
        let typed = (callout.type.lowerBound + shift)..<(callout.type.upperBound + shift)
        let type = String(
            decoding: marks.bytes[typed].map(\.lowercased), as: UTF8.self)
        let look = CalloutType.look(of: type)
        hasContent = true
        startLine()
        html.append(callout.fold == .none ? "<div" : "<details")
        html.append(" class=\"callout\" data-callout=\"")
        html.append(look)
        html.append(.ascii("\""))
        if type != look {
            html.append(" data-callout-type=\"")
            let bytes = Array(type.utf8)
            html.append(escaped: bytes, 0..<bytes.count)
            html.append(.ascii("\""))
        }
        html.append(callout.fold == .open ? " open>\n" : ">\n")
        append(titleOf: callout, type: type)
        let firstChild = Int(tree.nodes[index + 1].end)
        var opened = OpenNode(node: index, htmlStart: html.count, textStart: text.count)
        opened.ending = callout.fold == .none ? .callout : .details
        if firstChild < Int(tree.nodes[index].end) {
            html.append("<div class=\"callout-body\">\n")
        }
        open.append(opened)
        return firstChild
    }

    private mutating func append(titleOf callout: CalloutBlock, type: String) {
        if callout.hidesTitle, callout.fold == .none { return }
        html.append(
            callout.fold == .none
                ? "<div class=\"callout-title\">" : "<summary class=\"callout-title\">")
        if callout.carrier >= 0 {
            append(carrier: callout.carrier)
        } else {
            let start = text.count
            let name = Array((type.prefix(1).uppercased() + type.dropFirst()).utf8)
            append(text: name, 0..<name.count)
            endTextBlock(from: start)
        }
        html.append(callout.fold == .none ? "</div>\n" : "</summary>\n")
    }

    /// Writes the end of a callout.
    mutating func exit(callout opened: OpenNode) {
        closeSections(deeperThan: open.count - 1)
        startLine()
        let title = opened.node + 1
        let hasBody = tree.nodes[title].end < tree.nodes[opened.node].end
        if hasBody { html.append("</div>\n") }
        html.append(opened.ending == .callout ? "</div>\n" : "</details>\n")
    }
}
