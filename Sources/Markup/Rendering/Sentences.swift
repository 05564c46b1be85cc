/// The sentence around a link, for lists of backlinks.
extension HTMLRenderer {
    /// Gives the links of the block that ends here their sentences.
    mutating func finishSentences(in block: Range<Int>) {
        for (link, range) in linksInBlock {
            document.links[link].sentence = sentence(around: range, in: block)
        }
    }

    /// At most this many bytes of a sentence are kept.
    private static var longest: Int { 240 }

    private func sentence(around link: Range<Int>, in block: Range<Int>) -> String {
        // Sentences longer than the limit are cut anyway: look no further.
        let earliest = max(block.lowerBound, link.lowerBound - Self.longest)
        var start = link.lowerBound
        while start > earliest, !isSentenceEnd(before: start, in: block) { start -= 1 }
        // Not into the middle of a character.
        while start < link.lowerBound, text[start] & 0xC0 == 0x80 { start += 1 }
        let isCutInFront =
            start == earliest && start > block.lowerBound
            && !isSentenceEnd(before: start, in: block)
        let latest = min(block.upperBound, max(start, link.upperBound) + Self.longest)
        var end = min(link.upperBound, latest)
        while end < latest, !(end > link.upperBound && isSentenceEnd(before: end, in: block)) {
            end += 1
        }
        while end > link.upperBound, end < block.upperBound, text[end] & 0xC0 == 0x80 {
            end -= 1
        }
        let whole = foldedText(start..<max(start, end))
        let room = Self.longest
        guard whole.utf8.count > room || isCutInFront else { return whole }
        return cut(whole, around: foldedText(start..<link.lowerBound).utf8.count, to: room)
    }

    /// Whether a sentence ends before `index`: a full stop, a question or
    /// exclamation mark before a blank, or a mark of the scripts without
    /// blanks.
    private func isSentenceEnd(before index: Int, in block: Range<Int>) -> Bool {
        guard index > block.lowerBound else { return true }
        let last = text[index - 1]
        if last.isSpace, index - 1 > block.lowerBound {
            switch text[index - 2] {
            case .ascii("."), .ascii("!"), .ascii("?"): return true
            default: return false
            }
        }
        // U+3002, U+FF01 and U+FF1F.
        guard index - 3 >= block.lowerBound else { return false }
        switch (text[index - 3], text[index - 2], last) {
        case (0xE3, 0x80, 0x82), (0xEF, 0xBC, 0x81), (0xEF, 0xBC, 0x9F): return true
        default: return false
        }
    }

    /// Cuts a text between graphemes so that what stands at `offset` stays.
    private func cut(_ whole: String, around offset: Int, to room: Int) -> String {
        // Two thirds of the room may stand in front of the link.
        let skip = max(0, min(offset - room * 2 / 3, whole.utf8.count - room))
        var result = ""
        var position = 0
        var isCutBehind = false
        for character in whole {
            let width = character.utf8.count
            if position >= skip {
                guard result.utf8.count + width <= room else {
                    isCutBehind = true
                    break
                }
                result.append(character)
            }
            position += width
        }
        return (skip > 0 ? "…" : "") + result + (isCutBehind ? "…" : "")
    }
}
