/// The arguments of one call, each at the place of its parameter.
package struct CallArguments {
    /// What messages call the callee: `filter 'date'`.
    let callee: String
    let parameters: [String]
    /// By parameter; nil where the call gives none.
    var values: [TemplateValue?]
    /// Positional arguments beyond the parameters, of callees that take any.
    var rest: [TemplateValue] = []
    /// Named arguments beyond the parameters, of callees that take any.
    var keywords: [(name: String, value: TemplateValue)] = []

    /// The argument of a parameter, by its place; nil where none was given.
    package subscript(place: Int) -> TemplateValue? {
        place < values.count ? values[place] : nil
    }

    /// The argument as text; nil where none was given. Anything but a text is
    /// an error: `filter 'date' expects a text as 'format'; found an integer`.
    package func string(_ place: Int) throws(TemplateFailure) -> String? {
        do { return try text(place) } catch { throw TemplateFailure(error) }
    }

    /// The argument as a whole number; nil where none was given.
    package func integer(_ place: Int) throws(TemplateFailure) -> Int? {
        do { return try wholeNumber(place) } catch { throw TemplateFailure(error) }
    }

    /// Whether the argument is true; nil where none was given.
    package func boolean(_ place: Int) throws(TemplateFailure) -> Bool? {
        do { return try flag(place) } catch { throw TemplateFailure(error) }
    }

    func text(_ place: Int) throws(TemplateProblem) -> String? {
        switch self[place] {
        case nil, .some(.none): return nil
        case .string(let text)?: return text
        case .markup(let markup)?: return markup.text
        case let other?: throw try wrongType("a text", place, other)
        }
    }

    func wholeNumber(_ place: Int) throws(TemplateProblem) -> Int? {
        switch self[place] {
        case nil, .some(.none): return nil
        case .integer(let number)?: return number
        case .boolean(let flag)?: return flag ? 1 : 0
        case let other?: throw try wrongType("an integer", place, other)
        }
    }

    func flag(_ place: Int) throws(TemplateProblem) -> Bool? {
        try self[place]?.truth()
    }

    /// The fact to throw for an argument of the wrong kind; an undefined
    /// argument is that error instead.
    func wrongType(
        _ expected: String, _ place: Int, _ found: TemplateValue
    ) throws(TemplateProblem) -> TemplateProblem {
        try found.requireDefined()
        let name = place < parameters.count ? " as '\(parameters[place])'" : ""
        return .expected(expected + name, found: found.kindName, by: callee)
    }
}

extension TemplateFailure {
    init(_ problem: TemplateProblem) {
        self.init(problem.diagnostic(at: nil))
    }
}
