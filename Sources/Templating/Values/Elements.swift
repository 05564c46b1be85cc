extension TemplateValue {
    /// What going through it yields: elements, keys of a dictionary, code
    /// points of a text.
    func elements(_ host: RenderHost) throws(TemplateProblem) -> [TemplateValue] {
        switch self {
        case .list(let elements), .tuple(let elements): return elements
        case .missing: return []
        case .undefined(let name): throw name.problem
        case .dictionary(let dictionary): return dictionary.keys
        case .string(let text): return text.unicodeScalars.map { .string(String($0)) }
        case .markup(let markup): return markup.text.unicodeScalars.map { .string(String($0)) }
        case .object(let object):
            do {
                if let elements = try object.elements() { return elements }
            } catch { throw TemplateProblem(error) }
            throw .notIterable(kindName)
        default: throw .notIterable(kindName)
        }
    }

    /// The number of elements, without making them; nil: it has none.
    func elementCount() throws(TemplateProblem) -> Int? {
        switch self {
        case .undefined(let name): throw name.problem
        case .missing: return 0
        case .list(let elements), .tuple(let elements): return elements.count
        case .dictionary(let dictionary): return dictionary.count
        case .string(let text): return text.unicodeScalars.count
        case .markup(let markup):
            return markup.bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
        case .object(let object):
            do { return try object.count() } catch { throw TemplateProblem(error) }
        case .engine(let value):
            if case .loop(let loop) = value.kind { return loop.items.count }
            return nil
        default: return nil
        }
    }

    /// Refuses containers so deep that walking them could exhaust the stack.
    func checkDepth(_ host: RenderHost) throws(TemplateProblem) {
        switch self {
        case .list, .tuple, .dictionary: try checkDepth(host, 0)
        default: return
        }
    }

    private func checkDepth(_ host: RenderHost, _ depth: Int) throws(TemplateProblem) {
        let elements: [TemplateValue]
        switch self {
        case .list(let inner), .tuple(let inner): elements = inner
        case .dictionary(let dictionary): elements = dictionary.values
        default: return
        }
        guard depth < host.limits.depth else { throw .tooDeep(limit: host.limits.depth) }
        try host.charge(elements.count >> 3)
        for element in elements {
            switch element {
            case .list, .tuple, .dictionary:
                try host.charge(1)
                try element.checkDepth(host, depth + 1)
            default: continue
            }
        }
    }
}
