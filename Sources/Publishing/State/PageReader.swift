import Bytes
import Notes

/// A page that reads words of a note, in the list of that note's readers.
struct PageReader: Sendable, Equatable {
    /// The page's number.
    var page: Int32
    /// The fields that it reads.
    var fields: NoteFields
}

extension [PageReader] {
    /// Adds what a page reads. Pages mostly come in order, which costs nothing.
    mutating func add(_ page: Int32, _ fields: NoteFields) {
        if let last, last.page < page || isEmpty {
            append(PageReader(page: page, fields: fields))
        } else if let place = lastIndex(where: { $0.page == page }) {
            self[place].fields.formUnion(fields)
        } else {
            append(PageReader(page: page, fields: fields))
        }
    }

    /// Adds the part of `word` that each page reads, of whose note these are the
    /// readers.
    func add(_ word: WordRead, to pages: inout [Int: [WordRead]]) {
        for reader in self {
            let fields = reader.fields.intersection(word.fields)
            if fields.isEmpty { continue }
            pages[Int(reader.page), default: []].append(WordRead(note: word.note, fields: fields))
        }
    }
}
