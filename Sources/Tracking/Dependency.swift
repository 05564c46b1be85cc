package import Bytes

/// Something that was read, and what was seen.
///
/// `Read` says what was asked, in the caller's words; Tracking knows nothing of
/// what it means. A result that was made from some dependencies is still right
/// as long as each read, asked again, gives the same fingerprint.
package struct Dependency<Read: Hashable & Sendable>: Hashable, Sendable {
    /// What was asked.
    package var read: Read
    /// The fingerprint of the answer; ``Fingerprint/absent`` where there was
    /// none, since absence is an answer too.
    package var seen: Fingerprint

    /// A dependency on the answer `seen` to `read`.
    @inlinable package init(_ read: Read, seen: Fingerprint) {
        self.read = read
        self.seen = seen
    }
}
