/// A value that templates compute with.
///
/// Not `Sendable`: objects hold their render's reader. Copying costs at most
/// one reference count.
package enum TemplateValue {
    /// What a name without a value yields. Any use of it is an error, except
    /// `is defined`, `is undefined` and `default()`.
    case undefined(UndefinedName)
    /// An optional extra that is not there: false, prints as nothing, has no
    /// elements, and its members are missing too.
    case missing
    /// `none`; prints as `None`, as in Jinja.
    case none
    /// `true` or `false`.
    case boolean(Bool)
    /// A whole number; arithmetic that leaves 64 bits is an error.
    case integer(Int)
    /// A number with a fraction; prints as Python prints it.
    case number(Double)
    /// Text; escaped when printed under autoescape.
    case string(String)
    /// HTML that is safe as it stands; printed by one copy.
    case markup(MarkupBytes)
    /// A list.
    case list([TemplateValue])
    /// A tuple: as a list, but unequal to one, and printed in parentheses.
    case tuple([TemplateValue])
    /// A dictionary, in the order of insertion.
    case dictionary(TemplateDictionary)
    /// Something of the caller's own.
    case object(any TemplateObject)
    /// A macro, a loop, a function: what only the engine makes.
    case engine(EngineValue)
}

/// HTML that is safe as it stands.
package struct MarkupBytes: Equatable, Sendable {
    /// The HTML, in UTF-8.
    package var bytes: [UInt8]

    /// Takes HTML as bytes.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Takes HTML as text.
    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The HTML as text; invalid UTF-8 becomes U+FFFD.
    package var text: String {
        String(decoding: bytes, as: UTF8.self)
    }
}

/// Why there is no value, for the message that a use of it becomes.
package final class UndefinedName {
    enum Reason {
        case name(String)
        case member(String, of: TemplateValue)
        case element(String, of: TemplateValue)
        case parameter(String)
        case caller
        case export(String, template: String, candidates: [String])
        case absent(String)
    }

    let reason: Reason

    init(_ reason: Reason) {
        self.reason = reason
    }

    /// A value that is absent for a reason of the caller's: `explanation` is
    /// the message of a use, such as `there is no newer note`.
    package init(explanation: String) {
        reason = .absent(explanation)
    }
}

/// A value that only the engine makes and only the engine uses.
package struct EngineValue {
    enum Kind {
        case macro(Macro)
        case native(NativeCallable)
        case method(BoundMethod)
        case loop(LoopState)
        case block(BlockReference)
        /// `self`: the blocks of the template.
        case blocks(RenderContext)
        case module(TemplateModule)
        case namespace(Namespace)
        case cycler(Cycler)
        case joiner(Joiner)
        /// Only in slots: no value has been stored yet.
        case unset
        /// Only in slots: the value moved to where macros share it.
        case cell(Int)
    }

    let kind: Kind
}

extension TemplateValue {
    static func make(_ kind: EngineValue.Kind) -> TemplateValue {
        .engine(EngineValue(kind: kind))
    }

    static var unset: TemplateValue { make(.unset) }

    static func markup(_ text: String) -> TemplateValue {
        .markup(MarkupBytes(text))
    }

    /// Text that is markup where `isMarkup`: how operations on markup keep it.
    static func text(_ text: String, isMarkup: Bool) -> TemplateValue {
        isMarkup ? .markup(text) : .string(text)
    }

    var isUndefined: Bool {
        if case .undefined = self { return true }
        return false
    }

    var isAbsent: Bool {
        switch self {
        case .undefined, .missing: true
        default: false
        }
    }

    var isMarkup: Bool {
        if case .markup = self { return true }
        return false
    }

    /// What messages call a value of this kind, with its article.
    var kindName: String {
        switch self {
        case .undefined: "an undefined value"
        case .missing: "a missing value"
        case .none: "none"
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .number: "a number"
        case .string: "a text"
        case .markup: "markup"
        case .list: "a list"
        case .tuple: "a tuple"
        case .dictionary: "a dictionary"
        case .object(let object): "a \(object.typeName)"
        case .engine(let value): value.kindName
        }
    }
}

extension EngineValue {
    var kindName: String {
        switch kind {
        case .macro: "a macro"
        case .native(let callable): "the \(callable.kind.rawValue) '\(callable.name)'"
        case .method(let method): "the method '\(method.callable.name)'"
        case .loop: "the loop"
        case .block: "a block"
        case .blocks: "'self'"
        case .module: "an imported template"
        case .namespace: "a namespace"
        case .cycler: "a cycler"
        case .joiner: "a joiner"
        case .unset, .cell: "an unset variable"
        }
    }
}
