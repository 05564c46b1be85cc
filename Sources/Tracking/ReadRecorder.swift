package import Bytes

/// Writes down what is read while a result is made.
///
/// Recording is one append; repeated reads are dropped when the list is asked
/// for. Belongs to one thread.
package struct ReadRecorder<Read: Hashable & Sendable>: Sendable {
    @usableFromInline var recorded: [Dependency<Read>] = []

    /// A recorder that has seen nothing.
    @inlinable package init() {}

    /// Forgets everything, keeps the memory.
    @inlinable package mutating func start() {
        recorded.removeAll(keepingCapacity: true)
    }

    /// Writes down one read with the fingerprint of its answer.
    @inlinable package mutating func record(_ read: Read, _ seen: Fingerprint) {
        recorded.append(Dependency(read, seen: seen))
    }

    /// What was read, each once, in the order of the first time.
    ///
    /// All answers come from one unchanging state, so a read that was asked
    /// twice was answered alike.
    package var dependencies: [Dependency<Read>] {
        var seen: Set<Read> = []
        return recorded.filter { seen.insert($0.read).inserted }
    }
}
