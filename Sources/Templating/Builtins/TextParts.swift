/// What methods that take texts apart share.
enum TextParts {
    /// An argument as text, escaped where the text it goes into is markup.
    static func fitting(
        _ value: TemplateValue, _ call: NativeCall
    ) throws(TemplateProblem) -> String {
        guard call.value.isMarkup else { return try value.text(call.host) }
        return String(decoding: try value.escaped(call.host), as: UTF8.self)
    }

    /// Where a text is found, in code points.
    static func place(_ call: NativeCall, last: Bool) throws(TemplateProblem) -> Int? {
        let needle = try call.arguments.text(0) ?? ""
        let text = try call.text()
        if needle.isEmpty { return last ? text.unicodeScalars.count : 0 }
        let bytes = Array(text.utf8)
        let pattern = Array(needle.utf8)
        var found: Int?
        var start = 0
        while let range = bytes.firstRange(of: pattern, from: start) {
            found = range.lowerBound
            if !last { break }
            start = range.lowerBound + 1
        }
        return found.map { String(decoding: bytes[..<$0], as: UTF8.self).unicodeScalars.count }
    }

    static func split(
        _ call: NativeCall, fromEnd: Bool
    ) throws(TemplateProblem) -> TemplateValue {
        let text = try call.text()
        let limit = try call.arguments.wholeNumber(1) ?? -1
        let parts: [String]
        if let separator = try call.arguments.text(0) {
            guard !separator.isEmpty else {
                throw .invalidArgument("the separator may not be empty")
            }
            parts = split(Array(text.utf8), Array(separator.utf8), limit, fromEnd: fromEnd)
        } else {
            parts = splitAtBlanks(text, limit, fromEnd: fromEnd)
        }
        let isMarkup = call.value.isMarkup
        return .list(parts.map { .text($0, isMarkup: isMarkup) })
    }

    private static func split(
        _ bytes: [UInt8], _ separator: [UInt8], _ limit: Int, fromEnd: Bool
    ) -> [String] {
        var places: [Int] = []
        if fromEnd {
            var place = bytes.count - separator.count
            while place >= 0, limit < 0 || places.count < limit {
                if bytes[place..<place + separator.count].elementsEqual(separator) {
                    places.insert(place, at: 0)
                    place -= separator.count
                } else {
                    place -= 1
                }
            }
        } else {
            var start = 0
            while limit < 0 || places.count < limit,
                let found = bytes.firstRange(of: separator, from: start)
            {
                places.append(found.lowerBound)
                start = found.upperBound
            }
        }
        var parts: [String] = []
        var last = 0
        for place in places {
            parts.append(String(decoding: bytes[last..<place], as: UTF8.self))
            last = place + separator.count
        }
        return parts + [String(decoding: bytes[last...], as: UTF8.self)]
    }

    private static func splitAtBlanks(_ text: String, _ limit: Int, fromEnd: Bool) -> [String] {
        guard limit >= 0 else { return text.pythonWords }
        var parts: [String] = []
        var rest = Array(text.stripped(start: !fromEnd, end: fromEnd).unicodeScalars)[...]
        while parts.count < limit, !rest.isEmpty {
            if fromEnd {
                let cut = rest.lastIndex(where: \.isPythonBlank).map { $0 + 1 } ?? rest.startIndex
                parts.insert(string(rest[cut...]), at: 0)
                rest = rest[..<cut]
                while rest.last?.isPythonBlank == true { rest.removeLast() }
            } else {
                let cut = rest.firstIndex(where: \.isPythonBlank) ?? rest.endIndex
                parts.append(string(rest[..<cut]))
                rest = rest[cut...]
                while rest.first?.isPythonBlank == true { rest.removeFirst() }
            }
        }
        // The part that is not split keeps the blanks at its far end.
        if !rest.isEmpty { parts.insert(string(rest), at: fromEnd ? 0 : parts.count) }
        return parts
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return text
    }

    static func partition(
        _ call: NativeCall, fromEnd: Bool
    ) throws(TemplateProblem) -> TemplateValue {
        let text = try call.text()
        let separator = try call.arguments.text(0) ?? ""
        guard !separator.isEmpty else {
            throw .invalidArgument("the separator may not be empty")
        }
        let parts = split(Array(text.utf8), Array(separator.utf8), 1, fromEnd: fromEnd)
        let isMarkup = call.value.isMarkup
        let texts: [String] =
            parts.count == 2
            ? [parts[0], separator, parts[1]] : fromEnd ? ["", "", text] : [text, "", ""]
        return .tuple(texts.map { .text($0, isMarkup: isMarkup) })
    }
}
