import Bytes

/// A filter, test, function or method that is written in Swift.
final class NativeCallable: Sendable {
    enum Kind: String, Sendable {
        case filter, test, function, method
    }

    typealias Body = @Sendable (NativeCall) throws(TemplateProblem) -> TemplateValue

    let name: String
    let kind: Kind
    let parameters: [String]
    let requiredCount: Int
    /// Whether it takes more positional arguments than it has parameters.
    let takesRest: Bool
    /// Whether it takes named arguments beyond its parameters.
    let takesKeywords: Bool
    /// Whether its value and arguments may be undefined.
    let acceptsUndefined: Bool
    /// The positional argument that names another filter or test.
    let namedCallablePlace: (position: Int, isTest: Bool)?
    let body: Body

    init(
        _ kind: Kind, _ name: String, _ parameters: [String] = [], required: Int = 0,
        takesRest: Bool = false, takesKeywords: Bool = false, acceptsUndefined: Bool = false,
        naming place: (position: Int, isTest: Bool)? = nil, body: @escaping Body
    ) {
        self.name = name
        self.kind = kind
        description = "\(kind.rawValue) '\(name)'"
        self.parameters = parameters
        requiredCount = required
        self.takesRest = takesRest
        self.takesKeywords = takesKeywords
        self.acceptsUndefined = acceptsUndefined
        namedCallablePlace = place
        self.body = body
    }

    /// What messages call it.
    let description: String

    /// What is wrong with a call as far as its shape tells.
    func problem(with shape: CallShape) -> TemplateProblem? {
        if shape.positional > parameters.count, !takesRest {
            return .tooManyArguments(callee: description, limit: parameters.count)
        }
        for (place, name) in shape.keywords.enumerated() {
            guard let parameter = parameters.firstIndex(of: name) else {
                if takesKeywords { continue }
                return .unknownArgument(callee: description, name: name, candidates: parameters)
            }
            if parameter < shape.positional || shape.keywords[..<place].contains(name) {
                return .argumentGivenTwice(name)
            }
        }
        guard !shape.hasList, !shape.hasDictionary else { return nil }
        for (place, name) in parameters.prefix(requiredCount).enumerated()
        where place >= shape.positional && !shape.keywords.contains(name) {
            return .missingArgument(callee: description, name: name)
        }
        return nil
    }

    /// Puts arguments to the places of their parameters.
    func bind(
        _ positional: [TemplateValue], _ keywords: [(name: String, value: TemplateValue)]
    ) throws(TemplateProblem) -> CallArguments {
        if positional.count > parameters.count, !takesRest {
            throw .tooManyArguments(callee: description, limit: parameters.count)
        }
        var values: [TemplateValue?] = positional.prefix(parameters.count).map { $0 }
        var arguments = CallArguments(callee: description, parameters: parameters, values: [])
        arguments.rest = Array(positional.dropFirst(parameters.count))
        for (name, value) in keywords {
            guard let place = parameters.firstIndex(of: name) else {
                guard takesKeywords else {
                    throw .unknownArgument(
                        callee: description, name: name, candidates: parameters)
                }
                arguments.keywords.append((name, value))
                continue
            }
            while values.count <= place { values.append(nil) }
            if values[place] != nil { throw .argumentGivenTwice(name) }
            values[place] = value
        }
        for (place, name) in parameters.prefix(requiredCount).enumerated()
        where place >= values.count || values[place] == nil {
            throw .missingArgument(callee: description, name: name)
        }
        arguments.values = values
        return arguments
    }

    /// Calls it, having refused undefined values where it does not take them.
    func call(_ call: NativeCall) throws(TemplateProblem) -> TemplateValue {
        if !acceptsUndefined {
            try call.value.requireDefined()
            for value in call.arguments.values { try value?.requireDefined() }
            for value in call.arguments.rest { try value.requireDefined() }
            for keyword in call.arguments.keywords { try keyword.value.requireDefined() }
        }
        try call.host.charge(1 + call.value.weight)
        let result = try body(call)
        try call.host.charge(result.weight)
        return result
    }
}

/// One call of a native callable.
struct NativeCall {
    /// What a filter or test is applied to, what a method belongs to.
    var value: TemplateValue
    var arguments: CallArguments
    /// How values printed at this place are escaped; nil: not at all.
    var escaping: Escaping?
    let host: RenderHost

    /// The templates that are being rendered.
    var program: Program {
        guard let program = host.program else {
            preconditionFailure("natives are called by renders only")
        }
        return program
    }

    /// The value's text, as string filters see it.
    func text() throws(TemplateProblem) -> String {
        try value.text(host)
    }

    /// A text that is markup where the value is.
    func alike(_ text: String) throws(TemplateProblem) -> TemplateValue {
        try host.checkSize(text.utf8.count)
        return .text(text, isMarkup: value.isMarkup)
    }

    func elements() throws(TemplateProblem) -> [TemplateValue] {
        try value.elements(host)
    }

    func wrongValue(_ expected: String) -> TemplateProblem {
        .expected(expected, found: value.kindName, by: arguments.callee)
    }
}

/// A method of a value, not called yet.
final class BoundMethod {
    let receiver: TemplateValue
    let callable: NativeCallable

    init(_ receiver: TemplateValue, _ callable: NativeCallable) {
        self.receiver = receiver
        self.callable = callable
    }
}

/// All natives of a library, by name.
struct NativeTable: Sendable {
    var filters: [String: NativeCallable] = [:]
    var tests: [String: NativeCallable] = [:]
    var functions: [String: NativeCallable] = [:]
    var textMethods: [String: NativeCallable] = [:]
    var listMethods: [String: NativeCallable] = [:]
    var dictionaryMethods: [String: NativeCallable] = [:]

    /// The built-in ones with those of the caller. A filter of the caller's
    /// that has the name of a built-in one stands instead of it for objects,
    /// and for nothing else: `sort` of a list of texts stays Jinja's.
    init(filters: [String: CustomFilter], functions: [String: CustomFunction]) {
        self = Self.builtin
        for (name, filter) in filters {
            let custom = NativeCallable.custom(name, filter)
            self.filters[name] =
                self.filters[name].map { $0.overloaded(forObjects: custom) } ?? custom
        }
        for (name, function) in functions { self.functions[name] = .custom(name, function) }
    }

    private static let builtin = NativeTable()

    private init() {
        for filter in BuiltinFilters.all { self.filters[filter.name] = filter }
        for (alias, name) in BuiltinFilters.aliases { self.filters[alias] = self.filters[name] }
        for test in BuiltinTests.all { tests[test.name] = test }
        for (alias, name) in BuiltinTests.aliases { tests[alias] = tests[name] }
        for function in BuiltinFunctions.all { self.functions[function.name] = function }
        for method in TextMethods.all { textMethods[method.name] = method }
        for method in ListMethods.all { listMethods[method.name] = method }
        for method in DictionaryMethods.all { dictionaryMethods[method.name] = method }
    }
}

extension NativeCallable {
    /// This callable, with another standing instead of it for objects. Both
    /// take their arguments by the places of this one's parameters.
    func overloaded(forObjects other: NativeCallable) -> NativeCallable {
        let own = body
        return NativeCallable(
            kind, name, parameters, required: requiredCount, takesRest: takesRest,
            takesKeywords: takesKeywords, acceptsUndefined: acceptsUndefined,
            naming: namedCallablePlace
        ) { (call) throws(TemplateProblem) in
            if case .object = call.value { return try other.body(call) }
            return try own(call)
        }
    }

    static func custom(_ name: String, _ filter: CustomFilter) -> NativeCallable {
        NativeCallable(.filter, name, filter.parameters, required: filter.requiredCount) {
            (call) throws(TemplateProblem) in
            do throws(TemplateFailure) {
                return try filter.body(call.value, call.arguments, call.host)
            } catch { throw TemplateProblem(error) }
        }
    }

    static func custom(_ name: String, _ function: CustomFunction) -> NativeCallable {
        NativeCallable(.function, name, function.parameters, required: function.requiredCount) {
            (call) throws(TemplateProblem) in
            do throws(TemplateFailure) {
                return try function.body(call.arguments, call.host)
            } catch { throw TemplateProblem(error) }
        }
    }
}
