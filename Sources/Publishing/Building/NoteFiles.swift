import Bytes
import Notes
import Synchronization

/// Brings notes from their files when pages ask for them.
///
/// A file that is not as the latest build read it is brought all the same, and
/// told by ``isAsRead``: what is made of it must not be remembered.
final class NoteFiles: NoteLoading {
    /// The notes that were given. Those that are read here are not for other
    /// builds: their files may have changed since the latest one looked.
    let atHand: [NoteID: Note]

    private let source: SiteSource
    private let paths: [String?]
    /// The files as they were read, by path.
    private let files: [SavedFile]
    private let state: Mutex<State>

    private struct State: ~Copyable {
        var parser: NoteParser
        var notes: [NoteID: Note] = [:]
        /// Notes whose files are not as they were read: for this build alone.
        var others: [NoteID: Note?] = [:]
        /// From where on ``load(_:_:)`` has not looked.
        var next = 0
    }

    /// Brings the notes at `paths`, whose files were `files`; those that were
    /// read already are given.
    init(
        _ source: SiteSource, _ paths: [String?], files: [SavedFile], read notes: [NoteID: Note]
    ) {
        self.source = source
        self.paths = paths
        self.files = files
        atHand = notes
        state = Mutex(State(parser: source.makeParser(), notes: notes))
    }

    var isAsRead: Bool { state.withLock { $0.others.isEmpty } }

    func startAnew() { state.withLock { $0.others = [:] } }

    /// Brings up to `count` notes that nobody has asked for yet, as far as their
    /// files are as they were read; whether there are more.
    func load(_ count: Int, _ workers: Workers) -> Bool {
        let start = state.withLock { $0.next }
        let end = min(start + count, paths.count)
        guard start < end else { return false }
        let isKnown = state.withLock { state in
            (start..<end).map { state.notes[NoteID(rawValue: $0)] != nil }
        }
        let content = try? source.content()
        let notes = workers.map(end - start, piece: 16, startingFrom: { source.makeParser() }) {
            (parser: inout NoteParser, index) -> Note? in
            guard let path = paths[start + index], !isKnown[index] else { return nil }
            let entry = NoteInputs.read(path, nil, content, source, &parser, moment: 0)
            return isAsRead(entry.file) ? entry.note : nil
        }
        return state.withLock { state in
            for (index, note) in notes.enumerated() {
                let id = NoteID(rawValue: start + index)
                if let note, state.notes[id] == nil { state.notes[id] = note }
            }
            state.next = end
            return end < paths.count
        }
    }

    /// Whether a file is as the latest build read it.
    private func isAsRead(_ file: SavedFile) -> Bool {
        let place = files.firstPlace(of: file.path)
        return place < files.count && files[place].path.isExactly(file.path)
            && files[place].hash == file.hash
    }

    func note(_ id: NoteID) -> Note? {
        guard let path = paths[id.rawValue] else { return nil }
        return state.withLock { state in
            if let note = state.notes[id] { return note }
            if let other = state.others[id] { return other }
            let entry = NoteInputs.read(
                path, nil, try? source.content(), source, &state.parser, moment: 0)
            if isAsRead(entry.file) {
                state.notes[id] = entry.note
            } else {
                state.others[id] = .some(entry.note)
            }
            return entry.note
        }
    }
}
