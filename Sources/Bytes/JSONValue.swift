/// A JSON value that can be printed and read; keys keep their order.
package indirect enum JSONValue: Sendable, Equatable {
    /// Nothing.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A whole number.
    case number(Int)
    /// A text.
    case text(String)
    /// A list.
    case array([JSONValue])
    /// An object.
    case members([Member])

    /// A key with its value.
    package struct Member: Sendable, Equatable {
        /// The key.
        package var key: String
        /// The value.
        package var value: JSONValue
    }

    /// An object of pairs, in their order.
    package static func object(_ pairs: [(String, JSONValue)]) -> JSONValue {
        .members(pairs.map { Member(key: $0.0, value: $0.1) })
    }

    /// An object with further pairs; any other value as it is.
    package func adding(_ pairs: [(String, JSONValue)]) -> JSONValue {
        guard case .members(let members) = self, case .members(let more) = Self.object(pairs)
        else { return self }
        return .members(members + more)
    }

    /// An optional text; `null` where there is none.
    package static func optional(_ text: String?) -> JSONValue { text.map { .text($0) } ?? .null }

    /// The value on one line (RFC 8259).
    package var line: String {
        switch self {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .number(let value): String(value)
        case .text(let text): Self.quoted(text)
        case .array(let values): "[" + values.map(\.line).joined(separator: ", ") + "]"
        case .members(let members):
            "{" + members.map { Self.quoted($0.key) + ": " + $0.value.line }.joined(separator: ", ")
                + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
