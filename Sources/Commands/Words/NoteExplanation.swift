import Bytes
import Diagnostics
import Notes
import Publishing

/// What `daybook explain` says of a note.
struct NoteExplanation {
    /// One field: its value, and what set it.
    struct Field {
        var name: String
        var value: String
        /// The key that set it; nil where it was worked out.
        var key: String?
        var line: Int?
        /// In words: `title, line 2`, `the file's name`.
        var reason: String
        /// Keys that came too late, with their lines.
        var passedOver: [(key: String, line: Int?)] = []
    }

    private let note: Note
    private let site: ReadSite
    private let publication: Publication
    private let url: String
    private let reasonOfAddress: String
    private let fields: [Field]
    private let redirects: [String]
    private let collisions: [Diagnostic]
    private let messages: [Diagnostic]
    private let backlinks: Int
    private let history: PageHistory?

    /// What is to be said of the note at `path`; nil where it has faults that
    /// keep it from being one.
    init?(_ path: String, _ site: ReadSite, _ printer: inout DiagnosticPrinter) {
        let actual = site.plan.site
        guard let id = actual.store.id(ofPath: path), let note = actual.store[id],
            let publication = actual.publications[id.rawValue]
        else { return nil }
        self.note = note
        self.site = site
        self.publication = publication
        // A hidden note has no address yet: what it will have is asked of a
        // site that shows it.
        let plan = publication.state == .published ? site.plan : site.builder.plan(showing: path)
        let shown = plan.site.store.id(ofPath: path) ?? id
        url = plan.site.url(of: shown)
        redirects = plan.site.pages.compactMap { page in
            page.kind == .redirect(shown)
                ? page.address.url(base: plan.site.settings.basePath) : nil
        }
        let own = plan.messages.filter { message in
            message.span?.file == note.file || message.notes.contains { $0.span?.file == note.file }
        }
        let ids: Set<String> = ["address-taken", "alias-taken", "folder-taken"]
        collisions = own.filter { ids.contains($0.id) }
        messages = own.filter { !ids.contains($0.id) }
        backlinks = plan.site.backlinks[shown.rawValue].count
        reasonOfAddress = Self.reasonOfAddress(
            note, isIntroduction: plan.site.introductions.contains(shown), plan.site)
        fields = Self.fields(note, plan.site, &printer)
        let page = plan.site.pages.first { $0.kind != .redirect(shown) && $0.note == shown }
        history = page.flatMap { site.builder.history(ofPageAt: $0.address.outputFile) }
    }

    // MARK: The address

    private static func reasonOfAddress(_ note: Note, isIntroduction: Bool, _ site: Site) -> String
    {
        let matter = note.frontMatter
        func key(_ field: NoteField) -> String? {
            matter.origins.first { $0.field == field }?.key
        }
        if let key = key(.permalink) { return "`\(key)` in its front matter" }
        if isIntroduction { return "it introduces the page that stands there" }
        if note.date != nil, note.folder.split(separator: "/").contains("_posts") {
            return "its date, since it lies in a folder _posts"
        }
        if note.date != nil, site.settings.permalink != nil {
            return "`permalink:` of the settings"
        }
        if let key = key(.slug) { return "its folder and its `\(key)`" }
        return "its path"
    }

    // MARK: The fields

    private static func fields(
        _ note: Note, _ site: Site, _ printer: inout DiagnosticPrinter
    ) -> [Field] {
        let matter = note.frontMatter
        func line(_ range: Range<Int>) -> Int? {
            printer.position(of: SourceSpan(file: note.file, range: range))?.line
        }
        var fields: [Field] = []
        for (field, _) in FrontMatterKeys.all {
            var origin = matter.origins.first { $0.field == field }
            var others = matter.passedOver.filter { $0.field == field }
            // There no key can publish it.
            if field == .draft, Self.isInDrafts(note), let key = origin {
                others.insert(key, at: 0)
                origin = nil
            }
            let number = origin.flatMap { line($0.range) }
            let (value, otherwise) = value(of: field, note, site)
            let passedOver = others.map { ($0.key, line($0.range)) }
            guard let value else { continue }
            var reason =
                origin.map { "`\($0.key)`" + (number.map { ", line \($0)" } ?? "") } ?? otherwise
            if field == .tags, origin != nil, note.tags.count > matter.tags.count {
                reason += ", and \(otherwise)"
            }
            fields.append(
                Field(
                    name: field.name, value: value, key: origin?.key, line: number, reason: reason,
                    passedOver: passedOver))
        }
        for (key, text, range) in matter.extraTexts {
            let number = line(range)
            fields.append(
                Field(
                    name: "extra.\(key)", value: text, key: key, line: number,
                    reason: "`\(key)`" + (number.map { ", line \($0)" } ?? "")))
        }
        return fields
    }

    private static func isInDrafts(_ note: Note) -> Bool {
        note.path.split(separator: "/").dropLast().contains("_drafts")
    }

    /// A field's value in words, nil where it has none and none is worth a
    /// line, and where it comes from when no key set it.
    private static func value(
        of field: NoteField, _ note: Note, _ site: Site
    ) -> (String?, String) {
        let matter = note.frontMatter
        func list(_ texts: [String]) -> String? {
            texts.isEmpty ? nil : texts.joined(separator: ", ")
        }
        switch field {
        case .title:
            let reason =
                switch note.titleOrigin {
                case .frontMatter: "the front matter"
                case .heading: "the heading that opens the note"
                case .fileName: "the file's name"
                case .folderName: "the folder's name"
                case .site: "the site's title"
                }
            return (site.title(of: note), reason)
        case .date:
            return (
                note.date?.text ?? "none",
                note.date == nil
                    ? "undated: listed last"
                    : NoteDate.leading(in: note.name) == nil
                        ? "the first commit in git" : "the file's name"
            )
        case .updated: return (matter.updated?.text, "the latest commit in git")
        case .expires: return (matter.expires?.text, "")
        case .draft:
            return (
                matter.isDraft ? "true" : "false",
                isInDrafts(note) ? "it lies in a folder _drafts" : "no key says so"
            )
        case .tags: return (list(note.tags.map(\.name)), "#tags in the text")
        case .aliases: return (list(matter.aliases), "")
        case .slug: return (matter.slug, "")
        case .permalink: return (matter.permalink, "")
        case .summary:
            return (note.summary.isEmpty ? nil : note.summary, "the text's beginning")
        case .order: return (matter.order.map { NoteQuery.Key.text($0) }, "")
        case .layout: return (matter.layout, "")
        case .lang: return (matter.lang, "")
        case .image: return (matter.image, "")
        case .authors: return (list(matter.authors), "")
        case .cssclasses: return (list(matter.cssclasses), "")
        case .toc: return (matter.showsContents.map { $0 ? "true" : "false" }, "")
        case .noindex: return (matter.isHiddenFromSearch ? "true" : nil, "")
        case .pin: return (matter.isPinned ? "true" : nil, "")
        case .extra, .body, .links, .headings, .blocks: return (nil, "")
        }
    }

    // MARK: Whether it is published

    private var isPublished: Bool { publication.state == .published }

    /// Why the note is on the site, or is not.
    private func reason(_ printer: inout DiagnosticPrinter) -> String {
        func key(_ field: NoteField) -> String {
            fields.first { $0.name == field.name }?.reason ?? ""
        }
        let zone = site.plan.site.settings.zone
        func time(_ instant: Instant) -> String {
            NoteDate.minuteText(instant, offset: zone.offset(at: instant))
        }
        switch publication.state {
        case .published:
            guard let end = publication.changesAt else { return "nothing holds it back" }
            return "until it expires, \(time(end))"
        case .draft: return "it is a draft (\(key(.draft)))"
        case .notOptedIn:
            return "the settings have `opt-in: true`, and the note does not say `publish: true`"
        case .scheduled:
            let start = note.date.map { time($0.start(in: zone)) } ?? ""
            return "its date is to come: \(start), and this is \(time(site.options.now))"
        case .expired:
            return "it expired on \(note.frontMatter.expires?.text ?? "") (\(key(.expires)))"
        }
    }

    // MARK: Words

    func words(_ printer: inout DiagnosticPrinter) -> String {
        var rows: [(String, String)] = []
        rows.append(("published", (isPublished ? "yes: " : "no: ") + reason(&printer)))
        rows.append(
            (
                "address",
                (url.isEmpty ? "none" : url) + " from \(reasonOfAddress)"
                    + (isPublished ? "" : ", once it is published")
            ))
        for url in redirects { rows.append(("redirects", "\(url) leads here")) }
        rows.append(("linked from", ReportText.count(backlinks, "note")))
        var text = DiagnosticPrinter.harmless(note.file) + "\n" + Self.table(rows)
        text += "\nfields\n"
        text += Self.table(
            fields.map { field in
                let others = field.passedOver.map { key, line in
                    "; `\(key)`\(line.map { ", line \($0)," } ?? "") is passed over"
                }
                return (
                    field.name,
                    "\(Self.shortened(field.value))  ← \(field.reason)\(others.joined())"
                )
            })
        if !collisions.isEmpty {
            text += "\ncollides\n"
            for message in collisions { text += "  " + printer.print(message) }
        }
        if !messages.isEmpty {
            text += "\nmessages\n"
            for message in messages { text += "  " + printer.print(message) }
        }
        return isPublished ? text + HistoryText.words(history) : text
    }

    private static func shortened(_ text: String) -> String {
        text.count > 72 ? text.prefix(71) + "…" : text
    }

    private static func table(_ rows: [(String, String)]) -> String {
        let rows = rows.map { (DiagnosticPrinter.harmless($0.0), DiagnosticPrinter.harmless($0.1)) }
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, value in
            "  \(name)\(String(repeating: " ", count: width - name.count + 2))\(value)\n"
        }.joined()
    }

    func json(_ printer: inout DiagnosticPrinter) -> JSONValue {
        func list(_ messages: [Diagnostic]) -> JSONValue {
            var values: [JSONValue] = []
            for message in messages { values.append(ReportText.json(message, &printer)) }
            return .array(values)
        }
        func line(_ number: Int?) -> JSONValue { number.map { .number($0) } ?? .null }
        return .object(
            [
                ("path", .text(note.file)),
                ("published", .boolean(isPublished)),
                ("reason", .text(reason(&printer))),
                ("url", .optional(url.isEmpty ? nil : url)),
                ("addressFrom", .text(reasonOfAddress)),
                ("redirects", .array(redirects.map { .text($0) })),
                ("backlinks", .number(backlinks)),
                (
                    "fields",
                    .array(
                        fields.map { field in
                            .object([
                                ("name", .text(field.name)), ("value", .text(field.value)),
                                ("key", .optional(field.key)), ("line", line(field.line)),
                                ("reason", .text(field.reason)),
                                (
                                    "passedOver",
                                    .array(
                                        field.passedOver.map {
                                            .object([
                                                ("key", .text($0.key)), ("line", line($0.line)),
                                            ])
                                        })
                                ),
                            ])
                        })
                ),
                ("collisions", list(collisions)),
                ("messages", list(messages)),
            ] + HistoryText.json(history))
    }
}
