import Notes
import Templating

/// The filters that templates have beyond Jinja's own.
enum TemplateFilters {
    /// By name. `sort` and `list`-like names that Jinja has too are asked for
    /// lists of notes only.
    static let all: [String: CustomFilter] = [
        "where": CustomFilter(parameters: ["key", "relation", "value"], required: 2) {
            (value, arguments, host) throws(TemplateFailure) in
            try refine(value, "where") { (query) throws(TemplateFailure) in
                try query.conditions.append(condition(arguments))
            }
        },
        "sort": CustomFilter(parameters: ["key"], required: 0) {
            (value, arguments, host) throws(TemplateFailure) in
            let keys = try (arguments.string(0) ?? "-date").split(separator: ",")
            return try refine(value, "sort") { (query) throws(TemplateFailure) in
                query.sort = keys.map { QuerySyntax.sortKey($0.trimmed) }
            }
        },
        "group": CustomFilter(parameters: ["key"], required: 1) {
            (value, arguments, host) throws(TemplateFailure) in
            let key = try arguments.string(0) ?? ""
            return try refine(value, "group") { (query) throws(TemplateFailure) in
                query.grouping = QuerySyntax.grouping(key)
            }
        },
        "limit": CustomFilter(parameters: ["count"], required: 1) {
            (value, arguments, host) throws(TemplateFailure) in
            let count = try arguments.integer(0) ?? 0
            guard count >= 0 else {
                throw TemplateFailure("limit: expected a number from 0 on, found \(count)")
            }
            let list = try refinable(value, "limit")
            return list.scope.list(.slice(list.list, 0..<count))
        },
        "date": CustomFilter(parameters: ["format"], required: 1) {
            (value, arguments, host) throws(TemplateFailure) in
            let pattern = try arguments.string(0) ?? ""
            if isNothing(value) { return .string("") }
            guard case .object(let object) = value, let date = object as? DateObject else {
                throw TemplateFailure(
                    "date: expected a date", help: "use it on a value such as note.date")
            }
            guard let text = date.formatted(pattern) else {
                throw TemplateFailure(
                    "date: `\(pattern)` has a sign that is not known",
                    help:
                        "there are %Y %y %m %d %e %B %b %h %A %a %j %H %I %M %S %p %F %%, and - for no zeros, as in %-d"
                )
            }
            return .string(text)
        },
        "rfc3339": CustomFilter {
            (value, arguments, host) throws(TemplateFailure) in
            if isNothing(value) { return .string("") }
            guard case .object(let object) = value, let date = object as? DateObject else {
                throw TemplateFailure(
                    "rfc3339: expected a date", help: "use it on a value such as note.date")
            }
            return .string(date.rfc3339)
        },
        "absolute": CustomFilter {
            (value, arguments, host) throws(TemplateFailure) in
            guard case .string(let url) = value, let scope = host.context as? PageScope else {
                throw TemplateFailure(
                    "absolute: expected an address"
                        + (isNothing(value) ? ", found none" : ""),
                    help: isNothing(value)
                        ? "ask first whether there is one: {% if tag.url %}"
                        : "use it on a value such as note.url")
            }
            guard PageScope.isWhole(url) || url.hasPrefix("/") else {
                throw TemplateFailure(
                    "absolute: `\(url)` is no address of the site: it starts with no /",
                    help: "use it on a value such as note.url")
            }
            return .string(scope.absolute(url) ?? url)
        },
    ]

    private static func isNothing(_ value: TemplateValue) -> Bool {
        switch value {
        case .none, .missing: true
        default: false
        }
    }

    private static func wrongKind(_ filter: String) -> TemplateFailure {
        TemplateFailure(
            "\(filter): expected a list of notes",
            help:
                "use it on a value such as site.notes; for other lists there are selectattr, groupby and slices"
        )
    }

    /// The list that a filter narrows: notes, not yet in groups.
    private static func refinable(
        _ value: TemplateValue, _ filter: String
    ) throws(TemplateFailure) -> ListObject {
        guard case .object(let object) = value, let list = object as? ListObject else {
            throw wrongKind(filter)
        }
        if case .query(let query, _) = list.list, query.grouping != nil {
            throw TemplateFailure(
                "\(filter): this list is in groups already",
                help: "put group last, as in `site.notes | limit(3) | group(\"year\")`")
        }
        return list
    }

    private static func refine(
        _ value: TemplateValue, _ filter: String,
        _ change: (inout NoteQuery) throws(TemplateFailure) -> Void
    ) throws(TemplateFailure) -> TemplateValue {
        let list = try refinable(value, filter)
        var query = NoteQuery(sort: [])
        try change(&query)
        return list.scope.list(.query(query, of: list.list))
    }

    private static func condition(
        _ arguments: CallArguments
    ) throws(TemplateFailure) -> NoteQuery.Condition {
        let key = NoteQuery.Key(try arguments.string(0) ?? "")
        let second = try text(arguments[1])
        guard let third = arguments[2] else {
            switch second {
            case "exists": return .init(key, .exists)
            case "absent": return .init(key, .absent)
            default: return .init(key, .equal, second)
            }
        }
        guard let relation = QuerySyntax.relation(second) else {
            throw TemplateFailure(
                "where: `\(second)` is no relation",
                help: "there are == != < <= > >= exists absent")
        }
        return .init(key, relation, try text(third))
    }

    private static func text(_ value: TemplateValue?) throws(TemplateFailure) -> String {
        switch value {
        case .string(let text)?: return text
        case .markup(let markup)?: return markup.text
        case .integer(let number)?: return String(number)
        case .number(let number)?: return number.description
        case .boolean(let flag)?: return flag ? "true" : "false"
        case .object(let object)?:
            if let date = object as? DateObject { return date.date.text }
            if let text = object.text() { return text }
        default: break
        }
        throw TemplateFailure("where: expected a text, a number or a date to compare with")
    }
}

extension Substring {
    fileprivate var trimmed: String {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
