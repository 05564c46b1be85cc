package import Bytes

/// What a version control system knows of a note: when it was written, and when
/// it was changed last.
package struct HistoryDates: Sendable, Hashable {
    /// When it came to be.
    package var written: NoteDate
    /// When its text changed last; nil where it never did.
    package var updated: NoteDate?

    /// The dates of a note.
    package init(written: NoteDate, updated: NoteDate?) {
        self.written = written
        self.updated = updated
    }

    /// Stands for both.
    package var fingerprint: Fingerprint {
        var result = Fingerprint(of: written.text)
        result.combine(updated.map { Fingerprint(of: $0.text) } ?? .absent)
        return result
    }
}
