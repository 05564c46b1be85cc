import Bytes
import Notes

/// Lists of notes, and what the site groups them by.
extension SiteReader {
    // MARK: Lists

    /// How many notes a list has.
    func count(of list: NoteList) -> Int {
        let count = site.ids(of: list).count
        recorder.record(.count(list), Fingerprint(bits: UInt64(count) + 1))
        return count
    }

    /// Part of a list, clamped to what is there.
    func slice(_ range: Range<Int>, of list: NoteList) -> [NoteID] {
        let all = site.ids(of: list)
        let ids =
            range.lowerBound == 0 && range.upperBound >= all.count
            ? all : Array(all[range.clamped(to: 0..<all.count)])
        recorder.record(.slice(list, range), fingerprint(of: ids))
        return ids
    }

    /// The keys of a list's sections, in order.
    func sectionKeys(of list: NoteList) -> [String] {
        let keys = site.results(of: list).sections.map(\.key)
        recorder.record(.sections(list), Self.fingerprint(of: keys))
        return keys
    }

    /// What a home page lists: its share of numbered pages, else the newest.
    func homeList(_ number: Int) -> NoteList {
        guard let size = paginate else { return .slice(.listed, 0..<Self.newestCount) }
        return .slice(.listed, (number - 1) * size..<number * size)
    }

    /// How many notes the home page lists where it is one page.
    private static var newestCount: Int { 30 }

    /// How many notes are dated.
    func datedCount() -> Int {
        recorder.record(.datedCount, Fingerprint(bits: UInt64(site.datedCount) + 1))
        return site.datedCount
    }

    /// How many numbered pages the home list has.
    func homePageCount() -> Int {
        guard let size = paginate else { return 1 }
        let count = max(1, (site.listed.count + size - 1) / size)
        recorder.record(.pageCount, Fingerprint(bits: UInt64(count)))
        return count
    }

    // MARK: Years

    /// The years with notes, newest first.
    func years() -> [String] {
        let names = site.years.map(\.name)
        recorder.record(.years, Self.fingerprint(of: names))
        return names
    }

    /// The year so many places on from one in the list of years (1 is the next
    /// older one with notes).
    func year(_ offset: Int, from name: String) -> String? {
        let wanted = (site.years.firstIndex { $0.name == name } ?? -1) + offset
        let found = site.years.indices.contains(wanted) ? site.years[wanted].name : nil
        recorder.record(.yearBeside(name, offset), found.map { Fingerprint(of: $0) } ?? .absent)
        return found
    }

    // MARK: Tags

    /// How a tag is spelt and where its page is; nil where no published note
    /// carries it. Without a page it has no address.
    func tag(_ key: String) -> (label: String, url: String?)? {
        guard let index = site.tagIndexes[key] else {
            recorder.record(.tag(key), .absent)
            return nil
        }
        let (label, url) = (site.tags[index].label, site.tagURLs[index])
        var seen = Fingerprint(of: label)
        seen.combine(url.isEmpty ? .absent : Fingerprint(of: url))
        recorder.record(.tag(key), seen)
        return (label, url.isEmpty ? nil : url)
    }

    /// How a tag is spelt; its key where no published note carries it.
    func label(ofTag key: String) -> String { tag(key)?.label ?? key }

    /// The keys of all tags, nested ones behind those they lie in.
    func tagKeys() -> [String] {
        let keys = site.tags.map(\.key)
        recorder.record(.tags, Self.fingerprint(of: keys))
        return keys
    }

    /// The keys of the tags directly in one.
    func children(ofTag key: String) -> [String] {
        let keys =
            site.tagIndexes[key].map { site.tags[$0].children.map { site.tags[$0].key } } ?? []
        recorder.record(.tagChildren(key), Self.fingerprint(of: keys))
        return keys
    }

    // MARK: Folders

    /// A folder's introduction and where its page is; nil where the folder has
    /// no published notes. Without a page it has no address.
    func folder(_ path: String) -> (introduction: NoteID?, url: String?)? {
        guard let index = site.folderIndexes[path] else {
            recorder.record(.folder(path), .absent)
            return nil
        }
        let (introduction, url) = (site.folders[index].introduction, site.folderURLs[index])
        var seen = Fingerprint(of: url)
        seen.combine(introduction.map { Fingerprint(of: self.path(of: $0)) } ?? .absent)
        recorder.record(.folder(path), seen)
        return (introduction, url.isEmpty ? nil : url)
    }

    /// Where the home page lists the folders that have pages; nil where there
    /// are none, or no home page. Whether, not which: no folder that comes or
    /// goes beside others wakes all pages.
    func folderIndex() -> String? {
        let hasFolders = site.folders.first?.children.contains { !site.folderURLs[$0].isEmpty }
        let isThere = hasFolders == true && site.settings.pages.contains(.home)
        let url = isThere ? site.settings.basePath + "#page:folders" : nil
        recorder.record(.folderIndex, url.map { Fingerprint(of: $0) } ?? .absent)
        return url
    }

    /// The paths of the folders directly in one.
    func children(ofFolder path: String) -> [String] {
        let paths =
            site.folderIndexes[path].map { site.folders[$0].children.map { site.folders[$0].path } }
            ?? []
        recorder.record(.folderChildren(path), Self.fingerprint(of: paths))
        return paths
    }

    /// The notes in a folder and below.
    func count(inFolder path: String) -> Int {
        let count = site.folderIndexes[path].map { site.folders[$0].count } ?? 0
        recorder.record(.folderCount(path), Fingerprint(bits: UInt64(count) + 1))
        return count
    }
}
