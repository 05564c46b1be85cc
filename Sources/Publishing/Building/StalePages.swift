import Bytes
import Notes
import Tracking

/// Finds the pages that must be rendered: those that read something whose
/// answer differs.
struct StalePages {
    let remembered: SavedBuild
    let site: Site
    let templates: [String: Fingerprint]
    let workers: Workers

    /// Whether what a page read is still answered as it was, asked of all reads
    /// that `isAsked`.
    private static func isFresh(
        _ record: ReadRecord, _ reader: SiteReader, _ templates: [String: Fingerprint],
        _ isAsked: (SiteRead) -> Bool
    ) -> Bool {
        reader.start()
        return record.allSatisfy { dependency in
            !isAsked(dependency.read)
                || reader.answer(to: dependency.read) { templates[$0] ?? .absent }
                    == dependency.seen
        }
    }

    /// Pages of a kept plan that read a field that differs, or a template that
    /// does. Only pages that read words of a changed note are looked at, unless
    /// a template changed.
    func afterEdits(of changed: Set<NoteID>) -> Set<Int> {
        let hasOtherTemplates = templates != remembered.summary.templates
        let count = site.pages.count
        var candidates: Set<Int> = []
        if hasOtherTemplates {
            candidates = Set(0..<count)
        } else if !changed.isEmpty {
            guard let readers = remembered.readers() else { return Set(0..<count) }
            for id in changed { candidates.formUnion(readers.pages(reading: id)) }
        }
        let shards = Dictionary(grouping: candidates) { $0 / SavedBuild.shardSize }
        let numbers = shards.keys.sorted()
        // Records are fetched here: the file that they are in belongs to one
        // thread.
        let records = numbers.map { remembered.records(inShard: $0) }
        let (site, templates) = (self.site, self.templates)
        let found = workers.map(numbers.count, startingFrom: { SiteReader(site) }) {
            (reader: inout SiteReader, place) -> [Int] in
            (shards[numbers[place]] ?? []).filter { page in
                let index = page % SavedBuild.shardSize
                guard let records = records[place], index < records.count else { return true }
                return !Self.isFresh(records[index], reader, templates) { read in
                    if case .template = read { return hasOtherTemplates }
                    return read.contentNote.map { changed.contains($0) } == true
                }
            }
        }
        return Set(found.joined())
    }

    /// Pages of a new plan that were not planned alike before, or read anything
    /// that is answered otherwise now. `earlier` are the pages that were planned,
    /// by their numbers.
    func afterPlanning(_ earlier: [Page]) -> (stale: Set<Int>, records: [ReadRecord?]) {
        if earlier.isEmpty {
            return (Set(site.pages.indices), Array(repeating: nil, count: site.pages.count))
        }
        let numbers = Dictionary(
            earlier.enumerated().map { ($1.address.outputFile, $0) },
            uniquingKeysWith: { first, _ in first })
        let shardCount = (earlier.count + SavedBuild.shardSize - 1) / SavedBuild.shardSize
        let shards = (0..<shardCount).map { remembered.records(inShard: $0) }
        let (site, templates) = (self.site, self.templates)
        let pages = site.pages
        let records = workers.map(pages.count, startingFrom: { SiteReader(site) }) {
            (reader: inout SiteReader, index) -> ReadRecord? in
            guard let number = numbers[pages[index].address.outputFile],
                earlier[number] == pages[index], let shard = shards[number / SavedBuild.shardSize],
                number % SavedBuild.shardSize < shard.count
            else { return nil }
            let record = shard[number % SavedBuild.shardSize]
            return Self.isFresh(record, reader, templates) { _ in true } ? record : nil
        }
        return (Set(pages.indices.filter { records[$0] == nil }), records)
    }
}
