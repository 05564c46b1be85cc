import Bytes
import Notes

/// What the latest build of this process left, in memory.
final class KeptParts: BuildParts {
    /// The site as it is.
    private(set) var site: Site
    /// What is remembered of each page, by its number.
    private(set) var memories: [PageMemory]
    /// The pages that read words of each note, by the note's number; a page that
    /// does no longer may stand there still.
    private(set) var readers: [[PageReader]]
    /// The fingerprints of notes' fields as the plan was made from them and its
    /// pages rendered, where the site itself does not hold those notes: its
    /// files may be others by now.
    private var fingerprints: SavedFingerprints?
    /// See ``NoteFingerprints/isAnchored``; the same as long as the plan is.
    private lazy var anchored = site.anchoredNotes(workers)

    /// How many places are known where pages print fields.
    private var placeCount = 0
    /// So many at most, of 24 bytes each, but for those of pages that were prepared: a
    /// site whose pages all list all notes would have as many as notes by notes.
    private static let placeLimit = 1 << 20

    private let workers: Workers
    /// What brings notes that nobody has asked for yet; nil where all are here.
    private var loader: NoteFiles?

    /// What a page was rendered from.
    typealias Rendered = (page: Int, reads: PageReads, wake: Wake)

    /// A site whose plan is new: `kept` is what is remembered of pages that were
    /// not rendered. `earlier` is what was known before the build, where it is in memory
    /// and all pages have the numbers that they had.
    init(
        _ site: Site, kept: [PageMemory?], _ rendered: [Rendered], after earlier: KeptParts?,
        _ workers: Workers
    ) {
        self.site = site
        self.workers = workers
        let none = PageMemory(reads: ReadRecord(bytes: []), wake: .first)
        memories = Array(repeating: none, count: site.pages.count)
        readers = earlier?.readers ?? []
        while readers.count < site.store.slotCount { readers.append([]) }
        for (page, memory) in kept.enumerated() {
            guard let memory else { continue }
            memories[page] = memory
            placeCount += memory.printed?.places.count ?? 0
            if earlier == nil { add(page, memory.reads.words) }
        }
        for page in rendered { take(page) }
    }

    /// What an earlier process saved.
    init?(
        _ saved: SavedParts, _ files: [SavedFile], _ source: SiteSource, _ workers: Workers
    ) {
        self.workers = workers
        guard let site = saved.site(showing: [], files, source),
            let memories = saved.pages(Array(site.pages.indices)),
            let readers = saved.readers, let fields = saved.store.allBytes("fields")
        else { return nil }
        fingerprints = SavedFingerprints(pieces: fields)
        self.site = Site(site, showing: site.store.indexed())
        self.memories = memories
        self.readers = readers.all
        loader = saved.loader
    }

    /// Takes over what a build with the same plan rendered, after edits that
    /// `changed` fields.
    func update(
        _ site: Site, changed: [NoteID: NoteFingerprints], _ rendered: [Rendered]
    ) {
        if fingerprints == nil { _ = anchored }
        for (id, entry) in changed { fingerprints?[id] = entry }
        self.site = site
        for page in rendered { take(page) }
    }

    /// Brings up to `count` notes into memory; whether there are more.
    func load(_ count: Int) -> Bool {
        let isMore = loader?.load(count, workers) ?? false
        if !isMore { loader = nil }
        return isMore
    }

    /// Takes over where a page prints fields, however many are known already.
    func setPrinted(_ printed: PrintedFields, ofPage number: Int) {
        placeCount += printed.places.count - (memories[number].printed?.places.count ?? 0)
        memories[number].printed = printed
    }

    private func take(_ rendered: Rendered) {
        placeCount -= memories[rendered.page].printed?.places.count ?? 0
        let count = rendered.reads.printed?.places.count ?? 0
        let hasRoom = placeCount + count <= Self.placeLimit
        if hasRoom { placeCount += count }
        memories[rendered.page] = PageMemory(
            reads: rendered.reads.record, wake: rendered.wake,
            printed: hasRoom ? rendered.reads.printed : nil)
        add(rendered.page, rendered.reads.words)
    }

    private func add(_ page: Int, _ words: [WordRead]) {
        for word in words { readers[word.note.rawValue].add(Int32(page), word.fields) }
    }

    func site(showing changed: [Note], _ files: [SavedFile], _ source: SiteSource) -> Site? {
        if changed.isEmpty { return site }
        var notes: [NoteID: Note] = [:]
        for note in changed {
            guard let id = site.store.id(ofPath: note.path) else { return nil }
            notes[id] = note
        }
        return Site(site, showing: site.store.showing(notes))
    }

    func fields(of id: NoteID) -> NoteFingerprints? {
        if let fingerprints { return fingerprints[id] }
        return site.store[id].map { NoteFingerprints(of: $0, isAnchored: anchored.contains(id)) }
    }

    /// What makes the bytes of the fingerprints of some notes, which are all of a
    /// saved piece.
    func fieldPieceMaker() -> @Sendable (Range<Int>) -> [UInt8] {
        if let fingerprints {
            return { fingerprints.pieces[$0.lowerBound / SavedParts.fileShard] }
        }
        let (site, anchored) = (self.site, self.anchored)
        return { range in
            var writer = BinaryWriter(capacity: range.count * NoteFingerprints.size)
            var scratch = BinaryWriter(capacity: 1024)
            for number in range {
                let id = NoteID(rawValue: number)
                guard let note = site.store[id] else {
                    NoteFingerprints.writeNone(to: &writer)
                    continue
                }
                NoteFingerprints.write(
                    of: note, isAnchored: anchored.contains(id), to: &writer, scratch: &scratch)
            }
            return writer.bytes
        }
    }

    func pages(reading words: [WordRead]) -> [Int: [WordRead]]? {
        words.reduce(into: [:]) { pages, word in
            readers[word.note.rawValue].add(word, to: &pages)
        }
    }

    func pages(_ numbers: [Int]) -> [PageMemory]? { numbers.map { memories[$0] } }

    func notesAtHand() -> [ExactPath: Note] {
        let notes = site.store.atHand
        var result: [ExactPath: Note] = [:]
        result.reserveCapacity(notes.count)
        for (_, note) in notes { result[ExactPath(note.path)] = note }
        return result
    }
}
