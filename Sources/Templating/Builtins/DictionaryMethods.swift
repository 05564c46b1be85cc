/// Methods of dictionaries.
enum DictionaryMethods {
    static let all: [NativeCallable] = [
        method("items") { .list($0.items) },
        method("keys") { .list($0.keys) },
        method("values") { .list($0.values) },
        method("copy") { .dictionary($0) },
        NativeCallable(.method, "get", ["key", "default"], required: 1) {
            (call) throws(TemplateProblem) in
            guard case .dictionary(let dictionary) = call.value else {
                throw call.wrongValue("a dictionary")
            }
            let key = call.arguments[0].flatMap { DictionaryKey($0) }
            return key.flatMap { dictionary[$0] } ?? call.arguments[1] ?? .none
        },
    ]

    private static func method(
        _ name: String, _ body: @escaping @Sendable (TemplateDictionary) -> TemplateValue
    ) -> NativeCallable {
        NativeCallable(.method, name) { (call) throws(TemplateProblem) in
            guard case .dictionary(let dictionary) = call.value else {
                throw call.wrongValue("a dictionary")
            }
            return body(dictionary)
        }
    }
}

/// Methods of lists and tuples. Those that would change a list are absent:
/// values never change under a template's hands.
enum ListMethods {
    static let all: [NativeCallable] = [
        NativeCallable(.method, "count", ["value"], required: 1) {
            (call) throws(TemplateProblem) in
            var count = 0
            for element in try call.elements()
            where try element.isEqual(to: call.arguments[0] ?? .none, call.host) {
                count += 1
            }
            return .integer(count)
        },
        NativeCallable(.method, "index", ["value"], required: 1) {
            (call) throws(TemplateProblem) in
            for (place, element) in try call.elements().enumerated()
            where try element.isEqual(to: call.arguments[0] ?? .none, call.host) {
                return .integer(place)
            }
            throw .invalidArgument("the value is not in the list")
        },
        NativeCallable(.method, "copy") { $0.value },
    ]
}
