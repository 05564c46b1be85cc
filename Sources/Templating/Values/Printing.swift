import Bytes

extension TemplateValue {
    /// The value as Python's `str` shows it.
    func text(_ host: RenderHost) throws(TemplateProblem) -> String {
        switch self {
        case .undefined(let name): throw name.problem
        case .missing: return ""
        case .none: return "None"
        case .boolean(let flag): return flag ? "True" : "False"
        case .integer(let number): return String(number)
        case .number(let number): return FloatText.shortest(number)
        case .string(let text): return text
        case .markup(let markup): return markup.text
        case .list, .tuple, .dictionary:
            var text = ""
            try appendRepresentation(to: &text, host)
            return text
        case .object(let object):
            if let text = object.text() { return text }
            throw .notPrintable(
                kindName, typeName: object.typeName, candidates: object.memberNames)
        case .engine: throw .notPrintable(kindName, typeName: nil, candidates: [])
        }
    }

    /// The value as Python's `repr` shows it, which is how containers show
    /// their elements.
    func appendRepresentation(
        to text: inout String, _ host: RenderHost
    ) throws(TemplateProblem) {
        switch self {
        case .string(let inner): text += Self.quoted(inner)
        case .markup(let markup): text += "Markup(\(Self.quoted(markup.text)))"
        case .list(let elements):
            text += "["
            try Self.append(elements, to: &text, host)
            text += "]"
        case .tuple(let elements):
            text += "("
            try Self.append(elements, to: &text, host)
            text += elements.count == 1 ? ",)" : ")"
        case .dictionary(let dictionary):
            text += "{"
            for (place, key) in dictionary.keys.enumerated() {
                if place > 0 { text += ", " }
                try host.charge(1)
                try key.appendRepresentation(to: &text, host)
                text += ": "
                try dictionary.values[place].appendRepresentation(to: &text, host)
            }
            text += "}"
        default: text += try self.text(host)
        }
        try host.checkSize(text.utf8.count)
    }

    private static func append(
        _ elements: [TemplateValue], to text: inout String, _ host: RenderHost
    ) throws(TemplateProblem) {
        try host.charge(elements.count)
        for (place, element) in elements.enumerated() {
            if place > 0 { text += ", " }
            try element.appendRepresentation(to: &text, host)
        }
    }

    /// A text in quotation marks, as Python writes it.
    static func quoted(_ text: String) -> String {
        let quote: Unicode.Scalar =
            text.unicodeScalars.contains("'") && !text.unicodeScalars.contains("\"") ? "\"" : "'"
        var result = String(quote)
        for scalar in text.unicodeScalars {
            switch scalar {
            case quote, "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _
            where scalar.value < 0x20 || (0x7F...0xA0).contains(scalar.value)
                || scalar.value == 0xAD:
                let digits = String(scalar.value, radix: 16)
                result += "\\x" + (digits.utf8.count < 2 ? "0" : "") + digits
            case _ where !scalar.isPrintable:
                let digits = String(scalar.value, radix: 16)
                let width = scalar.value < 0x10000 ? 4 : 8
                result += width == 4 ? "\\u" : "\\U"
                result += String(repeating: "0", count: width - digits.utf8.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + String(quote)
    }

    /// The value as markup: markup as it is, anything else as escaped text.
    func escaped(
        _ host: RenderHost, _ escaping: Escaping = .template
    ) throws(TemplateProblem) -> [UInt8] {
        if case .markup(let markup) = self { return markup.bytes }
        let text = try self.text(host)
        var buffer = ByteBuffer(capacity: text.utf8.count + 16)
        buffer.append(text, escaping: escaping)
        return buffer.copy()
    }
}

extension Unicode.Scalar {
    fileprivate var isPrintable: Bool {
        if value < 0x7F { return value >= 0x20 }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator, .spaceSeparator:
            return false
        default: return true
        }
    }
}
