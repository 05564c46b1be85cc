import Bytes

/// All notes of a site, hidden ones included: a value.
///
/// Numbers of notes stay the same as long as the store and those made of it by
/// ``applying(_:)`` live; the number of a deleted note is given out again only
/// to the same path.
package struct NoteStore: Sendable {
    private var slots: [Note?] = []
    private var idsByPath: [ExactPath: NoteID] = [:]

    /// A store of `notes`, whose paths differ.
    package init(_ notes: [Note] = []) {
        slots.reserveCapacity(notes.count)
        idsByPath.reserveCapacity(notes.count)
        // They come in order from a scan.
        let isSorted = zip(notes, notes.dropFirst()).allSatisfy { $0.path.precedes($1.path) }
        for note in isSorted ? notes : notes.sorted(by: { $0.path.precedes($1.path) }) {
            insert(note)
        }
    }

    /// The note of a number, unless it was deleted.
    package subscript(id: NoteID) -> Note? {
        id.rawValue < slots.count ? slots[id.rawValue] : nil
    }

    /// The number of the note at a path of the content folder.
    package func id(ofPath path: String) -> NoteID? {
        guard let id = idsByPath[ExactPath(path)], slots[id.rawValue] != nil else { return nil }
        return id
    }

    /// The numbers of all notes, by path.
    package var ids: [NoteID] {
        slots.indices.filter { slots[$0] != nil }.map { NoteID(rawValue: $0) }
            .sorted { path($0).precedes(path($1)) }
    }

    /// One more than the largest number given out.
    package var slotCount: Int { slots.count }

    /// The number of notes.
    package var count: Int { slots.count { $0 != nil } }

    private func path(_ id: NoteID) -> String { slots[id.rawValue]?.path ?? "" }

    @discardableResult
    private mutating func insert(_ note: Note) -> NoteID {
        if let id = idsByPath[ExactPath(note.path)] {
            slots[id.rawValue] = note
            return id
        }
        let id = NoteID(rawValue: slots.count)
        slots.append(note)
        idsByPath[ExactPath(note.path)] = id
        return id
    }

    /// The store after a set of changes.
    package func applying(_ changes: ChangeSet) -> NoteStore {
        var store = self
        for change in changes.changes {
            switch change.kind {
            case .insert(let note), .update(let note, _): store.insert(note)
            case .delete:
                if let id = store.idsByPath[ExactPath(change.path)] {
                    store.slots[id.rawValue] = nil
                }
            }
        }
        return store
    }
}

/// What happened to the notes of a store: at most one change for each note, in
/// the order of their paths.
package struct ChangeSet: Sendable {
    /// The changes.
    package private(set) var changes: [NoteChange] = []

    /// Compares a store with the notes as they are now.
    ///
    /// `changed` holds notes that were read anew; `deleted` the paths that are
    /// gone. A note whose fields are all as before makes no change.
    package init(from store: NoteStore, changed: [Note], deleted: [String]) {
        for note in changed {
            guard let id = store.id(ofPath: note.path), let old = store[id] else {
                changes.append(NoteChange(path: note.path, kind: .insert(note)))
                continue
            }
            let fields = Set(
                NoteField.allCases.filter { old.fingerprint(of: $0) != note.fingerprint(of: $0) })
            if !fields.isEmpty {
                changes.append(NoteChange(path: note.path, kind: .update(note, fields)))
            }
        }
        for path in deleted where store.id(ofPath: path) != nil {
            changes.append(NoteChange(path: path, kind: .delete))
        }
        changes.sort { $0.path.precedes($1.path) }
    }

    /// Whether nothing happened.
    package var isEmpty: Bool { changes.isEmpty }
}

/// What happened to one note.
package struct NoteChange: Sendable {
    /// What happened.
    package enum Kind: Sendable {
        /// The note is new.
        case insert(Note)
        /// The note is gone.
        case delete
        /// The named fields have other values.
        case update(Note, Set<NoteField>)
    }

    /// The note's path in the content folder.
    package var path: String
    /// What happened.
    package var kind: Kind
}
