import Bytes

/// Writes values as JSON that is safe inside a script element: `<`, `>`, `&`
/// and `'` are written as `\u003c` and so on, and everything outside ASCII
/// likewise. Keys are sorted, so that equal values have equal texts.
struct JSONText {
    private(set) var text = ""
    private let indent: Int?
    private let host: RenderHost

    init(indent: Int?, host: RenderHost) {
        self.indent = indent.map { max($0, 0) }
        self.host = host
    }

    mutating func append(_ value: TemplateValue, level: Int) throws(TemplateProblem) {
        try host.charge(1)
        try host.checkSize(text.utf8.count)
        switch value {
        case .missing, .none: text += "null"
        case .boolean(let flag): text += flag ? "true" : "false"
        case .integer(let number): text += String(number)
        case .number(let number):
            text +=
                number.isNaN
                ? "NaN"
                : number.isInfinite
                    ? (number < 0 ? "-Infinity" : "Infinity") : FloatText.shortest(number)
        case .string(let string): append(string)
        case .markup(let markup): append(markup.text)
        case .list(let elements), .tuple(let elements): try append(elements, level)
        case .dictionary(let dictionary): try append(dictionary, level)
        case .object(let object):
            if let shown = object.text() {
                append(shown)
            } else {
                try append(try value.elements(host), level)
            }
        case .undefined(let name): throw name.problem
        case .engine: throw .cannot("write as JSON", of: [value.kindName])
        }
    }

    private mutating func append(
        _ elements: [TemplateValue], _ level: Int
    ) throws(TemplateProblem) {
        text += "["
        for (place, element) in elements.enumerated() {
            separate(place, level + 1)
            try append(element, level: level + 1)
        }
        if !elements.isEmpty { breakLine(level) }
        text += "]"
    }

    private mutating func append(
        _ dictionary: TemplateDictionary, _ level: Int
    ) throws(TemplateProblem) {
        var entries: [(key: String, value: TemplateValue)] = []
        for (place, key) in dictionary.keys.enumerated() {
            entries.append((try name(key), dictionary.values[place]))
        }
        entries.sort { $0.key.precedes($1.key) }
        text += "{"
        for (place, entry) in entries.enumerated() {
            separate(place, level + 1)
            append(entry.key)
            text += ": "
            try append(entry.value, level: level + 1)
        }
        if !entries.isEmpty { breakLine(level) }
        text += "}"
    }

    private func name(_ key: TemplateValue) throws(TemplateProblem) -> String {
        switch key {
        case .none: return "null"
        case .boolean(let flag): return flag ? "true" : "false"
        case .tuple: throw .cannot("use as a key of JSON", of: [key.kindName])
        default: return try key.text(host)
        }
    }

    private mutating func separate(_ place: Int, _ level: Int) {
        if place > 0 { text += indent == nil ? ", " : "," }
        breakLine(level)
    }

    private mutating func breakLine(_ level: Int) {
        guard let indent else { return }
        text += "\n" + String(repeating: " ", count: min(indent, 1000) * level)
    }

    private mutating func append(_ string: String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{08}": text += "\\b"
            case "\u{0C}": text += "\\f"
            case "<", ">", "&", "'": appendEscape(UInt16(scalar.value))
            case " "..."~": text.unicodeScalars.append(scalar)
            default: for unit in String(scalar).utf16 { appendEscape(unit) }
            }
        }
        text += "\""
    }

    private mutating func appendEscape(_ unit: UInt16) {
        let digits = String(unit, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
}
