import Notes

/// Some fields of a note.
struct NoteFields: OptionSet, Sendable, Hashable {
    var rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// One field.
    init(_ field: NoteField) { rawValue = 1 << UInt32(field.rawValue) }
}

/// Which words of a note something read: where none of these fields differs, it
/// would read the same again.
struct WordRead: Sendable, Hashable {
    /// The note.
    var note: NoteID
    /// The fields that the words come from.
    var fields: NoteFields
}

extension SiteRead {
    /// The words of one note's own file from which alone the answer comes; nil
    /// where more has a part in it.
    var words: WordRead? {
        switch self {
        case .field(let field, let id): WordRead(note: id, fields: NoteFields(field))
        case .extra(_, let id): WordRead(note: id, fields: NoteFields(.extra))
        case .part(_, let id):
            WordRead(
                note: id,
                fields: [NoteFields(.body), NoteFields(.headings), NoteFields(.blocks)])
        case .sentence(let id, _): WordRead(note: id, fields: NoteFields(.links))
        default: nil
        }
    }
}
