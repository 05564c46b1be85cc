/// A level-1 heading that opens a body and so gives the title, written with `#`.
struct LeadingHeading {
    /// Its text: as it is read where it is plain, else as it is written.
    let text: String
    /// Whether nothing in it is marked up.
    let isPlain: Bool
    /// Where that stands in the file.
    let range: Range<Int>

    init?(in bytes: [UInt8], from start: Int) {
        var place = start
        while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) {
            place += 1
        }
        guard place + 1 < bytes.count, bytes[place] == UInt8(ascii: "#"),
            bytes[place + 1] == 0x20 || bytes[place + 1] == 0x09
        else { return nil }
        // Four blanks before it make it code.
        let line = bytes[..<place].lastIndex { $0 == 0x0A || $0 == 0x0D } ?? start - 1
        guard place - line <= 4 else { return nil }
        var first = place + 1
        var end = first
        while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
        while first < end, bytes[first] == 0x20 || bytes[first] == 0x09 { first += 1 }
        while end > first, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        end = HeadingText.end(of: bytes[first..<end])
        guard first < end else { return nil }
        range = first..<end
        let written = String(decoding: bytes[range], as: UTF8.self)
        isPlain = HeadingText.isPlain(written)
        text = isPlain ? HeadingText.read(written) : written
    }
}

/// Plain text as the text of a heading, where punctuation may mean more than
/// itself.
enum HeadingText {
    /// How a text is written so that it is read as it stands: with a backslash only
    /// where the character would begin something (CommonMark 0.30, 2.4).
    static func written(_ text: String) -> String {
        let characters = Array(text.trimmingWhitespace())
        var result = ""
        for (index, character) in characters.enumerated() {
            if begins(characters, at: index) { result.append("\\") }
            result.append(character)
        }
        return result
    }

    /// Whether the character at an index begins something, or ends the heading.
    private static func begins(_ characters: [Character], at index: Int) -> Bool {
        let (character, rest) = (characters[index], characters[index...])
        let before = index > 0 ? characters[index - 1] : " "
        let next = index + 1 < characters.count ? characters[index + 1] : " "
        return switch character {
        case "`", "[", "$": true
        // What cannot open emphasis closes none either.
        case "*": !next.isWhitespace
        case "_": !next.isWhitespace && !before.isWordPart
        case "<": next.isLetter || "/!?".contains(next)
        case "\\": next.isASCII && (next.isPunctuation || next.isSymbol)
        case "~", "=", "%": next == character || before == character
        case "{": next == "{" || next == "%" || rest.last == "}"
        // A reference to a character, a tag, the end of the heading, a block's id.
        case "&": next == "#" || next.isLetter && rest.dropFirst().first { !$0.isWordPart } == ";"
        case "#", "^": before.isWhitespace
        default: false
        }
    }

    /// The text that is meant by what is written, where that is plain.
    static func read(_ written: String) -> String {
        String(characters(of: written).map(\.character))
    }

    /// Whether nothing that is written begins anything.
    static func isPlain(_ written: String) -> Bool {
        let found = characters(of: written)
        let characters = found.map(\.character)
        return found.indices.allSatisfy {
            found[$0].isEscaped || !begins(characters, at: $0)
        }
    }

    private static func characters(
        of written: String
    ) -> [(character: Character, isEscaped: Bool)] {
        var result: [(character: Character, isEscaped: Bool)] = []
        var isEscaped = false
        for character in written {
            let isPunctuation = character.isASCII && (character.isPunctuation || character.isSymbol)
            if isEscaped, isPunctuation {
                result.append((character, true))
                isEscaped = false
                continue
            }
            if isEscaped { result.append(("\\", false)) }
            isEscaped = character == "\\"
            if !isEscaped { result.append((character, false)) }
        }
        if isEscaped { result.append(("\\", false)) }
        return result
    }

    /// Where the text ends of what stands in a heading's line, before a closing
    /// `#`, attributes (`{#id}`) or a block's id (`^id`), which stay.
    static func end(of line: ArraySlice<UInt8>) -> Int {
        var end = line.endIndex
        func word() -> Range<Int> {
            let start = line[..<end].lastIndex { $0 == 0x20 || $0 == 0x09 }.map { $0 + 1 }
            return (start ?? line.startIndex)..<end
        }
        while end > line.startIndex {
            let last = word()
            let isClosing = line[last].allSatisfy { $0 == UInt8(ascii: "#") }
            let isID = last.count > 1 && line[last.lowerBound] == UInt8(ascii: "^")
            let opening = line[..<end].lastIndex(of: UInt8(ascii: "{"))
            let isAttributes =
                line[end - 1] == UInt8(ascii: "}")
                && opening.map { $0 == line.startIndex || line[$0 - 1] == 0x20 } == true
            if isAttributes, let opening {
                end = opening
            } else if isClosing || isID {
                end = last.lowerBound
            } else {
                break
            }
            while end > line.startIndex, line[end - 1] == 0x20 || line[end - 1] == 0x09 { end -= 1 }
        }
        return end
    }
}

extension Character {
    fileprivate var isWordPart: Bool { isLetter || isNumber }
}
