import Bytes
import Notes
import Markup
import Tracking
import YAML

/// What rendering sees of a site, and the record of what it saw.
///
/// Every answer is written down with its fingerprint before it is given; there
/// is no other way from a page to the site. One for each worker; it serves one
/// page at a time.
package final class SiteReader {
    private let site: Site
    private var recorder = ReadRecorder()

    /// A reader of `site` that has read nothing.
    package init(_ site: Site) {
        self.site = site
    }

    /// Forgets what was read, for the next page.
    package func start() {
        recorder.start()
    }

    /// What was read since ``start()``.
    package var dependencies: [PageDependency] { recorder.dependencies }

    // MARK: Notes

    /// A note, to read one field of. Asking for a field that the caller then
    /// does not look at costs a needless rebuild, looking at one it did not ask
    /// for a wrong page.
    func note(_ id: NoteID, reading field: NoteField) -> Note? {
        let note = site.store[id]
        recorder.record(.field(field, id), note?.fingerprint(of: field) ?? .absent)
        return note
    }

    /// The title as pages show it.
    func title(of id: NoteID) -> String {
        guard let note = note(id, reading: .title) else { return "" }
        return note.title ?? setting("title", \.title)
    }

    /// The path of a note: its name, which never changes.
    func path(of id: NoteID) -> String { site.store[id]?.path ?? "" }

    /// The folder part of ``path(of:)``.
    func folder(of id: NoteID) -> String { site.store[id]?.folder ?? "" }

    /// The file's name without its ending.
    func name(of id: NoteID) -> String { site.store[id]?.name ?? "" }

    /// The path of a note's file in the site folder.
    func file(of id: NoteID) -> String { site.store[id]?.file ?? "" }

    /// The address of a note as links write it; nil where it is not published.
    func url(of id: NoteID) -> String? {
        let url = site.urls[id.rawValue]
        recorder.record(.address(id), url.isEmpty ? .absent : Fingerprint(of: url))
        return url.isEmpty ? nil : url
    }

    /// What a link of a note leads to.
    func target(ofLink index: Int, in id: NoteID) -> LinkTarget {
        let targets = site.links[id.rawValue]
        let target = index < targets.count ? targets[index] : .nothing
        recorder.record(.link(id, index), fingerprint(of: target))
        return target
    }

    private func fingerprint(of target: LinkTarget) -> Fingerprint {
        switch target {
        case .note(let id, let anchor):
            var result = Fingerprint(of: path(of: id))
            result.combine(anchor.map { Fingerprint(of: $0) } ?? .absent)
            return result
        case .attachment(let index): return Fingerprint(of: site.attachments.index.paths[index])
        case .address(let address): return Fingerprint(of: address.path)
        case .nothing: return .absent
        case .hidden: return Fingerprint(bits: 1)
        }
    }

    /// The address of an attachment as links write it.
    func url(ofAttachment index: Int) -> String {
        AddressPath(wellFormed: site.attachments.outputs[index]).url(base: site.settings.basePath)
    }

    /// The address of the picture that a note names as its image: of an
    /// attachment, of a file of the site, or as it stands where it has a scheme.
    func image(of id: NoteID) -> String? {
        guard let note = note(id, reading: .image), let image = note.frontMatter.image else {
            return nil
        }
        let url: String?
        if image.contains("://") {
            url = image
        } else if let index = site.attachments.find(image, from: note) {
            url = self.url(ofAttachment: index)
        } else if let path = NotePath.resolved(image, from: ""), site.isMade(path) {
            url = AddressPath(wellFormed: path).url(base: site.settings.basePath)
        } else {
            url = nil
        }
        recorder.record(.image(id), url.map { Fingerprint(of: $0) } ?? .absent)
        return url
    }

    /// The notes before and after a note in the list of all dated ones.
    func neighbours(of id: NoteID) -> (older: NoteID?, newer: NoteID?) {
        let position = Int(site.positions[id.rawValue])
        guard position >= 0 else {
            recorder.record(.neighbours(id), .absent)
            return (nil, nil)
        }
        let ids = site.listed.ids
        let older = position + 1 < site.datedCount ? ids[position + 1] : nil
        let newer = position > 0 ? ids[position - 1] : nil
        var seen = Fingerprint(bits: 1)
        seen.combine(older.map { Fingerprint(of: path(of: $0)) } ?? .absent)
        seen.combine(newer.map { Fingerprint(of: path(of: $0)) } ?? .absent)
        recorder.record(.neighbours(id), seen)
        return (older, newer)
    }

    /// The links to a note from others, in the order of their paths.
    func backlinks(of id: NoteID) -> [Site.Backlink] {
        let backlinks = site.backlinks[id.rawValue]
        var seen = Fingerprint(bits: 1)
        for backlink in backlinks {
            seen.combine(Fingerprint(of: path(of: backlink.source)))
            seen.combine(UInt64(backlink.link))
        }
        recorder.record(.backlinks(id), seen)
        return backlinks
    }

    /// The value of a key of a note's front matter that has no meaning of its
    /// own; nil where the note has none such.
    func extra(_ key: String, of id: NoteID) -> YAMLNode? {
        let node = site.store[id]?.frontMatter.extra.first { $0.key == key }?.value
        recorder.record(.extra(key, id), node.map { NoteField.fingerprint(of: $0) } ?? .absent)
        return node
    }

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
        recorder.record(.slice(list, range), QueryResults.fingerprint(of: ids, in: site.store))
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
        guard let size = setting("paginate", \.paginate) else {
            return .slice(.listed, 0..<Self.newestCount)
        }
        return .slice(.listed, (number - 1) * size..<number * size)
    }

    /// How many notes the home page lists where it is one page.
    private static let newestCount = 30

    /// How many entries a feed has.
    var feedLimit: Int {
        let limit = site.settings.feedLimit
        recorder.record(.setting("feed.limit"), Fingerprint(bits: UInt64(limit)))
        return limit
    }

    /// Whether feeds carry whole notes.
    var feedHasFullContent: Bool {
        let isFull = site.settings.feedHasFullContent
        recorder.record(.setting("feed.full-content"), Fingerprint(bits: isFull ? 1 : 2))
        return isFull
    }

    /// How many notes are dated.
    func datedCount() -> Int {
        recorder.record(.datedCount, Fingerprint(bits: UInt64(site.datedCount) + 1))
        return site.datedCount
    }

    // MARK: Groups

    /// The key of the tag that a page is about: part of the page's plan.
    func tagKey(of page: Page) -> String? {
        switch page.kind {
        case .tag(let index), .feed(tag: let index?), .jsonFeed(tag: let index?):
            site.tags[index].key
        default: nil
        }
    }

    /// The path of the folder that a page is about: part of the page's plan.
    func folderPath(of page: Page) -> String? {
        if case .folder(let index) = page.kind { site.folders[index].path } else { nil }
    }

    /// A named query of the settings.
    func collection(_ index: Int) -> SiteSettings.Collection {
        let collection = site.settings.collections[index]
        var seen = Fingerprint(of: collection.name)
        seen.combine(Fingerprint(of: "\(collection.query)"))
        recorder.record(.setting("collections"), seen)
        return collection
    }

    /// The name of a year page's year, or of the year so many places on in the
    /// list (1 is the next older one with notes).
    func year(_ index: Int, offset: Int) -> String? {
        let wanted = index + offset
        let name = site.years.indices.contains(wanted) ? site.years[wanted].name : nil
        // A page's own year is part of its plan; those beside it are reads.
        if offset != 0 {
            recorder.record(
                .yearBeside(site.years[index].name, offset),
                name.map { Fingerprint(of: $0) } ?? .absent)
        }
        return name
    }

    /// How a tag is spelt; nil where no published note carries it.
    func label(ofTag key: String) -> String? {
        let label = site.tagIndexes[key].map { site.tags[$0].label }
        recorder.record(.tag(key), label.map { Fingerprint(of: $0) } ?? .absent)
        return label
    }

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

    /// The years with notes, newest first.
    func years() -> [String] {
        let names = site.years.map(\.name)
        recorder.record(.years, Self.fingerprint(of: names))
        return names
    }

    /// A folder's introduction; the second value tells whether the folder has
    /// published notes at all.
    func folder(_ path: String) -> (introduction: NoteID?, exists: Bool) {
        guard let index = site.folderIndexes[path] else {
            recorder.record(.folder(path), .absent)
            return (nil, false)
        }
        let introduction = site.folders[index].introduction
        recorder.record(
            .folder(path),
            introduction.map { Fingerprint(of: self.path(of: $0)) } ?? Fingerprint(bits: 1))
        return (introduction, true)
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
        recorder.record(.count(.folder(path + "/")), Fingerprint(bits: UInt64(count) + 1))
        return count
    }

    // MARK: The site

    /// A setting, by its name in the settings file.
    func setting<Value>(_ name: String, _ value: KeyPath<SiteSettings, Value>) -> Value {
        let found = site.settings[keyPath: value]
        recorder.record(.setting(name), Fingerprint(of: "\(found)"))
        return found
    }

    /// A text setting; spares the description of the general form.
    func setting(_ name: String, _ value: KeyPath<SiteSettings, String>) -> String {
        let found = site.settings[keyPath: value]
        recorder.record(.setting(name), Fingerprint(of: found))
        return found
    }

    /// A value under `extra:` of the settings.
    func extraSetting(_ key: String) -> YAMLNode? {
        let node = site.settings.extra.first { $0.key == key }?.value
        recorder.record(
            .setting("extra." + key), node.map { NoteField.fingerprint(of: $0) } ?? .absent)
        return node
    }

    /// The zone that times without an offset are in.
    var zone: ZoneRules {
        let zone = site.settings.zone
        recorder.record(.setting("timezone"), Fingerprint(of: zone.name))
        return zone
    }

    /// Whether something is made at an output path.
    func isMade(_ output: String) -> Bool {
        let isMade = site.isMade(output)
        recorder.record(.output(output), Fingerprint(bits: isMade ? 1 : 2))
        return isMade
    }

    /// Whether tags have pages to link to.
    var hasTagPages: Bool {
        let hasPages = site.settings.pages.contains(.tags)
        recorder.record(.setting("pages.tags"), Fingerprint(bits: hasPages ? 1 : 2))
        return hasPages
    }

    /// How many numbered pages the home list has.
    func homePageCount() -> Int {
        let size = setting("paginate", \.paginate)
        guard let size else { return 1 }
        let count = max(1, (site.listed.count + size - 1) / size)
        recorder.record(.pageCount, Fingerprint(bits: UInt64(count)))
        return count
    }

    /// Writes down that a template was used.
    func noteUse(ofTemplate name: String, _ fingerprint: Fingerprint) {
        recorder.record(.template(name), fingerprint)
    }

    private static func fingerprint(of texts: [String]) -> Fingerprint {
        var result = Fingerprint(bits: 1)
        for text in texts { result.combine(Fingerprint(of: text)) }
        return result
    }
}
