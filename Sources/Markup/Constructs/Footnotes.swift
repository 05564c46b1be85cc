import Bytes

/// `[^1]` and `[^1]: text`, by cmark-gfm's rules.
extension LinePass {
    /// Opens a footnote's definition.
    mutating func openDefinition(isInLeaf: Bool) -> Beginning {
        guard dialect.contains(.footnotes), reader.peek(firstNonspace + 1) == .ascii("^"),
            let label = FootnoteLabel.range(
                in: reader.text, at: firstNonspace, limit: reader.limit),
            reader.peek(label.upperBound + 1) == .ascii(":")
        else { return .nothing }
        var contentStart = label.upperBound + 2
        while contentStart < reader.limit, reader.text[contentStart].isBlank { contentStart += 1 }
        let isEmpty = contentStart == reader.limit
        let key = ReferenceLabel.normalised(reader.text[label])
        let number = found.definitionCount
        guard
            openSyntheticItem(
                .definition(number), contentStart: contentStart,
                placeholder: isEmpty ? .separator : nil, isInLeaf: isInLeaf)
        else { return .nothing }
        found.definitionCount += 1
        // The first of two definitions counts.
        if found.footnotes[key] == nil { found.footnotes[key] = number }
        return isEmpty ? .wholeLine : .containers
    }
}

/// The label of a footnote.
enum FootnoteLabel {
    /// What stands between `[^` and `]` at `start`, or nil. It has no blank and
    /// no bracket.
    static func range(in text: [UInt8], at start: Int, limit: Int) -> Range<Int>? {
        var index = start + 2
        while index < limit, text[index] != .ascii("]") {
            let byte = text[index]
            guard !byte.isSpace, byte != .ascii("["), byte != LongSpan.standIn,
                index - start < longest
            else { return nil }
            index += 1
        }
        return index < limit && index > start + 2 ? (start + 2)..<index : nil
    }

    private static var longest: Int { 1000 }
}

extension InlinePass {
    /// Finds a reference to a footnote that is defined.
    mutating func findFootnote() -> Bool {
        guard !found.footnotes.isEmpty, peek(position + 1) == .ascii("^"),
            let label = FootnoteLabel.range(in: text, at: position, limit: text.count),
            let number = found.footnotes[ReferenceLabel.normalised(text[label])]
        else { return false }
        // `[^1](url)` is a link of Markdown's own.
        let end = label.upperBound + 1
        if peek(end) == .ascii("("),
            LinkSyntax(text: text, limit: text.count).inlineTail(at: end) != nil
        {
            return false
        }
        add(.footnote, position..<end, number: number)
        return true
    }
}

extension HTMLRenderer {
    /// Leaves a hole for a reference.
    mutating func append(footnote mark: Mark) {
        let definition = Int(mark.partner)
        guard linkDepth == 0, let node = definitionNodes[definition] else {
            append(text: marks.bytes, mark.text)
            return
        }
        let footnote: Int
        if let known = footnoteNumbers[definition] {
            footnote = known
        } else {
            footnote = footnoteNodes.count
            footnoteNumbers[definition] = footnote
            footnoteNodes.append(node)
        }
        appendHole(.footnoteReference(document.footnoteReferences.count))
        document.footnoteReferences.append(footnote)
    }

    /// Writes the texts of the footnotes that were referred to, and of those
    /// that these refer to, behind the body.
    mutating func appendFootnotes() {
        while document.footnotes.count < footnoteNodes.count {
            let node = footnoteNodes[document.footnotes.count]
            // The line feed keeps the holes of two texts apart.
            html.append(.ascii("\n"))
            let start = html.count
            open.append(OpenNode(node: 0, htmlStart: start, textStart: text.count))
            open.append(OpenNode(node: node.index, htmlStart: start, textStart: text.count))
            let resumed = headingCount
            headingCount = node.headingCount
            walk((node.index + 1)..<Int(tree.nodes[node.index].end))
            closeSections(deeperThan: 0)
            headingCount = resumed
            open.removeAll(keepingCapacity: true)
            appendBacklinks(to: document.footnotes.count, of: node.index, from: start)
            document.footnotes.append(start..<html.count)
        }
    }

    /// Leaves a hole for the ways back: in the last paragraph, where the text
    /// ends with one.
    private mutating func appendBacklinks(to footnote: Int, of node: Int, from start: Int) {
        let ending = Array("</p>\n".utf8)
        let last = lastChild(of: node)
        if last > 0, tree.nodes[last].kind == .paragraph, html.count - start >= ending.count,
            html.copy(from: html.count - ending.count) == ending
        {
            document.holes.append(
                Hole(
                    offset: html.count - ending.count,
                    kind: .footnoteBacklinks(footnote, isInParagraph: true)))
        } else {
            startLine()
            appendHole(.footnoteBacklinks(footnote, isInParagraph: false))
            html.append(.ascii("\n"))
        }
    }

    private func lastChild(of node: Int) -> Int {
        var child = node + 1
        var last = -1
        while child < Int(tree.nodes[node].end) {
            last = child
            child = Int(tree.nodes[child].end)
        }
        return last
    }
}
