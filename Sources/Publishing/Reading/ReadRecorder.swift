import Bytes
import Tracking

/// Writes down what is read while a page is rendered.
///
/// Recording is two appends; repeated reads are dropped when the list is asked
/// for. Belongs to one thread. It stands here and not beside ``Dependency``
/// because a generic recorder in another target is not specialised, which
/// made each read four times as dear.
struct ReadRecorder {
    private var reads: [SiteRead] = []
    private var seen: [Fingerprint] = []

    /// Forgets everything, keeps the memory.
    mutating func start() {
        reads.removeAll(keepingCapacity: true)
        seen.removeAll(keepingCapacity: true)
    }

    /// Writes down one read with the fingerprint of its answer.
    mutating func record(_ read: SiteRead, _ fingerprint: Fingerprint) {
        reads.append(read)
        seen.append(fingerprint)
    }

    /// The fingerprint of the latest answer.
    var latest: Fingerprint { seen.last ?? .absent }

    /// What was read, each once, in the order of the first time.
    ///
    /// All answers come from one unchanging site, so a read that was asked
    /// twice was answered alike.
    var dependencies: [PageDependency] {
        var known: Set<SiteRead> = []
        return zip(reads, seen).compactMap { read, seen in
            known.insert(read).inserted ? PageDependency(read, seen: seen) : nil
        }
    }
}
