/// Cuts a template into tokens.
///
/// Follows Jinja's defaults: `-` inside a tag's mark cuts the blanks beside
/// the tag, one line break at the end of the template is dropped, and every
/// line break in text becomes `\n`.
///
/// Complains and goes on: behind something invalid in a tag, at the tag's end.
struct Lexer {
    let bytes: [UInt8]
    /// Where the template ends, its last line break left out.
    let end: Int
    var position = 0
    var tokens: [Token] = []
    var problems: [PlacedProblem] = []

    /// Tokens of a whole template; the last one is `end`.
    static func tokens(of bytes: [UInt8]) -> (tokens: [Token], problems: [PlacedProblem]) {
        var lexer = Lexer(bytes)
        if let place = lexer.firstInvalidByte() {
            lexer.problems.append(PlacedProblem(problem: .invalidText, range: place..<place + 1))
        } else {
            lexer.run()
        }
        lexer.add(.end, from: lexer.end, to: lexer.end)
        return (lexer.tokens, lexer.problems)
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var end = bytes.count
        if end > 0, bytes[end - 1] == Ascii.newline {
            end -= 1
            if end > 0, bytes[end - 1] == Ascii.carriageReturn { end -= 1 }
        } else if end > 0, bytes[end - 1] == Ascii.carriageReturn {
            end -= 1
        }
        self.end = end
        // A byte order mark is no text.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = min(3, end) }
    }

    private func firstInvalidByte() -> Int? {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var place = 0
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): place += UTF8.width(scalar)
            case .emptyInput: return nil
            case .error: return place
            }
        }
    }

    private mutating func run() {
        while position < end {
            let start = position
            guard let mark = nextMark() else {
                addText(start..<end)
                position = end
                return
            }
            let cutsBlanks = byte(mark + 2) == Ascii.minus
            addText(start..<(cutsBlanks ? endOfText(start..<mark) : mark))
            position = mark + 2
            if cutsBlanks || byte(position) == Ascii.plus { position += 1 }
            switch bytes[mark + 1] {
            case Ascii.hash: skipComment(from: mark)
            case Ascii.percent where isWord("raw", closing: false) != nil: addRaw(from: mark)
            case Ascii.percent: addTag(from: mark, closing: Ascii.percent)
            default: addTag(from: mark, closing: Ascii.closeBrace)
            }
        }
    }

    func byte(_ place: Int) -> UInt8? {
        place < end ? bytes[place] : nil
    }

    /// The next `{{`, `{%` or `{#`.
    private func nextMark() -> Int? {
        var place = position
        while place + 1 < end {
            if bytes[place] == Ascii.openBrace, isMark(place) { return place }
            place += 1
        }
        return nil
    }

    func isMark(_ place: Int) -> Bool {
        guard byte(place) == Ascii.openBrace, let next = byte(place + 1) else { return false }
        return next == Ascii.openBrace || next == Ascii.percent || next == Ascii.hash
    }

    mutating func add(_ kind: Token.Kind, from start: Int, to end: Int) {
        tokens.append(Token(kind: kind, range: start..<end))
    }

    mutating func complain(_ problem: TemplateProblem, _ range: Range<Int>) {
        problems.append(PlacedProblem(problem: problem, range: range))
    }

    private mutating func addText(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        add(.text(withPlainLineBreaks(range)), from: range.lowerBound, to: range.upperBound)
    }

    /// The bytes with each CR LF and each CR as one LF.
    func withPlainLineBreaks(_ range: Range<Int>) -> [UInt8] {
        let slice = bytes[range]
        guard slice.contains(Ascii.carriageReturn) else { return Array(slice) }
        var result: [UInt8] = []
        var previous: UInt8 = 0
        for byte in slice {
            switch byte {
            case Ascii.carriageReturn: result.append(Ascii.newline)
            case Ascii.newline where previous == Ascii.carriageReturn: break
            default: result.append(byte)
            }
            previous = byte
        }
        return result
    }

    private mutating func skipComment(from mark: Int) {
        var place = position
        while place + 1 < end {
            if bytes[place] == Ascii.hash, bytes[place + 1] == Ascii.closeBrace {
                let cuts = place > position && bytes[place - 1] == Ascii.minus
                position = place + 2
                if cuts { skipBlanks() }
                return
            }
            place += 1
        }
        complain(.unclosedComment, mark..<mark + 2)
        position = end
    }

    /// Where the mark `%}` of a lone word ends, and whether it cuts blanks.
    private func isWord(_ word: StaticString, closing: Bool) -> (end: Int, cuts: Bool)? {
        var place = endOfBlanks(position)
        let isThere = word.withUTF8Buffer { letters in
            place + letters.count <= end
                && bytes[place..<place + letters.count].elementsEqual(letters)
        }
        guard isThere else { return nil }
        place = endOfBlanks(place + word.utf8CodeUnitCount)
        var cuts = false
        if byte(place) == Ascii.minus {
            cuts = true
            place += 1
        } else if closing, byte(place) == Ascii.plus {
            place += 1
        }
        guard byte(place) == Ascii.percent, byte(place + 1) == Ascii.closeBrace else {
            return nil
        }
        return (place + 2, cuts)
    }

    private mutating func addRaw(from mark: Int) {
        guard let opening = isWord("raw", closing: false) else { return }
        position = opening.end
        if opening.cuts { skipBlanks() }
        let start = position
        var place = start
        while place + 1 < end {
            defer { place += 1 }
            guard bytes[place] == Ascii.openBrace, bytes[place + 1] == Ascii.percent else {
                continue
            }
            position = place + 2
            let cuts = byte(position) == Ascii.minus
            if cuts || byte(position) == Ascii.plus { position += 1 }
            guard let closing = isWord("endraw", closing: true) else { continue }
            addText(start..<(cuts ? endOfText(start..<place) : place))
            position = closing.end
            if closing.cuts { skipBlanks() }
            return
        }
        complain(.unclosedRaw, mark..<opening.end)
        position = end
    }
}

/// Bytes with a meaning.
enum Ascii {
    static let newline: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let quote: UInt8 = 0x22
    static let hash: UInt8 = 0x23
    static let percent: UInt8 = 0x25
    static let apostrophe: UInt8 = 0x27
    static let plus: UInt8 = 0x2B
    static let minus: UInt8 = 0x2D
    static let dot: UInt8 = 0x2E
    static let zero: UInt8 = 0x30
    static let backslash: UInt8 = 0x5C
    static let underscore: UInt8 = 0x5F
    static let openBrace: UInt8 = 0x7B
    static let closeBrace: UInt8 = 0x7D

    static func isDigit(_ byte: UInt8?) -> Bool {
        byte.map { $0 >= 0x30 && $0 <= 0x39 } ?? false
    }
}
