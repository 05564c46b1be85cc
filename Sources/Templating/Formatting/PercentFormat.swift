// `'%s has %d notes' % (name, count)`.

extension TemplateValue {
    /// The text with its `%` marks filled in; nil where this is no text.
    func percentFormatted(
        with operand: TemplateValue, _ host: RenderHost
    ) throws(TemplateProblem) -> TemplateValue? {
        switch self {
        case .string(let format):
            var filler = PercentFormat(operand, isMarkup: false, host)
            return .string(try filler.fill(format))
        case .markup(let format):
            var filler = PercentFormat(operand, isMarkup: true, host)
            return .markup(try filler.fill(format.text))
        default: return nil
        }
    }
}

private struct PercentFormat {
    private let operand: TemplateValue
    private let arguments: [TemplateValue]
    private var next = 0
    private let isMarkup: Bool
    private let host: RenderHost

    init(_ operand: TemplateValue, isMarkup: Bool, _ host: RenderHost) {
        self.operand = operand
        if case .tuple(let elements) = operand {
            arguments = elements
        } else {
            arguments = [operand]
        }
        self.isMarkup = isMarkup
        self.host = host
    }

    mutating func fill(_ format: String) throws(TemplateProblem) -> String {
        let scalars = Array(format.unicodeScalars)
        var result = ""
        var place = 0
        var usesNames = false
        while place < scalars.count {
            guard scalars[place] == "%" else {
                result.unicodeScalars.append(scalars[place])
                place += 1
                continue
            }
            place += 1
            if place < scalars.count, scalars[place] == "%" {
                result += "%"
                place += 1
                continue
            }
            let (name, specification) = try directive(scalars, &place)
            usesNames = usesNames || name != nil
            result += try text(try argument(name), specification)
            try host.checkSize(result.utf8.count)
        }
        if case .dictionary = operand { return result }
        if case .list = operand, next == 0 { return result }
        guard usesNames || next == arguments.count else {
            throw .invalidArgument("not all values have a '%' to stand for")
        }
        return result
    }

    /// `%(name)-5.2f`, from behind the `%`.
    private mutating func directive(
        _ scalars: [Unicode.Scalar], _ place: inout Int
    ) throws(TemplateProblem) -> (name: String?, FormatSpecification) {
        var name: String?
        if place < scalars.count, scalars[place] == "(" {
            var text = ""
            place += 1
            while place < scalars.count, scalars[place] != ")" {
                text.unicodeScalars.append(scalars[place])
                place += 1
            }
            place += 1
            name = text
        }
        var specification = FormatSpecification()
        specification.alignment = ">"
        flags: while place < scalars.count {
            switch scalars[place] {
            case "-":
                specification.alignment = "<"
                specification.fill = " "
            case "0" where specification.alignment != "<":
                specification.alignment = "="
                specification.fill = "0"
            case "+", " ": specification.sign = scalars[place]
            case "#": specification.hasAlternative = true
            case "0": break
            default: break flags
            }
            place += 1
        }
        specification.width = number(scalars, &place) ?? 0
        if place < scalars.count, scalars[place] == "." {
            place += 1
            specification.precision = number(scalars, &place) ?? 0
        }
        guard place < scalars.count else {
            throw .invalidArgument("the format ends behind '%'")
        }
        specification.type = scalars[place]
        place += 1
        return (name, specification)
    }

    private func number(_ scalars: [Unicode.Scalar], _ place: inout Int) -> Int? {
        var digits = ""
        while place < scalars.count, ("0"..."9").contains(scalars[place]) {
            digits.unicodeScalars.append(scalars[place])
            place += 1
        }
        return digits.isEmpty ? nil : Int(digits) ?? .max
    }

    private mutating func argument(_ name: String?) throws(TemplateProblem) -> TemplateValue {
        if let name {
            guard case .dictionary(let dictionary) = operand else {
                throw .expected("a dictionary", found: operand.kindName, by: "'%(\(name))'")
            }
            guard let value = dictionary[name] else {
                throw .undefinedMember(
                    name, of: operand.kindName, candidates: operand.memberNames)
            }
            return value
        }
        guard next < arguments.count else {
            throw .invalidArgument("there are more '%' than values")
        }
        next += 1
        return arguments[next - 1]
    }

    private func text(
        _ value: TemplateValue, _ specification: FormatSpecification
    ) throws(TemplateProblem) -> String {
        try value.requireDefined()
        var specification = specification
        switch specification.type {
        case "s", "r", "a":
            var text = ""
            if specification.type == "s" {
                text =
                    isMarkup
                    ? String(decoding: try value.escaped(host), as: UTF8.self)
                    : try value.text(host)
            } else {
                try value.appendRepresentation(to: &text, host)
                if isMarkup {
                    text = String(
                        decoding: try TemplateValue.string(text).escaped(host), as: UTF8.self)
                }
            }
            if let precision = specification.precision {
                text = String(text.unicodeScalars.prefix(precision))
            }
            specification.fill = " "
            if specification.alignment == "=" { specification.alignment = ">" }
            return try specification.padded(text, isNumber: false, host)
        case "d", "i", "u":
            guard let numeric = value.numeric else { break }
            specification.type = "d"
            if case .integer(let number) = numeric {
                return try specification.integer(number, host)
            }
            guard let whole = Int(exactly: numeric.double.rounded(.towardZero)) else {
                throw .overflow("%d")
            }
            return try specification.integer(whole, host)
        case "x", "X", "o":
            guard case .integer(let number)? = value.numeric else { break }
            return try specification.integer(number, host)
        case "f", "F", "e", "E", "g", "G":
            guard let numeric = value.numeric else { break }
            if let text = try specification.fraction(numeric.double, host) { return text }
        case "c":
            if case .string(let text) = value, text.unicodeScalars.count == 1 { return text }
        default:
            throw .invalidArgument(
                "'%\(specification.type.map { String($0) } ?? "")' is not a format")
        }
        throw .expected(
            "a number", found: value.kindName,
            by: "'%\(specification.type.map { String($0) } ?? "")'")
    }
}
