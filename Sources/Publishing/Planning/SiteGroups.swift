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
        var labels: [String: String] = [:]
        var members: [String: [NoteID]] = [:]
        // Labels by path; members in the order of lists.
        for id in published {
            for tag in store[id]?.tags ?? [] {
                var key = tag.key
                var label = tag.name
                while labels[key] == nil {
                    labels[key] = label
                    guard let slash = key.lastIndex(of: "/") else { break }
                    key = String(key[..<slash])
                    label = NotePath.folder(of: label)
                }
            }
        }
        let listedSet = Set(listed.ids)
        for id in listed.ids + published.filter({ !listedSet.contains($0) }) {
            var seen: Set<String> = []
            for tag in store[id]?.tags ?? [] {
                for key in [tag.key] + Tag.ancestors(ofKey: tag.key) where seen.insert(key).inserted
                {
                    members[key, default: []].append(id)
                }
            }
        }
        for key in labels.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            tagIndexes[key] = tags.count
            tags.append(
                .init(
                    key: key, label: labels[key] ?? key, ids: members[key] ?? [], children: [],
                    parent: nil))
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
