import Bytes
import Markup
import Notes

/// The fingerprints of a note's fields: what an edit is compared with, so that
/// only fields that differ count as changed.
struct NoteFingerprints: Equatable {
    /// Of all that the plan of the site is made from.
    var plan: Fingerprint
    /// Of each field, by its number.
    var fields: [Fingerprint]
    /// Whether a link leads to a place in the note's own HTML: what the body
    /// is then decides what the link comes to.
    var isAnchored: Bool

    /// The fingerprints of a note.
    init(of note: Note, isAnchored: Bool) {
        var scratch = BinaryWriter(capacity: 512)
        plan = note.planFingerprint(&scratch)
        fields = NoteField.allCases.map { note.fingerprint(of: $0) }
        self.isAnchored = isAnchored
    }

    /// How many bytes one takes.
    static let size = 8 + NoteField.allCases.count * 8 + 1

    func write(to writer: inout BinaryWriter) {
        writer.write(plan)
        for field in fields { writer.write(field) }
        writer.write(isAnchored)
    }

    /// Writes the fingerprints of a note; `scratch` is memory to work in.
    static func write(
        of note: Note, isAnchored: Bool, to writer: inout BinaryWriter,
        scratch: inout BinaryWriter
    ) {
        writer.write(note.planFingerprint(&scratch))
        for field in NoteField.allCases { writer.write(note.fingerprint(of: field)) }
        writer.write(isAnchored)
    }

    /// Reads what was written; nil for a number without a note.
    init?(from reader: inout BinaryReader) {
        plan = reader.fingerprint()
        fields = NoteField.allCases.map { _ in reader.fingerprint() }
        isAnchored = reader.flag()
        if plan == .absent { return nil }
    }

    /// Writes that a number has no note.
    static func writeNone(to writer: inout BinaryWriter) {
        for _ in 0..<size { writer.write(byte: 0) }
    }
}

/// The fingerprints of all notes' fields, by the notes' numbers, as bytes.
struct SavedFingerprints {
    /// So many notes each.
    private(set) var pieces: [[UInt8]]

    init(pieces: [[UInt8]]) { self.pieces = pieces }

    /// The fingerprints of a note; nil where none are known.
    subscript(id: NoteID) -> NoteFingerprints? {
        get {
            let (piece, start) = Self.place(of: id)
            guard piece < pieces.count, start + NoteFingerprints.size <= pieces[piece].count else {
                return nil
            }
            var reader = BinaryReader(pieces[piece], start..<start + NoteFingerprints.size)
            return NoteFingerprints(from: &reader)
        }
        set {
            let (piece, start) = Self.place(of: id)
            guard let newValue, piece < pieces.count,
                start + NoteFingerprints.size <= pieces[piece].count
            else { return }
            var writer = BinaryWriter(capacity: NoteFingerprints.size)
            newValue.write(to: &writer)
            pieces[piece].replaceSubrange(
                start..<start + NoteFingerprints.size, with: writer.bytes)
        }
    }

    private static func place(of id: NoteID) -> (piece: Int, start: Int) {
        (
            id.rawValue / SavedParts.fileShard,
            id.rawValue % SavedParts.fileShard * NoteFingerprints.size
        )
    }
}

extension Note {
    /// The fields that the plan of a site is made from. Their words may stand
    /// in addresses, groups and orders, or decide what links come to. Titles,
    /// headings and block ids may too, and mostly do not: ``PlanCheck`` tells.
    static let planFields: [NoteField] = [
        .date, .expires, .draft, .tags, .aliases, .slug, .permalink, .order, .layout,
        .image,
    ]

    /// The fingerprint of all that the plan of a site is made from: the plan
    /// stays as it is where this does. Never absent. `writer` is memory to work
    /// in.
    func planFingerprint(_ writer: inout BinaryWriter) -> Fingerprint {
        writer.clear()
        var result = Fingerprint(bits: 1)
        for field in Self.planFields { result.combine(fingerprint(of: field)) }
        writer.write(titleOrigin == .site)
        writer.write(list: body.links) { writer, link in
            writer.write(
                byte: link.form == .wikilink
                    ? 0 : link.form == .embed ? 1 : link.form == .link ? 2 : 3)
            writer.write(link.target)
            // Messages show what was typed.
            writer.write(link.destination)
            writer.write(optional: link.fragment) { $0.write($1) }
        }
        result.combine(
            writer.withBytes { Fingerprint(of: UnsafeRawBufferPointer($0)) })
        return result == .absent ? Fingerprint(bits: 1) : result
    }
}

extension Site {
    /// The notes to which a link leads that asks for a place which is neither a
    /// heading nor a block: raw HTML may hold it.
    func anchoredNotes(_ workers: Workers) -> Set<NoteID> {
        let found = workers.map(published.count) { index -> [NoteID] in
            let id = published[index]
            guard let note = store[id] else { return [] }
            var result: [NoteID] = []
            for (place, link) in note.body.links.enumerated() where link.fragment?.isEmpty == false
            {
                guard case .note(let other, let anchor) = target(ofLink: place, in: id),
                    let body = store[other]?.body
                else { continue }
                if anchor.flatMap({ body.part($0) }) == nil { result.append(other) }
            }
            return result
        }
        return Set(found.joined())
    }
}
