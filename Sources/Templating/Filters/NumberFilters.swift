/// Filters that make numbers, or text of numbers.
enum NumberFilters {
    static let all: [NativeCallable] = [
        .filter("abs") { (call) throws(TemplateProblem) in
            switch call.value.numeric {
            case .integer(let number):
                guard number != .min else { throw .overflow("abs") }
                return .integer(abs(number))
            case .number(let number): return .number(abs(number))
            case nil: throw call.wrongValue("a number")
            }
        },
        .filter("int", ["default", "base"]) { (call) throws(TemplateProblem) in
            let fallback = call.arguments[0] ?? .integer(0)
            let base = try call.arguments.wholeNumber(1) ?? 10
            return NumberText.integer(call.value, base: base).map { .integer($0) } ?? fallback
        },
        .filter("float", ["default"]) { call in
            let fallback = call.arguments[0] ?? .number(0)
            return NumberText.number(call.value).map { .number($0) } ?? fallback
        },
        .filter("round", ["precision", "method"]) {
            (call) throws(TemplateProblem) in try rounded(call)
        },
        .filter("filesizeformat", ["binary"]) {
            (call) throws(TemplateProblem) in
            guard let size = NumberText.number(call.value) else {
                throw call.wrongValue("a number of bytes")
            }
            return .string(fileSize(size, isBinary: try call.arguments.flag(0) ?? false))
        },
        .filter("sum", ["attribute", "start"]) { (call) throws(TemplateProblem) in
            let path = try AttributePath(call.arguments[0], call)
            var total = call.arguments[1] ?? .integer(0)
            for element in try call.elements() {
                total = try total.combined(.add, try path.value(in: element, call), call.host)
                try call.host.charge(1 + total.weight)
            }
            return total
        },
    ]

    private static func rounded(_ call: NativeCall) throws(TemplateProblem) -> TemplateValue {
        let precision = try call.arguments.wholeNumber(0) ?? 0
        let method = try call.arguments.text(1) ?? "common"
        guard let number = call.value.numeric else { throw call.wrongValue("a number") }
        switch (method, number) {
        case ("common", .integer(let whole)) where precision >= 0: return .integer(whole)
        case ("common", .integer(let whole)):
            let rounded = DecimalExpansion.rounded(Double(whole), toPlaces: precision)
            guard let result = Int(exactly: rounded) else { throw .overflow("round") }
            return .integer(result)
        case ("common", .number(let number)):
            return .number(DecimalExpansion.rounded(number, toPlaces: precision))
        case ("ceil", _), ("floor", _):
            let scale =
                try TemplateValue.integer(10)
                .combined(.power, .number(Double(precision)), call.host).numeric?.double ?? 1
            let scaled = number.double * scale
            return .number((method == "ceil" ? scaled.rounded(.up) : scaled.rounded(.down)) / scale)
        default:
            throw .invalidArgument(
                "filter 'round' expects 'common', 'ceil' or 'floor' as 'method'; found "
                    + TemplateValue.quoted(method))
        }
    }

    private static func fileSize(_ size: Double, isBinary: Bool) -> String {
        let base: Double = isBinary ? 1024 : 1000
        let suffix = isBinary ? "iB" : "B"
        if size == 1 { return "1 Byte" }
        if size < base, let whole = Int(exactly: size.rounded(.towardZero)) {
            return "\(whole) Bytes"
        }
        let prefixes = [isBinary ? "K" : "k", "M", "G", "T", "P", "E", "Z", "Y"]
        var unit = base
        for prefix in prefixes {
            unit *= base
            if size < unit || prefix == "Y" {
                return DecimalExpansion.fixed(base * size / unit, places: 1) + " \(prefix)\(suffix)"
            }
        }
        return ""
    }
}

/// Numbers read from values, as Python's `int()` and `float()` read them.
enum NumberText {
    static func integer(_ value: TemplateValue, base: Int) -> Int? {
        switch value {
        case .string, .markup:
            guard let text = digits(value) else { return nil }
            return integer(text, base: base) ?? Double(text).flatMap(whole)
        default:
            return value.numeric.flatMap { numeric in
                if case .integer(let number) = numeric { return number }
                return whole(numeric.double)
            }
        }
    }

    static func number(_ value: TemplateValue) -> Double? {
        switch value {
        case .string, .markup:
            guard let text = digits(value), let first = text.utf8.first,
                !text.lowercased().hasPrefix("0x"), first != UInt8(ascii: "_")
            else { return nil }
            return Double(text.lowercased())
        default: return value.numeric?.double
        }
    }

    private static func whole(_ number: Double) -> Int? {
        number.isFinite ? Int(exactly: number.rounded(.towardZero)) : nil
    }

    private static func integer(_ text: String, base: Int) -> Int? {
        var digits = text[...]
        let isNegative = digits.hasPrefix("-")
        if isNegative || digits.hasPrefix("+") { digits = digits.dropFirst() }
        let marks = [2: "0b", 8: "0o", 16: "0x"]
        if let mark = marks[base], digits.lowercased().hasPrefix(mark) {
            digits = digits.dropFirst(2)
        }
        guard (2...36).contains(base), let first = digits.first, first != "+", first != "-" else {
            return nil
        }
        return Int((isNegative ? "-" : "") + digits, radix: base)
    }

    /// The text without blanks around it and single `_` between digits.
    private static func digits(_ value: TemplateValue) -> String? {
        let text: String
        switch value {
        case .string(let string): text = string.stripped()
        case .markup(let markup): text = markup.text.stripped()
        default: return nil
        }
        guard text.utf8.contains(Ascii.underscore) else { return text }
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        return parts.contains("") ? nil : parts.joined()
    }
}
