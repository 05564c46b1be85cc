/// What stands behind `is`.
enum BuiltinTests {
    static let aliases = [
        ("==", "eq"), ("equalto", "eq"), ("!=", "ne"), ("<", "lt"), ("lessthan", "lt"),
        ("<=", "le"), (">", "gt"), ("greaterthan", "gt"), (">=", "ge"),
    ]

    static let all: [NativeCallable] = kinds + numbers + comparisons + others

    private static func test(
        _ name: String, _ parameters: [String] = [], acceptsUndefined: Bool = false,
        body: @escaping @Sendable (NativeCall) throws(TemplateProblem) -> Bool
    ) -> NativeCallable {
        NativeCallable(
            .test, name, parameters, required: parameters.count,
            acceptsUndefined: acceptsUndefined
        ) { (call) throws(TemplateProblem) in .boolean(try body(call)) }
    }

    private static let kinds: [NativeCallable] = [
        test("defined", acceptsUndefined: true) { !$0.value.isAbsent },
        test("undefined", acceptsUndefined: true) { $0.value.isAbsent },
        test("none") { if case .none = $0.value { true } else { false } },
        test("boolean") { if case .boolean = $0.value { true } else { false } },
        test("true") { if case .boolean(true) = $0.value { true } else { false } },
        test("false") { if case .boolean(false) = $0.value { true } else { false } },
        test("integer") { if case .integer = $0.value { true } else { false } },
        test("float") { if case .number = $0.value { true } else { false } },
        test("number") { $0.value.numeric != nil },
        test("string") { call in
            switch call.value {
            case .string, .markup: true
            default: false
            }
        },
        test("mapping") { if case .dictionary = $0.value { true } else { false } },
        test("sequence") { call in
            switch call.value {
            case .string, .markup, .list, .tuple, .dictionary: return true
            case .object(let object):
                do { return try object.count() != nil } catch { return false }
            default: return false
            }
        },
        test("iterable") { call in
            switch call.value {
            case .string, .markup, .list, .tuple, .dictionary: return true
            case .object(let object):
                do {
                    if try object.count() != nil { return true }
                    return try object.elements() != nil
                } catch { return false }
            default: return false
            }
        },
        test("callable") { call in
            guard case .engine(let value) = call.value else { return false }
            switch value.kind {
            case .macro, .native, .method, .block, .joiner, .loop: return true
            default: return false
            }
        },
        test("escaped") { $0.value.isMarkup },
    ]

    private static func number(_ call: NativeCall) throws(TemplateProblem) -> TemplateValue {
        guard call.value.numeric != nil else { throw call.wrongValue("a number") }
        return call.value
    }

    private static let numbers: [NativeCallable] = [
        test("odd") { (call) throws(TemplateProblem) in
            let rest = try number(call).combined(.modulo, .integer(2), call.host)
            return try rest.isEqual(to: .integer(1), call.host)
        },
        test("even") { (call) throws(TemplateProblem) in
            let rest = try number(call).combined(.modulo, .integer(2), call.host)
            return try rest.isEqual(to: .integer(0), call.host)
        },
        test("divisibleby", ["num"]) { (call) throws(TemplateProblem) in
            let divisor = call.arguments[0] ?? .none
            guard divisor.numeric != nil else {
                throw try call.arguments.wrongType("a number", 0, divisor)
            }
            let rest = try number(call).combined(.modulo, divisor, call.host)
            return try rest.isEqual(to: .integer(0), call.host)
        },
    ]

    private static func comparison(
        _ name: String,
        _ body:
            @escaping @Sendable (TemplateValue, TemplateValue, RenderHost)
            throws(TemplateProblem) -> Bool
    ) -> NativeCallable {
        test(name, ["other"]) { (call) throws(TemplateProblem) in
            try body(call.value, call.arguments[0] ?? .none, call.host)
        }
    }

    private static let comparisons: [NativeCallable] = [
        comparison("eq") { (one, two, host) throws(TemplateProblem) in
            try one.isEqual(to: two, host)
        },
        comparison("ne") { (one, two, host) throws(TemplateProblem) in
            try !one.isEqual(to: two, host)
        },
        comparison("lt") { (one, two, host) throws(TemplateProblem) in
            try one.isLess(than: two, host)
        },
        comparison("gt") { (one, two, host) throws(TemplateProblem) in
            try two.isLess(than: one, host)
        },
        comparison("le") { (one, two, host) throws(TemplateProblem) in
            if try one.isLess(than: two, host) { return true }
            return try one.isEqual(to: two, host)
        },
        comparison("ge") { (one, two, host) throws(TemplateProblem) in
            if try two.isLess(than: one, host) { return true }
            return try one.isEqual(to: two, host)
        },
        comparison("in") { (one, two, host) throws(TemplateProblem) in
            try one.isContained(in: two, host)
        },
        comparison("sameas") { (one, two, host) throws(TemplateProblem) in
            switch (one, two) {
            case (.none, .none): true
            case (.boolean(let left), .boolean(let right)): left == right
            case (.integer(let left), .integer(let right)): left == right
            case (.string, .string): try one.isEqual(to: two, host)
            case (.object(let left), .object(let right)): left.isSame(as: right)
            case (.engine(let left), .engine(let right)): left.isSame(as: right)
            default: false
            }
        },
    ]

    private static let others: [NativeCallable] = [
        test("lower") { (call) throws(TemplateProblem) in
            let text = try call.text()
            return text.hasCase && text == text.lowercased()
        },
        test("upper") { (call) throws(TemplateProblem) in
            let text = try call.text()
            return text.hasCase && text == text.uppercased()
        },
        test("filter") { (call) throws(TemplateProblem) in
            call.program.natives.filters[try call.text()] != nil
        },
        test("test") { (call) throws(TemplateProblem) in
            call.program.natives.tests[try call.text()] != nil
        },
    ]
}

extension String {
    /// Whether any of its characters has a case.
    var hasCase: Bool {
        unicodeScalars.contains {
            $0.properties.isUppercase || $0.properties.isLowercase
                || $0.properties.generalCategory == .titlecaseLetter
        }
    }
}
