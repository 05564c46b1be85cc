import Bytes
import Notes
import Tracking

/// Which pages read words of which notes: from an edit to the pages that may
/// show it, without a look at any other page.
struct SavedReaders {
    private let bytes: [UInt8]
    /// Where each note's pages stand, by the note's number.
    private let count: Int

    /// Takes what was written.
    init?(bytes: [UInt8]) {
        self.bytes = bytes
        guard bytes.count >= 8 else { return nil }
        var reader = BinaryReader(bytes)
        count = Int(truncatingIfNeeded: reader.fixed())
        guard count >= 0, count <= (bytes.count - 8) / 8 else { return nil }
    }

    /// The numbers of the pages that read words of a note, ascending.
    func pages(reading id: NoteID) -> [Int] {
        guard id.rawValue < count else { return [] }
        var head = BinaryReader(bytes, 8 + id.rawValue * 8..<bytes.count)
        let start = Int(truncatingIfNeeded: head.fixed())
        guard start >= 0, start < bytes.count else { return [] }
        var reader = BinaryReader(bytes, start..<bytes.count)
        var page = 0
        return reader.list { reader in
            page += reader.number()
            return page
        }
    }

    /// The bytes with further pages that read words of some notes.
    func adding(_ added: [NoteID: [Int32]]) -> [UInt8] {
        var all = (0..<count).map { pages(reading: NoteID(rawValue: $0)).map { Int32($0) } }
        for (id, pages) in added where id.rawValue < count { all[id.rawValue] += pages }
        return Self.bytes(all)
    }

    /// The bytes for the pages that read words of each note, by its number.
    static func bytes(_ pages: [[Int32]]) -> [UInt8] {
        let count = pages.count
        var body = BinaryWriter(capacity: count * 32)
        var starts: [Int] = []
        for list in pages {
            starts.append(body.count)
            var previous = 0
            body.write(list.count)
            for page in list.sorted() {
                body.write(Int(page) - previous)
                previous = Int(page)
            }
        }
        var head = BinaryWriter(capacity: 8 + count * 8)
        head.write(fixed: UInt64(count))
        for start in starts { head.write(fixed: UInt64(8 + count * 8 + start)) }
        return head.bytes + body.bytes
    }
}

extension ReadRecord {
    /// The notes whose words were read; one may stand there more than once.
    var notes: [NoteID] {
        var notes: [NoteID] = []
        _ = allSatisfy { dependency in
            if let id = dependency.read.contentNote, notes.last != id { notes.append(id) }
            return true
        }
        return notes
    }
}

extension NoteQuery.Key {
    /// The key as the saved state names it: of a field its name, of all else
    /// one word, since only the extra keys as a whole have a fingerprint.
    var stateName: String {
        if case .extra = self { "extra" } else { "\(self)" }
    }
}
