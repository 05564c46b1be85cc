/// Breaks one line into lines of a width, as Python's `textwrap` does.
struct WordWrapper {
    let width: Int
    let breaksLongWords: Bool
    let breaksOnHyphens: Bool

    func wrap(_ line: String) -> [String] {
        var chunks = Array(chunks(Array(line.unicodeScalars)).reversed())
        var lines: [String] = []
        while !chunks.isEmpty {
            var current: [[Unicode.Scalar]] = []
            var length = 0
            if !lines.isEmpty, let last = chunks.last, Self.isBlank(last) { chunks.removeLast() }
            while let next = chunks.last, length + next.count <= width {
                current.append(next)
                length += next.count
                chunks.removeLast()
            }
            if let next = chunks.last, next.count > width {
                breakWord(&chunks, into: &current, room: width - length)
            }
            if let last = current.last, Self.isBlank(last) { current.removeLast() }
            guard !current.isEmpty else { continue }
            var text = ""
            for chunk in current { text.unicodeScalars.append(contentsOf: chunk) }
            lines.append(text)
        }
        return lines
    }

    private func breakWord(
        _ chunks: inout [[Unicode.Scalar]], into current: inout [[Unicode.Scalar]], room: Int
    ) {
        guard let word = chunks.last else { return }
        guard breaksLongWords else {
            if current.isEmpty {
                current.append(word)
                chunks.removeLast()
            }
            return
        }
        var end = room
        if breaksOnHyphens, word.count > room, let hyphen = word[..<room].lastIndex(of: "-"),
            hyphen > 0, word[..<hyphen].contains(where: { $0 != "-" })
        {
            end = hyphen + 1
        }
        current.append(Array(word[..<end]))
        chunks[chunks.count - 1] = Array(word[end...])
    }

    // MARK: Chunks: blanks, words, parts of hyphenated words, dashes

    private func chunks(_ text: [Unicode.Scalar]) -> [[Unicode.Scalar]] {
        var chunks: [[Unicode.Scalar]] = []
        var start = 0
        while start < text.count {
            let end = endOfChunk(text, from: start)
            chunks.append(Array(text[start..<end]))
            start = end
        }
        return chunks
    }

    private func endOfChunk(_ text: [Unicode.Scalar], from start: Int) -> Int {
        var end = start + 1
        if Self.isBlank(text[start]) {
            while end < text.count, Self.isBlank(text[end]) { end += 1 }
            return end
        }
        if breaksOnHyphens, start > 0, Self.isPunctuated(text[start - 1]),
            let dash = endOfDash(text, from: start)
        {
            return dash
        }
        while end < text.count, !Self.isBlank(text[end]) {
            if breaksOnHyphens {
                if endsPart(text, at: end) { return end + 1 }
                if Self.isPunctuated(text[end - 1]), endOfDash(text, from: end) != nil {
                    return end
                }
            }
            end += 1
        }
        return end
    }

    /// Two hyphens or more with a word behind them.
    private func endOfDash(_ text: [Unicode.Scalar], from start: Int) -> Int? {
        var end = start
        while end < text.count, text[end] == "-" { end += 1 }
        guard end - start >= 2, end < text.count, text[end].isWordCharacter else { return nil }
        return end
    }

    /// Whether a hyphen may end a line: two letters before it, two behind it.
    private func endsPart(_ text: [Unicode.Scalar], at place: Int) -> Bool {
        func letter(_ index: Int) -> Bool {
            text.indices.contains(index) && Self.isLetter(text[index])
        }
        guard text[place] == "-", letter(place + 1) else { return false }
        let next = place + 2
        let isFollowed =
            letter(next) || (next < text.count && text[next] == "-" && letter(next + 1))
        guard isFollowed else { return false }
        if letter(place - 1), letter(place - 2) { return true }
        return place >= 3 && Self.isPunctuated(text[place - 1]) && text[place - 2] == "-"
            && letter(place - 3)
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || (0x09...0x0D).contains(scalar.value)
    }

    private static func isBlank(_ chunk: [Unicode.Scalar]) -> Bool {
        chunk.allSatisfy(\.isPythonBlank)
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isWordCharacter && scalar.properties.generalCategory != .decimalNumber
    }

    private static func isPunctuated(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isWordCharacter || "!\"'&.,?".unicodeScalars.contains(scalar)
    }
}
