/// Functions that every template sees.
enum BuiltinFunctions {
    static let all: [NativeCallable] = [range, dict, namespace, cycler, joiner]

    /// Whole numbers from `start` up to, not including, `stop`.
    private static let range = NativeCallable(
        .function, "range", ["start", "stop", "step"], required: 1
    ) { (call) throws(TemplateProblem) in
        let arguments = call.arguments
        let first = try arguments.wholeNumber(0) ?? 0
        let second = try arguments.wholeNumber(1)
        let step = try arguments.wholeNumber(2) ?? 1
        guard step != 0 else { throw .invalidArgument("the step of a range may not be 0") }
        let (start, stop) = second.map { (first, $0) } ?? (0, first)
        let limit = call.host.limits.rangeSize
        let isEmpty = step > 0 ? start >= stop : start <= stop
        if isEmpty { return .list([]) }
        let distance = (Double(stop) - Double(start)) / Double(step)
        guard distance <= Double(limit) else { throw .valueTooLarge(limit: limit) }
        return .list(stride(from: start, to: stop, by: step).map { .integer($0) })
    }

    private static let dict = NativeCallable(
        .function, "dict", ["pairs"], takesKeywords: true
    ) { (call) throws(TemplateProblem) in
        var dictionary = TemplateDictionary()
        if let base = call.arguments[0] {
            if case .dictionary(let given) = base {
                dictionary = given
            } else {
                for pair in try base.elements(call.host) {
                    let parts = try pair.elements(call.host)
                    guard parts.count == 2, let key = DictionaryKey(parts[0]) else {
                        throw .invalidArgument("'dict' expects pairs of a key and a value")
                    }
                    dictionary.insert(parts[1], under: parts[0], key: key)
                }
            }
        }
        for (name, value) in call.arguments.keywords { dictionary[name] = value }
        return .dictionary(dictionary)
    }

    private static let namespace = NativeCallable(
        .function, "namespace", ["values"], takesKeywords: true
    ) { (call) throws(TemplateProblem) in
        var attributes: [String: TemplateValue] = [:]
        if case .dictionary(let dictionary)? = call.arguments[0] {
            for (place, key) in dictionary.keys.enumerated() {
                attributes[try key.text(call.host)] = dictionary.values[place]
            }
        } else if call.arguments[0] != nil {
            throw try call.arguments.wrongType("a dictionary", 0, call.arguments[0] ?? .none)
        }
        for (name, value) in call.arguments.keywords { attributes[name] = value }
        return .make(.namespace(Namespace(attributes)))
    }

    private static let cycler = NativeCallable(
        .function, "cycler", takesRest: true
    ) { (call) throws(TemplateProblem) in
        guard !call.arguments.rest.isEmpty else {
            throw .missingArgument(callee: "function 'cycler'", name: "an item")
        }
        return .make(.cycler(Cycler(call.arguments.rest)))
    }

    private static let joiner = NativeCallable(.function, "joiner", ["sep"]) { call in
        .make(.joiner(Joiner(call.arguments[0] ?? .string(", "))))
    }
}
