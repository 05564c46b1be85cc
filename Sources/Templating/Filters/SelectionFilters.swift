/// Filters that choose or change each element by another filter or test.
enum SelectionFilters {
    static let all: [NativeCallable] = [
        .filter(
            "map", takesRest: true, takesKeywords: true, naming: (0, isTest: false)
        ) { (call) throws(TemplateProblem) in try mapped(call) },
        selection("select", byAttribute: false, keeps: true),
        selection("reject", byAttribute: false, keeps: false),
        selection("selectattr", byAttribute: true, keeps: true),
        selection("rejectattr", byAttribute: true, keeps: false),
    ]

    private static func selection(
        _ name: String, byAttribute: Bool, keeps: Bool
    ) -> NativeCallable {
        .filter(
            name, takesRest: true, takesKeywords: true,
            naming: (byAttribute ? 1 : 0, isTest: true)
        ) { (call) throws(TemplateProblem) in
            try selected(call, byAttribute: byAttribute, keeps: keeps)
        }
    }

    private static func selected(
        _ call: NativeCall, byAttribute: Bool, keeps: Bool
    ) throws(TemplateProblem) -> TemplateValue {
        var rest = call.arguments.rest[...]
        var path: AttributePath?
        if byAttribute {
            guard let attribute = rest.popFirst() else {
                throw .missingArgument(callee: call.arguments.callee, name: "attribute")
            }
            path = try AttributePath(attribute, call)
        }
        var test: NativeCallable?
        var arguments = call.arguments
        if let name = rest.popFirst() {
            let text = try name.text(call.host)
            guard let found = call.program.natives.tests[text] else {
                throw .unknownTest(
                    text, candidates: call.program.natives.tests.keys.sorted(),
                    isFilter: call.program.natives.filters[text] != nil)
            }
            test = found
            arguments = try found.bind(Array(rest), call.arguments.keywords)
        }
        var result: [TemplateValue] = []
        for element in try call.elements() {
            try call.host.charge(1)
            let value = try path?.value(in: element, call) ?? element
            let isTrue: Bool
            if let test {
                var inner = call
                inner.value = value
                inner.arguments = arguments
                isTrue = try test.call(inner).truth()
            } else {
                isTrue = try value.truth()
            }
            if isTrue == keeps { result.append(element) }
        }
        return .list(result)
    }

    private static func mapped(_ call: NativeCall) throws(TemplateProblem) -> TemplateValue {
        var result: [TemplateValue] = []
        guard let name = call.arguments.rest.first else {
            let (path, fallback) = try attribute(call)
            for element in try call.elements() {
                try call.host.charge(1)
                result.append(try path.value(in: element, call, fallback: fallback))
            }
            return .list(result)
        }
        let text = try name.text(call.host)
        guard let filter = call.program.natives.filters[text] else {
            throw .unknownFilter(
                text, candidates: call.program.natives.filters.keys.sorted(),
                isTest: call.program.natives.tests[text] != nil)
        }
        var inner = call
        inner.arguments = try filter.bind(
            Array(call.arguments.rest.dropFirst()), call.arguments.keywords)
        for element in try call.elements() {
            inner.value = element
            result.append(try filter.call(inner))
        }
        return .list(result)
    }

    /// `map(attribute='title', default='–')`.
    private static func attribute(
        _ call: NativeCall
    ) throws(TemplateProblem) -> (AttributePath, fallback: TemplateValue?) {
        var path: AttributePath?
        var fallback: TemplateValue?
        for (name, value) in call.arguments.keywords {
            switch name {
            case "attribute": path = try AttributePath(value, call)
            case "default": fallback = value.isNone ? nil : value
            default:
                throw .unknownArgument(
                    callee: call.arguments.callee, name: name,
                    candidates: ["attribute", "default"])
            }
        }
        guard let path else {
            throw .missingArgument(callee: call.arguments.callee, name: "attribute")
        }
        return (path, fallback)
    }
}
