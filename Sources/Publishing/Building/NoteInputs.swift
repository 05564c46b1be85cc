import Bytes
import Diagnostics
import Notes

/// The notes of a site as they are now, compared with what the latest build
/// read.
struct NoteInputs {
    /// One note's file.
    struct Entry {
        /// The path in the content folder, with what was read of it.
        var file: SavedFile
        /// The note, where its file had to be read and differs; nil where it is
        /// as it was, and where it cannot be read as a note.
        var note: Note?
        /// What is to be said of it; nil where it is as it was.
        var messages: [Diagnostic]?

        /// Whether its file was read.
        var isRead = false

        /// Whether it was read anew, and is no note.
        var isBroken: Bool {
            note == nil && messages?.contains { $0.severity == .error } ?? false
        }

        /// Whether its bytes are those that the latest build read.
        var isSame: Bool { messages == nil }
    }

    /// All notes, by path.
    var entries: [Entry] = []
    /// Whether notes came or went.
    var hasOtherPaths = false

    /// Looks at the notes at `paths` (sorted): only those whose stamps differ
    /// from `remembered`, or cannot be trusted, are read, and only those whose
    /// bytes differ are parsed. Stamps are not believed where the history may say
    /// something else of the notes than it did. `moment` is the file system's time before the
    /// first look.
    init(
        _ paths: [String], remembered: [SavedFile], believingStamps: Bool, source: SiteSource,
        workers: Workers, moment: Int64, progress: (@Sendable (BuildProgress) -> Void)?
    ) {
        let step = Step(progress, paths.count)

        let earlier = Self.matches(paths, remembered)
        hasOtherPaths =
            paths.count != remembered.count || earlier.contains { $0 == nil }
        let content = try? source.content()
        entries = workers.map(paths.count, startingFrom: { source.makeParser() }) {
            (parser: inout NoteParser, index) -> Entry in
            step.advance { .reading($0, of: $1) }
            let path = paths[index]
            let before = earlier[index].map { remembered[$0] }
            if believingStamps, let before, before.stamp != .unknown,
                let status = content?.status(path, followingLinks: true),
                FileStamp(status) == before.stamp
            {
                return Entry(file: before)
            }
            return Self.read(path, before, content, source, &parser, moment: moment)
        }
    }

    /// Reads a note as it is now. `before` is what was known of it.
    static func read(
        _ path: String, _ before: SavedFile?, _ content: Folder?, _ source: SiteSource,
        _ parser: inout NoteParser, moment: Int64
    ) -> Entry {
        let file = source.file(ofNote: path)
        do throws(FileError) {
            guard let content else { throw FileError("cannot read", path, code: 2) }
            let (bytes, status) = try content.contents(path)
            var hash = bytes.withUnsafeBytes { ContentHash(of: $0) }
            // What the history says of a note is part of it.
            if let dates = source.history.dates[path] { hash.high ^= dates.fingerprint.bits }
            let stamp = FileStamp(status)
            let saved = SavedFile(
                path: path, stamp: stamp.isSettled(at: moment) ? stamp : .unknown, hash: hash)
            if let before, before.hash == hash { return Entry(file: saved, isRead: true) }
            let (note, messages) = parser.parse(bytes, path: path, file: file)
            return Entry(file: saved, note: note, messages: messages, isRead: true)
        } catch {
            let message = Diagnostic(
                .error, "unreadable", "cannot read this: \(error.reason)",
                at: SourceSpan(file: file))
            return Entry(
                file: SavedFile(path: path, stamp: .unknown, hash: ContentHash(high: 0, low: 0)),
                messages: [message])
        }
    }

    /// The place of each path among the remembered files; both are sorted.
    private static func matches(_ paths: [String], _ files: [SavedFile]) -> [Int?] {
        var next = 0
        return paths.map { path in
            while next < files.count, files[next].path.precedes(path) { next += 1 }
            return next < files.count && files[next].path.isExactly(path) ? next : nil
        }
    }
}
