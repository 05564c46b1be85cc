import Bytes
import Notes
import Publishing
import Synchronization

/// The editor's open pages, which are told what changes in the list of notes.
///
/// Guarded by its lock.
final class EditorReaders: Sendable {
    private let channels = Mutex<Set<EventChannel>>([])

    func add(_ channel: EventChannel) {
        channels.withLock { _ = $0.insert(channel) }
    }

    func remove(_ channel: EventChannel) {
        channels.withLock { _ = $0.remove(channel) }
    }

    /// Tells of a build: of the notes at the paths that changed, or that the list
    /// is to be asked for again.
    func take(_ changes: BuildSession.Changes, _ snapshot: PreviewSnapshot) {
        let channels = channels.withLock { $0 }
        guard !channels.isEmpty else { return }
        let message: JSONValue
        switch changes {
        case .everything: message = .object([("all", .boolean(true))])
        case .paths(let paths):
            let root = snapshot.folder + (snapshot.content.isEmpty ? "" : "/" + snapshot.content)
            let notes = paths.compactMap { FilePath.relative($0, to: root) }
            guard notes.count == paths.count, notes.allSatisfy({ NotePath.isNote($0) }) else {
                message = .object([("all", .boolean(true))])
                break
            }
            let broken = snapshot.brokenNotes
            var (rows, gone): ([JSONValue], [JSONValue]) = ([], [])
            for path in notes.sorted() {
                if let row = NoteRows.row(at: path, of: snapshot, broken: broken) {
                    rows.append(row)
                } else {
                    gone.append(.text(path))
                }
            }
            message = .object([("rows", .array(rows)), ("gone", .array(gone))])
        }
        let line = message.line
        for channel in channels { channel.send("notes", line) }
    }
}
