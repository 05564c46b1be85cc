import Notes

/// The lists that pages are made of: all notes, years, tags, folders.
struct SiteGroups {
    private(set) var listed: QueryResults
    private(set) var positions: [Int32]
    private(set) var datedCount = 0
    private(set) var years: [Site.Year] = []
    private(set) var tags: [Site.TagEntry] = []
    private(set) var tagIndexes: [String: Int] = [:]
    private(set) var folders: [Site.FolderEntry] = []
    private(set) var folderIndexes: [String: Int] = [:]

    init(_ published: [NoteID], in store: NoteStore, addresses: SiteAddresses, zone: ZoneRules) {
        // A folder's introduction is found through its folder; only one that
        // is dated is an entry of its own.
        let entries = published.filter { id in
            !addresses.introductions.contains(id) || store[id]?.date != nil
        }
        listed = NoteQuery().results(among: entries, in: store, zone: zone)
        positions = Array(repeating: -1, count: store.slotCount)
        for (position, id) in listed.ids.enumerated() {
            guard let date = store[id]?.date else { break }
            positions[id.rawValue] = Int32(position)
            datedCount = position + 1
            let name = CalendarDay.padded(date.day.year, 4)
            if years.last?.name != name { years.append(.init(name: name, ids: [])) }
            years[years.count - 1].ids.append(id)
        }
        groupByTag(published, in: store)
        groupByFolder(published, in: store, addresses: addresses, zone: zone)
    }

    private mutating func groupByTag(_ published: [NoteID], in store: NoteStore) {
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
            $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
        }) {
            tagIndexes[key] = tags.count
            tags.append(.init(key: key, label: label, ids: ids, children: [], parent: nil))
        }
        for index in tags.indices {
            guard
                let parent = Tag.ancestors(ofKey: tags[index].key).first.flatMap({ tagIndexes[$0] })
            else { continue }
            tags[index].parent = parent
            tags[parent].children.append(index)
        }
    }

    private mutating func groupByFolder(
        _ published: [NoteID], in store: NoteStore, addresses: SiteAddresses, zone: ZoneRules
    ) {
        let paths = SiteAddresses.folders(of: published, in: store)
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for path in paths {
            folderIndexes[path] = folders.count
            folders.append(
                .init(
                    path: path, address: SiteAddresses.folderAddress(path),
                    introduction: addresses.folderNotes[path], ids: [], children: [], count: 0))
        }
        let introductions = Set(addresses.folderNotes.values)
        var members: [[NoteID]] = Array(repeating: [], count: folders.count)
        for id in published where !introductions.contains(id) {
            guard let note = store[id], let index = folderIndexes[note.folder] else { continue }
            members[index].append(id)
        }
        let query = NoteQuery(sort: [.init(.order), .newestFirst, .init(.title)])
        for index in folders.indices.reversed() {
            folders[index].ids = query.results(among: members[index], in: store, zone: zone).ids
            folders[index].count += folders[index].ids.count
            guard !folders[index].path.isEmpty,
                let parent = folderIndexes[NotePath.folder(of: folders[index].path)]
            else { continue }
            folders[parent].children.insert(index, at: 0)
            folders[parent].count += folders[index].count
        }
    }
}
