/// What filters call `attribute`: members within members, `author.name`, or
/// places, `tags.0`.
struct AttributePath {
    private let parts: [TemplateValue]

    /// Nil and none are the element itself.
    init(_ value: TemplateValue?, _ call: NativeCall) throws(TemplateProblem) {
        switch value {
        case nil, .some(.none): self.init([])
        case .integer(let place)?: self.init([.integer(place)])
        case let value?: self.init(path: try value.text(call.host))
        }
    }

    private init(_ parts: [TemplateValue]) {
        self.parts = parts
    }

    init(path: String) {
        parts = path.split(separator: ".", omittingEmptySubsequences: false).map { part in
            part.utf8.allSatisfy(Ascii.isDigit)
                ? Int(part).map { .integer($0) } ?? .string("") : .string(String(part))
        }
    }

    /// Several paths with commas between them, for `sort`.
    static func several(
        _ value: TemplateValue?, _ call: NativeCall
    ) throws(TemplateProblem) -> [AttributePath] {
        guard case .string(let text)? = value else { return [try AttributePath(value, call)] }
        return text.split(separator: ",", omittingEmptySubsequences: false)
            .map { AttributePath(path: String($0)) }
    }

    func value(
        in element: TemplateValue, _ call: NativeCall, fallback: TemplateValue? = nil
    ) throws(TemplateProblem) -> TemplateValue {
        var value = element
        for part in parts {
            value = try value.element(part, call.program, call.host)
            if let fallback, value.isAbsent { value = fallback }
        }
        return value
    }
}

extension TemplateValue {
    /// The value as sorting sees it: texts without regard to case.
    func folded(_ ignoresCase: Bool) -> TemplateValue {
        guard ignoresCase else { return self }
        switch self {
        case .string(let text): return .string(text.lowercased())
        case .markup(let markup): return .string(markup.text.lowercased())
        default: return self
        }
    }
}

extension [(key: [TemplateValue], element: TemplateValue)] {
    /// Sorted by key, equal keys in their order before. Merging, since the
    /// standard library's sort cannot throw what comparing throws.
    func sorted(
        isReversed: Bool, _ host: RenderHost
    ) throws(TemplateProblem) -> [Element] {
        var source = self
        var width = 1
        while width < source.count {
            try host.charge(source.count)
            var merged: [Element] = []
            merged.reserveCapacity(source.count)
            var start = 0
            while start < source.count {
                let middle = Swift.min(start + width, source.count)
                let end = Swift.min(middle + width, source.count)
                var (left, right) = (start, middle)
                while left < middle, right < end {
                    let (one, two) = (source[left], source[right])
                    let takesRight =
                        isReversed
                        ? try Self.isLess(one.key, two.key, host)
                        : try Self.isLess(two.key, one.key, host)
                    merged.append(takesRight ? two : one)
                    if takesRight { right += 1 } else { left += 1 }
                }
                merged += source[left..<middle]
                merged += source[right..<end]
                start = end
            }
            source = merged
            width *= 2
        }
        return source
    }

    private static func isLess(
        _ one: [TemplateValue], _ two: [TemplateValue], _ host: RenderHost
    ) throws(TemplateProblem) -> Bool {
        for (left, right) in zip(one, two) {
            if try left.isLess(than: right, host) { return true }
            if try right.isLess(than: left, host) { return false }
        }
        return false
    }
}
