import Notes
import Publishing

/// What `daybook list` prints.
struct NoteListing {
    private let site: Site
    private let results: QueryResults
    private let isGrouped: Bool

    init(_ site: Site, _ arguments: Arguments) {
        self.site = site
        var query = NoteQuery()
        if let sort = arguments.options["sort"] {
            query.sort = sort.split(separator: ",").map { QuerySyntax.sortKey(String($0)) }
        }
        if let group = arguments.options["group"] { query.grouping = QuerySyntax.grouping(group) }
        if let tag = arguments.options["tag"] {
            query.conditions.append(.init(.tags, .equal, tag))
        }
        isGrouped = query.grouping != nil
        results = query.results(among: site.published, in: site.store, zone: site.settings.zone)
    }

    var words: String {
        var lines: [String] = []
        for (index, section) in results.sections.enumerated() {
            if isGrouped {
                if index > 0 { lines.append("") }
                lines.append(section.key.isEmpty ? "(none)" : section.key)
            }
            for id in section.ids {
                guard let note = site.store[id] else { continue }
                let mark = note.frontMatter.isDraft ? " (draft)" : ""
                lines.append(
                    "\(isGrouped ? "  " : "")\(note.date?.day.text ?? "          ")  "
                        + "\(site.title(of: note))\(mark)  \(note.file)")
            }
        }
        return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
    }

    var json: JSONText {
        let sections = results.sections.map { section in
            (section.key, JSONText.array(section.ids.compactMap { json($0) }))
        }
        guard isGrouped else { return sections.first?.1 ?? .array([]) }
        return .array(sections.map { .object([("key", .text($0.0)), ("notes", $0.1)]) })
    }

    private func json(_ id: NoteID) -> JSONText? {
        guard let note = site.store[id] else { return nil }
        return .object([
            ("path", .text(note.file)),
            ("title", .text(site.title(of: note))),
            ("date", .optional(note.date?.text)),
            ("updated", .optional(note.frontMatter.updated?.text)),
            ("tags", .array(note.tags.map { .text($0.name) })),
            ("draft", .boolean(note.frontMatter.isDraft)),
            ("url", .text(site.urls[id.rawValue])),
            ("summary", .text(note.summary)),
        ])
    }
}
