import Bytes
import Notes
import Templating
import Tracking

/// Writes down what is read while a page is rendered: questions with the
/// fingerprints of their answers, as bytes.
///
/// Nearly every question stands there once: those asked lately are known by a
/// number each, so that asking again costs one comparison. Belongs to one
/// thread. It stands here and not beside ``Dependency`` because a generic
/// recorder in another target is not specialised, which made each read four
/// times as dear.
struct ReadRecorder: ~Copyable {
    /// Questions and answers, one behind the other.
    private var log = BinaryWriter(capacity: 4096)
    /// The numbers of questions that were asked, each where its last bits say.
    private var recent: [UInt64] = Array(repeating: 0, count: Self.recentCount)
    /// The words that were read; a note may stand there more than once.
    private var words: [WordRead] = []
    /// The keys by which queries compared notes.
    private var keys: Set<String> = []
    /// The fingerprint of the latest answer.
    private(set) var latest = Fingerprint.absent
    /// Whether fields that are printed are told from those that are used.
    var isRecordingPrints = false
    /// Those, in the order of the prints.
    private var prints: [Print] = []
    /// The numbers of reads of such fields that were used otherwise.
    private var used: Set<UInt64> = []

    /// A field that was printed.
    private struct Print {
        let field: NoteField
        let note: NoteID
        /// Where its fingerprint stands in the log; nil where that was asked before.
        let recordOffset: Int32?

        /// The number of the read.
        var read: UInt64 { SiteRead.field(field, note).number }
    }

    private static let recentCount = 256

    /// Forgets everything, keeps the memory.
    mutating func start() {
        log.clear()
        words.removeAll(keepingCapacity: true)
        if !keys.isEmpty { keys = [] }
        prints.removeAll(keepingCapacity: true)
        used.removeAll(keepingCapacity: true)
        for index in recent.indices { recent[index] = 0 }
    }

    /// Writes down one read with the fingerprint of its answer; of a field that could
    /// be printed also that it is used otherwise.
    ///
    /// All answers come from one unchanging site, so a question that is asked
    /// twice is answered alike.
    mutating func record(_ read: SiteRead, _ fingerprint: Fingerprint) {
        if isRecordingPrints, case .field(let field, _) = read,
            PrintedFields.fields.contains(NoteFields(field))
        {
            used.insert(read.number)
        }
        write(read, fingerprint)
    }

    /// Writes down that a field of a note is printed; the number of the print.
    mutating func recordPrint(
        of field: NoteField, _ note: NoteID, _ fingerprint: Fingerprint
    ) -> Int {
        let before = log.count
        write(.field(field, note), fingerprint)
        // The fingerprint is the last of what was written.
        let offset = log.count > before ? Int32(log.count - Fingerprint.size) : nil
        prints.append(Print(field: field, note: note, recordOffset: offset))
        return prints.count - 1
    }

    private mutating func write(_ read: SiteRead, _ fingerprint: Fingerprint) {
        latest = fingerprint
        let number = read.number
        let place = Int(truncatingIfNeeded: (number &* 0x9E37_79B9_7F4A_7C15) >> 56)
        if recent[place] == number { return }
        recent[place] = number
        read.write(to: &log)
        log.write(fingerprint)
        if let word = read.words {
            words.add(word)
        } else if let list = read.list {
            for key in list.comparedKeys { keys.insert(key.stateName) }
        }
    }

    /// What was read, in the order of the first time: in memory of its own size,
    /// so that the recorder's is free for the next page.
    var reads: PageReads {
        PageReads(record: ReadRecord(bytes: log.bytes), words: words.map { $0 }, keys: keys)
    }

    /// Where fields were printed that were used for nothing else: `places` are those in
    /// a buffer, where the page begins at `pageStart`, and `taken` the numbers of prints
    /// that did not stay there.
    func printedFields(
        _ places: [PrintedMember], taken: [Int], takenPeak: Int, pageStart: Int
    ) -> PrintedFields {
        let others = used.union(taken.map { prints[$0].read })
        return PrintedFields(
            places.compactMap { place in
                let print = prints[place.number]
                guard !others.contains(print.read) else { return nil }
                return PrintedFields.Place(
                    note: Int32(print.note.rawValue), field: print.field,
                    escaping: place.escaping,
                    range: Int32(
                        place.range.lowerBound - pageStart)..<Int32(
                            place.range.upperBound - pageStart),
                    recordOffset: print.recordOffset)
            }, takenPeak: takenPeak)
    }
}

/// What a page read, with what the saved state finds it by.
package struct PageReads: Sendable {
    /// Questions and answers.
    package var record = ReadRecord(bytes: [])
    /// The words that were read; a note may stand there more than once. Of a page that
    /// was corrected none: they are those that are known.
    var words: [WordRead] = []
    /// The keys by which queries compared notes; likewise.
    var keys: Set<String> = []
    /// Where it prints fields as they are; nil where nobody has looked.
    var printed: PrintedFields?
}

/// What a page read, as bytes: questions with the fingerprints of their
/// answers.
package struct ReadRecord: Sendable {
    /// The record itself.
    package private(set) var bytes: [UInt8]

    /// How many bytes a read of a field takes at least: what it is, the field, the note
    /// and the fingerprint.
    static let leastSize = 3 + Fingerprint.size

    /// A record that was kept as bytes.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// Calls `body` with each question and the fingerprint of its answer until it
    /// answers false. Whether it never did, and the record was whole.
    func allSatisfy(_ body: (SiteRead, Fingerprint) -> Bool) -> Bool {
        var reader = BinaryReader(bytes)
        while !reader.isAtEnd {
            guard let read = SiteRead(from: &reader) else { return false }
            let seen = reader.fingerprint()
            guard reader.isSound, body(read, seen) else { return false }
        }
        return true
    }

    /// The fingerprint that stands at a place; one that is whole.
    func fingerprint(at place: Int) -> Fingerprint {
        var reader = BinaryReader(bytes, place..<place + Fingerprint.size)
        return reader.fingerprint()
    }

    /// Puts another fingerprint at a place where one stands.
    mutating func replace(at place: Int, by fingerprint: Fingerprint) {
        var writer = BinaryWriter(capacity: Fingerprint.size)
        writer.write(fingerprint)
        bytes.replaceSubrange(place..<place + Fingerprint.size, with: writer.bytes)
    }

    /// The dependencies, in order.
    package var dependencies: [PageDependency] {
        var result: [PageDependency] = []
        _ = allSatisfy { read, seen in
            result.append(PageDependency(read, seen: seen))
            return true
        }
        return result
    }
}
