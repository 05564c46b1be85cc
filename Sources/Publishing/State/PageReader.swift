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
}
