extension TemplateValue {
    /// Refuses a value that is not there.
    func requireDefined() throws(TemplateProblem) {
        if case .undefined(let name) = self { throw name.problem }
    }

    /// Whether it counts as true: what is empty, zero, none or missing does
    /// not.
    func truth() throws(TemplateProblem) -> Bool {
        switch self {
        case .undefined(let name): throw name.problem
        case .missing, .none: return false
        case .boolean(let flag): return flag
        case .integer(let number): return number != 0
        case .number(let number): return number != 0
        case .string(let text): return !text.isEmpty
        case .markup(let markup): return !markup.bytes.isEmpty
        case .list(let elements), .tuple(let elements): return !elements.isEmpty
        case .dictionary(let dictionary): return dictionary.count > 0
        case .object(let object):
            do { return try object.count() != 0 } catch { throw TemplateProblem(error) }
        case .engine: return true
        }
    }

    /// How much work going through it is, in steps.
    var weight: Int {
        switch self {
        case .string(let text): text.utf8.count >> 6
        case .markup(let markup): markup.bytes.count >> 6
        case .list(let elements), .tuple(let elements): elements.count >> 3
        case .dictionary(let dictionary): dictionary.count >> 3
        default: 0
        }
    }
}

extension UndefinedName {
    /// What a use of it is.
    var problem: TemplateProblem {
        switch reason {
        case .name(let name): .undefinedName(name, candidates: [], isInRender: false)
        case .member(let name, let value):
            .undefinedMember(name, of: value.kindName, candidates: value.memberNames)
        case .element(let key, let value): .undefinedElement(key, of: value.kindName)
        case .parameter(let name): .parameterNotGiven(name)
        case .caller: .noCaller
        case .export(let name, let template, let candidates):
            .notExported(name, template: template, candidates: candidates)
        case .absent(let explanation): .absent(explanation)
        }
    }
}

extension TemplateValue {
    /// Its members, for messages.
    var memberNames: [String] {
        switch self {
        case .object(let object): object.memberNames
        case .dictionary(let dictionary):
            dictionary.keys.compactMap { key in
                if case .string(let name) = key { name } else { nil }
            }
        case .engine(let value):
            switch value.kind {
            case .loop: LoopState.memberNames
            case .namespace(let namespace): namespace.attributes.keys.sorted()
            case .module(let module): module.exportedNames
            case .blocks(let context): context.blockNames
            default: []
            }
        default: []
        }
    }
}
