/// Filters that turn one text into another.
enum TextFilters {
    static let all: [NativeCallable] = [
        .filter("upper") { (call) throws(TemplateProblem) in
            try call.alike(try call.text().uppercased())
        },
        .filter("lower") { (call) throws(TemplateProblem) in
            try call.alike(try call.text().lowercased())
        },
        .filter("capitalize") { (call) throws(TemplateProblem) in
            try call.alike(try call.text().pythonCapitalized())
        },
        .filter("title") { (call) throws(TemplateProblem) in
            .string(titled(try call.text()))
        },
        .filter("trim", ["chars"]) { (call) throws(TemplateProblem) in
            try call.alike(try call.text().stripped(try call.arguments.text(0)))
        },
        .filter("replace", ["old", "new", "count"], required: 2) {
            (call) throws(TemplateProblem) in try replaced(call)
        },
        .filter("format", takesRest: true, takesKeywords: true) {
            (call) throws(TemplateProblem) in try formatted(call)
        },
        .filter("string") { (call) throws(TemplateProblem) in
            if case .markup = call.value { return call.value }
            return .string(try call.text())
        },
        .filter("wordcount") { (call) throws(TemplateProblem) in
            .integer(wordCount(try call.text()))
        },
        .filter("reverse") { (call) throws(TemplateProblem) in
            switch call.value {
            case .string, .markup:
                var text = ""
                text.unicodeScalars.append(contentsOf: try call.text().unicodeScalars.reversed())
                return try call.alike(text)
            default: return .list(try call.elements().reversed())
            }
        },
    ]

    /// The first letter behind each blank, hyphen or opening bracket in upper
    /// case, the others in lower case.
    private static func titled(_ text: String) -> String {
        var result = ""
        var startsWord = true
        for scalar in text.unicodeScalars {
            let isBreak = scalar.isPythonBlank || "-({[<".unicodeScalars.contains(scalar)
            if isBreak {
                result.unicodeScalars.append(scalar)
            } else if startsWord {
                result += scalar.properties.uppercaseMapping
            } else {
                result += scalar.properties.lowercaseMapping
            }
            startsWord = isBreak
        }
        return result
    }

    private static func replaced(_ call: NativeCall) throws(TemplateProblem) -> TemplateValue {
        let old = call.arguments[0] ?? .none
        let new = call.arguments[1] ?? .none
        let count = try call.arguments.wholeNumber(2) ?? -1
        let isMarkup =
            call.escaping != nil && (call.value.isMarkup || old.isMarkup || new.isMarkup)
        guard isMarkup else {
            return .string(
                try call.text().replacing(
                    try old.text(call.host), with: try new.text(call.host), atMost: count,
                    call.host))
        }
        let text = String(decoding: try call.value.escaped(call.host), as: UTF8.self)
        let replacement = String(decoding: try new.escaped(call.host), as: UTF8.self)
        return .markup(
            try text.replacing(
                try old.text(call.host), with: replacement, atMost: count, call.host))
    }

    private static func formatted(_ call: NativeCall) throws(TemplateProblem) -> TemplateValue {
        let arguments = call.arguments
        if !arguments.rest.isEmpty, !arguments.keywords.isEmpty {
            throw .invalidArgument(
                "filter 'format' takes arguments either with names or without, not both")
        }
        let operand: TemplateValue =
            arguments.keywords.isEmpty
            ? .tuple(arguments.rest)
            : .dictionary(TemplateDictionary(arguments.keywords.map { ($0.name, $0.value) }))
        let text = TemplateValue.text(try call.text(), isMarkup: call.value.isMarkup)
        return try text.percentFormatted(with: operand, call.host) ?? text
    }

    private static func wordCount(_ text: String) -> Int {
        var count = 0
        var isInWord = false
        for scalar in text.unicodeScalars {
            let isWord = scalar.isWordCharacter
            if isWord, !isInWord { count += 1 }
            isInWord = isWord
        }
        return count
    }
}

extension String {
    /// As Python's `strip`: blanks, or any of some characters.
    func stripped(
        _ characters: String? = nil, start: Bool = true, end: Bool = true
    ) -> String {
        let isCut: (Unicode.Scalar) -> Bool
        if let characters {
            let set = Set(characters.unicodeScalars)
            isCut = { set.contains($0) }
        } else {
            isCut = \.isPythonBlank
        }
        var scalars = unicodeScalars[...]
        while start, let first = scalars.first, isCut(first) { scalars.removeFirst() }
        while end, let last = scalars.last, isCut(last) { scalars.removeLast() }
        return String(scalars)
    }

    /// The first character in title case, the others in lower case.
    func pythonCapitalized() -> String {
        guard let first = unicodeScalars.first else { return self }
        return first.properties.titlecaseMapping
            + String(unicodeScalars.dropFirst()).lowercased()
    }

    /// Each occurrence replaced, or the first so many; an empty text stands
    /// between all characters.
    func replacing(
        _ old: String, with new: String, atMost count: Int, _ host: RenderHost
    ) throws(TemplateProblem) -> String {
        if count == 0 { return self }
        var places = old.isEmpty ? scalarBoundaries : occurrences(of: old)
        if count > 0 { places = Array(places.prefix(count)) }
        let (growth, overflow) = places.count.multipliedReportingOverflow(by: new.utf8.count)
        try host.checkSize(overflow ? .max : utf8.count + growth)
        let bytes = Array(utf8)
        var result: [UInt8] = []
        var last = 0
        for place in places {
            result += bytes[last..<place]
            result += Array(new.utf8)
            last = place + old.utf8.count
        }
        result += bytes[last...]
        return String(decoding: result, as: UTF8.self)
    }

    private var scalarBoundaries: [Int] {
        let bytes = Array(utf8)
        return bytes.indices.filter { bytes[$0] & 0xC0 != 0x80 } + [bytes.count]
    }

    /// Byte offsets of the occurrences, none within another.
    func occurrences(of needle: String) -> [Int] {
        let bytes = Array(utf8)
        let pattern = Array(needle.utf8)
        guard !pattern.isEmpty else { return [] }
        var places: [Int] = []
        var start = 0
        while let found = bytes.firstRange(of: pattern, from: start) {
            places.append(found.lowerBound)
            start = found.upperBound
        }
        return places
    }

    /// Lines as Python's `splitlines` parts them.
    func pythonLines(keepingEnds: Bool = false) -> [String] {
        var lines: [String] = []
        var line = ""
        var previous: Unicode.Scalar?
        for scalar in unicodeScalars {
            if scalar == "\n", previous == "\r" {
                if keepingEnds, let last = lines.indices.last {
                    lines[last].unicodeScalars.append(scalar)
                }
                previous = scalar
                continue
            }
            previous = scalar
            switch scalar.value {
            case 0x0A...0x0D, 0x1C...0x1E, 0x85, 0x2028, 0x2029:
                if keepingEnds { line.unicodeScalars.append(scalar) }
                lines.append(line)
                line = ""
            default: line.unicodeScalars.append(scalar)
            }
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }

    /// Words between blanks.
    var pythonWords: [String] {
        unicodeScalars.split(whereSeparator: \.isPythonBlank).map { String($0) }
    }
}

extension Unicode.Scalar {
    /// What a regular expression's `\w` matches.
    var isWordCharacter: Bool {
        if value < 0x80 {
            return value == 0x5F || (0x30...0x39).contains(value)
                || (0x41...0x5A).contains(value) || (0x61...0x7A).contains(value)
        }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter,
            .otherLetter, .decimalNumber, .letterNumber, .otherNumber:
            return true
        default: return false
        }
    }
}
