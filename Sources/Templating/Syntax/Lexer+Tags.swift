// What stands between `{{` and `}}`, `{%` and `%}`.

extension Lexer {
    /// Why the rest of a tag is given up.
    private enum Stop: Error {
        case complained
        case unclosed
    }

    /// Adds the tokens of the tag that opens at `mark`.
    mutating func addTag(from mark: Int, closing: UInt8) {
        let isPrint = closing == Ascii.closeBrace
        add(isPrint ? .printStart : .tagStart, from: mark, to: position)
        do {
            try addTokens(closing: closing)
        } catch {
            let place = position
            add(.invalid, from: place, to: place)
            switch error {
            case .unclosed: complain(.unclosedTag(isPrint ? "{{" : "{%"), mark..<mark + 2)
            case .complained: skipTag(closing: closing)
            }
            add(isPrint ? .printEnd : .tagEnd, from: position, to: position)
        }
    }

    /// Goes behind the end of a tag whose inside is not understood, or to the
    /// next tag.
    private mutating func skipTag(closing: UInt8) {
        while position < end, !isMark(position) {
            if bytes[position] == closing, byte(position + 1) == Ascii.closeBrace {
                position += 2
                return
            }
            position += 1
        }
    }

    private mutating func addTokens(closing: UInt8) throws(Stop) {
        var open: [Token.Sign] = []
        while true {
            skipBlanks()
            guard position < end, !isMark(position) else { throw .unclosed }
            if open.isEmpty, addEnd(closing: closing) { return }
            let start = position
            let (scalar, width) = scalar(at: position)
            switch bytes[position] {
            case Ascii.quote, Ascii.apostrophe: try addString()
            case 0x30...0x39: try addNumber()
            case Ascii.underscore, 0x41...0x5A, 0x61...0x7A: addName()
            case 0x80... where scalar.properties.isXIDStart: addName()
            default:
                guard let sign = sign() else {
                    complain(.unexpectedCharacter(String(scalar)), start..<start + width)
                    throw .complained
                }
                if let closing = sign.closing { open.append(closing) }
                if sign.isClosing {
                    let expected = open.popLast()
                    if expected != sign {
                        let problem = TemplateProblem.unbalanced(
                            found: sign.rawValue, expected: expected?.rawValue)
                        complain(problem, start..<start + 1)
                        throw .complained
                    }
                }
                position += sign.rawValue.utf8.count
                add(.sign(sign), from: start, to: position)
            }
        }
    }

    private mutating func addEnd(closing: UInt8) -> Bool {
        let start = position
        var place = position
        let first = byte(place)
        let cuts = first == Ascii.minus
        if cuts || (first == Ascii.plus && closing == Ascii.percent) { place += 1 }
        guard byte(place) == closing, byte(place + 1) == Ascii.closeBrace else { return false }
        position = place + 2
        add(closing == Ascii.percent ? .tagEnd : .printEnd, from: start, to: position)
        if cuts { skipBlanks() }
        return true
    }

    private func sign() -> Token.Sign? {
        let first = Character(Unicode.Scalar(bytes[position]))
        if let second = byte(position + 1), second < 0x80,
            let sign = Token.Sign(rawValue: "\(first)\(Character(Unicode.Scalar(second)))")
        {
            return sign
        }
        return Token.Sign(rawValue: String(first))
    }

    private mutating func addName() {
        let start = position
        while position < end {
            let (scalar, width) = scalar(at: position)
            guard scalar.properties.isXIDContinue else { break }
            position += width
        }
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        add(.name(name), from: start, to: position)
    }

    // MARK: Numbers

    private mutating func addNumber() throws(Stop) {
        let start = position
        if bytes[start] == Ascii.zero, let letter = byte(start + 1),
            let radix = [0x62: 2, 0x6F: 8, 0x78: 16][Int(letter | 0x20)]
        {
            position += 2
            let digits = takeWhile { byte in
                Ascii.isDigit(byte) || (radix == 16 && (byte | 0x20) >= 0x61 && byte | 0x20 <= 0x66)
            }
            return try addInteger(digits, radix: radix, from: start)
        }
        var text = takeWhile(Ascii.isDigit)
        var isFraction = false
        // Behind a dot a number is an index: `pair.0.1`.
        let isIndex = start > 0 && bytes[start - 1] == Ascii.dot
        if !isIndex, byte(position) == Ascii.dot, Ascii.isDigit(byte(position + 1)) {
            position += 1
            text += "." + takeWhile(Ascii.isDigit)
            isFraction = true
        }
        if !isIndex, let letter = byte(position), letter | 0x20 == 0x65, let next = exponentStart()
        {
            text += "e" + String(decoding: bytes[position + 1..<next], as: UTF8.self)
            position = next
            text += takeWhile(Ascii.isDigit)
            isFraction = true
        }
        guard isFraction else { return try addInteger(text, radix: 10, from: start) }
        guard let number = Double(text) else { throw invalidNumber(start) }
        add(.number(number), from: start, to: position)
    }

    private func exponentStart() -> Int? {
        var place = position + 1
        if byte(place) == Ascii.plus || byte(place) == Ascii.minus { place += 1 }
        return Ascii.isDigit(byte(place)) ? place : nil
    }

    /// Digits, with a single `_` allowed between two of them.
    private mutating func takeWhile(_ isDigit: (UInt8) -> Bool) -> String {
        var digits: [UInt8] = []
        while let byte = byte(position) {
            if isDigit(byte) {
                digits.append(byte)
            } else if byte != Ascii.underscore || !(self.byte(position + 1).map(isDigit) ?? false) {
                break
            }
            position += 1
        }
        return String(decoding: digits, as: UTF8.self)
    }

    private mutating func addInteger(
        _ digits: String, radix: Int, from start: Int
    ) throws(Stop) {
        let hasLeadingZero = radix == 10 && digits.utf8.first == Ascii.zero
        guard let number = Int(digits, radix: radix), !hasLeadingZero || number == 0 else {
            throw invalidNumber(start)
        }
        add(.integer(number), from: start, to: position)
    }

    private mutating func invalidNumber(_ start: Int) -> Stop {
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        complain(.invalidNumber(text), start..<position)
        return .complained
    }

    // MARK: Texts

    private mutating func addString() throws(Stop) {
        let start = position
        let quote = bytes[start]
        var place = start + 1
        while place < end, bytes[place] != quote {
            place += bytes[place] == Ascii.backslash ? 2 : 1
        }
        guard place < end else {
            complain(.unclosedText, start..<start + 1)
            position = start + 1
            throw .complained
        }
        position = place + 1
        let plain = withPlainLineBreaks(start + 1..<place)
        switch EscapeSequences.resolve(plain) {
        case .success(let text): add(.string(text), from: start, to: position)
        case .failure(let sequence):
            complain(.invalidEscape(sequence.text), start..<position)
            throw .complained
        }
    }
}
