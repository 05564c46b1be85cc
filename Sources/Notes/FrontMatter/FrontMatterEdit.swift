import YAML

/// Changes of a note's front matter that touch nothing else in its file: unknown
/// keys, comments, order, quotes and line ends stay, and so do the bytes of every
/// value that is as it was.
///
///     var edit = FrontMatterEdit()
///     edit.date = .set("2024-03-02")
///     let bytes = try edit.applied(to: bytes)
///     // Only the digits of the day differ.
///
/// The result is read again before it is given: where it does not say what was
/// asked for, the edit fails and nothing is lost.
package struct FrontMatterEdit: Sendable, Equatable {
    /// What becomes of a field.
    package enum Change<Value: Sendable & Equatable>: Sendable, Equatable {
        /// It stays.
        case keep
        /// It says this.
        case set(Value)
        /// It says nothing.
        case remove
    }

    /// The title.
    package var title = Change<String>.keep
    /// The date, as it would be written: `2024-03-01` or `2024-03-01T10:30`. Where
    /// a date is there already, its form stays as far as it can.
    package var date = Change<String>.keep
    /// The tags, all of them.
    package var tags = Change<[String]>.keep
    /// Whether the note is a draft.
    package var draft = Change<Bool>.keep

    /// An edit that changes nothing.
    package init() {}

    /// Whether it changes nothing.
    package var isEmpty: Bool { self == FrontMatterEdit() }

    /// A note's file after the edit.
    package func applied(to bytes: [UInt8]) throws(FrontMatterEditError) -> [UInt8] {
        guard !isEmpty else { return bytes }
        if case .set(let date) = date, (try? NoteDate(parsing: date)) == nil {
            throw .noSuchDate(date)
        }
        var text = try FrontMatterText(bytes)
        try text.change(.title, to: title) { text, value throws(FrontMatterEditError) in
            try text.replace(value, with: title.value ?? "")
        } adding: { title in
            YAMLText.scalar(title)
        }
        try text.change(.date, to: date) { text, value throws(FrontMatterEditError) in
            let old = value.scalar?.text ?? ""
            try text.replace(value, with: DateRewriting.rewritten(old, as: date.value ?? ""))
        } adding: { date in
            date
        }
        try text.change(.tags, to: tags) { text, value throws(FrontMatterEditError) in
            try text.replaceTags(value, with: tags.value ?? [])
        } adding: { tags in
            "[" + tags.map { YAMLText.scalar($0) }.joined(separator: ", ") + "]"
        }
        try text.changeDraft(to: draft)
        let result = try text.result()
        try check(result, against: text)
        return result
    }

    /// Whether the file now says what was asked for, and all else as before.
    private func check(
        _ bytes: [UInt8], against text: FrontMatterText
    ) throws(FrontMatterEditError) {
        guard let result = try? FrontMatterText(bytes) else { throw .notUnderstood }
        let (now, before) = (result.frontMatter, text.frontMatter)
        func holds<Value: Equatable>(
            _ change: Change<Value>, _ now: Value?, _ before: Value?
        ) -> Bool {
            switch change {
            case .keep: now == before
            case .set(let value): now == value
            case .remove: now == nil
            }
        }
        let keys = tags.map { $0.compactMap { Tag($0)?.key } }
        let hides = draft.map { $0 }
        guard holds(title.map { Self.oneLine($0) }, now.title, before.title),
            holds(
                date.map { Self.minute(try? NoteDate(parsing: $0)) ?? "" }, Self.minute(now.date),
                Self.minute(before.date)),
            holds(keys.map { Set($0) }, Set(now.tags.map(\.key)), Set(before.tags.map(\.key)))
                || keys == .remove && now.tags.isEmpty,
            holds(hides, now.isDraft, before.isDraft) || hides == .remove && !now.isDraft,
            result.says(asIn: text, besides: changed)
        else { throw .notUnderstood }
    }

    /// The fields that do not stay.
    private var changed: Set<NoteField> {
        var fields: Set<NoteField> = []
        if title != .keep { fields.insert(.title) }
        if date != .keep { fields.insert(.date) }
        if tags != .keep { fields.insert(.tags) }
        if draft != .keep { fields.insert(.draft) }
        return fields
    }

    /// A date to the minute, which is all that is asked for: seconds and offsets
    /// stay as they were.
    private static func minute(_ date: NoteDate?) -> String? {
        date.map { date in
            date.day.text + (date.time.map { " \($0.hour):\($0.minute)" } ?? "")
        }
    }

    /// A title as it is read.
    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ").trimmingWhitespace()
    }
}

extension FrontMatterEdit.Change {
    /// What it says; nil where it says nothing new.
    var value: Value? { if case .set(let value) = self { value } else { nil } }

    fileprivate func map<Other>(_ change: (Value) -> Other) -> FrontMatterEdit.Change<Other> {
        switch self {
        case .keep: .keep
        case .set(let value): .set(change(value))
        case .remove: .remove
        }
    }
}

extension String {
    /// The text without blanks at its ends.
    func trimmingWhitespace() -> String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

/// Why an edit cannot be made without touching more than it should.
package enum FrontMatterEditError: Error, Equatable {
    /// The front matter is TOML or JSON.
    case otherFormat(String)
    /// The front matter cannot be read.
    case unreadable
    /// There is no such day.
    case noSuchDate(String)
    /// A value has an anchor that others may refer to, or a form that is left
    /// alone.
    case unusualValue(String)
    /// The result would not say what was asked for.
    case notUnderstood

    /// The message, in one sentence without a full stop.
    package var message: String {
        switch self {
        case .otherFormat(let name): "the front matter is \(name)"
        case .unreadable: "the front matter cannot be read"
        case .noSuchDate(let text): "`\(text)` is no date"
        case .unusualValue(let key):
            "the value of `\(key)` is written in a way that is edited as text only"
        case .notUnderstood:
            "the front matter is written in a way in which this cannot be changed safely; edit it as text"
        }
    }
}
