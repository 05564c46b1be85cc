import Bytes
import Notes
import Publishing

/// Notes as the editor lists them.
enum NoteRows {
    /// All notes of a site, in the order of their paths, and before them those
    /// at `broken` of which nothing is known but that they cannot be read.
    static func all(of site: Site?, broken: Set<String>) -> JSONValue {
        let unknown = broken.filter { site?.store.id(ofPath: $0) == nil }.sorted()
        let known = site.map { site in
            site.store.ids.compactMap { row($0, of: site, among: broken) }
        }
        return .array(unknown.map { brokenRow($0) } + (known ?? []))
    }

    /// A note that cannot be read.
    static func brokenRow(_ path: String) -> JSONValue {
        .object([
            ("path", .text(path)), ("title", .text(NotePath.name(of: path))), ("date", .null),
            ("tags", .array([])), ("state", .text("broken")), ("url", .null),
        ])
    }

    /// One note.
    static func row(_ id: NoteID, of site: Site, among broken: Set<String>) -> JSONValue? {
        guard let note = site.store[id] else { return nil }
        let state =
            broken.contains(note.path)
            ? "broken" : word(site.publications[id.rawValue]?.state ?? .published)
        let url = site.url(of: id)
        return .object([
            ("path", .text(note.path)), ("title", .text(site.title(of: note))),
            ("date", .optional(note.date?.text)),
            ("tags", .array(note.tags.map { .text($0.name) })),
            ("state", .optional(state)),
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
