/// Filters that sort, group and compare elements.
enum OrderFilters {
    static let all: [NativeCallable] = [
        .filter("sort", ["reverse", "case_sensitive", "attribute"]) {
            (call) throws(TemplateProblem) in
            let paths = try AttributePath.several(call.arguments[2], call)
            let ignoresCase = !(try call.arguments.flag(1) ?? false)
            var keyed: [(key: [TemplateValue], element: TemplateValue)] = []
            for element in try call.elements() {
                var key: [TemplateValue] = []
                for path in paths {
                    let value = try path.value(in: element, call)
                    try value.requireDefined()
                    key.append(value.folded(ignoresCase))
                }
                keyed.append((key, element))
            }
            let isReversed = try call.arguments.flag(0) ?? false
            return .list(try keyed.sorted(isReversed: isReversed, call.host).map(\.element))
        },
        .filter("dictsort", ["case_sensitive", "by", "reverse"]) {
            (call) throws(TemplateProblem) in try dictionarySorted(call)
        },
        .filter("groupby", ["attribute", "default", "case_sensitive"], required: 1) {
            (call) throws(TemplateProblem) in try grouped(call)
        },
        .filter("unique", ["case_sensitive", "attribute"]) {
            (call) throws(TemplateProblem) in
            let path = try AttributePath(call.arguments[1], call)
            let ignoresCase = !(try call.arguments.flag(0) ?? false)
            var seen: [TemplateValue] = []
            var keys: Set<DictionaryKey> = []
            var result: [TemplateValue] = []
            for element in try call.elements() {
                let value = try path.value(in: element, call).folded(ignoresCase)
                try value.requireDefined()
                if case .object = value {
                    // Two objects may stand for the same thing.
                    try call.host.charge(seen.count >> 3)
                    if try value.isContained(in: .list(seen), call.host) { continue }
                    seen.append(value)
                } else {
                    guard let key = DictionaryKey(value) else {
                        throw .cannot("tell apart with 'unique'", of: [value.kindName])
                    }
                    guard keys.insert(key).inserted else { continue }
                }
                result.append(element)
            }
            return .list(result)
        },
        .filter("min", ["case_sensitive", "attribute"]) {
            (call) throws(TemplateProblem) in
            try extreme(call) { (new, best) throws(TemplateProblem) in
                try new.isLess(than: best, call.host)
            }
        },
        .filter("max", ["case_sensitive", "attribute"]) {
            (call) throws(TemplateProblem) in
            try extreme(call) { (new, best) throws(TemplateProblem) in
                try best.isLess(than: new, call.host)
            }
        },
    ]

    private static func extreme(
        _ call: NativeCall,
        _ isBetter: (TemplateValue, TemplateValue) throws(TemplateProblem) -> Bool
    ) throws(TemplateProblem) -> TemplateValue {
        let ignoresCase = !(try call.arguments.flag(0) ?? false)
        let path = try AttributePath(call.arguments[1], call)
        var best: (key: TemplateValue, element: TemplateValue)?
        for element in try call.elements() {
            let value = try path.value(in: element, call)
            try value.requireDefined()
            let key = value.folded(ignoresCase)
            try call.host.charge(1)
            if let found = best, try !isBetter(key, found.key) { continue }
            best = (key, element)
        }
        return best?.element
            ?? .undefined(UndefinedName(explanation: "the sequence has no elements"))
    }

    private static func dictionarySorted(
        _ call: NativeCall
    ) throws(TemplateProblem) -> TemplateValue {
        guard case .dictionary(let dictionary) = call.value else {
            throw call.wrongValue("a dictionary")
        }
        let ignoresCase = !(try call.arguments.flag(0) ?? false)
        let by = try call.arguments.text(1) ?? "key"
        guard by == "key" || by == "value" else {
            throw .invalidArgument(
                "filter 'dictsort' expects 'key' or 'value' as 'by'; found "
                    + TemplateValue.quoted(by))
        }
        let keyed = zip(dictionary.keys, dictionary.values).map { name, value in
            (
                key: [(by == "key" ? name : value).folded(ignoresCase)],
                element: TemplateValue.tuple([name, value])
            )
        }
        let isReversed = try call.arguments.flag(2) ?? false
        return .list(try keyed.sorted(isReversed: isReversed, call.host).map(\.element))
    }

    private static func grouped(_ call: NativeCall) throws(TemplateProblem) -> TemplateValue {
        let path = try AttributePath(call.arguments[0], call)
        let fallback = call.arguments[1]
        let ignoresCase = !(try call.arguments.flag(2) ?? false)
        var keyed: [(key: [TemplateValue], element: TemplateValue)] = []
        for element in try call.elements() {
            let value = try path.value(in: element, call, fallback: fallback)
            try value.requireDefined()
            keyed.append(([value.folded(ignoresCase)], element))
        }
        var groups: [(key: TemplateValue, elements: [TemplateValue])] = []
        for (key, element) in try keyed.sorted(isReversed: false, call.host) {
            if let last = groups.last, try last.key.isEqual(to: key[0], call.host) {
                groups[groups.count - 1].elements.append(element)
            } else {
                groups.append((key[0], [element]))
            }
        }
        var result: [TemplateValue] = []
        for group in groups {
            // What is shown is the value itself, not how it was compared.
            let shown = try path.value(in: group.elements[0], call, fallback: fallback)
            result.append(.tuple([shown, .list(group.elements)]))
        }
        return .list(result)
    }
}
