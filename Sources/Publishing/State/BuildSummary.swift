import Bytes
import Diagnostics
import Notes

/// What a build was asked for, and what came of it.
struct BuildSummary: Sendable, Equatable {
    /// Settings and options: all that is no file of its own.
    var request = Fingerprint.absent
    /// The names of all files but notes.
    var names = Fingerprint.absent
    /// The dates that the history has for notes.
    var history = Fingerprint.absent
    /// The templates, by name.
    var templates: [String: Fingerprint] = [:]
    /// The instants, in milliseconds, from which and up to which what is
    /// published stays the same.
    var validFrom = Int64.min
    var validUntil = Int64.max
    /// The latter as an instant; nil where it never comes.
    var changesAt: Instant? { validUntil == .max ? nil : Instant(milliseconds: validUntil) }
    /// The number of notes.
    var noteCount = 0
    /// Notes that are not published.
    var heldBack: [BuildReport.HeldBack] = []
    /// When the site changes by itself next, and because of which note.
    var nextDue: NextDue?
    /// The list of what was written, as the system knows it.
    var manifest = FileStamp.unknown
    /// What was said of the plan.
    var planMessages: [Diagnostic] = []
    /// What was said of links, by the notes that link: warnings, all of them.
    var linkMessages: [NoteID: [LinkMessage]] = [:]
    /// What was said of templates when they were compiled.
    var templateMessages: [Diagnostic] = []
    /// What was said of each note, by its path.
    var noteMessages = PathTable<[Diagnostic]>()
    /// What was said while a page was rendered, by the page's number.
    var pageMessages: [Int: [Diagnostic]] = [:]
    /// The names of fields and extra keys that queries of pages compare.
    var comparedKeys: Set<String> = []

    struct NextDue: Sendable, Equatable {
        var text: String
        var note: String
    }
}

extension BuildSummary {
    func write(to writer: inout BinaryWriter) {
        writer.write(request)
        writer.write(names)
        writer.write(history)
        writer.write(list: templates.sorted { $0.key.precedes($1.key) }) { writer, template in
            writer.write(template.key)
            writer.write(template.value)
        }
        writer.write(fixed: UInt64(bitPattern: validFrom))
        writer.write(fixed: UInt64(bitPattern: validUntil))
        writer.write(noteCount)
        writer.write(list: heldBack) { writer, note in
            writer.write(note.file)
            writer.write(byte: note.reason.number)
        }
        writer.write(optional: nextDue) { writer, due in
            writer.write(due.text)
            writer.write(due.note)
        }
        manifest.write(to: &writer)
        writer.write(list: planMessages) { $1.write(to: &$0) }
        let links = linkMessages.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap(\.value)
        writer.write(list: links) { writer, said in
            writer.write(said.note.rawValue)
            writer.write(said.link)
            writer.write(said.name)
            writer.write(optional: said.titled?.rawValue) { $0.write($1) }
            said.message.write(to: &writer)
        }
        writer.write(list: templateMessages) { $1.write(to: &$0) }
        writer.write(list: noteMessages.sorted { $0.key.precedes($1.key) }) { writer, said in
            writer.write(said.key)
            writer.write(list: said.value) { $1.write(to: &$0) }
        }
        writer.write(list: pageMessages.sorted { $0.key < $1.key }) { writer, said in
            writer.write(said.key)
            writer.write(list: said.value) { $1.write(to: &$0) }
        }
        writer.write(list: comparedKeys.sorted()) { $0.write($1) }
    }

    init(from reader: inout BinaryReader) {
        request = reader.fingerprint()
        names = reader.fingerprint()
        history = reader.fingerprint()
        for (name, fingerprint) in reader.list({ ($0.text(), $0.fingerprint()) }) {
            templates[name] = fingerprint
        }
        validFrom = Int64(bitPattern: reader.fixed())
        validUntil = Int64(bitPattern: reader.fixed())
        noteCount = reader.number()
        heldBack = reader.list { .init(file: $0.text(), reason: .init(number: $0.byte())) }
        nextDue = reader.optional { NextDue(text: $0.text(), note: $0.text()) }
        manifest = FileStamp(from: &reader)
        planMessages = reader.list { Diagnostic(from: &$0) }
        let links = reader.list {
            LinkMessage(
                note: NoteID(rawValue: $0.number()), link: $0.number(), name: $0.text(),
                titled: $0.optional { NoteID(rawValue: $0.number()) },
                message: Diagnostic(from: &$0))
        }
        linkMessages = Dictionary(grouping: links, by: \.note)
        templateMessages = reader.list { Diagnostic(from: &$0) }
        for (path, said) in reader.list({ ($0.text(), $0.list { Diagnostic(from: &$0) }) }) {
            noteMessages[path] = said
        }
        for (page, said) in reader.list({ ($0.number(), $0.list { Diagnostic(from: &$0) }) }) {
            pageMessages[page] = said
        }
        comparedKeys = Set(reader.list { $0.text() })
    }
}

extension Publication.State {
    fileprivate var number: UInt8 {
        switch self {
        case .published: 0
        case .draft: 1
        case .notOptedIn: 2
        case .scheduled: 3
        case .expired: 4
        }
    }

    fileprivate init(number: UInt8) {
        self =
            switch number {
            case 1: .draft
            case 2: .notOptedIn
            case 3: .scheduled
            case 4: .expired
            default: .published
            }
    }
}
