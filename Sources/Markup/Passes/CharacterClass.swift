import Bytes

/// What a character is to the rules of emphasis.
enum CharacterClass {
    case space, punctuation, other

    /// The class of the character that begins at `index`; the end of the text
    /// counts as a blank.
    init(of text: [UInt8], at index: Int) {
        guard index < text.count else {
            self = .space
            return
        }
        self.init(text, index)
    }

    /// The class of the character before `index`; the start of the text
    /// counts as a blank.
    init(of text: [UInt8], before index: Int) {
        guard index > 0 else {
            self = .space
            return
        }
        var start = index - 1
        while start > 0, text[start] & 0xC0 == 0x80 { start -= 1 }
        self.init(text, start)
    }

    private init(_ text: [UInt8], _ index: Int) {
        let byte = text[index]
        if byte < 128 {
            // NUL stands for a mark, whose edges are punctuation.
            self =
                byte.isSpace
                ? .space : byte.isPunctuation || byte == LongSpan.standIn ? .punctuation : .other
            return
        }
        guard let scalar = Unicode.Scalar(utf8: text, at: index) else {
            self = .other
            return
        }
        if scalar.properties.generalCategory == .spaceSeparator {
            self = .space
        } else {
            self = UnicodeText.isPunctuation(scalar) ? .punctuation : .other
        }
    }

    /// The bytes of an edge that shows this class.
    var edge: UInt8 {
        switch self {
        case .space: 3
        case .punctuation: 1
        case .other: 0
        }
    }
}

extension Unicode.Scalar {
    /// The scalar whose UTF-8 begins at `index`, or nil where none does.
    init?(utf8 text: [UInt8], at index: Int) {
        let byte = text[index]
        let count = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        guard index + count <= text.count else { return nil }
        var value = count == 1 ? UInt32(byte) : UInt32(byte) & (0x7F >> UInt32(count))
        for offset in 1..<max(count, 1) where count > 1 {
            value = value << 6 | UInt32(text[index + offset] & 0x3F)
        }
        self.init(value)
    }

    /// How many bytes it takes in UTF-8.
    var utf8Count: Int {
        value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x10000 ? 3 : 4
    }
}
