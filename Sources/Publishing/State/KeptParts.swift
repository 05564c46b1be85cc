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
    private(set) var readers: [[Int32]]
    /// See ``NoteFingerprints/isAnchored``; the same as long as the plan is.
    private(set) lazy var anchored = site.anchoredNotes(workers)

    private let workers: Workers

    /// What a page was rendered from.
    typealias Rendered = (page: Int, reads: PageReads, wake: Wake)

    /// A site whose plan is new: `kept` is what is remembered of pages that were
    /// not rendered.
    init(_ site: Site, kept: [PageMemory?], _ rendered: [Rendered], _ workers: Workers) {
        self.site = site
        self.workers = workers
        let none = PageMemory(reads: ReadRecord(bytes: []), wake: .first)
        memories = Array(repeating: none, count: site.pages.count)
        readers = Array(repeating: [], count: site.store.slotCount)
        for (page, memory) in kept.enumerated() {
            guard let memory else { continue }
            memories[page] = memory
            add(page, memory.reads.notes)
        }
        for page in rendered { take(page) }
    }

    /// What an earlier process saved.
    init?(_ saved: SavedParts, _ source: SiteSource, _ workers: Workers) {
        self.workers = workers
        guard let site = saved.site(showing: [:], source),
            let memories = saved.pages(Array(site.pages.indices)),
            let readers = saved.readers
        else { return nil }
        self.site = site
        self.memories = memories
        self.readers = (0..<site.store.slotCount).map { number in
            readers.pages(reading: NoteID(rawValue: number)).map { Int32($0) }
        }
    }

    /// Takes over what a build with the same plan rendered.
    func update(_ site: Site, _ rendered: [Rendered]) {
        _ = anchored
        self.site = site
        for page in rendered { take(page) }
    }

    private func take(_ rendered: Rendered) {
        memories[rendered.page] = PageMemory(reads: rendered.reads.record, wake: rendered.wake)
        add(rendered.page, rendered.reads.notes)
    }

    private func add(_ page: Int, _ notes: [NoteID]) {
        let page = Int32(page)
        for id in notes {
            // Pages mostly come in order: then the last one tells.
            let last = readers[id.rawValue].last ?? -1
            if last < page || last > page && !readers[id.rawValue].contains(page) {
                readers[id.rawValue].append(page)
            }
        }
    }

    func site(showing changed: [String: Note], _ source: SiteSource) -> Site? {
        if changed.isEmpty { return site }
        var notes: [NoteID: Note] = [:]
        for (path, note) in changed {
            guard let id = site.store.id(ofPath: path) else { return nil }
            notes[id] = note
        }
        return Site(site, showing: site.store.showing(notes))
    }

    func fields(of id: NoteID) -> NoteFingerprints? {
        site.store[id].map { NoteFingerprints(of: $0, isAnchored: anchored.contains(id)) }
    }

    func pages(reading notes: Set<NoteID>) -> Set<Int>? {
        notes.reduce(into: []) { $0.formUnion(readers[$1.rawValue].lazy.map { Int($0) }) }
    }

    func pages(_ numbers: [Int]) -> [PageMemory]? { numbers.map { memories[$0] } }

    func note(atPath path: String) -> Note? {
        site.store.id(ofPath: path).flatMap { site.store[$0] }
    }
}
