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

    /// The bytes for pages, given the notes that each reads.
    static func bytes(_ notes: [[NoteID]], count: Int) -> [UInt8] {
        var pages: [[Int]] = Array(repeating: [], count: count)
        for (page, ids) in notes.enumerated() {
            for id in ids where id.rawValue < count && pages[id.rawValue].last != page {
                pages[id.rawValue].append(page)
            }
        }
        var body = BinaryWriter(capacity: count * 32)
        var starts: [Int] = []
        for list in pages {
            starts.append(body.count)
            var previous = 0
            body.write(list.count)
            for page in list {
                body.write(page - previous)
                previous = page
            }
        }
        var head = BinaryWriter(capacity: 8 + count * 8)
        head.write(fixed: UInt64(count))
        for start in starts { head.write(fixed: UInt64(8 + count * 8 + start)) }
        return head.bytes + body.bytes
    }
}

extension ReadRecord {
    /// What the record says, with what it is found by.
    var reads: PageReads {
        var reads = PageReads(record: self)
        _ = allSatisfy { dependency in
            if let id = dependency.read.contentNote {
                if reads.notes.last != id { reads.notes.append(id) }
            } else if let list = dependency.read.list {
                for key in list.comparedKeys { reads.keys.insert(key.stateName) }
            }
            return true
        }
        return reads
    }
}

extension NoteQuery.Key {
    /// The key as the saved state names it: of a field its name, of all else
    /// one word, since only the extra keys as a whole have a fingerprint.
    var stateName: String {
        if case .extra = self { "extra" } else { "\(self)" }
    }
}
