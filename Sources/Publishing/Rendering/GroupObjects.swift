import Bytes
import Notes
import Templating

/// A tag as templates read it.
final class TagObject: ScopedObject, TemplateObject {
    private let key: String
    /// Asked for once, since templates print the name into a link.
    private lazy var found = reader.tag(key)

    init(_ scope: PageScope, _ key: String) {
        self.key = key
        super.init(scope)
    }

    var typeName: String { "tag" }

    static let members: [Member] = [
        .name, .key, .url, .count, .notes, .children, .parent, .depth, .feedURL, .jsonFeedURL,
    ]

    var memberNames: [String] { Self.members.map(\.name) }

    func text() -> String? { found?.label ?? key }

    func isSame(as other: any TemplateObject) -> Bool { (other as? TagObject)?.key == key }

    func isOrdered(before other: any TemplateObject) -> Bool? {
        (other as? TagObject).map { key.precedes($0.key) }
    }

    func value(of member: Symbol, named name: String) throws(TemplateFailure) -> TemplateValue? {
        var path: String { "tags/\(key)/" }
        return switch Member(member) {
        case .name: .string(found?.label ?? key)
        case .key: .string(key)
        case .url: scope.text(found?.url)
        case .count: .integer(reader.count(of: .tag(key)))
        case .notes: scope.list(.tag(key))
        case .children: .list(reader.children(ofTag: key).map { scope.tag($0) })
        case .parent: Tag.ancestors(ofKey: key).first.map { scope.tag($0) } ?? TemplateValue.none
        case .depth: .integer(Tag.ancestors(ofKey: key).count)
        case .feedURL: scope.url(ofOutput: path + "feed.xml")
        case .jsonFeedURL: scope.url(ofOutput: path + "feed.json")
        default: nil
        }
    }
}

/// A folder as templates read it.
final class FolderObject: ScopedObject, TemplateObject {
    private let path: String

    init(_ scope: PageScope, _ path: String) {
        self.path = path
        super.init(scope)
    }

    var typeName: String { "folder" }

    static let members: [Member] = [
        .name, .title, .path, .url, .notes, .children, .count, .note, .parent,
    ]

    var memberNames: [String] { Self.members.map(\.name) }

    func isSame(as other: any TemplateObject) -> Bool { (other as? FolderObject)?.path == path }

    /// The title: of the note that introduces it, else its name, at the root
    /// the site's.
    static func title(of path: String, _ reader: SiteReader) -> String {
        if let introduction = reader.folder(path)?.introduction {
            return reader.title(of: introduction)
        }
        return path.isEmpty ? reader.text(.title) : NotePath.fileName(of: path)
    }

    func value(of member: Symbol, named name: String) throws(TemplateFailure) -> TemplateValue? {
        switch Member(member) {
        case .name: return .string(NotePath.fileName(of: path))
        case .title: return .string(Self.title(of: path, reader))
        case .path: return .string(path)
        case .url: return scope.text(reader.folder(path)?.url)
        case .notes: return scope.list(.folder(path))
        case .children: return .list(reader.children(ofFolder: path).map { scope.folder($0) })
        case .count: return .integer(reader.count(inFolder: path))
        case .note: return scope.note(reader.folder(path)?.introduction)
        case .parent:
            return path.isEmpty ? TemplateValue.none : scope.folder(NotePath.folder(of: path))
        default: return nil
        }
    }
}

/// A year as templates read it.
final class YearObject: ScopedObject, TemplateObject {
    private let year: String

    init(_ scope: PageScope, _ year: String) {
        self.year = year
        super.init(scope)
    }

    var typeName: String { "year" }

    static let members: [Member] = [.name, .url, .count, .notes]

    var memberNames: [String] { Self.members.map(\.name) }

    func text() -> String? { year }

    func isSame(as other: any TemplateObject) -> Bool { (other as? YearObject)?.year == year }

    func value(of member: Symbol, named name: String) throws(TemplateFailure) -> TemplateValue? {
        switch Member(member) {
        case .name: .string(year)
        case .url: scope.url(ofOutput: "archive/\(year)/index.html", "archive/\(year)/")
        case .count: .integer(reader.count(of: .year(year)))
        case .notes: scope.list(.year(year))
        default: nil
        }
    }
}
