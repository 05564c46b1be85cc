import Bytes
import Diagnostics
import Notes

/// What the latest build saw and made, as the next one finds it.
///
/// Small parts are read at once, large ones when they are asked for. All of it
/// is a cache: whatever is not as it was written counts as absent, and costs
/// work, never truth.
struct SavedBuild {
    /// What the build was and what it said.
    var summary = Summary()
    /// The notes as they were read, by path.
    var notes: [SavedFile] = []
    /// The output files, by path.
    var outputs: [SavedFile] = []
    /// The places of the pages among ``outputs``, in the pages' order.
    var pages: [Int] = []
    /// The sources of the copied files.
    var sources: [SavedSource] = []

    private var store: BlobStore?

    /// The source of a file that is copied as it is.
    struct SavedSource: Sendable, Equatable {
        /// The place of the copy among the outputs.
        var place: Int
        /// The path in the site folder.
        var path: String
        /// What the system said of it; unknown where it must be read again.
        var stamp: FileStamp
    }

    /// What a build was asked for, and what came of it.
    struct Summary: Sendable, Equatable {
        /// Settings and options: all that is no file of its own.
        var request = Fingerprint.absent
        /// The names of all files but notes.
        var names = Fingerprint.absent
        /// The templates, by name.
        var templates: [String: Fingerprint] = [:]
        /// The instants, in milliseconds, from which and up to which what is
        /// published stays the same.
        var validFrom = Int64.min
        var validUntil = Int64.max
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
        /// What was said of templates when they were compiled.
        var templateMessages: [Diagnostic] = []
        /// What was said of each note, by its path.
        var noteMessages: [String: [Diagnostic]] = [:]
        /// What was said while a page was rendered, by the page's number.
        var pageMessages: [Int: [Diagnostic]] = [:]
        /// The names of fields and extra keys that queries of pages compare.
        var comparedKeys: Set<String> = []

        struct NextDue: Sendable, Equatable {
            var text: String
            var note: String
        }
    }

    /// Nothing.
    init() { store = nil }

    /// What will be saved where `earlier` is.
    init(next earlier: SavedBuild) { store = earlier.store }

    /// Whether there is anything.
    var isEmpty: Bool { store == nil }

    // MARK: Reading

    /// Reads what a build of `program` left in the file at `path` for the output
    /// at `output`.
    init(at path: String, program: Fingerprint, output: String) {
        self.init()
        guard let store = BlobStore(reading: path),
            let head = store.bytes(.init(name: "summary")),
            let files = store.bytes(.init(name: "files"))
        else { return }
        var reader = BinaryReader(head)
        guard reader.fingerprint() == program, reader.text() == output else { return }
        let summary = Summary(from: &reader)
        var rest = BinaryReader(files)
        let notes = SavedFile.list(from: &rest)
        let outputs = SavedFile.list(from: &rest)
        let pages = rest.list { $0.number() }
        let sources = rest.list {
            SavedSource(place: $0.number(), path: $0.text(), stamp: FileStamp(from: &$0))
        }
        guard reader.isSound, rest.isSound,
            (pages + sources.map(\.place)).allSatisfy({ outputs.indices.contains($0) })
        else { return }
        self.summary = summary
        self.notes = notes
        self.outputs = outputs
        self.pages = pages
        self.sources = sources
        self.store = store
    }

    /// The plan; nil where it cannot be read.
    func site(
        _ settings: SiteSettings, loadedBy loader: ([String?]) -> any NoteLoading
    ) -> Site? {
        guard let bytes = store?.bytes(.init(name: "plan")) else { return nil }
        var reader = BinaryReader(bytes)
        return Site(from: &reader, settings: settings, loadedBy: loader)
    }

    /// What the fields of all notes were; nil where it cannot be read.
    func fields() -> SavedFields? {
        store?.bytes(.init(name: "fields")).map { SavedFields(bytes: $0) }
    }

    /// The pages that read words of each note; nil where it cannot be read.
    func readers() -> SavedReaders? {
        guard let bytes = store?.bytes(.init(name: "readers")) else { return nil }
        return SavedReaders(bytes: bytes)
    }

    /// The records of reads in one shard; nil where it cannot be read.
    func records(inShard shard: Int) -> [ReadRecord]? {
        guard let bytes = store?.bytes(.init(name: "records", number: shard)) else { return nil }
        var reader = BinaryReader(bytes)
        let records = reader.list { ReadRecord(bytes: $0.data()) }
        return reader.isSound ? records : nil
    }

    /// How many pages' records stand in one piece.
    static let shardSize = 64

    // MARK: Writing

    /// The bytes of the summary.
    static func bytes(
        _ summary: Summary, program: Fingerprint, output: String
    ) -> [UInt8] {
        var writer = BinaryWriter(capacity: 16 * 1024)
        writer.write(program)
        writer.write(output)
        summary.write(to: &writer)
        return writer.bytes
    }

    /// The bytes of the lists of files.
    var fileBytes: [UInt8] {
        var writer = BinaryWriter(capacity: (notes.count + outputs.count) * 96)
        SavedFile.write(notes, to: &writer)
        SavedFile.write(outputs, to: &writer)
        writer.write(list: pages) { $0.write($1) }
        writer.write(list: sources) { writer, source in
            writer.write(source.place)
            writer.write(source.path)
            source.stamp.write(to: &writer)
        }
        return writer.bytes
    }

    /// The bytes of one shard of records.
    static func bytes(_ records: some Collection<ReadRecord>) -> [UInt8] {
        var writer = BinaryWriter(capacity: 64 * 1024)
        writer.write(list: records) { $0.write($1.bytes) }
        return writer.bytes
    }

    /// Changes pieces of the saved state where it is. Whether it could.
    func change(_ changes: [BlobStore.Key: [UInt8]?]) -> Bool { store?.change(changes) ?? false }
}

extension SavedBuild.Summary {
    func write(to writer: inout BinaryWriter) {
        writer.write(request)
        writer.write(names)
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
