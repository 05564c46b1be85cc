import Bytes
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
    /// The fingerprint of the latest answer.
    private(set) var latest = Fingerprint.absent

    private static let recentCount = 256

    /// Forgets everything, keeps the memory.
    mutating func start() {
        log.clear()
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
    }

    /// What was read, in the order of the first time.
    var record: ReadRecord { ReadRecord(bytes: log.bytes) }
}

/// What a page read, as bytes: questions with the fingerprints of their
/// answers.
package struct ReadRecord: Sendable {
    /// The record itself.
    package let bytes: [UInt8]

    /// A record that was kept as bytes.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// Calls `body` with each dependency until it answers false. Whether it
    /// never did, and the record was whole.
    func allSatisfy(_ body: (PageDependency) -> Bool) -> Bool {
        var reader = BinaryReader(bytes)
        while !reader.isAtEnd {
            guard let read = SiteRead(from: &reader) else { return false }
            let seen = reader.fingerprint()
            guard reader.isSound, body(PageDependency(read, seen: seen)) else { return false }
        }
        return true
    }

    /// The dependencies, in order.
    package var dependencies: [PageDependency] {
        var result: [PageDependency] = []
        _ = allSatisfy { dependency in
            result.append(dependency)
            return true
        }
        return result
    }
}
