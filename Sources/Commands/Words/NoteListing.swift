import Bytes
import Diagnostics
import Notes
import Publishing

/// What `daybook list` prints.
struct NoteListing {
    private let site: Site
    private let results: QueryResults
    private let isGrouped: Bool
    /// What is to be said of the question: fields that no note has.
    let complaints: [String]

    init(_ site: Site, _ arguments: Arguments) {
        self.site = site
        var query = NoteQuery()
        if let sort = arguments.options["sort"] {
            query.sort = sort.split(separator: ",").map { key in
                QuerySyntax.sortKey(key.split(separator: " ").joined(separator: " "))
            }
        }
        if let group = arguments.options["group"] { query.grouping = QuerySyntax.grouping(group) }
        if let tag = arguments.options["tag"] {
            query.conditions.append(.init(.tags, .equal, tag))
        }
        isGrouped = query.grouping != nil
        complaints = Self.complaints(of: query, site)
        results = query.results(among: site.published, in: site.store, zone: site.settings.zone)
    }

    /// A field that no note has is most likely mistyped.
    private static func complaints(of query: NoteQuery, _ site: Site) -> [String] {
        var keys = query.sort.map(\.key)
        if case .key(let key)? = query.grouping { keys.append(key) }
        let unknown = keys.compactMap { key in
            if case .extra(let name) = key { name } else { nil }
        }
        if unknown.isEmpty { return [] }
        var known: Set<String> = []
        for id in site.published {
            known.formUnion(site.store[id]?.frontMatter.extraTexts.map(\.key) ?? [])
        }
        let names = known.sorted() + NoteQuery.Key.names + ["year", "month"]
        return unknown.filter { !known.contains($0) }.map { name in
            "no note has a field `\(name)`"
                + (closestName(to: name, among: names).map { "; did you mean `\($0)`?" } ?? "")
        }
    }

    var words: String {
        var lines: [String] = []
        for (index, section) in results.sections.enumerated() {
            if isGrouped {
                if index > 0 { lines.append("") }
                lines.append(
                    section.key.isEmpty ? "(none)" : DiagnosticPrinter.harmless(section.key))
            }
            for id in section.ids {
                guard let note = site.store[id] else { continue }
                let mark = note.frontMatter.isDraft ? " (draft)" : ""
                let day = note.date?.day.text ?? "          "
                lines.append(
                    (isGrouped ? "  " : "")
                        + DiagnosticPrinter.harmless(
                            "\(day)  \(site.title(of: note))\(mark)  \(note.file)"))
            }
        }
        return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
    }

    var json: JSONValue {
        let sections = results.sections.map { section in
            (section.key, JSONValue.array(section.ids.compactMap { json($0) }))
        }
        guard isGrouped else { return sections.first?.1 ?? .array([]) }
        return .array(sections.map { .object([("key", .text($0.0)), ("notes", $0.1)]) })
    }

    private func json(_ id: NoteID) -> JSONValue? {
        guard let note = site.store[id] else { return nil }
        return .object([
            ("path", .text(note.file)),
            ("title", .text(site.title(of: note))),
            ("date", .optional(note.date?.text)),
            ("updated", .optional(note.frontMatter.updated?.text)),
            ("tags", .array(note.tags.map { .text($0.name) })),
            ("draft", .boolean(note.frontMatter.isDraft)),
            ("url", .text(site.url(of: id))),
            ("summary", .text(note.summary)),
        ])
    }
}
