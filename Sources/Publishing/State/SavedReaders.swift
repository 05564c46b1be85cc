import Bytes
import Notes

/// Which pages read which words of which notes: from an edit to the pages that
/// may show it, without a look at any other page.
struct SavedReaders {
    private let rows: BinaryRows<[PageReader]>

    /// Takes what was written.
    init?(bytes: [UInt8]) {
        var reader = BinaryReader(bytes)
        rows = reader.rows { reader in
            var page = 0
            return reader.list { reader in
                page += reader.number()
                return PageReader(
                    page: Int32(truncatingIfNeeded: page),
                    fields: NoteFields(rawValue: UInt32(truncatingIfNeeded: reader.number())))
            }
        }
        guard reader.isSound else { return nil }
    }

    /// The pages that read words of a note, ascending.
    func readers(of id: NoteID) -> [PageReader] {
        id.rawValue < rows.count ? rows[id.rawValue] : []
    }

    /// The readers of all notes, by the notes' numbers.
    var all: [[PageReader]] { rows.map { $0 } }

    /// The bytes for the readers of each note, by its number.
    static func bytes(_ readers: [[PageReader]]) -> [UInt8] {
        var writer = BinaryWriter(capacity: readers.count * 48)
        writer.write(rows: readers) { writer, list in
            var previous = 0
            writer.write(list: list.sorted { $0.page < $1.page }) { writer, reader in
                writer.write(Int(reader.page) - previous)
                writer.write(Int(reader.fields.rawValue))
                previous = Int(reader.page)
            }
        }
        return writer.bytes
    }
}

extension ReadRecord {
    /// The words that were read; a note may stand there more than once.
    var words: [WordRead] {
        var words: [WordRead] = []
        _ = allSatisfy { read, _ in
            if let word = read.words { words.add(word) }
            return true
        }
        return words
    }
}

extension [WordRead] {
    /// Adds a read to those of the same note, where it was the latest.
    mutating func add(_ word: WordRead) {
        if let last, last.note == word.note {
            self[count - 1].fields.formUnion(word.fields)
        } else {
            append(word)
        }
    }
}

extension NoteQuery.Key {
    /// The key as the saved state names it: of a field its name, of all else
    /// one word, since only the extra keys as a whole have a fingerprint.
    var stateName: String {
        if case .extra = self { "extra" } else { "\(self)" }
    }
}
