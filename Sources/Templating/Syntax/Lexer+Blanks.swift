// Blanks as Python's `\s` and `strip` see them: those of Unicode too.

extension Lexer {
    /// The first place at or behind `start` that is no blank.
    func endOfBlanks(_ start: Int) -> Int {
        var place = start
        while place < end {
            let (scalar, width) = scalar(at: place)
            guard scalar.isPythonBlank else { return place }
            place += width
        }
        return place
    }

    mutating func skipBlanks() {
        position = endOfBlanks(position)
    }

    /// The end of a stretch of text without the blanks at its end.
    func endOfText(_ range: Range<Int>) -> Int {
        var place = range.upperBound
        while place > range.lowerBound {
            var start = place - 1
            while start > range.lowerBound, bytes[start] & 0xC0 == 0x80 { start -= 1 }
            guard scalar(at: start).scalar.isPythonBlank else { return place }
            place = start
        }
        return place
    }

    /// The code point that starts at a place; the text is valid UTF-8.
    func scalar(at place: Int) -> (scalar: Unicode.Scalar, width: Int) {
        if bytes[place] < 0x80 { return (Unicode.Scalar(bytes[place]), 1) }
        var iterator = bytes[place..<min(place + 4, bytes.count)].makeIterator()
        var decoder = UTF8()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else {
            return ("\u{FFFD}", 1)
        }
        return (scalar, UTF8.width(scalar))
    }
}

extension Unicode.Scalar {
    /// What Python's `str.isspace` holds for a blank.
    var isPythonBlank: Bool {
        switch value {
        case 0x09...0x0D, 0x1C...0x20: true
        case 0..<0x80: false
        default: properties.isWhitespace
        }
    }
}
