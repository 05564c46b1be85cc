extension TemplateValue {
    /// `value.name`: a member, else an element under the name; what neither
    /// has is undefined.
    func member(
        _ symbol: Symbol, _ name: String, _ program: Program
    ) throws(TemplateProblem) -> TemplateValue {
        switch self {
        case .object(let object):
            do {
                if let value = try object.value(of: symbol, named: name) { return value }
            } catch { throw TemplateProblem(error) }
        case .missing: return .missing
        case .undefined(let undefined): throw undefined.problem
        case .string, .markup, .list, .dictionary:
            if let method = method(name, program) { return .make(.method(method)) }
            if case .dictionary(let dictionary) = self, let value = dictionary[name] {
                return value
            }
        case .tuple(let elements):
            // The pairs that `groupby` makes.
            if elements.count == 2, name == "grouper" { return elements[0] }
            if elements.count == 2, name == "list" { return elements[1] }
            if let method = method(name, program) { return .make(.method(method)) }
        case .engine(let value):
            if let member = try value.member(symbol, name, program) { return member }
        case .none, .boolean, .integer, .number: break
        }
        return .undefined(UndefinedName(.member(name, of: self)))
    }

    /// `value[key]`: an element, else the member of that name.
    func element(
        _ key: TemplateValue, _ program: Program, _ host: RenderHost
    ) throws(TemplateProblem) -> TemplateValue {
        try requireDefined()
        try key.requireDefined()
        switch (self, key.numeric) {
        case (.missing, _): return .missing
        case (.list(let elements), .integer(let place)?),
            (.tuple(let elements), .integer(let place)?):
            let index = place < 0 ? elements.count + place : place
            if elements.indices.contains(index) { return elements[index] }
        case (.string, .integer(let place)?), (.markup, .integer(let place)?):
            if let found = try text(host).scalar(at: place) {
                return .text(String(found), isMarkup: isMarkup)
            }
        case (.object, .integer(let place)?):
            let elements = try elements(host)
            let index = place < 0 ? elements.count + place : place
            if elements.indices.contains(index) { return elements[index] }
        case (.dictionary(let dictionary), _):
            if let key = DictionaryKey(key), let value = dictionary[key] { return value }
        default: break
        }
        if case .string(let name) = key {
            return try member(program.symbols.symbol(of: name), name, program)
        }
        var shown = ""
        try key.appendRepresentation(to: &shown, host)
        return .undefined(UndefinedName(.element(shown, of: self)))
    }

    private func method(_ name: String, _ program: Program) -> BoundMethod? {
        nativeMethod(name, program).map { BoundMethod(self, $0) }
    }

    /// The method of a text, list or dictionary.
    func nativeMethod(_ name: String, _ program: Program) -> NativeCallable? {
        switch self {
        case .string, .markup: program.natives.textMethods[name]
        case .list, .tuple: program.natives.listMethods[name]
        case .dictionary: program.natives.dictionaryMethods[name]
        default: nil
        }
    }

    /// `value[start:stop:step]`.
    func slice(
        _ start: TemplateValue, _ stop: TemplateValue, _ step: TemplateValue, _ host: RenderHost
    ) throws(TemplateProblem) -> TemplateValue {
        if case .missing = self { return .missing }
        let bounds = [start, stop, step]
        var numbers: [Int?] = []
        for bound in bounds {
            try bound.requireDefined()
            switch (bound, bound.numeric) {
            case (.none, _): numbers.append(nil)
            case (_, .integer(let number)?): numbers.append(number)
            default:
                throw .expected("integers", found: bound.kindName, by: "a slice")
            }
        }
        if numbers[2] == 0 { throw .invalidArgument("the step of a slice may not be 0") }
        switch self {
        case .string, .markup:
            let scalars = Array(try text(host).unicodeScalars)
            var result = ""
            for place in Self.places(numbers, count: scalars.count) {
                result.unicodeScalars.append(scalars[place])
            }
            return .text(result, isMarkup: isMarkup)
        case .tuple(let elements):
            return .tuple(Self.places(numbers, count: elements.count).map { elements[$0] })
        case .list, .object:
            let elements = try elements(host)
            return .list(Self.places(numbers, count: elements.count).map { elements[$0] })
        default:
            try requireDefined()
            throw .cannot("take a slice of", of: [kindName])
        }
    }

    private static func places(_ bounds: [Int?], count: Int) -> StrideTo<Int> {
        let step = bounds[2] ?? 1
        let lowest = step > 0 ? 0 : -1
        let highest = step > 0 ? count : count - 1
        func clamp(_ bound: Int?, _ absent: Int) -> Int {
            guard let bound else { return absent }
            let place = bound < 0 ? max(bound, -count - 1) + count : bound
            return min(max(place, lowest), highest)
        }
        let start = clamp(bounds[0], step > 0 ? lowest : highest)
        let stop = clamp(bounds[1], step > 0 ? highest : lowest)
        return stride(from: start, to: stop, by: step)
    }
}

extension String {
    /// A code point by its place, from the end where negative.
    fileprivate func scalar(at place: Int) -> Unicode.Scalar? {
        let scalars = unicodeScalars
        if place >= 0 {
            return scalars.index(scalars.startIndex, offsetBy: place, limitedBy: scalars.endIndex)
                .flatMap { $0 < scalars.endIndex ? scalars[$0] : nil }
        }
        return scalars.index(scalars.endIndex, offsetBy: place, limitedBy: scalars.startIndex)
            .map { scalars[$0] }
    }
}

extension EngineValue {
    /// A member of one of the engine's own; nil: there is none.
    func member(
        _ symbol: Symbol, _ name: String, _ program: Program
    ) throws(TemplateProblem) -> TemplateValue? {
        switch kind {
        case .loop(let loop): return loop.member(name)
        case .namespace(let namespace): return namespace.attributes[name]
        case .module(let module): return module.exported(symbol)
        case .blocks(let context): return context.blockReference(symbol)
        case .block(let block): return name == "super" ? block.parent : nil
        case .cycler(let cycler): return name == "current" ? cycler.current : nil
        case .macro(let macro):
            switch name {
            case "name": return .string(macro.function.name)
            case "arguments":
                return .tuple(macro.function.parameters.map { .string($0.name) })
            case "catch_kwargs": return .boolean(macro.function.kwargsSlot != nil)
            case "catch_varargs": return .boolean(macro.function.varargsSlot != nil)
            case "caller": return .boolean(macro.function.callerSlot != nil)
            default: return nil
            }
        default: return nil
        }
    }
}

extension EngineValue {
    /// Calls a method of a loop or a cycler; nil: there is none of that name.
    func callMethod(
        _ name: String, _ arguments: [TemplateValue], _ host: RenderHost
    ) throws(TemplateProblem) -> TemplateValue? {
        switch (kind, name) {
        case (.loop(let loop), "cycle"): return try loop.cycle(arguments)
        case (.loop(let loop), "changed"): return .boolean(try loop.changed(arguments, host))
        case (.cycler(let cycler), "next"): return cycler.next()
        case (.cycler(let cycler), "reset"):
            cycler.reset()
            return TemplateValue.none
        default: return nil
        }
    }

    /// Whether a call of this member goes to `callMethod`.
    func hasMethod(_ name: String) -> Bool {
        switch kind {
        case .loop: name == "cycle" || name == "changed"
        case .cycler: name == "next" || name == "reset"
        default: false
        }
    }
}
