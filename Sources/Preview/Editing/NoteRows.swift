import Bytes
import Notes
import Publishing

/// Notes as the editor lists them.
enum NoteRows {
    /// All notes, in the order of their paths; before them those of which nothing
    /// is known but that they cannot be read.
    static func all(of snapshot: PreviewSnapshot) -> JSONValue {
        let site = snapshot.site
        let broken = snapshot.brokenNotes
        let unknown = broken.filter { site?.store.id(ofPath: $0) == nil }.sorted()
        let known = site?.store.ids.compactMap { row($0, of: snapshot, broken: broken) } ?? []
        return .array(unknown.map { brokenRow($0) } + known)
    }

    /// The note at a path; nil where there is none.
    static func row(at path: String, of snapshot: PreviewSnapshot, broken: Set<String>)
        -> JSONValue?
    {
        if let id = snapshot.site?.store.id(ofPath: path),
            let row = row(id, of: snapshot, broken: broken)
        {
            return row
        }
        return broken.contains(path) ? brokenRow(path) : nil
    }

    /// A note that cannot be read.
    private static func brokenRow(_ path: String) -> JSONValue {
        .object([
            ("path", .text(path)), ("title", .text(NotePath.name(of: path))), ("date", .null),
            ("tags", .array([])), ("state", .text("broken")), ("url", .null),
        ])
    }

    private static func row(
        _ id: NoteID, of snapshot: PreviewSnapshot, broken: Set<String>
    ) -> JSONValue? {
        guard let site = snapshot.site, let note = site.store[id] else { return nil }
        let state =
            broken.contains(note.path)
            ? "broken" : snapshot.heldBack[note.file].flatMap { word($0) }
        let url = site.url(of: id)
        return .object([
            ("path", .text(note.path)), ("title", .text(site.title(of: note))),
            ("date", .optional(note.date?.text)),
            ("tags", .array(note.tags.map { .text($0.name) })), ("state", .optional(state)),
            ("url", url.isEmpty ? .null : .text(url)),
        ])
    }

    /// Why a note is not published; nil where it is.
    private static func word(_ state: Publication.State) -> String? {
        switch state {
        case .published: nil
        case .draft: "draft"
        case .notOptedIn: "not published"
        case .scheduled: "scheduled"
        case .expired: "expired"
        }
    }
}
