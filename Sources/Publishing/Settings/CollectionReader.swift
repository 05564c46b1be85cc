import Diagnostics
package import Notes
import YAML

/// Reads one entry of `collections:`.
struct CollectionReader {
    struct Fault {
        var isWarning = false
        var message: String
        var range: Range<Int>
        var help: String?
    }

    private(set) var collection: SiteSettings.Collection
    private(set) var faults: [Fault] = []

    static let keys = ["where", "sort", "group", "limit", "template", "url", "title"]

    init(name: String, range: Range<Int>) {
        collection = .init(
            name: name, query: NoteQuery(), template: "collection.html",
            url: Slug.make(from: name) + "/", range: range)
    }

    mutating func read(_ node: YAMLNode) {
        if node.isEmpty { return }
        guard case .mapping(let entries) = node.content else {
            return wrong(node, "a mapping with \(Self.keys.joined(separator: ", "))")
        }
        for entry in entries {
            let value = entry.value
            switch entry.key {
            case "where": readConditions(value)
            case "sort":
                guard let texts = Self.words(value) else { wrong(value, "field names"); continue }
                collection.query.sort = texts.map { QuerySyntax.sortKey($0) }
            case "group":
                guard let text = value.scalar?.text else { wrong(value, "a field"); continue }
                collection.query.grouping = QuerySyntax.grouping(text)
            case "limit":
                guard let limit = value.scalar.flatMap({ Int($0.text) }), limit > 0 else {
                    wrong(value, "a whole number above 0")
                    continue
                }
                collection.query.limit = limit
            case "template":
                guard let text = value.scalar?.text else { wrong(value, "a template"); continue }
                collection.template = text
            case "title":
                guard let text = value.scalar?.text else { wrong(value, "text"); continue }
                collection.name = text
            case "url":
                guard let text = value.scalar?.text,
                    let path = try? AddressPath(permalink: text).path
                else { wrong(value, "a path such as /reading/"); continue }
                collection.url = path
            default:
                faults.append(
                    Fault(
                        isWarning: true, message: "there is no collection setting `\(entry.key)`",
                        range: entry.keyRange,
                        help: closestName(to: entry.key, among: Self.keys)
                            .map { "did you mean `\($0)`?" }))
            }
        }
    }

    private mutating func readConditions(_ node: YAMLNode) {
        switch node.content {
        case .mapping(let entries):
            for entry in entries {
                guard let text = entry.value.scalar?.text else {
                    wrong(entry.value, "a value")
                    continue
                }
                collection.query.conditions.append(.init(.init(entry.key), .equal, text))
            }
        case .scalar, .sequence:
            let items = if case .sequence(let items) = node.content { items } else { [node] }
            for item in items {
                guard let text = item.scalar?.text, let condition = QuerySyntax.condition(text)
                else {
                    wrong(item, "a condition such as `rating >= 4`")
                    continue
                }
                collection.query.conditions.append(condition)
            }
        }
    }

    private mutating func wrong(_ node: YAMLNode, _ expected: String) {
        let found = node.scalar.map { "`\($0.text)`" } ?? node.kindName
        faults.append(Fault(message: "expected \(expected), found \(found)", range: node.range))
    }

    private static func words(_ node: YAMLNode) -> [String]? {
        switch node.content {
        case .scalar(let scalar):
            return scalar.text.split(separator: ",").map {
                $0.split(separator: " ").joined(separator: " ")
            }
        case .sequence(let items):
            let texts = items.compactMap { $0.scalar?.text }
            return texts.count == items.count ? texts : nil
        case .mapping: return nil
        }
    }
}

/// The words by which settings, templates and options name queries.
package enum QuerySyntax {
    /// `date`, `-date` (largest first), `extra.rating`.
    package static func sortKey(_ text: String) -> NoteQuery.SortKey {
        text.hasPrefix("-")
            ? .init(.init(String(text.dropFirst())), descending: true) : .init(.init(text))
    }

    /// `year`, `month`, `tag`, `folder`, or any field.
    package static func grouping(_ text: String) -> NoteQuery.Grouping {
        switch text {
        case "year": .year
        case "month": .month
        case "tag", "tags": .tag
        case "folder": .folder
        default: .key(.init(text))
        }
    }

    /// `rating >= 4`, `tags == film`, `image exists`; nil for anything else.
    package static func condition(_ text: String) -> NoteQuery.Condition? {
        let words = text.split(separator: " ", maxSplits: 2)
        guard words.count >= 2, let relation = relation(String(words[1])) else { return nil }
        let key = NoteQuery.Key(String(words[0]))
        if relation == .exists || relation == .absent {
            return words.count == 2 ? .init(key, relation) : nil
        }
        guard words.count == 3 else { return nil }
        var value = words[2]
        for quote in ["\"", "'"]
        where value.count >= 2 && value.hasPrefix(quote) && value.hasSuffix(quote) {
            value = value.dropFirst().dropLast()
            break
        }
        return .init(key, relation, String(value))
    }

    /// A relation by its sign; `=` is `==`.
    package static func relation(_ text: String) -> NoteQuery.Condition.Relation? {
        text == "=" ? .equal : .init(rawValue: text)
    }
}
