import Notes
import Templating

/// A list of notes that templates iterate, count and refine by `where`,
/// `sort`, `group` and `limit`.
final class ListObject: ScopedObject, TemplateObject {
    let list: NoteList

    init(_ scope: PageScope, _ list: NoteList) {
        self.list = list
        super.init(scope)
    }

    var typeName: String { "list of notes" }

    var memberNames: [String] { [] }

    func isSame(as other: any TemplateObject) -> Bool { (other as? ListObject)?.list == list }

    func value(of member: Symbol, named name: String) throws(TemplateFailure) -> TemplateValue? {
        nil
    }

    func elements() throws(TemplateFailure) -> [TemplateValue]? {
        if case .query(let query, _) = list, query.grouping != nil {
            return reader.sectionKeys(of: list).map { key in
                .object(SectionObject(scope, list, key: key))
            }
        }
        let ids =
            if case .slice(let base, let range) = list {
                reader.slice(range, of: base)
            } else {
                reader.slice(0..<Int.max, of: list)
            }
        return ids.map { scope.note($0) }
    }

    func count() throws(TemplateFailure) -> Int? {
        if case .query(let query, _) = list, query.grouping != nil {
            return reader.sectionKeys(of: list).count
        }
        return reader.count(of: list)
    }
}

/// Notes with one section key.
final class SectionObject: ScopedObject, TemplateObject {
    private let list: NoteList
    private let sectionKey: String

    init(_ scope: PageScope, _ list: NoteList, key: String) {
        self.list = list
        sectionKey = key
        super.init(scope)
    }

    var typeName: String { "section" }

    static let members: [Member] = [.key, .title, .notes, .count, .url]

    var memberNames: [String] { Self.members.map(\.name) }

    func value(of member: Symbol, named name: String) throws(TemplateFailure) -> TemplateValue? {
        switch Member(member) {
        case .key: return .string(sectionKey)
        case .title: return .string(title)
        case .notes: return scope.list(.section(list, key: sectionKey))
        case .count: return .integer(reader.count(of: .section(list, key: sectionKey)))
        case .url: return url
        default: return nil
        }
    }

    private var grouping: NoteQuery.Grouping? {
        if case .query(let query, _) = list { query.grouping } else { nil }
    }

    private var title: String {
        if sectionKey.isEmpty {
            switch grouping {
            case .year, .month, .key(.date): return "Undated"
            case .tag: return "Untagged"
            case .folder: return FolderObject.title(of: "", reader)
            default: return "Other"
            }
        }
        switch grouping {
        case .month:
            let parts = sectionKey.split(separator: "-")
            guard parts.count == 2, let month = Int(parts[1]), (1...12).contains(month) else {
                return sectionKey
            }
            return "\(CalendarDay.monthNames[month - 1]) \(Int(parts[0]) ?? 0)"
        case .tag: return reader.label(ofTag: sectionKey)
        case .folder: return FolderObject.title(of: sectionKey, reader)
        default: return sectionKey
        }
    }

    private var url: TemplateValue {
        if sectionKey.isEmpty { return .none }
        switch grouping {
        case .year:
            return scope.url(ofOutput: "archive/\(sectionKey)/index.html", "archive/\(sectionKey)/")
        case .tag:
            return scope.text(reader.tag(sectionKey)?.url)
        case .folder:
            return scope.text(reader.folder(sectionKey)?.url)
        default: return .none
        }
    }
}
