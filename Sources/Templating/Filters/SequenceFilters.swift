/// Filters that take sequences apart and put them together.
enum SequenceFilters {
    static let all: [NativeCallable] = [
        .filter(
            "default", ["default_value", "boolean"], acceptsUndefined: true
        ) { (call) throws(TemplateProblem) in
            let fallback = call.arguments[0] ?? .string("")
            if call.value.isAbsent { return fallback }
            if try call.arguments.flag(1) ?? false, try !call.value.truth() { return fallback }
            return call.value
        },
        .filter("length") { (call) throws(TemplateProblem) in
            guard let count = try call.value.elementCount() else {
                throw call.wrongValue("something with elements")
            }
            return .integer(count)
        },
        .filter("first") { (call) throws(TemplateProblem) in
            try call.elements().first
                ?? .undefined(UndefinedName(explanation: "the sequence has no first element"))
        },
        .filter("last") { (call) throws(TemplateProblem) in
            try call.elements().last
                ?? .undefined(UndefinedName(explanation: "the sequence has no last element"))
        },
        .filter("list") { (call) throws(TemplateProblem) in
            .list(try call.elements())
        },
        .filter("items") { (call) throws(TemplateProblem) in
            switch call.value {
            case .dictionary(let dictionary): return .list(dictionary.items)
            case .missing: return .list([])
            default: throw call.wrongValue("a dictionary")
            }
        },
        .filter("join", ["d", "attribute"]) { (call) throws(TemplateProblem) in
            try joined(call)
        },
        .filter("batch", ["linecount", "fill_with"], required: 1) {
            (call) throws(TemplateProblem) in
            let count = try call.arguments.wholeNumber(0) ?? 0
            var lines: [[TemplateValue]] = []
            for element in try call.elements() {
                if let last = lines.last, last.count != count {
                    lines[lines.count - 1].append(element)
                } else {
                    lines.append([element])
                }
            }
            if let fill = call.arguments[1], !fill.isNone, let last = lines.last,
                last.count < count
            {
                try call.host.checkSize(count)
                lines[lines.count - 1] += Array(repeating: fill, count: count - last.count)
            }
            return .list(lines.map { .list($0) })
        },
        .filter("slice", ["slices", "fill_with"], required: 1) {
            (call) throws(TemplateProblem) in try sliced(call)
        },
        .filter("attr", ["name"], required: 1) {
            (call) throws(TemplateProblem) in
            let name = try call.arguments.text(0) ?? ""
            if case .dictionary = call.value {
                guard let method = call.value.nativeMethod(name, call.program) else {
                    return .undefined(UndefinedName(.member(name, of: call.value)))
                }
                return .make(.method(BoundMethod(call.value, method)))
            }
            return try call.value.member(
                call.program.symbols.symbol(of: name), name, call.program)
        },
    ]

    private static func joined(_ call: NativeCall) throws(TemplateProblem) -> TemplateValue {
        let path = try AttributePath(call.arguments[1], call)
        let separator = call.arguments[0] ?? .string("")
        var elements: [TemplateValue] = []
        for element in try call.elements() {
            let value = try path.value(in: element, call)
            try value.requireDefined()
            elements.append(value)
        }
        let isMarkup =
            call.escaping != nil && (separator.isMarkup || elements.contains(where: \.isMarkup))
        return try TemplateValue.joined(elements, separator, isMarkup: isMarkup, call.host)
    }

    private static func sliced(_ call: NativeCall) throws(TemplateProblem) -> TemplateValue {
        let slices = try call.arguments.wholeNumber(0) ?? 0
        guard slices > 0 else {
            throw slices == 0
                ? .divisionByZero : .invalidArgument("filter 'slice' expects 'slices' above 0")
        }
        try call.host.checkSize(slices)
        try call.host.charge(slices)
        let elements = try call.elements()
        let (each, extra) = elements.count.quotientAndRemainder(dividingBy: slices)
        var result: [TemplateValue] = []
        var start = 0
        for number in 0..<slices {
            let end = start + each + (number < extra ? 1 : 0)
            var part = Array(elements[start..<end])
            if let fill = call.arguments[1], !fill.isNone, number >= extra { part.append(fill) }
            result.append(.list(part))
            start = end
        }
        return .list(result)
    }
}

extension TemplateValue {
    var isNone: Bool {
        if case .none = self { return true }
        return false
    }

    /// The texts of values with a separator between them; as markup, texts are
    /// escaped.
    static func joined(
        _ elements: [TemplateValue], _ separator: TemplateValue, isMarkup: Bool,
        _ host: RenderHost
    ) throws(TemplateProblem) -> TemplateValue {
        var bytes: [UInt8] = []
        let between =
            isMarkup ? try separator.escaped(host) : Array(try separator.text(host).utf8)
        for (place, element) in elements.enumerated() {
            if place > 0 { bytes += between }
            bytes += isMarkup ? try element.escaped(host) : Array(try element.text(host).utf8)
            try host.checkSize(bytes.count)
        }
        if isMarkup { return .markup(MarkupBytes(bytes)) }
        return .string(String(decoding: bytes, as: UTF8.self))
    }
}
