import Bytes
import Notes

/// Where a page prints fields of notes that it uses for nothing else: other words
/// can be put there without rendering the page.
///
/// A list of ten thousand notes is rendered in tens of milliseconds; to put one
/// title in the place of another takes as long as copying the page.
struct PrintedFields: Sendable {
    /// One place.
    struct Place: Sendable {
        /// The note's number.
        let note: Int32
        let field: NoteField
        /// How the text is escaped there.
        let escaping: Escaping?
        /// Its bytes in the page.
        var range: Range<Int32>
        /// Where the fingerprint of what was printed stands in the page's
        /// ``ReadRecord``; nil where another place of the field says that.
        let recordOffset: Int32?
    }

    /// In the order of the page; empty where it is to be rendered in any case.
    private(set) var places: [Place]

    /// The fields that are printed as they are.
    static let fields: NoteFields = [NoteFields(.title), NoteFields(.summary)]

    /// The most bytes that the page had while it was rendered and part of it became a
    /// value: what the limit of its size counts too.
    private let takenPeak: Int

    /// Of a page that is rendered in any case.
    static let none = PrintedFields([], takenPeak: 0)

    /// The given places, in order.
    init(_ places: [Place], takenPeak: Int) {
        self.places = places
        self.takenPeak = takenPeak
    }

    /// The numbers of the places, in the page's order, of the fields in `words`; nil
    /// where the page depends on one of them otherwise too.
    func numbers(of words: [WordRead]) -> [Int]? {
        var missing: [Int32: NoteFields] = [:]
        for word in words {
            guard word.fields.isSubset(of: Self.fields) else { return nil }
            missing[Int32(truncatingIfNeeded: word.note.rawValue), default: []]
                .formUnion(word.fields)
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
    /// `numbers` names in order; all places move along. Whether rendering it surely
    /// takes no more than `limit` bytes: else all of it is to be thrown away.
    mutating func replace(
        _ numbers: [Int], by texts: [String], in page: [UInt8], limit: Int,
        into output: inout ByteBuffer
    ) -> Bool {
        var (read, moved): (Int, Int32) = (0, 0)
        var next = 0
        for index in places.indices {
            guard moved != 0 || next < numbers.count else { break }
            guard next < numbers.count, numbers[next] == index else {
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
            guard output.count + takenPeak <= limit else { return false }
            places[index].range = start..<Int32(output.count)
            moved = places[index].range.upperBound - old.upperBound
            read = Int(old.upperBound)
            next += 1
        }
        output.append(page, read..<page.count)
        return output.count + takenPeak <= limit
    }
}

extension Range<Int32> {
    fileprivate func moved(by distance: Int32) -> Range<Int32> {
        lowerBound + distance..<upperBound + distance
    }
}
