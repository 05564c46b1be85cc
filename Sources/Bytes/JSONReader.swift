/// Why a text is no JSON that is read here.
package struct JSONError: Error, Equatable {
    /// What was found, in words.
    package var reason: String
    /// Where, in bytes.
    package var place: Int
}

extension JSONValue {
    /// How deep lists and objects may be nested.
    package static let maximalDepth = 32

    /// Reads a text (RFC 8259). Numbers are whole; of a key that stands twice
    /// the first counts.
    package init(parsing bytes: [UInt8]) throws(JSONError) {
        var reader = JSONReader(bytes)
        self = try reader.readAll()
    }

    /// The value of a key; nil where this is no object, or has no such key.
    package subscript(key: String) -> JSONValue? {
        guard case .members(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// The text; nil where this is none.
    package var string: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The number; nil where this is none.
    package var integer: Int? {
        if case .number(let number) = self { number } else { nil }
    }

    /// The truth; nil where this is none.
    package var truth: Bool? {
        if case .boolean(let truth) = self { truth } else { nil }
    }

    /// The values of a list; nil where this is none.
    package var list: [JSONValue]? {
        if case .array(let values) = self { values } else { nil }
    }
}

/// Reads JSON by descent; how deep is limited.
private struct JSONReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func readAll() throws(JSONError) -> JSONValue {
        let value = try readValue(depth: 0)
        skipBlanks()
        guard index == bytes.count else { throw error("expected nothing more") }
        return value
    }

    private func error(_ reason: String) -> JSONError { JSONError(reason: reason, place: index) }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            index += 1
        }
    }

    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard next == UInt8(ascii: byte) else { return false }
        index += 1
        return true
    }

    private mutating func readValue(depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= JSONValue.maximalDepth else { throw error("nested too deep") }
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"): return try readObject(depth: depth)
        case UInt8(ascii: "["): return try readArray(depth: depth)
        case UInt8(ascii: "\""): return .text(try readText())
        case UInt8(ascii: "t"): return try readWord("true", .boolean(true))
        case UInt8(ascii: "f"): return try readWord("false", .boolean(false))
        case UInt8(ascii: "n"): return try readWord("null", .null)
        default: return .number(try readNumber())
        }
    }

    private mutating func readWord(
        _ word: String, _ value: JSONValue
    ) throws(JSONError) -> JSONValue {
        guard bytes[index...].starts(with: word.utf8) else { throw error("expected a value") }
        index += word.utf8.count
        return value
    }

    private mutating func readNumber() throws(JSONError) -> Int {
        let start = index
        while let byte = next, byte >= 0x30 && byte <= 0x39 || byte == UInt8(ascii: "-") {
            index += 1
        }
        guard let number = Int(String(decoding: bytes[start..<index], as: UTF8.self)) else {
            index = start
            throw error("expected a value")
        }
        return number
    }

    private mutating func readArray(depth: Int) throws(JSONError) -> JSONValue {
        index += 1
        var values: [JSONValue] = []
        if take("]") { return .array(values) }
        repeat { values.append(try readValue(depth: depth + 1)) } while take(",")
        guard take("]") else { throw error("expected `]`") }
        return .array(values)
    }

    private mutating func readObject(depth: Int) throws(JSONError) -> JSONValue {
        index += 1
        var members: [JSONValue.Member] = []
        if take("}") { return .members(members) }
        repeat {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw error("expected a key") }
            let key = try readText()
            guard take(":") else { throw error("expected `:`") }
            members.append(.init(key: key, value: try readValue(depth: depth + 1)))
        } while take(",")
        guard take("}") else { throw error("expected `}`") }
        return .members(members)
    }

    private mutating func readText() throws(JSONError) -> String {
        index += 1
        var text: [UInt8] = []
        while true {
            let start = index
            while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"),
                byte >= 0x20
            {
                index += 1
            }
            text += bytes[start..<index]
            switch next {
            case UInt8(ascii: "\""):
                index += 1
                guard let text = String(validating: text, as: UTF8.self) else {
                    throw error("expected UTF-8")
                }
                return text
            case UInt8(ascii: "\\"):
                index += 1
                text += try readEscape().utf8
            default: throw error("expected the end of a text")
            }
        }
    }

    private mutating func readEscape() throws(JSONError) -> String {
        let byte = next
        index += 1
        switch byte {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "u"):
            var units = [try readUnit()]
            if UTF16.isLeadSurrogate(units[0]), bytes[index...].starts(with: "\\u".utf8) {
                index += 2
                units.append(try readUnit())
            }
            // Half of a pair is no character.
            return String(decoding: units, as: UTF16.self)
        default:
            index -= 1
            throw error("expected an escape")
        }
    }

    private mutating func readUnit() throws(JSONError) -> UInt16 {
        let digits = bytes[index...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ $0 != 0x2B && $0 != 0x2D }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw error("expected four digits") }
        index += 4
        return unit
    }
}
