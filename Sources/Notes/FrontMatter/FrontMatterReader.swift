import Diagnostics
import YAML

/// Why a value of front matter cannot be what its key asks for.
enum FrontMatterFault: Equatable {
    case notADate(key: String, text: String, DateError)
    case wrongKind(key: String, expected: String, found: String)
    case notABoolean(key: String, text: String)
    case publishedNeither(text: String)
    case notANumber(key: String, text: String)
    case emptyTag(text: String)

    var id: String {
        switch self {
        case .notADate: "date"
        case .wrongKind: "front-matter-type"
        case .notABoolean, .publishedNeither: "boolean"
        case .notANumber: "number"
        case .emptyTag: "tag"
        }
    }

    var message: String {
        switch self {
        case .notADate(let key, let text, let error): "\(key): \(error.message(for: text))"
        case .wrongKind(let key, let expected, let found):
            "\(key): expected \(expected), found \(found)"
        case .notABoolean(let key, let text): "\(key): expected true or false, found `\(text)`"
        case .publishedNeither(let text):
            "published: expected true, false or a date, found `\(text)`"
        case .notANumber(let key, let text): "\(key): expected a number, found `\(text)`"
        case .emptyTag(let text): "tags: nothing is left of the tag `\(text)`"
        }
    }

    var help: String? {
        switch self {
        case .notADate(_, _, .unknownForm): DateError.help
        case .notADate(_, _, .noSuchTime): "write a time that exists, such as 10:30 or 23:59"
        case .notADate(_, _, .noSuchHourOfHalf): "write a time such as 10:30 am, or 22:30"
        case .notADate(_, _, .noSuchOffset): "write an offset such as +01:00, or Z for UTC"
        case .notADate: "write a day that exists"
        case .wrongKind(_, "text", "a list"): "put the value in quotes if the brackets belong to it"
        case .wrongKind: nil
        case .notABoolean: "write true or false"
        case .publishedNeither: "write true, false or a date such as 2024-03-01"
        case .notANumber: "write a number such as 10"
        case .emptyTag: "remove it, or give the tag a letter"
        }
    }
}

/// Reads the mapping of a front matter into typed fields.
///
/// Collects every fault instead of stopping at the first.
struct FrontMatterReader {
    private(set) var result = FrontMatter()
    private(set) var faults: [(fault: FrontMatterFault, range: Range<Int>)] = []
    /// Entries that hide nothing and were most likely meant to, with the keys
    /// that would.
    private(set) var misspelt: [(entry: YAMLEntry, key: String)] = []

    /// The entry that sets each field so far, with its rank.
    private var chosen: [(rank: Int, entry: YAMLEntry)?] = Array(
        repeating: nil, count: NoteField.allCases.count)
    /// Every entry that speaks of being a draft.
    private var draftEntries: [YAMLEntry?] = [nil, nil, nil]

    init(_ entries: [YAMLEntry]) {
        for entry in entries {
            let key = entry.key.asciiLowercased()
            guard let places = FrontMatterKeys.places[key] else {
                result.extra.append(entry)
                takeTable(entry)
                // A value that such a key never has says that the key is
                // another word: `craft: knitting`, `publisher: Penguin`.
                if let meant = FrontMatterKeys.hidingKey(near: key),
                    Self.boolean(entry.value.scalar) != nil
                        || Self.looksLikeDate(entry.value.scalar)
                {
                    misspelt.append((entry, meant))
                }
                continue
            }
            let entry = Self.pictureItself(entry, key)
            if entry.value.isEmpty { continue }
            for (field, rank) in places { choose(entry, for: field, rank) }
        }
        for (field, _) in FrontMatterKeys.all where field != .draft {
            guard let entry = chosen[Int(field.rawValue)]?.entry else { continue }
            result.origins.append(.init(field: field, key: entry.key, range: entry.value.range))
            read(entry, as: field)
        }
        readDraft()
    }

    /// Zola keeps tags in `taxonomies`, and what is the author's own in `extra`,
    /// Hugo in `params`.
    private mutating func takeTable(_ entry: YAMLEntry) {
        guard case .mapping(let inner) = entry.value.content else { return }
        switch entry.key {
        case "taxonomies":
            if let tags = inner.first(where: { $0.key == "tags" }), !tags.value.isEmpty {
                choose(tags, for: .tags, FrontMatterKeys.all.count)
            }
        case "extra", "params": result.extra += inner
        default: break
        }
    }

    /// Hugo's themes write a picture with what belongs to it:
    /// `cover: {image: heron.jpg, alt: A heron}`. The picture is taken.
    private static func pictureItself(_ entry: YAMLEntry, _ key: String) -> YAMLEntry {
        guard key == "cover" || key == "image", case .mapping(let inner) = entry.value.content,
            let picture = inner.first(where: { $0.key.asciiLowercased() == "image" })
        else { return entry }
        return YAMLEntry(key: entry.key, keyRange: entry.keyRange, value: picture.value)
    }

    private mutating func choose(_ entry: YAMLEntry, for field: NoteField, _ rank: Int) {
        if field == .draft {
            if draftEntries[rank] == nil { draftEntries[rank] = entry }
            return
        }
        let slot = Int(field.rawValue)
        // `published` is a date only where it looks like one.
        if field == .date, entry.key.asciiLowercased() == "published",
            Self.boolean(entry.value.scalar) != nil || !Self.looksLikeDate(entry.value.scalar)
        {
            return
        }
        // Of two keys that differ in case only the first stays.
        if let found = chosen[slot] {
            let loser = found.rank <= rank ? entry : found.entry
            result.passedOver.append(
                .init(field: field, key: loser.key, range: loser.value.range))
            if found.rank <= rank { return }
        }
        chosen[slot] = (rank, entry)
    }

    private mutating func read(_ entry: YAMLEntry, as field: NoteField) {
        switch field {
        case .title: result.title = line(entry)
        case .date: result.date = date(entry)
        case .updated: result.updated = date(entry)
        case .expires: result.expires = date(entry)
        case .tags: readTags(entry)
        case .aliases: result.aliases = list(entry) { [$0] }
        case .slug: result.slug = line(entry)
        case .permalink: result.permalink = line(entry)
        case .summary: result.summary = line(entry)
        case .order: result.order = number(entry)
        case .layout: result.layout = line(entry)
        case .lang: result.lang = line(entry)
        case .image: result.image = line(entry)
        case .authors:
            result.authors = list(entry) { text in
                text.split(separator: ",").map { Self.trimmed($0) }
            }
        case .cssclasses:
            result.cssclasses = list(entry) { text in
                text.split(whereSeparator: \.isWhitespace).map { String($0) }
            }
        case .toc: result.showsContents = boolean(entry)
        case .noindex: result.isHiddenFromSearch = boolean(entry) ?? false
        case .pin: result.isPinned = boolean(entry) ?? false
        case .draft, .extra, .body, .links, .headings, .blocks: break
        }
    }

    /// Any key that says so hides the note: two that disagree must never
    /// publish by accident.
    private mutating func readDraft() {
        var deciding: FrontMatter.Origin?
        for (key, entry) in zip(["draft", "published", "publish"], draftEntries) {
            guard let entry else { continue }
            guard let value = Self.boolean(entry.value.scalar) else {
                if key == "published" {
                    if Self.looksLikeDate(entry.value.scalar) { continue }
                    fault(.publishedNeither(text: describe(entry.value)), entry)
                } else {
                    fault(.notABoolean(key: entry.key, text: describe(entry.value)), entry)
                }
                continue
            }
            let hides = key == "draft" ? value : !value
            let origin = FrontMatter.Origin(
                field: .draft, key: entry.key, range: entry.value.range)
            // One key decides: the first that hides, else the first.
            if let first = deciding {
                let decides = hides && !result.isDraft
                deciding = decides ? origin : first
                result.passedOver.append(decides ? first : origin)
            } else {
                deciding = origin
            }
            if hides { result.isDraft = true }
            if key != "draft", value { result.isOptedIn = true }
        }
        if let deciding { result.origins.append(deciding) }
    }

    private mutating func readTags(_ entry: YAMLEntry) {
        let names = list(entry) { text in
            text.contains(",")
                ? text.split(separator: ",").map { Self.trimmed($0) }
                : text.split(whereSeparator: \.isWhitespace).map { String($0) }
        }
        var seen: Set<String> = []
        for name in names where !name.isEmpty {
            guard let tag = Tag(name) else {
                fault(.emptyTag(text: name), entry)
                continue
            }
            if seen.insert(tag.key).inserted { result.tags.append(tag) }
        }
    }

    // MARK: Values

    private mutating func fault(_ fault: FrontMatterFault, _ entry: YAMLEntry) {
        faults.append((fault, entry.value.range))
    }

    /// A scalar as one line of text.
    private mutating func line(_ entry: YAMLEntry) -> String? {
        guard let scalar = entry.value.scalar else {
            fault(
                .wrongKind(key: entry.key, expected: "text", found: entry.value.kindName), entry)
            return nil
        }
        if scalar.text.isPlainWord { return scalar.text }
        let words = scalar.text.split(whereSeparator: { $0.isNewline })
        return Self.trimmed(words.joined(separator: " ")[...])
    }

    private mutating func date(_ entry: YAMLEntry) -> NoteDate? {
        guard let scalar = entry.value.scalar else {
            fault(
                .wrongKind(key: entry.key, expected: "a date", found: entry.value.kindName), entry)
            return nil
        }
        do throws(DateError) {
            return try NoteDate(parsing: scalar.text)
        } catch {
            fault(.notADate(key: entry.key, text: scalar.text, error), entry)
            return nil
        }
    }

    private mutating func number(_ entry: YAMLEntry) -> Double? {
        guard let text = entry.value.scalar?.text, let number = Double(text), number.isFinite else {
            fault(.notANumber(key: entry.key, text: describe(entry.value)), entry)
            return nil
        }
        return number
    }

    private mutating func boolean(_ entry: YAMLEntry) -> Bool? {
        if let value = Self.boolean(entry.value.scalar) { return value }
        fault(.notABoolean(key: entry.key, text: describe(entry.value)), entry)
        return nil
    }

    /// The texts of a list, nulls dropped, or those that `split` makes of one
    /// text.
    private mutating func list(_ entry: YAMLEntry, split: (String) -> [String]) -> [String] {
        switch entry.value.content {
        case .scalar(let scalar):
            return split(scalar.text).filter { !$0.isEmpty }
        case .mapping:
            fault(
                .wrongKind(key: entry.key, expected: "a list", found: entry.value.kindName), entry)
            return []
        case .sequence(let items):
            var texts: [String] = []
            for item in items where !item.isEmpty {
                guard let scalar = item.scalar else {
                    faults.append(
                        (
                            .wrongKind(
                                key: entry.key, expected: "a list of texts", found: item.kindName),
                            item.range
                        ))
                    continue
                }
                texts.append(Self.trimmed(scalar.text[...]))
            }
            return texts.filter { !$0.isEmpty }
        }
    }

    private func describe(_ node: YAMLNode) -> String {
        node.scalar?.text ?? node.kindName
    }

    /// True, yes and 1 say so, false, no and 0 do not, in any case, quoted or
    /// not.
    private static func boolean(_ scalar: YAMLScalar?) -> Bool? {
        switch scalar?.text.lowercased() {
        case "true", "yes", "1": true
        case "false", "no", "0": false
        default: nil
        }
    }

    /// Whether a `published:` is meant as a date: it opens with a year or a
    /// month, so that a mistyped day is reported as one.
    private static func looksLikeDate(_ scalar: YAMLScalar?) -> Bool {
        guard let text = scalar?.text else { return false }
        if (try? NoteDate(parsing: text)) != nil { return true }
        return text.utf8.prefix(4).allSatisfy { $0 >= 0x30 && $0 <= 0x39 } && text.utf8.count >= 6
    }

    private static func trimmed(_ text: Substring) -> String {
        if let first = text.utf8.first, let last = text.utf8.last, first > 0x20, first < 0x80,
            last > 0x20, last < 0x80
        {
            return String(text)
        }
        var text = text
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

extension String {
    /// The text in lower case as far as ASCII goes; itself where it is that.
    fileprivate func asciiLowercased() -> String {
        if utf8.allSatisfy({ $0 < 0x41 || $0 > 0x5A }) { return self }
        return String(
            decoding: utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
