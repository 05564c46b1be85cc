import Bytes

/// Code blocks and raw HTML.
extension HTMLRenderer {
    mutating func append(codeBlock node: MarkdownTree.Node) {
        hasContent = true
        startLine()
        let info = exactText(node.title)
        if info.range.isEmpty {
            html.append("<pre><code>")
        } else {
            var end = info.range.lowerBound
            while end < info.range.upperBound, !info.bytes[end].isSpace { end += 1 }
            html.append("<pre><code class=\"language-")
            html.append(escaped: info.bytes, info.range.lowerBound..<end)
            html.append("\">")
        }
        let code = exactText(node.text)
        html.append(escaped: code.bytes, code.range)
        html.append("</code></pre>\n")
        text.append(code.bytes, code.range)
        endTextBlock()
    }

    mutating func append(htmlBlock node: MarkdownTree.Node) {
        if appendPlaceholder(node) { return }
        startLine()
        appendRaw(node.text)
        startLine()
    }

    mutating func append(rawHTML node: MarkdownTree.Node) {
        appendRaw(node.text)
    }

    private mutating func appendRaw(_ range: Range<Int>) {
        let raw = exactText(range)
        let isComment = raw.bytes[raw.range].starts(with: "<!--".utf8)
        if isComment {
            if moreOffset == nil, isMoreMarker(raw.bytes[raw.range]) { moreOffset = text.count }
        } else {
            hasContent = true
        }
        if dialect.contains(.rawHTML) {
            html.append(raw.bytes, raw.range)
        } else {
            html.append("<!-- raw HTML omitted -->")
        }
    }

    private func isMoreMarker(_ comment: ArraySlice<UInt8>) -> Bool {
        let inner = comment.dropFirst(4).filter { !$0.isSpace }
        return inner == Array("more-->".utf8)
    }
}
