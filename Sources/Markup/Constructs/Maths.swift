import Bytes

/// `$inline$` and `$$display$$`, by Pandoc's rule.
extension InlinePass {
    /// Finds a formula that opens here.
    ///
    /// A single dollar opens one where no blank follows, and the *next* dollar
    /// decides: behind a blank or before a digit it closes none, and then this
    /// one is text. To look further would make a formula of two prices.
    mutating func findMaths() -> Bool {
        let start = position
        var content = start
        while peek(content) == .ascii("$") { content += 1 }
        switch content - start {
        case 1: return findInlineMaths(start)
        case 2: return findDisplayMaths(start)
        default:
            position = content
            return true
        }
    }

    private mutating func findInlineMaths(_ start: Int) -> Bool {
        guard start + 1 < text.count, !text[start + 1].isSpace else { return false }
        var index = start + 1
        while index < text.count, text[index] != .ascii("$") {
            // What a comment hides does not come back in a formula.
            if text[index] == LongSpan.standIn { return false }
            index += text[index] == .ascii("\\") ? 2 : 1
        }
        guard index < text.count, !text[index - 1].isSpace, !peek(index + 1).isDigit else {
            return false
        }
        add(.maths, start..<(index + 1))
        return true
    }

    private mutating func findDisplayMaths(_ start: Int) -> Bool {
        var index = start + 2
        while index + 1 < text.count {
            if text[index] == LongSpan.standIn { break }
            if text[index] == .ascii("$"), text[index + 1] == .ascii("$") {
                guard text[(start + 2)..<index].contains(where: { !$0.isSpace }) else { break }
                add(.displayMaths, start..<(index + 2))
                return true
            }
            index += text[index] == .ascii("\\") ? 2 : 1
        }
        position = start + 2
        return true
    }
}

extension HTMLRenderer {
    /// Writes a formula's TeX, exactly as it was typed.
    mutating func append(maths mark: Mark, isBlock: Bool = false) {
        document.hasMaths = true
        let isDisplay = mark.kind == .displayMaths
        let tex = tex(of: mark)
        html.append(isBlock ? "<div class=\"math display\">" : "<span class=\"math ")
        if !isBlock { html.append(isDisplay ? "display\">" : "inline\">") }
        append(text: tex, 0..<tex.count)
        html.append(isBlock ? "</div>" : "</span>")
    }

    private func tex(of mark: Mark) -> [UInt8] {
        let fence = mark.kind == .displayMaths ? 2 : 1
        var tex: [UInt8] = []
        if mark.partner >= 0 {
            // Over several lines, of which each has its containers' markers.
            let span = found.longSpans[Int(mark.partner)]
            for line in found.spanLines[span.lines] {
                let start = mark.text.lowerBound + line.lowerBound - span.range.lowerBound
                if !tex.isEmpty { tex.append(10) }
                tex.append(marks.bytes, start..<(start + line.count))
            }
        } else {
            tex.append(
                marks.bytes, (mark.text.lowerBound + fence)..<(mark.text.upperBound - fence))
        }
        guard fence == 2, let first = tex.firstIndex(where: { !$0.isSpace }),
            let last = tex.lastIndex(where: { !$0.isSpace })
        else { return tex }
        return Array(tex[first...last])
    }
}
