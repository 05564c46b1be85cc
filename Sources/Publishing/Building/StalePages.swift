import Bytes
import Diagnostics
import Notes

/// Finds the pages that must be rendered: those that read something whose
/// answer differs.
struct StalePages {
    let latest: LatestBuild
    let site: Site
    let templates: [String: Fingerprint]
    let workers: Workers

    /// What was found.
    struct Found {
        /// Why each page must be rendered, by its number.
        var wakes: [Int: Wake] = [:]
        /// What is remembered of the other pages, where the plan is new.
        var kept: [PageMemory?] = []
        /// What puts them right without rendering, where that is known.
        var corrections: [Int: PageCorrection] = [:]
        /// Whether every page must, because nothing was known.
        var isAll = false
    }

    /// What puts a page right that reads `words`, which differ, and why it is stale; nil
    /// where only rendering does, and where none of them is other than it saw it.
    private static func correction(
        of memory: PageMemory, reading words: [WordRead], _ reader: SiteReader
    ) -> (correction: PageCorrection, wake: Wake)? {
        guard let printed = memory.printed, let numbers = printed.numbers(of: words) else {
            return nil
        }
        reader.start()
        for number in numbers {
            let place = printed.places[number]
            guard let offset = place.recordOffset else { continue }
            let read = SiteRead.field(place.field, NoteID(rawValue: Int(place.note)))
            guard
                reader.answer(to: read, templates: { _ in .absent })
                    != memory.reads.fingerprint(at: Int(offset))
            else { continue }
            let correction = PageCorrection(
                printed: printed, numbers: numbers, record: memory.reads)
            return (correction, .read(read))
        }
        return nil
    }

    /// What a page read that is answered otherwise now, of all reads that
    /// `isAsked`; nil where nothing is. A record that is not whole is no reason
    /// to believe it.
    private static func firstStale(
        _ record: ReadRecord, _ reader: SiteReader, _ templates: [String: Fingerprint],
        _ isAsked: (SiteRead) -> Bool
    ) -> Wake? {
        reader.start()
        var stale: SiteRead?
        let isFresh = record.allSatisfy { read, seen in
            guard isAsked(read),
                reader.answer(to: read, templates: { templates[$0] ?? .absent }) != seen
            else { return true }
            stale = read
            return false
        }
        return isFresh ? nil : stale.map { .read($0) } ?? .first
    }

    /// Pages of a kept plan that read a field that differs, or a template that
    /// does. Only pages that read words of a changed note are looked at, unless
    /// a template changed.
    func afterEdits(_ changed: [WordRead]) -> Found {
        let hasOtherTemplates = templates != latest.summary.templates
        var reading: [Int: [WordRead]] = [:]
        if !changed.isEmpty {
            guard let pages = latest.parts?.pages(reading: changed) else {
                return Found(isAll: true)
            }
            reading = pages
        } else if !hasOtherTemplates {
            return Found()
        }
        let candidates = hasOtherTemplates ? Array(site.pages.indices) : reading.keys.sorted()
        guard let memories = latest.parts?.pages(candidates) else {
            return Found(isAll: true)
        }
        let (site, templates, words) = (self.site, self.templates, reading)
        let judged = workers.map(candidates.count, startingFrom: { SiteReader(site) }) {
            (reader: inout SiteReader, index) -> (wake: Wake?, correction: PageCorrection?) in
            let (memory, words) = (memories[index], words[candidates[index]] ?? [])
            if !hasOtherTemplates,
                let found = Self.correction(of: memory, reading: words, reader)
            {
                return (found.wake, found.correction)
            }
            let wake = Self.firstStale(memory.reads, reader, templates) { read in
                if case .template = read { return hasOtherTemplates }
                guard let word = read.words else { return false }
                return words.contains {
                    $0.note == word.note && !$0.fields.isDisjoint(with: word.fields)
                }
            }
            return (wake, nil)
        }
        var found = Found()
        for (page, (wake, correction)) in zip(candidates, judged) {
            found.wakes[page] = wake
            found.corrections[page] = correction
        }
        return found
    }

    /// Pages of a new plan that were not planned alike before, or read anything
    /// that is answered otherwise now. `before` is the site that was planned.
    func afterPlanning(_ before: Site?) -> Found {
        guard let before, !before.pages.isEmpty,
            let records = latest.parts?.pages(Array(before.pages.indices))
        else { return Found(isAll: true) }
        let earlier = before.pages
        let isSameNote = sameNotes(as: before)
        let numbers = Dictionary(
            earlier.enumerated().map { ($1.address.outputFile, $0) },
            uniquingKeysWith: { first, _ in first })
        let (site, templates) = (self.site, self.templates)
        let pages = site.pages
        let judged = workers.map(pages.count, startingFrom: { SiteReader(site) }) {
            (reader: inout SiteReader, index) -> (wake: Wake?, kept: PageMemory?) in
            let page = pages[index]
            guard let number = numbers[page.address.outputFile] else { return (.first, nil) }
            guard earlier[number] == page else { return (.planned, nil) }
            let memory = records[number]
            // Words of a note that is the same are as the page saw them.
            let wake = Self.firstStale(memory.reads, reader, templates) { read in
                guard let id = read.words?.note.rawValue, id < isSameNote.count else { return true }
                return !isSameNote[id]
            }
            return (wake, wake == nil ? memory : nil)
        }
        var found = Found(kept: judged.map(\.kept))
        for (page, (wake, _)) in judged.enumerated() {
            if let wake { found.wakes[page] = wake }
        }
        return found
    }

    /// Whether each note, by its number, is the very one of the site before; none where
    /// notes are loaded when they are asked for.
    private func sameNotes(as before: Site) -> [Bool] {
        guard !before.store.isLoadedOnDemand, !site.store.isLoadedOnDemand else { return [] }
        return (0..<min(before.store.slotCount, site.store.slotCount)).map { number in
            let id = NoteID(rawValue: number)
            guard let note = site.store[id] else { return false }
            return note === before.store[id]
        }
    }
}
