/// A value of a YAML document, with its place.
///
/// Nothing is typed: a scalar is its characters as written. ``YAMLScalar/typed``
/// gives the value that those characters stand for.
package struct YAMLNode: Sendable, Equatable {
    /// What kind of value it is.
    package enum Content: Sendable, Equatable {
        /// A single value.
        case scalar(YAMLScalar)
        /// A list.
        case sequence([YAMLNode])
        /// Keys with values, in the order of the text; no key twice.
        case mapping([YAMLEntry])
    }

    /// The value.
    package var content: Content
    /// Where it stands, in bytes from the start of the file.
    package var range: Range<Int>

    /// A value that stands at `range`.
    package init(_ content: Content, at range: Range<Int>) {
        self.content = content
        self.range = range
    }

    /// The scalar, or nil for lists and mappings.
    package var scalar: YAMLScalar? {
        if case .scalar(let scalar) = content { scalar } else { nil }
    }

    /// Whether it is written as nothing: empty, `~`, `null`, an empty text, an
    /// empty list or mapping, or a list of such values. Daybook treats all of
    /// them as if the key were not there.
    package var isEmpty: Bool {
        switch content {
        case .scalar(let scalar): scalar.isNull || scalar.text.isEmpty
        case .sequence(let items): items.allSatisfy(\.isEmpty)
        case .mapping(let entries): entries.isEmpty
        }
    }

    /// What kind of value it is, for messages: `text`, `a list`, `a mapping`.
    package var kindName: String {
        switch content {
        case .scalar: "text"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}

/// A key with its value.
package struct YAMLEntry: Sendable, Equatable {
    /// The key as text.
    package var key: String
    /// Where the key stands, in bytes from the start of the file.
    package var keyRange: Range<Int>
    /// The value.
    package var value: YAMLNode

    /// An entry of `key` and `value`.
    package init(key: String, keyRange: Range<Int>, value: YAMLNode) {
        self.key = key
        self.keyRange = keyRange
        self.value = value
    }
}

/// A single value as it was written.
package struct YAMLScalar: Sendable, Equatable {
    /// The characters, with quotes and escapes resolved.
    package var text: String
    /// Whether it was written without quotes and not as a block; only then
    /// can it be anything but text.
    package var isPlain: Bool

    /// A scalar of `text`.
    package init(text: String, isPlain: Bool) {
        self.text = text
        self.isPlain = isPlain
    }

    /// Whether it is written as YAML's null.
    package var isNull: Bool {
        isPlain
            && (text.isEmpty || text == "~" || text.utf8.count == 4 && text.lowercased() == "null")
    }

    /// The value by the rule "as typed": `true` and `false` are booleans, and
    /// characters are a number only where printing that number gives the very
    /// same characters. `007`, `1.10`, `12:30` and `no` stay text.
    package var typed: YAMLValue {
        guard isPlain else { return .text(text) }
        if isNull { return .null }
        switch text {
        case "true", "True", "TRUE": return .boolean(true)
        case "false", "False", "FALSE": return .boolean(false)
        default: break
        }
        guard let first = text.utf8.first,
            first == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
        else { return .text(text) }
        if let integer = Int(text), String(integer) == text { return .integer(integer) }
        if let number = Double(text), number.isFinite, number.description == text {
            return .number(number)
        }
        return .text(text)
    }
}

/// What a scalar stands for.
package enum YAMLValue: Sendable, Equatable {
    /// Nothing.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A whole number.
    case integer(Int)
    /// A number with a fraction.
    case number(Double)
    /// Anything else.
    case text(String)
}
