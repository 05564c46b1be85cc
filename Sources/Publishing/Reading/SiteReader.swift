import Bytes
import Markup
import Notes
import YAML

/// What rendering sees of a site, and the record of what it saw.
///
/// Every answer is written down with its fingerprint before it is given; there
/// is no other way from a page to the site. One for each worker; it serves one
/// page at a time.
package final class SiteReader {
    let site: Site
    /// What is read so often that workers would wait for each other's reference
    /// counts: arrays of each reader's own, whose elements alone are shared.
    /// All notes; empty where they are loaded on demand.
    private let notes: [Note?]
    /// Those that were asked for, by number, where they are loaded on demand; empty
    /// until the first is.
    private var loaded: [Note?] = []
    /// What nearly every page asks of many notes, by number, in memory of each
    /// reader's own; empty where notes are loaded on demand.
    private let labels: [Label]
    private let listedIDs: [NoteID]
    /// By number; empty where notes are loaded on demand.
    private let pathFingerprints: [Fingerprint]
    var recorder = ReadRecorder()

    /// How a note is shown in lists and links.
    private struct Label {
        /// Its title; nil where it is the site's, and where there is no note.
        let title: String?
        let titleFingerprint: Fingerprint
        /// Its address as links write it; empty where it is not published.
        let url: String
        let urlFingerprint: Fingerprint

        init(_ note: Note?, url: String) {
            title = note?.title.map { String(decoding: Array($0.utf8), as: UTF8.self) }
            titleFingerprint = note?.fingerprint(of: .title) ?? .absent
            self.url = String(decoding: Array(url.utf8), as: UTF8.self)
            urlFingerprint = url.isEmpty ? .absent : Fingerprint(of: url)
        }
    }

    /// A reader of `site` that has read nothing.
    package init(_ site: Site) {
        self.site = site
        let store = site.store
        guard !store.isLoadedOnDemand else {
            // Few pages are rendered: what they ask for is worked out then.
            (notes, labels, pathFingerprints) = ([], [], [])
            listedIDs = site.listed.ids
            return
        }
        let ids = (0..<store.slotCount).map { NoteID(rawValue: $0) }
        notes = ids.map { store[$0] }
        pathFingerprints = store.paths.map { $0.map { Fingerprint(of: $0) } ?? .absent }
        labels = ids.map { Label(store[$0], url: site.url(of: $0)) }
        listedIDs = site.listed.ids.map { $0 }
    }

    /// Forgets what was read, for the next page.
    package func start() {
        recorder.start()
    }

    /// What was read since ``start()``.
    package var reads: PageReads { recorder.reads }

    // MARK: Notes

    private func note(_ id: NoteID) -> Note? {
        id.rawValue < notes.count ? notes[id.rawValue] : load(id)
    }

    private func load(_ id: NoteID) -> Note? {
        if loaded.isEmpty { loaded = Array(repeating: nil, count: site.store.slotCount) }
        guard id.rawValue < loaded.count else { return nil }
        if let note = loaded[id.rawValue] { return note }
        let note = site.store[id]
        loaded[id.rawValue] = note
        return note
    }

    /// Stands for a note in answers: paths, not numbers, which may differ from
    /// process to process.
    private func pathFingerprint(_ id: NoteID?) -> Fingerprint {
        guard let id else { return .absent }
        if id.rawValue < pathFingerprints.count { return pathFingerprints[id.rawValue] }
        return site.store.paths[id.rawValue].map { Fingerprint(of: $0) } ?? .absent
    }

    /// The fingerprint of an answer that is notes in an order.
    func fingerprint(of ids: [NoteID]) -> Fingerprint {
        var result = Fingerprint(bits: 1)
        for id in ids { result.combine(pathFingerprint(id)) }
        return result
    }

    /// A note, to read one field of. Asking for a field that the caller then
    /// does not look at costs a needless rebuild, looking at one it did not ask
    /// for a wrong page.
    func note(_ id: NoteID, reading field: NoteField) -> Note? {
        let note = note(id)
        recorder.record(.field(field, id), note?.fingerprint(of: field) ?? .absent)
        return note
    }

    /// A note, to embed a part of: the section of a heading's anchor, or a block
    /// (`^id`). The second value is where the part stands in the body's HTML;
    /// nil where the note has none such.
    func note(_ id: NoteID, readingPart anchor: String) -> (note: Note, part: Range<Int>)? {
        guard let note = note(id), let range = note.body.part(anchor) else {
            recorder.record(.part(anchor, id), .absent)
            return nil
        }
        recorder.record(.part(anchor, id), note.body.fingerprint(ofPart: range))
        return (note, range)
    }

    /// The title as pages show it.
    func title(of id: NoteID) -> String {
        if id.rawValue < labels.count, let title = labels[id.rawValue].title {
            recorder.record(.field(.title, id), labels[id.rawValue].titleFingerprint)
            return title
        }
        guard let note = note(id, reading: .title) else { return "" }
        return note.title ?? text(.title)
    }

    /// The text of a field that a page prints and uses for nothing else, and the
    /// number of the print; nil where the text does not come from that field alone.
    func printed(_ field: NoteField, of id: NoteID) -> (number: Int, text: String)? {
        if field == .title, id.rawValue < labels.count {
            let label = labels[id.rawValue]
            return label.title.map {
                (recorder.recordPrint(of: field, id, label.titleFingerprint), $0)
            }
        }
        guard let note = note(id), let text = field == .title ? note.title : note.summary else {
            return nil
        }
        return (recorder.recordPrint(of: field, id, note.fingerprint(of: field)), text)
    }

    /// The path of a note: its name, which never changes.
    func path(of id: NoteID) -> String { site.store.paths[id.rawValue] ?? "" }

    /// The folder part of ``path(of:)``.
    func folder(of id: NoteID) -> String { NotePath.folder(of: path(of: id)) }

    /// The file's name without its ending.
    func name(of id: NoteID) -> String { NotePath.name(of: path(of: id)) }

    /// The path of a note's file in the site folder.
    func file(of id: NoteID) -> String {
        noteContentFolder()
        return note(id)?.file ?? ""
    }

    /// Writes down where the notes' files stand in the site folder.
    func noteContentFolder() {
        let content = site.settings.content
        recorder.record(.setting(.content), content.map { Fingerprint(of: $0) } ?? .absent)
    }

    /// The address of a note as links write it; nil where it is not published.
    func url(of id: NoteID) -> String? {
        if id.rawValue < labels.count {
            let url = labels[id.rawValue].url
            recorder.record(.address(id), labels[id.rawValue].urlFingerprint)
            return url.isEmpty ? nil : url
        }
        let url = site.url(of: id)
        recorder.record(.address(id), url.isEmpty ? .absent : Fingerprint(of: url))
        return url.isEmpty ? nil : url
    }

    /// What a link of a note leads to.
    func target(ofLink index: Int, in id: NoteID) -> LinkTarget {
        let target = site.target(ofLink: index, in: id)
        recorder.record(.link(id, index), fingerprint(of: target))
        return target
    }

    private func fingerprint(of target: LinkTarget) -> Fingerprint {
        switch target {
        case .note(let id, let anchor):
            var result = pathFingerprint(id)
            if let anchor { result.combine(Fingerprint(of: anchor)) }
            return result
        case .attachment(let index): return Fingerprint(of: site.attachments.index.paths[index])
        case .address(let address):
            var result = Fingerprint(bits: 2)
            result.combine(Fingerprint(of: address.path))
            return result
        case .nothing: return .absent
        case .hidden: return Fingerprint(bits: 1)
        }
    }

    /// The sentence around one of a note's links; empty where it has no such
    /// link.
    func sentence(ofLink index: Int, in id: NoteID) -> String {
        let links = note(id)?.body.links ?? []
        let sentence = index < links.count ? links[index].sentence : ""
        recorder.record(.sentence(id, index), Fingerprint(of: sentence))
        return sentence
    }

    /// The address of an attachment as links write it.
    func url(ofAttachment index: Int) -> String {
        AddressPath(wellFormed: site.attachments.outputs[index]).url(base: text(.basePath))
    }

    /// The address of the picture that a note names as its image: of an
    /// attachment, of a file of the site, or as it stands where it has a scheme.
    func image(of id: NoteID) -> String? {
        let note = note(id, reading: .image)
        let url = note?.frontMatter.image.flatMap { image in
            note.flatMap { site.url(ofImage: image, in: $0) }
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
        let older = position + 1 < site.datedCount ? listedIDs[position + 1] : nil
        let newer = position > 0 ? listedIDs[position - 1] : nil
        var seen = Fingerprint(bits: 1)
        seen.combine(pathFingerprint(older))
        seen.combine(pathFingerprint(newer))
        recorder.record(.neighbours(id), seen)
        return (older, newer)
    }

    /// The links to a note from others, in the order of their paths.
    func backlinks(of id: NoteID) -> [Site.Backlink] {
        let backlinks = site.backlinks[id.rawValue]
        var seen = Fingerprint(bits: 1)
        for backlink in backlinks {
            seen.combine(pathFingerprint(backlink.source))
            seen.combine(UInt64(backlink.link))
        }
        recorder.record(.backlinks(id), seen)
        return backlinks
    }

    /// The value of a key of a note's front matter that has no meaning of its
    /// own; nil where the note has none such.
    func extra(_ key: String, of id: NoteID) -> YAMLNode? {
        let node = note(id)?.frontMatter.extra.first { $0.key == key }?.value
        recorder.record(.extra(key, id), node.map { NoteField.fingerprint(of: $0) } ?? .absent)
        return node
    }

    /// Writes down that a template was used, or that there is none of a name.
    func noteUse(ofTemplate name: String, _ fingerprint: Fingerprint) {
        recorder.record(.template(name), fingerprint)
    }

    static func fingerprint(of texts: [String]) -> Fingerprint {
        var result = Fingerprint(bits: 1)
        for text in texts { result.combine(Fingerprint(of: text)) }
        return result
    }
}
