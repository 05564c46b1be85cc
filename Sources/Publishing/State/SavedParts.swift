import Bytes
import Notes

/// What a build of an earlier process left, read from its file piece by piece.
final class SavedParts: BuildParts {
    let store: BlobStore
    /// What is saved of each shard that was asked for.
    private var records: [Int: [PageMemory]] = [:]
    /// Likewise of notes' fields.
    private var fields: [Int: [UInt8]] = [:]
    /// What brings the notes of the site that was asked for last.
    private(set) var loader: NoteFiles?

    /// How many notes, or output files, stand in one piece.
    static let fileShard = 256
    /// How many pages' records do.
    static let recordShard = 64

    init(_ store: BlobStore) { self.store = store }

    func site(showing changed: [Note], _ files: [SavedFile], _ source: SiteSource) -> Site? {
        guard let bytes = store.bytes(.init(name: "plan")) else { return nil }
        var edited = PathTable<Note>()
        for note in changed { edited[note.path] = note }
        var reader = BinaryReader(bytes)
        return Site(from: &reader, settings: source.settings) { paths in
            var notes: [NoteID: Note] = [:]
            if !changed.isEmpty {
                for (number, path) in paths.enumerated() {
                    if let note = path.flatMap({ edited[$0] }) {
                        notes[NoteID(rawValue: number)] = note
                    }
                }
            }
            let loader = NoteFiles(source, paths, files: files, read: notes)
            self.loader = loader
            return loader
        }
    }

    func fields(of id: NoteID) -> NoteFingerprints? {
        let number = id.rawValue / Self.fileShard
        if fields[number] == nil {
            fields[number] = store.bytes(.init(name: "fields", number: number))
        }
        // Counted from the first note of the piece.
        return fields[number].flatMap {
            SavedFingerprints(pieces: [$0])[NoteID(rawValue: id.rawValue % Self.fileShard)]
        }
    }

    /// Where the pages stand that read words of each note.
    private(set) lazy var readers: SavedReaders? =
        store.bytes(.init(name: "readers")).flatMap { SavedReaders(bytes: $0) }

    func pages(reading words: [WordRead]) -> [Int: [WordRead]]? {
        guard let readers else { return nil }
        return words.reduce(into: [:]) { pages, word in
            readers.readers(of: word.note).add(word, to: &pages)
        }
    }

    func pages(_ numbers: [Int]) -> [PageMemory]? {
        var result: [PageMemory] = []
        result.reserveCapacity(numbers.count)
        for page in numbers {
            guard let records = records(inShard: page / Self.recordShard),
                page % Self.recordShard < records.count
            else { return nil }
            result.append(records[page % Self.recordShard])
        }
        return result
    }

    func notesAtHand() -> [ExactPath: Note] { [:] }

    /// The records in one shard; nil where it cannot be read.
    func records(inShard shard: Int) -> [PageMemory]? {
        if let known = records[shard] { return known }
        guard let bytes = store.bytes(.init(name: "records", number: shard)) else { return nil }
        var reader = BinaryReader(bytes)
        let found = reader.list { reader in
            let record = ReadRecord(bytes: reader.data())
            return PageMemory(reads: record, wake: Wake(from: &reader))
        }
        guard reader.isSound else { return nil }
        records[shard] = found
        return found
    }

    /// The bytes of one shard of records.
    static func bytes(_ records: some Collection<PageMemory>) -> [UInt8] {
        var writer = BinaryWriter(capacity: 64 * 1024)
        writer.write(list: records) { writer, record in
            writer.write(record.reads.bytes)
            record.wake.write(to: &writer)
        }
        return writer.bytes
    }
}
