import Bytes
import Markup
import Notes
import Templating
import YAML

/// A note as templates read it.
final class NoteObject: ScopedObject, TemplateObject {
    let id: NoteID

    init(_ scope: PageScope, _ id: NoteID) {
        self.id = id
        super.init(scope)
    }

    var typeName: String { "note" }

    static let members: [Member] = [
        .title, .path, .name, .file, .url, .absoluteURL, .date, .updated, .expires, .draft, .tags,
        .aliases, .summary, .order, .lang, .image, .imageAbsolute, .authors, .cssclasses, .toc,
        .noindex, .pin, .extra, .body, .feedBody, .headings, .contents, .backlinks, .older, .newer,
        .folder, .words,
    ]

    var memberNames: [String] { Self.members.map(\.name) }

    func isSame(as other: any TemplateObject) -> Bool {
        (other as? NoteObject)?.id == id
    }

    private func matter<Value>(_ field: NoteField, _ value: (FrontMatter) -> Value) -> Value? {
        reader.note(id, reading: field).map { value($0.frontMatter) }
    }

    func value(of member: Symbol, named name: String) throws(TemplateFailure) -> TemplateValue? {
        switch Member(member) {
        case .title: .string(reader.title(of: id))
        case .path: .string(reader.path(of: id))
        case .name: .string(reader.name(of: id))
        case .file: .string(reader.file(of: id))
        case .url: scope.text(reader.url(of: id))
        case .absoluteURL: scope.text(reader.url(of: id).flatMap { scope.absolute($0) })
        case .date: scope.date(reader.note(id, reading: .date)?.date)
        case .updated: scope.date(matter(.updated) { $0.updated } ?? nil)
        case .expires: scope.date(matter(.expires) { $0.expires } ?? nil)
        case .draft: .boolean(matter(.draft) { $0.isDraft } ?? false)
        case .tags: .list((reader.note(id, reading: .tags)?.tags ?? []).map { scope.tag($0.key) })
        case .aliases: scope.texts(matter(.aliases) { $0.aliases } ?? [])
        case .summary: .string(reader.note(id, reading: .summary)?.summary ?? "")
        case .order:
            (matter(.order) { $0.order } ?? nil).map { Self.number($0) } ?? TemplateValue.none
        case .lang: scope.text(matter(.lang) { $0.lang } ?? nil)
        case .image: scope.text(reader.image(of: id))
        case .imageAbsolute: scope.text(reader.image(of: id).flatMap { scope.absolute($0) })
        case .authors: scope.texts(matter(.authors) { $0.authors } ?? [])
        case .cssclasses: scope.texts(matter(.cssclasses) { $0.cssclasses } ?? [])
        case .toc:
            (matter(.toc) { $0.showsContents } ?? nil).map { .boolean($0) } ?? TemplateValue.none
        case .noindex: .boolean(matter(.noindex) { $0.isHiddenFromSearch } ?? false)
        case .pin: .boolean(matter(.pin) { $0.isPinned } ?? false)
        case .extra: .object(ExtraObject(scope, id))
        case .body: scope.body(of: id, isAbsolute: false)
        case .feedBody:
            reader.feedHasFullContent
                ? scope.body(of: id, isAbsolute: true) : .markup(MarkupBytes([]))
        case .headings: .list(headings.map { Self.heading($0, children: []) })
        case .contents: .list(contents)
        case .backlinks: .list(backlinks)
        case .older: scope.note(reader.neighbours(of: id).older)
        case .newer: scope.note(reader.neighbours(of: id).newer)
        case .folder: scope.folder(reader.folder(of: id))
        case .words: .integer(wordCount)
        default: nil
        }
    }

    func printed(_ member: Symbol) -> (number: Int, text: String)? {
        switch Member(member) {
        case .title: reader.printed(.title, of: id)
        case .summary: reader.printed(.summary, of: id)
        default: nil
        }
    }

    private static func number(_ number: Double) -> TemplateValue {
        number == number.rounded() && abs(number) < 1e15 ? .integer(Int(number)) : .number(number)
    }

    private var wordCount: Int {
        reader.note(id, reading: .body)?.body.plainText.split(separator: " ").count ?? 0
    }

    // MARK: Headings

    /// The headings that the page shows: not the one that became its title.
    private var headings: ArraySlice<Heading> {
        guard let note = reader.note(id, reading: .headings) else { return [] }
        // Whether the first one is the title is part of that field.
        return note.body.headings.dropFirst(note.titleOrigin == .heading ? 1 : 0)
    }

    private static func heading(_ heading: Heading, children: [TemplateValue]) -> TemplateValue {
        .object(HeadingObject(heading, children: children))
    }

    private var contents: [TemplateValue] {
        var rest = headings[...]
        return Self.nested(&rest, above: 0)
    }

    /// Headings of a higher level than `level`, with those below them. Levels
    /// that are left out make no empty lists.
    private static func nested(_ rest: inout ArraySlice<Heading>, above level: Int)
        -> [TemplateValue]
    {
        var result: [TemplateValue] = []
        while let first = rest.first, first.level > level {
            rest.removeFirst()
            result.append(heading(first, children: nested(&rest, above: first.level)))
        }
        return result
    }

    // MARK: Links

    private var backlinks: [TemplateValue] {
        reader.backlinks(of: id).map { backlink in
            let sentence = reader.sentence(ofLink: backlink.link, in: backlink.source)
            return .dictionary(
                TemplateDictionary([
                    ("note", scope.note(backlink.source)), ("sentence", .string(sentence)),
                ]))
        }
    }
}

/// A heading as templates read it: the note that holds it was asked for all of
/// them at once.
final class HeadingObject: TemplateObject {
    private let heading: Heading
    private let children: [TemplateValue]

    init(_ heading: Heading, children: [TemplateValue]) {
        self.heading = heading
        self.children = children
    }

    var typeName: String { "heading" }

    static let members: [Member] = [.level, .id, .text, .html, .children]

    var memberNames: [String] { Self.members.map(\.name) }

    func value(of member: Symbol, named name: String) throws(TemplateFailure) -> TemplateValue? {
        switch Member(member) {
        case .level: .integer(heading.level)
        case .id: .string(heading.id)
        case .text: .string(heading.text)
        case .html: .markup(MarkupBytes(heading.html))
        case .children: .list(children)
        default: nil
        }
    }
}

/// The keys of a note's front matter that have no meaning of their own; one
/// that is not there is false.
final class ExtraObject: ScopedObject, TemplateObject {
    private let id: NoteID

    init(_ scope: PageScope, _ id: NoteID) {
        self.id = id
        super.init(scope)
    }

    var typeName: String { "mapping of extra keys" }

    func value(of member: Symbol, named name: String) throws(TemplateFailure) -> TemplateValue? {
        let node = reader.extra(name, of: id)
        return node.map { ExtraValue.make($0) } ?? .missing
    }
}

/// Values of front matter and settings as templates compute with them.
enum ExtraValue {
    static func make(_ node: YAMLNode) -> TemplateValue {
        switch node.content {
        case .scalar(let scalar):
            switch scalar.typed {
            case .null: .none
            case .boolean(let value): .boolean(value)
            case .integer(let value): .integer(value)
            case .number(let value): .number(value)
            case .text(let text): .string(text)
            }
        case .sequence(let items): .list(items.map { make($0) })
        case .mapping(let entries):
            .dictionary(TemplateDictionary(entries.map { ($0.key, make($0.value)) }))
        }
    }
}
