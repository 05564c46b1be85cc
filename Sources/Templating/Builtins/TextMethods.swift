/// Methods of texts, as far as templates use them.
enum TextMethods {
    static let all: [NativeCallable] = cases + cuts + searches + layouts + kinds

    static func method(
        _ name: String, _ parameters: [String] = [], required: Int = 0, takesRest: Bool = false,
        takesKeywords: Bool = false, body: @escaping NativeCallable.Body
    ) -> NativeCallable {
        NativeCallable(
            .method, name, parameters, required: required, takesRest: takesRest,
            takesKeywords: takesKeywords, body: body)
    }

    private static func change(
        _ name: String, _ body: @escaping @Sendable (String) -> String
    ) -> NativeCallable {
        method(name) { (call) throws(TemplateProblem) in try call.alike(body(try call.text())) }
    }

    private static let cases: [NativeCallable] = [
        change("upper") { $0.uppercased() },
        change("lower") { $0.lowercased() },
        change("casefold") { $0.lowercased() },
        change("capitalize") { $0.pythonCapitalized() },
        change("title") { text in
            var result = ""
            var startsWord = true
            for scalar in text.unicodeScalars {
                let properties = scalar.properties
                result += startsWord ? properties.titlecaseMapping : properties.lowercaseMapping
                startsWord = !properties.isCased
            }
            return result
        },
        change("swapcase") { text in
            text.unicodeScalars.reduce(into: "") { result, scalar in
                let properties = scalar.properties
                result +=
                    properties.isUppercase
                    ? properties.lowercaseMapping : properties.uppercaseMapping
            }
        },
    ]

    private static func strip(_ name: String, start: Bool, end: Bool) -> NativeCallable {
        method(name, ["chars"]) { (call) throws(TemplateProblem) in
            try call.alike(
                try call.text().stripped(try call.arguments.text(0), start: start, end: end))
        }
    }

    private static let cuts: [NativeCallable] = [
        strip("strip", start: true, end: true),
        strip("lstrip", start: true, end: false),
        strip("rstrip", start: false, end: true),
        method("removeprefix", ["prefix"], required: 1) { (call) throws(TemplateProblem) in
            let text = try call.text()
            let prefix = try call.arguments.text(0) ?? ""
            guard text.utf8.starts(with: prefix.utf8) else { return call.value }
            return try call.alike(String(text.utf8.dropFirst(prefix.utf8.count)) ?? text)
        },
        method("removesuffix", ["suffix"], required: 1) { (call) throws(TemplateProblem) in
            let text = try call.text()
            let suffix = try call.arguments.text(0) ?? ""
            guard text.utf8.reversed().starts(with: suffix.utf8.reversed()) else {
                return call.value
            }
            return try call.alike(String(text.utf8.dropLast(suffix.utf8.count)) ?? text)
        },
        method("split", ["sep", "maxsplit"]) { (call) throws(TemplateProblem) in
            try TextParts.split(call, fromEnd: false)
        },
        method("rsplit", ["sep", "maxsplit"]) { (call) throws(TemplateProblem) in
            try TextParts.split(call, fromEnd: true)
        },
        method("splitlines", ["keepends"]) { (call) throws(TemplateProblem) in
            let keepsEnds = try call.arguments.flag(0) ?? false
            let isMarkup = call.value.isMarkup
            return .list(
                try call.text().pythonLines(keepingEnds: keepsEnds)
                    .map { .text($0, isMarkup: isMarkup) })
        },
        method("partition", ["sep"], required: 1) { (call) throws(TemplateProblem) in
            try TextParts.partition(call, fromEnd: false)
        },
        method("rpartition", ["sep"], required: 1) { (call) throws(TemplateProblem) in
            try TextParts.partition(call, fromEnd: true)
        },
    ]

    private static func affix(_ name: String, atEnd: Bool) -> NativeCallable {
        method(name, ["affix"], required: 1) { (call) throws(TemplateProblem) in
            let text = try call.text()
            var affixes: [TemplateValue] = [call.arguments[0] ?? .none]
            if case .tuple(let several)? = call.arguments[0] { affixes = several }
            for affix in affixes {
                guard case .string(let affix) = affix else {
                    throw .expected("a text", found: affix.kindName, by: call.arguments.callee)
                }
                let matches =
                    atEnd
                    ? text.utf8.reversed().starts(with: affix.utf8.reversed())
                    : text.utf8.starts(with: affix.utf8)
                if matches { return .boolean(true) }
            }
            return .boolean(false)
        }
    }

    private static let searches: [NativeCallable] = [
        affix("startswith", atEnd: false),
        affix("endswith", atEnd: true),
        method("find", ["sub"], required: 1) { (call) throws(TemplateProblem) in
            .integer(try TextParts.place(call, last: false) ?? -1)
        },
        method("rfind", ["sub"], required: 1) { (call) throws(TemplateProblem) in
            .integer(try TextParts.place(call, last: true) ?? -1)
        },
        method("index", ["sub"], required: 1) { (call) throws(TemplateProblem) in
            guard let place = try TextParts.place(call, last: false) else {
                throw .invalidArgument("the text does not contain what 'index' looks for")
            }
            return .integer(place)
        },
        method("count", ["sub"], required: 1) { (call) throws(TemplateProblem) in
            let needle = try call.arguments.text(0) ?? ""
            let text = try call.text()
            if needle.isEmpty { return .integer(text.unicodeScalars.count + 1) }
            return .integer(text.occurrences(of: needle).count)
        },
        method("replace", ["old", "new", "count"], required: 2) {
            (call) throws(TemplateProblem) in
            let old = try call.arguments.text(0) ?? ""
            let count = try call.arguments.wholeNumber(2) ?? -1
            _ = try call.arguments.text(1)
            let new = try TextParts.fitting(call.arguments[1] ?? .none, call)
            return try call.alike(
                try call.text().replacing(old, with: new, atMost: count, call.host))
        },
        method("join", ["iterable"], required: 1) { (call) throws(TemplateProblem) in
            let elements = try (call.arguments[0] ?? .none).elements(call.host)
            for element in elements {
                switch element {
                case .string, .markup: continue
                default:
                    try element.requireDefined()
                    if call.value.isMarkup { continue }
                    throw .expected("texts", found: element.kindName, by: "method 'join'")
                }
            }
            return try TemplateValue.joined(
                elements, call.value, isMarkup: call.value.isMarkup, call.host)
        },
        method("format", takesRest: true, takesKeywords: true) { (call) throws(TemplateProblem) in
            try BraceFormat.format(call)
        },
    ]

    private static func pad(_ name: String, _ alignment: Alignment) -> NativeCallable {
        method(name, ["width", "fillchar"], required: 1) { (call) throws(TemplateProblem) in
            let fill = try TextParts.fitting(call.arguments[1] ?? .string(" "), call)
            guard fill.unicodeScalars.count == 1 else {
                throw .invalidArgument("method '\(name)' expects one character as 'fillchar'")
            }
            let width = try call.arguments.wholeNumber(0) ?? 0
            return try call.alike(
                try call.text().padded(to: width, alignment, with: fill, call.host))
        }
    }

    private static let layouts: [NativeCallable] = [
        pad("center", .center), pad("ljust", .left), pad("rjust", .right),
        method("zfill", ["width"], required: 1) { (call) throws(TemplateProblem) in
            let text = try call.text()
            let width = try call.arguments.wholeNumber(0) ?? 0
            let hasSign = text.hasPrefix("-") || text.hasPrefix("+")
            let sign = hasSign ? String(text.unicodeScalars.prefix(1)) : ""
            let digits = String(text.unicodeScalars.dropFirst(hasSign ? 1 : 0))
            return try call.alike(
                sign + digits.padded(to: width - sign.count, .right, with: "0", call.host))
        },
    ]

    private static func kind(
        _ name: String, _ holds: @escaping @Sendable (Unicode.Scalar) -> Bool
    ) -> NativeCallable {
        method(name) { (call) throws(TemplateProblem) in
            let scalars = try call.text().unicodeScalars
            return .boolean(!scalars.isEmpty && scalars.allSatisfy(holds))
        }
    }

    private static let kinds: [NativeCallable] = [
        kind("isdigit") {
            $0.properties.numericType == .decimal || $0.properties.numericType == .digit
        },
        kind("isdecimal") { $0.properties.numericType == .decimal },
        kind("isnumeric") { $0.properties.numericType != nil },
        kind("isalpha") { $0.isWordCharacter && $0 != "_" && $0.properties.numericType == nil },
        kind("isalnum") { $0.isWordCharacter && $0 != "_" },
        kind("isspace") { $0.isPythonBlank },
        method("islower") { (call) throws(TemplateProblem) in
            let text = try call.text()
            return .boolean(text.hasCase && text == text.lowercased())
        },
        method("isupper") { (call) throws(TemplateProblem) in
            let text = try call.text()
            return .boolean(text.hasCase && text == text.uppercased())
        },
    ]
}
