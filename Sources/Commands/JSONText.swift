/// A JSON value that can be printed; keys keep their order.
indirect enum JSONText {
    case null
    case boolean(Bool)
    case number(Int)
    case text(String)
    case array([JSONText])
    case object([(String, JSONText)])

    /// An optional text; `null` where there is none.
    static func optional(_ text: String?) -> JSONText { text.map { .text($0) } ?? .null }

    /// The value on one line (RFC 8259).
    var line: String {
        switch self {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .number(let value): String(value)
        case .text(let text): Self.quoted(text)
        case .array(let values): "[" + values.map(\.line).joined(separator: ", ") + "]"
        case .object(let pairs):
            "{" + pairs.map { Self.quoted($0.0) + ": " + $0.1.line }.joined(separator: ", ") + "}"
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
