import Bytes
import Notes
import Templating

/// Where a page prints fields of notes that it uses for nothing else: other words
/// can be put there without rendering the page.
///
/// A list of ten thousand notes is rendered in tens of milliseconds; to put one
/// title in the place of another takes as long as copying the page.
package struct PrintedFields: Sendable {
    /// One place.
    struct Place: Sendable {
        /// The note's number.
        let note: Int32
        let field: NoteField
        /// How the text is escaped there.
        let escaping: Escaping?
        /// Its bytes in the page.
        var range: Range<Int32>
        /// Where the fingerprint stands in the page's ``ReadRecord`` of what was
        /// printed; nil where another place of the field says that.
        let seen: Int32?
    }

    /// In the order of the page; empty where it is to be rendered in any case.
    private(set) var places: [Place]

    /// The fields that are printed as they are.
    static let fields: NoteFields = [NoteFields(.title), NoteFields(.summary)]

    /// The given places, in order.
    init(_ places: [Place]) { self.places = places }

    /// The places, in the page's order, of all fields that differ; nil where the
    /// page depends on one of them otherwise too.
    func places(of words: [WordRead]) -> [Int]? {
        var missing: [Int32: NoteFields] = [:]
        for word in words {
            guard word.fields.isSubset(of: Self.fields) else { return nil }
            missing[Int32(truncatingIfNeeded: word.note.rawValue)] = word.fields
        }
        let asked = missing
        var found: [Int] = []
        for (index, place) in places.enumerated() {
            let field = NoteFields(place.field)
            guard asked[place.note]?.contains(field) == true else { continue }
            missing[place.note]?.remove(field)
            found.append(index)
        }
        return missing.values.allSatisfy(\.isEmpty) ? found : nil
    }

    /// Writes a page to `output`, which is empty, with `texts` at the places that
    /// `changed` numbers in order. All places move along.
    mutating func replace(
        _ changed: [Int], by texts: [String], in page: [UInt8], into output: inout ByteBuffer
    ) {
        var (read, moved): (Int, Int32) = (0, 0)
        var next = 0
        for index in places.indices {
            guard moved != 0 || next < changed.count else { break }
            guard next < changed.count, changed[next] == index else {
                places[index].range = places[index].range.moved(by: moved)
                continue
            }
            let old = places[index].range
            output.append(page, read..<Int(old.lowerBound))
            let start = Int32(output.count)
            if let escaping = places[index].escaping {
                output.append(texts[next], escaping: escaping)
            } else {
                output.append(texts[next])
            }
            places[index].range = start..<Int32(output.count)
            moved = places[index].range.upperBound - old.upperBound
            read = Int(old.upperBound)
            next += 1
        }
        output.append(page, read..<page.count)
    }
}

extension Range<Int32> {
    fileprivate func moved(by distance: Int32) -> Range<Int32> {
        lowerBound + distance..<upperBound + distance
    }
}

/// A page that was rendered with other words in fields that it prints and uses for
/// nothing else.
package struct PageCorrection: Sendable {
    /// Where it prints fields.
    let printed: PrintedFields
    /// The places that differ, by their numbers, ascending.
    let places: [Int]
    /// What it read.
    let record: ReadRecord
}
