import YAML

/// Reads TOML's keys and values byte by byte.
struct TOMLScanner {
    private let bytes: [UInt8]
    private let end: Int
    private var position: Int

    /// A scanner at the start of `range`.
    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        end = range.upperBound
        position = range.lowerBound
    }

    /// The byte so many further on; nil behind the end.
    func peek(_ offset: Int = 0) -> UInt8? {
        position + offset < end ? bytes[position + offset] : nil
    }

    mutating func advance(_ count: Int) { position += count }

    private func fault(_ reason: TOMLError.Reason, from start: Int? = nil) -> TOMLError {
        let start = min(start ?? position, max(0, end - 1))
        return TOMLError(
            reason: reason, range: start..<max(start, min(max(position, start + 1), end)))
    }

    // MARK: Blanks

    private mutating func skipBlanks() {
        while let byte = peek(), byte == 0x20 || byte == 0x09 { position += 1 }
    }

    private mutating func skipComment() {
        guard peek() == UInt8(ascii: "#") else { return }
        while let byte = peek(), byte != 0x0A, byte != 0x0D { position += 1 }
    }

    /// Steps over blank lines and comments.
    mutating func skipBlankLines() {
        while true {
            skipBlanks()
            skipComment()
            guard let byte = peek(), byte == 0x0A || byte == 0x0D else { return }
            position += 1
        }
    }

    /// Expects nothing more on the line.
    mutating func endLine() throws(TOMLError) {
        skipBlanks()
        skipComment()
        guard let byte = peek(), byte != 0x0A, byte != 0x0D else { return }
        throw fault(.expected("the end of the line"))
    }

    /// Expects certain characters, blanks before them allowed.
    mutating func expect(_ text: String) throws(TOMLError) {
        skipBlanks()
        guard position + text.utf8.count <= end,
            bytes[position..<position + text.utf8.count].elementsEqual(text.utf8)
        else { throw fault(.expected("`\(text)`")) }
        position += text.utf8.count
    }

    // MARK: Keys

    /// Reads a key, possibly of several parts with dots between them.
    mutating func keys() throws(TOMLError) -> [(name: String, range: Range<Int>)] {
        var keys: [(name: String, range: Range<Int>)] = []
        repeat {
            if !keys.isEmpty { position += 1 }
            skipBlanks()
            let start = position
            let name: String
            switch peek() {
            case UInt8(ascii: "\"")?, UInt8(ascii: "'")?: name = try string()
            default:
                while let byte = peek(), Self.isBare(byte) { position += 1 }
                guard position > start else { throw fault(.expected("a key")) }
                name = String(decoding: bytes[start..<position], as: UTF8.self)
            }
            keys.append((name, start..<position))
            skipBlanks()
        } while peek() == UInt8(ascii: ".")
        return keys
    }

    private static func isBare(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }

    // MARK: Values

    /// Reads a value that lies in `depth` others.
    mutating func value(depth: Int) throws(TOMLError) -> YAMLNode {
        skipBlanks()
        guard depth < TOMLDocument.maximalDepth else { throw fault(.tooDeep) }
        let start = position
        switch peek() {
        case UInt8(ascii: "\"")?, UInt8(ascii: "'")?:
            let text = try string()
            return YAMLNode(
                .scalar(YAMLScalar(text: text, isPlain: false)), at: start..<position)
        case UInt8(ascii: "[")?: return try list(depth: depth)
        case UInt8(ascii: "{")?: return try table(depth: depth)
        default: return try plain()
        }
    }

    private mutating func list(depth: Int) throws(TOMLError) -> YAMLNode {
        let start = position
        position += 1
        var items: [YAMLNode] = []
        while true {
            skipBlankLines()
            guard let byte = peek() else { throw fault(.unclosed("a list"), from: start) }
            if byte == UInt8(ascii: "]") { break }
            items.append(try value(depth: depth + 1))
            skipBlankLines()
            if peek() == UInt8(ascii: ",") {
                position += 1
            } else if peek() == nil {
                throw fault(.unclosed("a list"), from: start)
            } else if peek() != UInt8(ascii: "]") {
                throw fault(.expected("`,` or `]`"))
            }
        }
        position += 1
        return YAMLNode(.sequence(items), at: start..<position)
    }

    private mutating func table(depth: Int) throws(TOMLError) -> YAMLNode {
        let start = position
        position += 1
        var pairs: [(keys: [(name: String, range: Range<Int>)], value: YAMLNode)] = []
        skipBlanks()
        while peek() != UInt8(ascii: "}") {
            guard let byte = peek(), byte != 0x0A, byte != 0x0D else {
                throw fault(.unclosed("a table"), from: start)
            }
            let keys = try keys()
            try expect("=")
            pairs.append((keys, try value(depth: depth + 1)))
            skipBlanks()
            if peek() == UInt8(ascii: ",") {
                position += 1
                skipBlanks()
                if peek() == UInt8(ascii: "}") { throw fault(.expected("a key")) }
            } else if peek() != UInt8(ascii: "}") {
                throw fault(.expected("`,` or `}`"))
            }
        }
        position += 1
        return YAMLNode(
            .mapping(try TOMLDocument.inlineTable(pairs)), at: start..<position)
    }

    /// A number, a truth value or a time, whose characters are kept.
    private mutating func plain() throws(TOMLError) -> YAMLNode {
        let start = position
        while let byte = peek(), Self.isBare(byte) || ".+:".utf8.contains(byte) { position += 1 }
        // A blank may stand between the date and the time.
        if position - start == 10, peek() == 0x20, let next = peek(1), next >= 0x30, next <= 0x39,
            bytes[start + 4] == UInt8(ascii: "-")
        {
            position += 1
            while let byte = peek(), Self.isBare(byte) || ".+:".utf8.contains(byte) {
                position += 1
            }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let shown = Self.shown(text) else {
            position = max(position, start + 1)
            throw fault(.expected("a value"), from: start)
        }
        return YAMLNode(.scalar(YAMLScalar(text: shown, isPlain: true)), at: start..<position)
    }

    /// The characters that a plain value comes to; nil where it is none.
    private static func shown(_ text: String) -> String? {
        if text == "true" || text == "false" { return text }
        let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
        if digits == "inf" || digits == "nan" { return text }
        guard let first = digits.utf8.first, first >= 0x30, first <= 0x39 else { return nil }
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where digits.hasPrefix(prefix) {
            return Int(digits.dropFirst(2).filter { $0 != "_" }, radix: radix).map { String($0) }
        }
        if digits.contains(":") || digits.dropFirst(4).first == "-" { return text }
        let number = text.filter { $0 != "_" }
        guard !text.hasSuffix("_"), Double(number) != nil else { return nil }
        return number.hasPrefix("+") ? String(number.dropFirst()) : number
    }

    // MARK: Strings

    private mutating func string() throws(TOMLError) -> String {
        let quote = bytes[position]
        if peek(1) == quote, peek(2) == quote { return try longString(quote) }
        let start = position
        position += 1
        var text: [UInt8] = []
        while true {
            guard let byte = peek(), byte != 0x0A, byte != 0x0D else {
                throw fault(.unclosed("a quote"), from: start)
            }
            if byte == quote { break }
            if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                try appendEscape(to: &text)
            } else {
                text.append(byte)
                position += 1
            }
        }
        position += 1
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func longString(_ quote: UInt8) throws(TOMLError) -> String {
        let start = position
        position += 3
        // A line break directly behind the quotes does not count.
        if peek() == 0x0D { position += 1 }
        if peek() == 0x0A { position += 1 }
        var text: [UInt8] = []
        while true {
            guard let byte = peek() else { throw fault(.unclosed("a quote"), from: start) }
            if byte == quote, peek(1) == quote, peek(2) == quote {
                position += 3
                // Up to two quotes more belong to the text.
                for _ in 0..<2 where peek() == quote {
                    text.append(quote)
                    position += 1
                }
                return String(decoding: text, as: UTF8.self)
            }
            if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                if !skipEscapedLineEnd() { try appendEscape(to: &text) }
            } else {
                if byte != 0x0D || peek(1) != 0x0A { text.append(byte) }
                position += 1
            }
        }
    }

    /// Steps over a backslash at a line's end and the blanks behind it.
    private mutating func skipEscapedLineEnd() -> Bool {
        var index = position + 1
        while index < end, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
        guard index < end, bytes[index] == 0x0A || bytes[index] == 0x0D else { return false }
        while index < end, bytes[index] <= 0x20 { index += 1 }
        position = index
        return true
    }

    private mutating func appendEscape(to text: inout [UInt8]) throws(TOMLError) {
        let start = position
        position += 2
        switch start + 1 < end ? bytes[start + 1] : 0 {
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "\""): text.append(UInt8(ascii: "\""))
        case UInt8(ascii: "\\"): text.append(UInt8(ascii: "\\"))
        case UInt8(ascii: "u"): try appendScalar(4, from: start, to: &text)
        case UInt8(ascii: "U"): try appendScalar(8, from: start, to: &text)
        default: throw fault(.escape, from: start)
        }
    }

    private mutating func appendScalar(
        _ digits: Int, from start: Int, to text: inout [UInt8]
    ) throws(TOMLError) {
        guard position + digits <= end,
            let value = UInt32(
                String(decoding: bytes[position..<position + digits], as: UTF8.self), radix: 16),
            let scalar = Unicode.Scalar(value)
        else { throw fault(.escape, from: start) }
        position += digits
        text += String(Character(scalar)).utf8
    }
}
