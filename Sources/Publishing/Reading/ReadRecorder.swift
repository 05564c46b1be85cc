import Bytes
import Tracking

/// Writes down what is read while a page is rendered: each question once, with
/// the fingerprint of its answer, as bytes.
///
/// Belongs to one thread. It stands here and not beside ``Dependency`` because
/// a generic recorder in another target is not specialised, which made each
/// read four times as dear.
struct ReadRecorder {
    /// Questions and answers, one behind the other.
    private var log = BinaryWriter(capacity: 4096)
    /// One question while it is looked up.
    private var question = BinaryWriter(capacity: 64)
    /// Where questions stand in the log, by their hashes: an open table whose
    /// size is a power of two, zero where nothing stands.
    private var places: [UInt32] = Array(repeating: 0, count: Self.smallest)
    private var count = 0
    /// The fingerprint of the latest answer.
    private(set) var latest = Fingerprint.absent

    private static let smallest = 256

    /// Forgets everything, keeps the memory.
    mutating func start() {
        log.clear()
        count = 0
        if places.count > Self.smallest * 64 {
            places = Array(repeating: 0, count: Self.smallest)
        } else {
            for index in places.indices { places[index] = 0 }
        }
    }

    /// Writes down one read with the fingerprint of its answer.
    ///
    /// All answers come from one unchanging site, so a question that is asked
    /// twice is answered alike and stands here once.
    mutating func record(_ read: SiteRead, _ fingerprint: Fingerprint) {
        latest = fingerprint
        question.clear()
        read.write(to: &question)
        let mask = places.count - 1
        var slot = Int(truncatingIfNeeded: Fingerprint(of: question.bytes).bits) & mask
        while places[slot] != 0 {
            if stands(at: Int(places[slot]) - 1) { return }
            slot = (slot + 1) & mask
        }
        places[slot] = UInt32(log.bytes.count + 1)
        log.append(question.bytes)
        log.write(fingerprint)
        count += 1
        if count * 2 > places.count { grow() }
    }

    private func stands(at place: Int) -> Bool {
        let bytes = question.bytes
        guard place + bytes.count <= log.bytes.count else { return false }
        for index in bytes.indices where log.bytes[place + index] != bytes[index] { return false }
        return true
    }

    private mutating func grow() {
        let old = places
        places = Array(repeating: 0, count: old.count * 4)
        let mask = places.count - 1
        for place in old where place != 0 {
            var reader = BinaryReader(log.bytes, Int(place) - 1..<log.bytes.count)
            _ = SiteRead(from: &reader)
            let key = Array(log.bytes[Int(place) - 1..<reader.position])
            var slot = Int(truncatingIfNeeded: Fingerprint(of: key).bits) & mask
            while places[slot] != 0 { slot = (slot + 1) & mask }
            places[slot] = place
        }
    }

    /// What was read, each once, in the order of the first time.
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
