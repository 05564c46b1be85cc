/// All filters of Jinja that give the same result each time; `random` and
/// `pprint` are left out.
enum BuiltinFilters {
    static let aliases = [("d", "default"), ("e", "escape"), ("count", "length")]

    static let all: [NativeCallable] =
        TextFilters.all + LayoutFilters.all + MarkupFilters.all + NumberFilters.all
        + SequenceFilters.all + SelectionFilters.all + OrderFilters.all
}

extension NativeCallable {
    /// A filter for a family's table.
    static func filter(
        _ name: String, _ parameters: [String] = [], required: Int = 0, takesRest: Bool = false,
        takesKeywords: Bool = false, acceptsUndefined: Bool = false,
        naming place: (position: Int, isTest: Bool)? = nil,
        body: @escaping NativeCallable.Body
    ) -> NativeCallable {
        NativeCallable(
            .filter, name, parameters, required: required, takesRest: takesRest,
            takesKeywords: takesKeywords, acceptsUndefined: acceptsUndefined, naming: place,
            body: body)
    }
}
