/// A dictionary in the order of insertion, with Python's idea of equal keys:
/// `1`, `1.0` and `true` are one key.
package struct TemplateDictionary {
    private(set) var keys: [TemplateValue] = []
    private(set) var values: [TemplateValue] = []
    private var places: [DictionaryKey: Int] = [:]

    /// An empty dictionary.
    package init() {}

    /// A dictionary of named values; of equal names the last value stays.
    package init(_ pairs: [(String, TemplateValue)]) {
        for (name, value) in pairs { self[name] = value }
    }

    /// The number of keys.
    package var count: Int { keys.count }

    /// The value under a name; assigning nil changes nothing.
    package subscript(name: String) -> TemplateValue? {
        get { places[.text(ExactText(name))].map { values[$0] } }
        set {
            guard let newValue else { return }
            insert(newValue, under: .string(name), key: .text(ExactText(name)))
        }
    }

    subscript(key: DictionaryKey) -> TemplateValue? {
        places[key].map { values[$0] }
    }

    mutating func insert(_ value: TemplateValue, under name: TemplateValue, key: DictionaryKey) {
        if let place = places[key] {
            values[place] = value
            return
        }
        places[key] = keys.count
        keys.append(name)
        values.append(value)
    }

    /// Key and value of each entry, as templates iterate them.
    var items: [TemplateValue] {
        zip(keys, values).map { .tuple([$0, $1]) }
    }
}

/// A text compared by its bytes. `String` compares by canonical equivalence,
/// which Python does not.
struct ExactText: Hashable, Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (one: ExactText, other: ExactText) -> Bool {
        one.text.utf8.elementsEqual(other.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

/// What makes two keys of a dictionary one.
enum DictionaryKey: Hashable {
    case none
    case integer(Int)
    case number(Double)
    case text(ExactText)
    case tuple([DictionaryKey])
    case object(ObjectIdentifier)

    /// Nil for what cannot be a key: lists, dictionaries, undefined values.
    init?(_ value: TemplateValue) {
        switch value {
        case .none: self = .none
        case .boolean(let flag): self = .integer(flag ? 1 : 0)
        case .integer(let number): self = .integer(number)
        case .number(let number):
            self = Int(exactly: number).map(DictionaryKey.integer) ?? .number(number)
        case .string(let text): self = .text(ExactText(text))
        case .markup(let markup): self = .text(ExactText(markup.text))
        case .tuple(let elements):
            var keys: [DictionaryKey] = []
            for element in elements {
                guard let key = DictionaryKey(element) else { return nil }
                keys.append(key)
            }
            self = .tuple(keys)
        case .object(let object): self = .object(ObjectIdentifier(object))
        case .undefined, .missing, .list, .dictionary, .engine: return nil
        }
    }
}
