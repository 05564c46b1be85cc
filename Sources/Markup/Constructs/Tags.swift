import Bytes

extension InlinePass {
    /// Finds a `#tag`.
    ///
    /// It stands at the start of a text, behind white space or right behind a
    /// raw tag. Letters, digits and marks of every script, emoji, `_`, `-` and
    /// `/` belong to it; one of them at least is no digit.
    mutating func findTag(start: Int) -> Bool {
        guard
            position == start || position == tagEnd
                || CharacterClass(of: text, before: position) == .space, !isInAttributeList
        else { return false }
        var end = position + 1
        var hasName = false
        while end < text.count {
            let byte = text[end]
            if byte < 128 {
                guard
                    byte.isAlphanumeric || byte == .ascii("_") || byte == .ascii("-")
                        || byte == .ascii("/")
                else { break }
                hasName = hasName || byte.isLetter || byte == .ascii("_") || byte == .ascii("-")
                end += 1
                continue
            }
            guard let scalar = Unicode.Scalar(utf8: text, at: end), Self.isTagScalar(scalar)
            else { break }
            hasName = true
            end += scalar.utf8Count
        }
        while text[end - 1] == .ascii("/") { end -= 1 }
        guard hasName, end > position + 1 else { return false }
        add(.tag, position..<end)
        return true
    }

    /// Whether the text at hand is Kramdown's `{: #id}`.
    private var isInAttributeList: Bool {
        position > 2 && text[position - 1] == 32 && text[position - 2] == .ascii(":")
            && text[position - 3] == .ascii("{")
    }

    private static func isTagScalar(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control,
            .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation:
            false
        // What stands for bytes that were no text is no name either.
        default: scalar != "\u{FFFD}"
        }
    }
}

extension HTMLRenderer {
    /// Writes a tag: a hole on either side of it as it was typed.
    mutating func append(tag mark: Mark) {
        guard linkDepth == 0 else {
            append(text: marks.bytes, mark.text)
            return
        }
        let number = document.tags.count
        appendHole(.tagStart(number))
        append(text: marks.bytes, mark.text)
        appendHole(.tagEnd(number))
        document.tags.append(
            InlineTag(
                name: String(
                    decoding: marks.bytes[mark.text.dropFirst()], as: UTF8.self),
                span: mark.source))
    }
}
