import Bytes

/// All notes of a site, hidden ones included: a value.
///
/// Numbers of notes stay the same as long as the store and those made of it by
/// ``applying(_:)`` live, and beyond that where its ``paths`` are kept; the
/// number of a deleted note is given out again only to the same path.
package struct NoteStore: Sendable {
    /// The path of each number; nil where the note is gone.
    package private(set) var paths: [String?] = []
    private var notes: [Note?] = []
    /// Nil where paths are looked for one by one.
    private var idsByPath: [ExactPath: NoteID]? = [:]
    /// Whether numbers ascend as paths do.
    private var isInOrder = false
    /// Brings the notes that nobody has asked for yet.
    private let loader: (any NoteLoading)?

    /// A store of `notes`, whose paths differ.
    package init(_ notes: [Note] = []) {
        self.init(notes, numberedAs: [])
    }

    /// A store of `notes`, each of which keeps the number that its path has in
    /// `paths`; new ones are numbered behind them, in the order of their paths.
    package init(_ notes: [Note], numberedAs paths: [String?]) {
        loader = nil
        for (number, path) in paths.enumerated() {
            if let path { idsByPath?[ExactPath(path)] = NoteID(rawValue: number) }
        }
        self.paths = Array(repeating: nil, count: paths.count)
        self.notes = Array(repeating: nil, count: paths.count)
        self.paths.reserveCapacity(notes.count)
        self.notes.reserveCapacity(notes.count)
        idsByPath?.reserveCapacity(notes.count)
        // They come in order from a scan.
        let isSorted = zip(notes, notes.dropFirst()).allSatisfy { $0.path.precedes($1.path) }
        for note in isSorted ? notes : notes.sorted(by: { $0.path.precedes($1.path) }) {
            insert(note)
        }
        isInOrder = paths.isEmpty
    }

    /// A store of the notes at `paths`, by their numbers, which `loader` brings
    /// when they are asked for.
    ///
    /// Few of them are asked for by path: that costs a look at each.
    package init(at paths: [String?], loadedBy loader: any NoteLoading) {
        self.paths = paths
        self.loader = loader
        notes = []
        idsByPath = nil
    }

    /// The same notes, some of which have other words. Costs the notes that
    /// ever were given so, not all of them.
    package func showing(_ changed: [NoteID: Note]) -> NoteStore {
        let overlay = loader as? NoteOverlay
        let base = overlay?.base ?? self
        let notes = (overlay?.notes ?? [:]).merging(changed) { $1 }
        return NoteStore(self, loadedBy: NoteOverlay(base: base, notes: notes))
    }

    /// The same store, in which notes are found by path at once.
    package func indexed() -> NoteStore {
        var store = self
        var ids: [ExactPath: NoteID] = [:]
        ids.reserveCapacity(paths.count)
        for (number, path) in paths.enumerated() {
            if let path { ids[ExactPath(path)] = NoteID(rawValue: number) }
        }
        store.idsByPath = ids
        return store
    }

    private init(_ store: NoteStore, loadedBy loader: any NoteLoading) {
        paths = store.paths
        idsByPath = store.idsByPath
        isInOrder = store.isInOrder
        notes = []
        self.loader = loader
    }

    /// Whether asking for a note may cost reading its file.
    package var isLoadedOnDemand: Bool { loader != nil }

    /// The note of a number, unless it was deleted.
    package subscript(id: NoteID) -> Note? {
        if id.rawValue < notes.count { return notes[id.rawValue] }
        return isThere(id) ? loader?.note(id) : nil
    }

    /// Whether the notes that were brought are those that the store was made for.
    package var isAsRead: Bool { loader?.isAsRead ?? true }

    /// Forgets notes that were brought and are others, for the next build.
    package func startAnew() { loader?.startAnew() }

    /// The notes that asking for costs nothing, by number.
    package var atHand: [NoteID: Note] {
        if let loader { return loader.atHand }
        var result: [NoteID: Note] = [:]
        for (number, note) in notes.enumerated() {
            if let note { result[NoteID(rawValue: number)] = note }
        }
        return result
    }

    private func isThere(_ id: NoteID) -> Bool {
        id.rawValue < paths.count && paths[id.rawValue] != nil
    }

    /// The number of the note at a path of the content folder.
    package func id(ofPath path: String) -> NoteID? {
        guard let idsByPath else {
            return paths.firstIndex { $0.map { ExactPath($0) == ExactPath(path) } ?? false }
                .map { NoteID(rawValue: $0) }
        }
        return idsByPath[ExactPath(path)].flatMap { isThere($0) ? $0 : nil }
    }

    /// The numbers of all notes, by path.
    package var ids: [NoteID] {
        let ids = paths.indices.lazy.filter { paths[$0] != nil }.map { NoteID(rawValue: $0) }
        return isInOrder ? Array(ids) : ids.sorted { path($0).precedes(path($1)) }
    }

    /// One more than the largest number given out.
    package var slotCount: Int { paths.count }

    /// The number of notes.
    package var count: Int { paths.count { $0 != nil } }

    private func path(_ id: NoteID) -> String { paths[id.rawValue] ?? "" }

    private mutating func insert(_ note: Note) {
        if let id = idsByPath?[ExactPath(note.path)] {
            notes[id.rawValue] = note
            paths[id.rawValue] = note.path
            return
        }
        isInOrder = false
        idsByPath?[ExactPath(note.path)] = NoteID(rawValue: notes.count)
        notes.append(note)
        paths.append(note.path)
    }

    /// The store after a set of changes; all its notes are at hand.
    package func applying(_ changes: ChangeSet) -> NoteStore {
        precondition(loader == nil, "changes are made to stores that hold their notes")
        var store = self
        for change in changes.changes {
            switch change.kind {
            case .insert(let note), .update(let note, _): store.insert(note)
            case .delete:
                if let id = store.idsByPath?[ExactPath(change.path)] {
                    store.notes[id.rawValue] = nil
                    store.paths[id.rawValue] = nil
                }
            }
        }
        return store
    }
}

/// Brings notes that a store knows by path only.
package protocol NoteLoading: Sendable {
    /// The note of a number; nil where it cannot be read any more. The same
    /// whenever it is asked for again.
    func note(_ id: NoteID) -> Note?

    /// Whether no note that was brought is another than it was to be.
    var isAsRead: Bool { get }

    /// Forgets notes that were others than they were to be.
    func startAnew()

    /// The notes that were brought already.
    var atHand: [NoteID: Note] { get }
}

/// Notes that stand in the place of a store's.
private struct NoteOverlay: NoteLoading {
    let base: NoteStore
    let notes: [NoteID: Note]

    func note(_ id: NoteID) -> Note? { notes[id] ?? base[id] }

    var isAsRead: Bool { base.isAsRead }

    func startAnew() { base.startAnew() }

    var atHand: [NoteID: Note] { base.atHand.merging(notes) { $1 } }
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
