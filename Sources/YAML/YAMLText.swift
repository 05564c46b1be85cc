/// Writes text so that every reader of YAML takes it for that text.
package enum YAMLText {
    /// A text as a scalar: plain where nothing in it could mean anything else,
    /// else in double quotes.
    package static func scalar(_ text: String) -> String {
        isPlain(text) ? text : quoted(text)
    }

    private static let words: Set<String> = [
        "true", "false", "yes", "no", "on", "off", "y", "n", "null", "nan", "inf",
    ]

    /// Whether a text stands for itself without quotes, also between brackets.
    package static func isPlain(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first.properties.isAlphabetic,
            text.last != " ", !words.contains(text.lowercased())
        else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
                || (0x30...0x39).contains(scalar.value)
                || " -'.()!?/_".unicodeScalars.contains(scalar)
        }
    }

    /// Whether YAML lets a character stand for itself in quotes; all others
    /// have four digits at most.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: false
        default: true
        }
    }

    /// A text as a scalar in double quotes.
    package static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                result += "\\"
                result.unicodeScalars.append(scalar)
            case _ where !isPrintable(scalar):
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
