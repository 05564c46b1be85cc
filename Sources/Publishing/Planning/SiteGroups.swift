import Bytes
import Notes

/// The notes that lists show, and the years they fall into.
struct ListedNotes: Sendable {
    /// Newest first, undated ones last.
    let results: QueryResults
    /// How many are dated.
    private(set) var datedCount = 0
    /// The years, newest first.
    private(set) var years: [Site.Year] = []

    init(_ published: [NoteID], in store: NoteStore, addresses: SiteAddresses, zone: ZoneRules) {
        // A folder's introduction is found through its folder; only one that
        // is dated is an entry of its own.
        let entries = published.filter { id in
            !addresses.introductions.contains(id) || store[id]?.date != nil
        }
        results = NoteQuery().results(among: entries, in: store, zone: zone)
        var year: Int?
        for (position, id) in results.ids.enumerated() {
            guard let date = store[id]?.date else { break }
            datedCount = position + 1
            if year != date.day.year {
                year = date.day.year
                years.append(.init(name: CalendarDay.padded(date.day.year, 4), ids: []))
            }
            years[years.count - 1].ids.append(id)
        }
    }
}

/// The tags of published notes, ancestors of nested ones included.
struct TagGroups: Sendable {
    /// By key.
    private(set) var entries: [Site.TagEntry] = []
    /// Positions in ``entries`` by key.
    private(set) var indexes: [String: Int] = [:]

    init(_ published: [NoteID], listed: QueryResults, in store: NoteStore) {
        // Labels by path; members in the order of lists. Tags are numbered as
        // they are met, so that each use costs one look-up.
        var numbers: [String: Int] = [:]
        var found: [(key: String, label: String, ids: [NoteID])] = []
        var numbersOfNotes: [[Int]] = Array(repeating: [], count: store.slotCount)
        func number(_ key: String, _ label: String) -> Int {
            if let known = numbers[key] { return known }
            numbers[key] = found.count
            found.append((key, label, []))
            return found.count - 1
        }
        for id in published {
            var own: [Int] = []
            for tag in store[id]?.tags ?? [] {
                own.append(number(tag.key, tag.name))
                guard tag.key.utf8.contains(UInt8(ascii: "/")) else { continue }
                var label = tag.name
                for key in Tag.ancestors(ofKey: tag.key) {
                    label = NotePath.folder(of: label)
                    let ancestor = number(key, label)
                    if !own.contains(ancestor) { own.append(ancestor) }
                }
            }
            numbersOfNotes[id.rawValue] = own
        }
        func enlist(_ id: NoteID) {
            for number in numbersOfNotes[id.rawValue] where found[number].ids.last != id {
                found[number].ids.append(id)
            }
        }
        listed.ids.forEach(enlist)
        if listed.count < published.count {
            let listedSet = Set(listed.ids)
            for id in published where !listedSet.contains(id) { enlist(id) }
        }
        for (key, label, ids) in found.sorted(by: {
            $0.key.precedes($1.key)
        }) {
            indexes[key] = entries.count
            entries.append(.init(key: key, label: label, ids: ids, children: [], parent: nil))
        }
        for index in entries.indices {
            guard
                let parent = Tag.ancestors(ofKey: entries[index].key).first.flatMap({ indexes[$0] })
            else { continue }
            entries[index].parent = parent
            entries[parent].children.append(index)
        }
    }
}

/// The folders that hold published notes.
struct FolderGroups: Sendable {
    /// By path; the first is the root.
    private(set) var entries: [Site.FolderEntry] = []
    /// Positions in ``entries`` by path.
    private(set) var indexes: [String: Int] = [:]

    /// The order of the notes in a folder.
    static let order = NoteQuery(sort: [.init(.order), .newestFirst, .init(.title)])

    init(
        _ published: [NoteID], in store: NoteStore, addresses: SiteAddresses, zone: ZoneRules
    ) {
        let paths = SiteAddresses.folders(of: published, in: store)
            .sorted { $0.precedes($1) }
        for path in paths {
            indexes[path] = entries.count
            entries.append(
                .init(
                    path: path, address: SiteAddresses.folderAddress(path),
                    introduction: addresses.folderNotes[path], ids: [], children: [], count: 0))
        }
        let introductions = Set(addresses.folderNotes.values)
        var members: [[NoteID]] = Array(repeating: [], count: entries.count)
        var latest = (folder: "", index: 0)
        for id in published where !introductions.contains(id) {
            guard let note = store[id] else { continue }
            if note.folder != latest.folder {
                latest = (note.folder, indexes[note.folder] ?? 0)
            }
            members[latest.index].append(id)
        }
        let query = Self.order
        for index in entries.indices.reversed() {
            entries[index].ids = query.results(among: members[index], in: store, zone: zone).ids
            entries[index].count += entries[index].ids.count
            guard !entries[index].path.isEmpty,
                let parent = indexes[NotePath.folder(of: entries[index].path)]
            else { continue }
            entries[parent].children.insert(index, at: 0)
            entries[parent].count += entries[index].count
        }
    }
}

/// All groups of a site's notes.
struct SiteGroups: Sendable {
    let listed: ListedNotes
    let tags: TagGroups
    let folders: FolderGroups
}
