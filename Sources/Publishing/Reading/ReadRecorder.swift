import Bytes
import Notes
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

    private static let recentCount = 256

    /// Forgets everything, keeps the memory.
    mutating func start() {
        log.clear()
        words.removeAll(keepingCapacity: true)
        if !keys.isEmpty { keys = [] }
        for index in recent.indices { recent[index] = 0 }
    }

    /// Writes down one read with the fingerprint of its answer.
    ///
    /// All answers come from one unchanging site, so a question that is asked
    /// twice is answered alike.
    mutating func record(_ read: SiteRead, _ fingerprint: Fingerprint) {
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
}

/// What a page read, with what the saved state finds it by.
package struct PageReads: Sendable {
    /// Questions and answers.
    package var record = ReadRecord(bytes: [])
    /// The words that were read; a note may stand there more than once.
    var words: [WordRead] = []
    /// The keys by which queries compared notes.
    var keys: Set<String> = []
}

/// What a page read, as bytes: questions with the fingerprints of their
/// answers.
package struct ReadRecord: Sendable {
    /// The record itself.
    package let bytes: [UInt8]

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
