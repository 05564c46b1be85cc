/// A filter of the caller's own: `{{ note.date | date('%Y') }}`.
package struct CustomFilter: Sendable {
    let parameters: [String]
    let requiredCount: Int
    let body:
        @Sendable (TemplateValue, CallArguments, RenderHost) throws(TemplateFailure) ->
            TemplateValue

    /// A filter with named parameters, of which the first `required` must be
    /// given. What it throws is placed by the engine.
    package init(
        parameters: [String] = [], required: Int = 0,
        body:
            @escaping @Sendable (TemplateValue, CallArguments, RenderHost)
            throws(TemplateFailure) -> TemplateValue
    ) {
        self.parameters = parameters
        requiredCount = required
        self.body = body
    }
}

/// A function of the caller's own: `{{ notes(where='draft', limit=5) }}`.
package struct CustomFunction: Sendable {
    let parameters: [String]
    let requiredCount: Int
    let body: @Sendable (CallArguments, RenderHost) throws(TemplateFailure) -> TemplateValue

    /// A function with named parameters, of which the first `required` must
    /// be given. What it throws is placed by the engine.
    package init(
        parameters: [String] = [], required: Int = 0,
        body:
            @escaping @Sendable (CallArguments, RenderHost) throws(TemplateFailure) ->
            TemplateValue
    ) {
        self.parameters = parameters
        requiredCount = required
        self.body = body
    }
}
