import Bytes
import Markup
import Notes

/// The fingerprints of all notes' fields, by the notes' numbers: what an edit
/// is compared with, so that only fields that differ count as changed.
struct SavedFields {
    private let bytes: [UInt8]

    /// The fingerprints of one note.
    struct Entry: Equatable {
        /// All that the plan of the site is made from.
        var plan: Fingerprint
        /// Each field, by its number.
        var fields: [Fingerprint]
        /// Whether a link leads to a place in the note's own HTML: what the body
        /// is then decides what the link comes to.
        var isAnchored: Bool
    }

    private static let entrySize = 8 + NoteField.allCases.count * 8 + 1

    /// Takes what was written.
    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The fingerprints of a note; nil where none are known.
    subscript(id: NoteID) -> Entry? {
        let start = id.rawValue * Self.entrySize
        guard start + Self.entrySize <= bytes.count else { return nil }
        var reader = BinaryReader(bytes, start..<start + Self.entrySize)
        let plan = reader.fingerprint()
        let fields = NoteField.allCases.map { _ in reader.fingerprint() }
        let entry = Entry(plan: plan, fields: fields, isAnchored: reader.flag())
        return entry.plan == .absent ? nil : entry
    }

    /// The bytes with the fingerprints of some notes replaced.
    func replacing(_ entries: [NoteID: Entry]) -> [UInt8] {
        var result = bytes
        for (id, entry) in entries {
            var writer = BinaryWriter()
            Self.write(entry, to: &writer)
            let start = id.rawValue * Self.entrySize
            guard start + Self.entrySize <= result.count else { continue }
            result.replaceSubrange(start..<start + Self.entrySize, with: writer.bytes)
        }
        return result
    }

    /// The bytes for all notes of a site.
    static func bytes(of site: Site, _ workers: Workers) -> [UInt8] {
        let anchored = site.anchoredNotes
        let count = site.store.slotCount
        let size = 256
        let parts = workers.map((count + size - 1) / size) { part -> [UInt8] in
            var writer = BinaryWriter(capacity: size * entrySize)
            for number in part * size..<min(part * size + size, count) {
                let id = NoteID(rawValue: number)
                guard let note = site.store[id] else {
                    for _ in 0..<entrySize { writer.write(byte: 0) }
                    continue
                }
                write(entry(of: note, isAnchored: anchored.contains(id)), to: &writer)
            }
            return writer.bytes
        }
        return Array(parts.joined())
    }

    /// The fingerprints of a note.
    static func entry(of note: Note, isAnchored: Bool) -> Entry {
        Entry(
            plan: note.planFingerprint,
            fields: NoteField.allCases.map { note.fingerprint(of: $0) }, isAnchored: isAnchored)
    }

    private static func write(_ entry: Entry, to writer: inout BinaryWriter) {
        writer.write(entry.plan)
        for field in entry.fields { writer.write(field) }
        writer.write(entry.isAnchored)
    }
}

extension Note {
    /// The fields that the plan of a site is made from. Their words may stand
    /// in addresses, groups and orders, or decide what links come to.
    static let planFields: [NoteField] = [
        .title, .date, .expires, .draft, .tags, .aliases, .slug, .permalink, .order, .layout,
        .image,
    ]

    /// The fingerprint of all that the plan of a site is made from: the plan
    /// stays as it is where this does. Never absent.
    var planFingerprint: Fingerprint {
        var result = Fingerprint(bits: 1)
        for field in Self.planFields { result.combine(fingerprint(of: field)) }
        var writer = BinaryWriter(capacity: 512)
        writer.write(titleOrigin == .site)
        writer.write(list: body.links) { writer, link in
            writer.write(
                byte: link.form == .wikilink
                    ? 0 : link.form == .embed ? 1 : link.form == .link ? 2 : 3)
            writer.write(link.target)
            writer.write(optional: link.fragment) { $0.write($1) }
        }
        writer.write(list: body.headings) { writer, heading in
            writer.write(heading.id)
            writer.write(heading.text)
        }
        writer.write(list: body.blocks) { $0.write($1.id) }
        result.combine(
            writer.withBytes { Fingerprint(of: UnsafeRawBufferPointer($0)) })
        return result == .absent ? Fingerprint(bits: 1) : result
    }
}

extension Site {
    /// The notes to which a link leads that asks for a place which is neither a
    /// heading nor a block: raw HTML may hold it.
    fileprivate var anchoredNotes: Set<NoteID> {
        var result: Set<NoteID> = []
        for id in published {
            guard let note = store[id] else { continue }
            for (link, target) in zip(note.body.links, links[id.rawValue]) {
                guard case .note(let other, let anchor) = target, link.fragment?.isEmpty == false,
                    let body = store[other]?.body
                else { continue }
                if anchor.flatMap({ body.part($0) }) == nil { result.insert(other) }
            }
        }
        return result
    }
}
