extension TemplateValue {
    /// Python's `==`.
    func isEqual(
        to other: TemplateValue, _ host: RenderHost
    ) throws(TemplateProblem) -> Bool {
        switch (self, other) {
        case (.undefined(let name), _), (_, .undefined(let name)): throw name.problem
        case (.missing, .missing), (.none, .none), (.missing, .none), (.none, .missing):
            return true
        case (.list(let one), .list(let two)), (.tuple(let one), .tuple(let two)):
            guard one.count == two.count else { return false }
            try host.charge(one.count)
            for (left, right) in zip(one, two) where try !left.isEqual(to: right, host) {
                return false
            }
            return true
        case (.dictionary(let one), .dictionary(let two)):
            guard one.count == two.count else { return false }
            try host.charge(one.count)
            for (place, key) in one.keys.enumerated() {
                guard let key = DictionaryKey(key), let match = two[key],
                    try one.values[place].isEqual(to: match, host)
                else { return false }
            }
            return true
        case (.object(let one), .object(let two)): return one.isSame(as: two)
        case (.engine(let one), .engine(let two)): return one.isSame(as: two)
        default: break
        }
        if let one = plainBytes, let two = other.plainBytes { return one.elementsEqual(two) }
        if let one = numeric, let two = other.numeric {
            if case (.integer(let left), .integer(let right)) = (one, two) { return left == right }
            return one.double == two.double
        }
        return false
    }

    /// The text of a text or of markup.
    private var plainBytes: String.UTF8View? {
        switch self {
        case .string(let text): text.utf8
        case .markup(let markup): markup.text.utf8
        default: nil
        }
    }

    /// Python's `<`; values without an order are an error.
    func isLess(
        than other: TemplateValue, _ host: RenderHost
    ) throws(TemplateProblem) -> Bool {
        if let one = plainBytes, let two = other.plainBytes {
            return one.lexicographicallyPrecedes(two)
        }
        if let one = numeric, let two = other.numeric {
            if case (.integer(let left), .integer(let right)) = (one, two) { return left < right }
            return one.double < two.double
        }
        switch (self, other) {
        case (.undefined(let name), _), (_, .undefined(let name)): throw name.problem
        case (.list(let one), .list(let two)), (.tuple(let one), .tuple(let two)):
            try host.charge(min(one.count, two.count))
            for (left, right) in zip(one, two) where try !left.isEqual(to: right, host) {
                return try left.isLess(than: right, host)
            }
            return one.count < two.count
        case (.object(let one), .object(let two)):
            if let result = one.isOrdered(before: two) { return result }
        default: break
        }
        throw .cannot("compare", of: [kindName, other.kindName])
    }

    /// Python's `in`, with the container on the right.
    func isContained(
        in container: TemplateValue, _ host: RenderHost
    ) throws(TemplateProblem) -> Bool {
        try requireDefined()
        switch container {
        case .string, .markup:
            guard let needle = plainBytes, let haystack = container.plainBytes else {
                throw .cannot("look in a text for", of: [kindName])
            }
            try host.charge(haystack.count >> 6)
            return Array(haystack).firstRange(of: Array(needle), from: 0) != nil
        case .dictionary(let dictionary):
            guard let key = DictionaryKey(self) else {
                throw .cannot("use as a key", of: [kindName])
            }
            return dictionary[key] != nil
        default:
            let elements = try container.elements(host)
            try host.charge(elements.count >> 3)
            for element in elements where try isEqual(to: element, host) { return true }
            return false
        }
    }
}

extension EngineValue {
    func isSame(as other: EngineValue) -> Bool {
        switch (kind, other.kind) {
        case (.macro(let one), .macro(let two)): one === two
        case (.native(let one), .native(let two)): one === two
        case (.loop(let one), .loop(let two)): one === two
        case (.namespace(let one), .namespace(let two)): one === two
        case (.module(let one), .module(let two)): one === two
        case (.cycler(let one), .cycler(let two)): one === two
        case (.joiner(let one), .joiner(let two)): one === two
        default: false
        }
    }
}

extension [UInt8] {
    /// Where `needle` next stands, at or behind a place.
    func firstRange(of needle: [UInt8], from start: Int) -> Range<Int>? {
        guard let first = needle.first else {
            return start <= count ? start..<start : nil
        }
        var place = start
        while place + needle.count <= count {
            if self[place] == first, self[place..<place + needle.count].elementsEqual(needle) {
                return place..<place + needle.count
            }
            place += 1
        }
        return nil
    }
}
