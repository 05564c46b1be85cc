import Bytes

/// Liquid's `{% highlight swift %} … {% endhighlight %}`: a code block.
struct CodeTag {
    /// From its opening tag to behind its closing one.
    var range: Range<Int>
    /// The language as typed; empty where there is none.
    var language: Range<Int>
    /// Its lines without the containers' markers, in
    /// ``FoundBlocks/spanLines``.
    var lines: Range<Int>
}

extension LinePass {
    /// Takes the lines from an opening tag, alone on its line, to the closing
    /// one as a code block.
    mutating func openCodeTag() -> Bool {
        guard let tag = TemplateTag(in: reader.text, at: firstNonspace, limit: reader.limit),
            tag.isNamed("highlight", in: reader.text),
            reader.text[tag.end..<reader.limit].allSatisfy(\.isBlank),
            missingHighlightEnd <= lineStart
        else { return false }
        let start = firstNonspace
        let depth = hasClosedUnmatched ? containers.count : matchedCount
        let state = currentState()
        let firstLine = found.spanLines.count
        while nextLine(in: depth) {
            if reader.peek(firstNonspace) == .ascii("{"),
                let closing = TemplateTag(in: reader.text, at: firstNonspace, limit: reader.limit),
                closing.isNamed("endhighlight", in: reader.text)
            {
                let words = tag.argument(in: reader.text)
                let end = words.firstIndex(where: \.isSpace) ?? words.endIndex
                found.codeTags.append(
                    CodeTag(
                        range: start..<reader.limit, language: words.startIndex..<end,
                        lines: firstLine..<found.spanLines.count))
                beginBlock(.htmlBlock)
                leaf = .none
                return true
            }
            found.spanLines.append(min(offset, reader.limit)..<reader.limit)
        }
        found.spanLines.removeLast(found.spanLines.count - firstLine)
        missingHighlightEnd = lineStart
        restore(state)
        return false
    }
}

extension InlinePass {
    /// Puts a mark in a code block's place.
    mutating func rewrite(codeTag number: Int) {
        placeholder(.codeTag, number: number, replacing: found.codeTags[number].range)
    }
}

extension HTMLRenderer {
    /// Writes the code block that a tag stands for.
    mutating func append(codeTag mark: Mark) {
        let tag = found.codeTags[Int(mark.partner)]
        let shift = mark.text.lowerBound - tag.range.lowerBound
        hasContent = true
        startLine()
        html.append("<pre><code")
        if !tag.language.isEmpty {
            html.append(" class=\"language-")
            html.append(
                escaped: marks.bytes,
                (tag.language.lowerBound + shift)..<(tag.language.upperBound + shift))
            html.append(.ascii("\""))
        }
        html.append(.ascii(">"))
        for line in found.spanLines[tag.lines] {
            append(
                text: marks.bytes, (line.lowerBound + shift)..<(line.upperBound + shift))
            html.append(.ascii("\n"))
            text.append(10)
        }
        html.append("</code></pre>\n")
        endTextBlock()
    }
}
