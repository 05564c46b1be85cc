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
        var isAsRead = true
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

    var isAsRead: Bool { state.withLock { $0.isAsRead } }

    func note(_ id: NoteID) -> Note? {
        guard let path = paths[id.rawValue] else { return nil }
        return state.withLock { state in
            if let note = state.notes[id] { return note }
            let entry = NoteInputs.read(
                path, nil, try? source.content(), source, &state.parser, moment: 0)
            let place = files.firstPlace(of: path)
            let isAsRead =
                place < files.count && files[place].path.isExactly(path)
                && files[place].hash == entry.file.hash
            if !isAsRead { state.isAsRead = false }
            state.notes[id] = entry.note
            return entry.note
        }
    }
}
