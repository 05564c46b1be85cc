/// `'{} has {count:,} notes'.format(name, count=12)`.
struct BraceFormat {
    private let call: NativeCall
    private var next = 0

    static func format(_ call: NativeCall) throws(TemplateProblem) -> TemplateValue {
        var format = BraceFormat(call: call)
        return try call.alike(try format.fill(try call.text(), depth: 0))
    }

    private init(call: NativeCall) {
        self.call = call
    }

    private mutating func fill(_ format: String, depth: Int) throws(TemplateProblem) -> String {
        let scalars = Array(format.unicodeScalars)
        var result = ""
        var place = 0
        while place < scalars.count {
            let scalar = scalars[place]
            place += 1
            guard scalar == "{" || scalar == "}" else {
                result.unicodeScalars.append(scalar)
                continue
            }
            if place < scalars.count, scalars[place] == scalar {
                result.unicodeScalars.append(scalar)
                place += 1
                continue
            }
            guard scalar == "{", let end = Self.end(scalars, from: place) else {
                throw .invalidArgument("the format has a single '\(scalar)'")
            }
            var field = ""
            field.unicodeScalars.append(contentsOf: scalars[place..<end])
            result += try text(field, depth)
            try call.host.checkSize(result.utf8.count)
            place = end + 1
        }
        return result
    }

    private static func end(_ scalars: [Unicode.Scalar], from start: Int) -> Int? {
        var open = 1
        for place in start..<scalars.count {
            if scalars[place] == "{" { open += 1 }
            if scalars[place] == "}" { open -= 1 }
            if open == 0 { return place }
        }
        return nil
    }

    /// One field: `name.member[key]!r:specification`.
    private mutating func text(_ field: String, _ depth: Int) throws(TemplateProblem) -> String {
        guard depth < 2 else { throw .invalidArgument("the format nests too deep") }
        let halves = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = halves[0].split(separator: "!", maxSplits: 1, omittingEmptySubsequences: false)
        var value = try value(String(parts[0]))
        try value.requireDefined()
        if parts.count > 1 {
            var text = ""
            switch parts[1] {
            case "s": text = try value.text(call.host)
            case "r", "a": try value.appendRepresentation(to: &text, call.host)
            default: throw .invalidArgument("'!\(parts[1])' is not a conversion")
            }
            value = .string(text)
        }
        let specification =
            halves.count > 1 ? try fill(String(halves[1]), depth: depth + 1) : ""
        let text = try laidOut(value, specification)
        guard call.value.isMarkup, !value.isMarkup else { return text }
        return String(decoding: try TemplateValue.string(text).escaped(call.host), as: UTF8.self)
    }

    private func laidOut(
        _ value: TemplateValue, _ text: String
    ) throws(TemplateProblem) -> String {
        if text.isEmpty { return try value.text(call.host) }
        guard let specification = FormatSpecification(text) else {
            throw .invalidArgument("'\(text)' is not a format")
        }
        switch value {
        case .integer(let number):
            switch specification.type {
            case nil, "d", "n", "x", "X", "o", "b":
                return try specification.integer(number, call.host)
            default:
                if let text = try specification.fraction(Double(number), call.host) { return text }
            }
        case .boolean(let flag) where specification.type == "d":
            return try specification.integer(flag ? 1 : 0, call.host)
        case .number(let number):
            if let text = try specification.fraction(number, call.host) { return text }
        case .string, .markup, .boolean:
            guard specification.type == nil || specification.type == "s" else { break }
            var text = try value.text(call.host)
            if let precision = specification.precision {
                text = String(text.unicodeScalars.prefix(precision))
            }
            return try specification.padded(text, isNumber: false, call.host)
        default: break
        }
        throw .cannot("format by '\(text)'", of: [value.kindName])
    }

    private mutating func value(_ path: String) throws(TemplateProblem) -> TemplateValue {
        var rest = path[...]
        let head = rest.prefix { $0 != "." && $0 != "[" }
        rest = rest.dropFirst(head.count)
        var value = try first(String(head))
        while let mark = rest.first {
            rest = rest.dropFirst()
            if mark == "." {
                let name = rest.prefix { $0 != "." && $0 != "[" }
                rest = rest.dropFirst(name.count)
                let symbol = call.program.symbols.symbol(of: String(name))
                value = try value.member(symbol, String(name), call.program)
            } else {
                let key = rest.prefix { $0 != "]" }
                guard mark == "[", rest.dropFirst(key.count).first == "]" else {
                    throw .invalidArgument("'{\(path)}' is not a field")
                }
                rest = rest.dropFirst(key.count + 1)
                let element: TemplateValue = Int(key).map { .integer($0) } ?? .string(String(key))
                value = try value.element(element, call.program, call.host)
            }
        }
        return value
    }

    private mutating func first(_ name: String) throws(TemplateProblem) -> TemplateValue {
        let place: Int
        if name.isEmpty {
            place = next
            next += 1
        } else if let number = Int(name) {
            place = number
        } else {
            let keywords = call.arguments.keywords
            if let found = keywords.first(where: { $0.name == name }) { return found.value }
            throw .undefinedName(name, candidates: keywords.map(\.name), isInRender: false)
        }
        guard call.arguments.rest.indices.contains(place) else {
            throw .invalidArgument("there is no value for '{\(name)}'")
        }
        return call.arguments.rest[place]
    }
}
