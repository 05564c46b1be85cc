/// Filters that lay text out in lines.
enum LayoutFilters {
    static let all: [NativeCallable] = [
        .filter("center", ["width"]) { (call) throws(TemplateProblem) in
            let width = try call.arguments.wholeNumber(0) ?? 80
            return try call.alike(try call.text().padded(to: width, .center, with: " ", call.host))
        },
        .filter("indent", ["width", "first", "blank"]) {
            (call) throws(TemplateProblem) in try indented(call)
        },
        .filter("truncate", ["length", "killwords", "end", "leeway"]) {
            (call) throws(TemplateProblem) in try truncated(call)
        },
        .filter(
            "wordwrap", ["width", "break_long_words", "wrapstring", "break_on_hyphens"]
        ) { (call) throws(TemplateProblem) in
            let wrapper = WordWrapper(
                width: try call.arguments.wholeNumber(0) ?? 79,
                breaksLongWords: try call.arguments.flag(1) ?? true,
                breaksOnHyphens: try call.arguments.flag(3) ?? true)
            guard wrapper.width > 0 else {
                throw .invalidArgument("filter 'wordwrap' expects a 'width' above 0")
            }
            let end = try call.arguments.text(2) ?? "\n"
            var lines: [String] = []
            for line in try call.text().pythonLines() {
                lines.append(wrapper.wrap(line).joined(separator: end))
            }
            let text = lines.joined(separator: end)
            try call.host.checkSize(text.utf8.count)
            return .string(text)
        },
    ]

    private static func indented(_ call: NativeCall) throws(TemplateProblem) -> TemplateValue {
        let indention: String
        switch call.arguments[0] {
        case .string(let text)?: indention = text
        case .markup(let markup)?: indention = markup.text
        default:
            let width = try call.arguments.wholeNumber(0) ?? 4
            try call.host.checkSize(max(width, 0))
            indention = String(repeating: " ", count: max(width, 0))
        }
        let indentsFirst = try call.arguments.flag(1) ?? false
        let indentsBlank = try call.arguments.flag(2) ?? false
        let lines = (try call.text() + "\n").pythonLines()
        try call.host.checkSize(lines.count * max(indention.utf8.count, 1))
        var result = indentsFirst ? indention : ""
        for (place, line) in lines.enumerated() {
            if place > 0 {
                result += "\n"
                if indentsBlank || !line.isEmpty { result += indention }
            }
            result += line
        }
        return try call.alike(result)
    }

    private static func truncated(_ call: NativeCall) throws(TemplateProblem) -> TemplateValue {
        let length = try call.arguments.wholeNumber(0) ?? 255
        let keepsNoWords = try call.arguments.flag(1) ?? false
        let end = call.arguments[2] ?? .string("...")
        let leeway = try call.arguments.wholeNumber(3) ?? 5
        let endLength = try call.arguments.text(2)?.unicodeScalars.count ?? 3
        guard length >= endLength, leeway >= 0 else {
            throw .invalidArgument(
                "filter 'truncate' expects a 'length' of at least \(endLength) and a 'leeway' of"
                    + " at least 0")
        }
        let scalars = Array(try call.text().unicodeScalars)
        if scalars.count <= length || scalars.count - length <= leeway { return call.value }
        var kept = scalars[..<(length - endLength)]
        if !keepsNoWords, let blank = kept.lastIndex(of: " ") { kept = kept[..<blank] }
        var text = ""
        text.unicodeScalars.append(contentsOf: kept)
        return try TemplateValue.text(text, isMarkup: call.value.isMarkup)
            .combined(.add, end, call.host)
    }
}

enum Alignment {
    case left, right, center
}

extension String {
    /// The text filled up to a width in code points. Where an odd number is to
    /// be shared, Python puts the greater half left if the width is odd.
    func padded(
        to width: Int, _ alignment: Alignment, with fill: String, _ host: RenderHost
    ) throws(TemplateProblem) -> String {
        let missing = width - unicodeScalars.count
        guard missing > 0 else { return self }
        try host.checkSize(width)
        let left: Int
        switch alignment {
        case .left: left = 0
        case .right: left = missing
        case .center: left = missing / 2 + (missing & width & 1)
        }
        return String(repeating: fill, count: left) + self
            + String(repeating: fill, count: missing - left)
    }
}
