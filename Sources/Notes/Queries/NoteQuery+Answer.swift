import Bytes
import YAML

extension NoteQuery {
    /// Answers the question from `candidates`, which may be in any order.
    ///
    /// Costs one look at each candidate for the conditions and a sort of those
    /// that meet them.
    package func results(among candidates: [NoteID], in store: NoteStore, zone: ZoneRules)
        -> QueryResults
    {
        var rows: [Row] = []
        rows.reserveCapacity(candidates.count)
        for id in candidates {
            guard let note = store[id], conditions.allSatisfy({ $0.holds(for: note) }) else {
                continue
            }
            let first = sort.first.map { SortValue($0.key, of: note, zone) } ?? .absent
            let second = sort.count > 1 ? SortValue(sort[1].key, of: note, zone) : .absent
            rows.append(Row(id: id, note: note, first: first, second: second))
        }
        if let first = sort.first {
            rows.sort { one, other in
                if let decided = one.first.precedes(other.first, descending: first.isDescending) {
                    return decided
                }
                if sort.count > 1,
                    let decided = one.second.precedes(
                        other.second, descending: sort[1].isDescending)
                {
                    return decided
                }
                // Later keys are looked at only where earlier ones agree.
                for key in sort.dropFirst(2) {
                    let left = SortValue(key.key, of: one.note, zone)
                    let right = SortValue(key.key, of: other.note, zone)
                    if let decided = left.precedes(right, descending: key.isDescending) {
                        return decided
                    }
                }
                return one.note.path.precedes(other.note.path)
            }
        }
        if let limit { rows = Array(rows.prefix(limit)) }
        guard let grouping else {
            return QueryResults(
                sections: rows.isEmpty ? [] : [.init(key: "", ids: rows.map(\.id))])
        }
        return QueryResults(sections: Self.sections(of: rows, by: grouping))
    }

    private struct Row {
        var id: NoteID
        var note: Note
        /// By the first two keys of the order; few pairs need more.
        var first, second: SortValue
    }

    private static func sections(of rows: [Row], by grouping: Grouping) -> [QueryResults.Section] {
        var sections: [QueryResults.Section] = []
        var indexes: [String: Int] = [:]
        var without: [NoteID] = []
        for row in rows {
            let keys = grouping.keys(of: row.note)
            if keys.isEmpty { without.append(row.id) }
            for key in keys {
                if let index = indexes[key] {
                    sections[index].ids.append(row.id)
                } else {
                    indexes[key] = sections.count
                    sections.append(.init(key: key, ids: [row.id]))
                }
            }
        }
        if !without.isEmpty { sections.append(.init(key: "", ids: without)) }
        return sections
    }
}

extension NoteQuery.Grouping {
    /// The sections that a note belongs to.
    package func keys(of note: Note) -> [String] {
        switch self {
        case .year: note.date.map { [CalendarDay.padded($0.day.year, 4)] } ?? []
        case .month: note.date.map { [String($0.day.text.prefix(7))] } ?? []
        case .tag: note.tags.map(\.key)
        case .folder: [note.folder]
        case .key(.date): note.date.map { [$0.day.text] } ?? []
        case .key(.tags): note.tags.map(\.key)
        case .key(let key): key.texts(of: note)
        }
    }
}

extension NoteQuery.Key {
    /// The values as text; none where the field is absent.
    func texts(of note: Note) -> [String] {
        switch self {
        case .title: [note.title ?? ""].filter { !$0.isEmpty }
        case .date: note.date.map { [$0.text] } ?? []
        case .updated: note.frontMatter.updated.map { [$0.text] } ?? []
        case .order: note.frontMatter.order.map { [Self.text($0)] } ?? []
        case .path: [note.path]
        case .folder: [note.folder]
        case .name: [note.name]
        case .tags: note.tags.map(\.name)
        case .lang: note.frontMatter.lang.map { [$0] } ?? []
        case .layout: note.frontMatter.layout.map { [$0] } ?? []
        case .authors: note.frontMatter.authors
        case .expires: note.frontMatter.expires.map { [$0.text] } ?? []
        case .image: note.frontMatter.image.map { [$0] } ?? []
        case .summary: [note.summary].filter { !$0.isEmpty }
        case .aliases: note.frontMatter.aliases
        case .cssclasses: note.frontMatter.cssclasses
        case .toc: note.frontMatter.showsContents.map { [$0 ? "true" : "false"] } ?? []
        case .noindex: [note.frontMatter.isHiddenFromSearch ? "true" : "false"]
        case .draft: [note.frontMatter.isDraft ? "true" : "false"]
        case .pin: [note.frontMatter.isPinned ? "true" : "false"]
        case .extra(let name):
            note.frontMatter.extra.filter { $0.key == name }.flatMap { Self.texts($0.value) }
        }
    }

    private static func texts(_ node: YAMLNode) -> [String] {
        switch node.content {
        case .scalar(let scalar): scalar.isNull ? [] : [scalar.text]
        case .sequence(let items): items.flatMap { texts($0) }
        case .mapping(let entries): entries.map(\.key)
        }
    }

    /// A number as its writer would put it: whole ones without a fraction.
    package static func text(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : number.description
    }
}

extension NoteQuery.Condition {
    /// Whether a note meets the condition.
    package func holds(for note: Note) -> Bool {
        switch relation {
        case .exists: !key.texts(of: note).isEmpty
        case .absent: key.texts(of: note).isEmpty
        case .equal: isEqual(note)
        case .unequal: !isEqual(note)
        case .less: isOrdered(note) { $0 < 0 }
        case .lessOrEqual: isOrdered(note) { $0 <= 0 }
        case .greater: isOrdered(note) { $0 > 0 }
        case .greaterOrEqual: isOrdered(note) { $0 >= 0 }
        }
    }

    private func isEqual(_ note: Note) -> Bool {
        switch key {
        case .tags:
            guard let wanted = Tag(value)?.key else { return false }
            return note.tags.contains { $0.key == wanted || $0.key.hasPrefix(wanted + "/") }
        case .folder:
            let folder = note.folder
            return folder == value || value.isEmpty || folder.hasPrefix(value + "/")
        case .date, .updated, .expires:
            // A day equals every time of that day.
            return key.texts(of: note).contains { $0 == value || $0.hasPrefix(value + "T") }
        default:
            return key.texts(of: note).contains { Self.compare($0, value) == 0 }
        }
    }

    private func isOrdered(_ note: Note, _ test: (Int) -> Bool) -> Bool {
        key.texts(of: note).contains { test(Self.compare($0, value)) }
    }

    /// Numbers as numbers, everything else as text; dates in their text form
    /// compare rightly as text.
    static func compare(_ one: String, _ other: String) -> Int {
        if let left = Double(decimal: one), let right = Double(decimal: other) {
            return left < right ? -1 : left > right ? 1 : 0
        }
        if one == other { return 0 }
        return one.precedes(other) ? -1 : 1
    }
}

/// A value that notes are sorted by.
private enum SortValue {
    case absent
    /// The day that was written, then the instant within it: an order that
    /// agrees with groups by month, whatever offsets the notes use.
    case moment(day: Int, Int64)
    case number(Double)
    case text(String)

    init(_ key: NoteQuery.Key, of note: Note, _ zone: ZoneRules) {
        switch key {
        case .date: self = Self.moment(note.date, zone)
        case .updated: self = Self.moment(note.frontMatter.updated ?? note.date, zone)
        case .order: self = note.frontMatter.order.map { .number($0) } ?? .absent
        case .title: self = note.title.map { .text(Self.folded($0)) } ?? .absent
        default:
            let first = key.texts(of: note).first
            self =
                first.map { text in Double(decimal: text).map { .number($0) } ?? .text(text) }
                ?? .absent
        }
    }

    private static func moment(_ date: NoteDate?, _ zone: ZoneRules) -> SortValue {
        guard let date else { return .absent }
        return .moment(day: date.day.ordinal, date.start(in: zone).milliseconds)
    }

    private static func folded(_ title: String) -> String { title.lowercased() }

    /// Whether self comes first, or nil where the two are equal.
    func precedes(_ other: SortValue, descending: Bool) -> Bool? {
        let comparison: Int
        switch (self, other) {
        case (.absent, .absent): return nil
        case (.absent, _): return false
        case (_, .absent): return true
        case (.moment(let day, let time), .moment(let otherDay, let otherTime)):
            comparison =
                day != otherDay
                ? (day < otherDay ? -1 : 1) : (time < otherTime ? -1 : time > otherTime ? 1 : 0)
        case (.number(let one), .number(let two)):
            comparison = one < two ? -1 : one > two ? 1 : 0
        case (.text(let one), .text(let two)):
            comparison =
                one == two
                ? 0 : one.precedes(two) ? -1 : 1
        // Numbers before text, so that any mixture has one order.
        case (.number, _): comparison = -1
        case (_, .number): comparison = 1
        case (.moment, _): comparison = -1
        case (_, .moment): comparison = 1
        }
        return comparison == 0 ? nil : descending ? comparison > 0 : comparison < 0
    }
}

extension Double {
    /// A number in decimal digits; nil for what Swift reads beyond that (`nan`,
    /// `infinity`, `0x1F`), which in notes are words.
    fileprivate init?(decimal text: String) {
        guard
            text.utf8.allSatisfy({
                $0 >= 0x30 && $0 <= 0x39 || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
                    || $0 == UInt8(ascii: "+") || $0 | 0x20 == UInt8(ascii: "e")
            }), let number = Double(text), number.isFinite
        else { return nil }
        self = number
    }
}
