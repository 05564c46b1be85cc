/// What the pass steps over as cmark does, and what would pass for a mark.
extension InlinePass {
    mutating func stepOverCodeSpan() -> Bool {
        let start = position
        while peek(position) == .ascii("`") { position += 1 }
        let length = position - start
        if length >= 3, isLineStart(start) { guards.append(start) }
        guard length <= ScanMemo.longestRun else { return true }
        if memo.runs.isEmpty {
            memo.runs = [Int](repeating: -1, count: ScanMemo.longestRun + 1)
        }
        guard memo.runs[length] > start || !memo.hasSeenAllRuns else { return true }
        var index = position
        while index < text.count {
            guard text[index] == .ascii("`") else {
                index += 1
                continue
            }
            let run = index
            while peek(index) == .ascii("`") { index += 1 }
            // Without what stands behind it on its line it would be a fence.
            if index - run >= 3, isLineStart(run) { guards.append(run) }
            if index - run <= ScanMemo.longestRun { memo.runs[index - run] = run }
            if index - run == length {
                position = index
                return true
            }
        }
        memo.hasSeenAllRuns = true
        return true
    }

    private func isLineStart(_ index: Int) -> Bool {
        var index = index
        while index > 0, text[index - 1].isBlank { index -= 1 }
        return index == 0 || text[index - 1] == 10
    }

    mutating func stepOverAngle() -> Bool {
        let syntax = HTMLSyntax(text: text, limit: text.count)
        let end: Int?
        switch peek(position + 1) {
        case .ascii("!"): end = memo.declarationEnd(in: text, at: position)
        case .ascii("?"): end = memo.end(of: .instruction, in: text, from: position + 2)
        case .ascii("/"): end = syntax.closingTag(at: position)
        default: end = syntax.autolink(at: position) ?? syntax.openingTag(at: position)
        }
        guard let end else {
            guards.append(position + 1)
            return false
        }
        position = end
        tagEnd = end
        return true
    }

    /// `&#xFDD0;` and its kin would pass for marks: they become U+FFFD.
    mutating func findForgedMark() -> Bool {
        guard let end = forgedMarkEnd(at: position) else { return false }
        findings.append(Finding(range: position..<end, replacement: .replacementCharacter))
        position = end
        return true
    }

    /// Finds forged marks in a piece of text that was stepped over.
    mutating func findForgedMarks(in range: Range<Int>) {
        for index in range where text[index] == .ascii("&") {
            guard let end = forgedMarkEnd(at: index), end <= range.upperBound else { continue }
            findings.append(Finding(range: index..<end, replacement: .replacementCharacter))
        }
    }

    private func forgedMarkEnd(at start: Int) -> Int? {
        guard peek(start + 1) == .ascii("#") else { return nil }
        var index = start + 2
        let isHexadecimal = peek(index) | 32 == .ascii("x")
        if isHexadecimal { index += 1 }
        let digits = index
        var value = 0
        while index - digits < 8, let digit = hexadecimalValue(peek(index)),
            isHexadecimal || digit < 10
        {
            value = value * (isHexadecimal ? 16 : 10) + Int(digit)
            index += 1
        }
        guard peek(index) == .ascii(";"), value == 0xFDD0 || value == 0xFDD1 else { return nil }
        return index + 1
    }
}
