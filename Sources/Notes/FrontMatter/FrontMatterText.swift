import YAML

/// A note's file while values of its front matter are replaced: the bytes, what
/// they say, and the replacements so far.
struct FrontMatterText {
    let bytes: [UInt8]
    /// What the front matter says.
    let frontMatter: FrontMatter
    /// Where the body begins.
    let bodyStart: Int
    /// Where the front matter stands; nil where there is none.
    private let block: Range<Int>?
    private let root: YAMLNode?
    private var replacements: [(range: Range<Int>, bytes: [UInt8])] = []
    /// Lines that are to be added behind the last key.
    private var lines: [String] = []

    /// Reads a file. Fails where its front matter is not YAML, or broken.
    init(_ bytes: [UInt8]) throws(FrontMatterEditError) {
        self.bytes = bytes
        let found = FrontMatterBlock(in: bytes)
        var root: YAMLNode?
        var block: Range<Int>?
        var frontMatter = FrontMatter()
        switch found.finding {
        case .none: break
        case .unclosed: throw .unreadable
        case .toml: throw .otherFormat("TOML")
        case .json: throw .otherFormat("JSON")
        case .yaml(let range):
            let document = try? YAMLDocument(parsing: bytes, in: range)
            // Two rules with prose between them are no front matter.
            guard let document else {
                if found.opensWithKey { throw .unreadable }
                break
            }
            root = document.root
            block = range
            switch root?.content {
            case nil: break
            case .mapping(let entries)?:
                let reader = FrontMatterReader(entries)
                guard reader.faults.isEmpty else { throw .unreadable }
                frontMatter = reader.result
            case .scalar(let scalar)? where scalar.isNull: break
            default: block = nil
            }
        }
        self.root = block == nil ? nil : root
        self.block = block
        self.frontMatter = frontMatter
        bodyStart = found.finding == .none || block != nil ? found.bodyStart : Self.start(of: bytes)
    }

    private static func start(of bytes: [UInt8]) -> Int {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    private var entries: [YAMLEntry] {
        if case .mapping(let entries)? = root?.content { entries } else { [] }
    }

    /// Whether all keys that set none of some fields are those of another text, in
    /// the same order, and say the same: also what they say by reference to an
    /// anchor elsewhere.
    func says(asIn other: FrontMatterText, besides fields: Set<NoteField>) -> Bool {
        func entries(_ text: FrontMatterText) -> [YAMLEntry] {
            text.entries.filter { entry in
                let key = entry.key.lowercased()
                // Zola keeps the tags in a table.
                if key == "taxonomies", fields.contains(.tags) { return false }
                let places = FrontMatterKeys.places[key] ?? []
                return !places.contains { fields.contains($0.field) }
            }
        }
        return entries(self).elementsEqual(entries(other)) {
            $0.key == $1.key
                && NoteField.fingerprint(of: $0.value) == NoteField.fingerprint(of: $1.value)
        }
    }

    /// The bytes with all replacements made.
    func result() throws(FrontMatterEditError) -> [UInt8] {
        var result: [UInt8] = []
        var place = 0
        let all = replacements + (lines.isEmpty ? [] : [try addition()])
        // What is put in where something is taken out stands before that.
        let ordered = all.sorted {
            ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
        }
        for (range, replacement) in ordered {
            guard range.lowerBound >= place else { throw .notUnderstood }
            result += bytes[place..<range.lowerBound] + replacement
            place = range.upperBound
        }
        return result + bytes[place...]
    }

    mutating func replace(_ range: Range<Int>, with text: String) {
        replacements.append((range, Array(text.utf8)))
    }

    // MARK: Fields

    /// Changes a field: by `replacing` the value that sets it, or by a new line
    /// with what `adding` writes.
    mutating func change<Value>(
        _ field: NoteField, to change: FrontMatterEdit.Change<Value>,
        replacing: (inout FrontMatterText, YAMLNode) throws(FrontMatterEditError) -> Void,
        adding: (Value) -> String
    ) throws(FrontMatterEditError) {
        switch change {
        case .keep: return
        case .remove:
            // All keys that could set it: another would take its place.
            for entry in settingEntries(field) { try empty(entry) }
        case .set(let value):
            if let origin = frontMatter.origins.first(where: { $0.field == field }),
                let node = node(at: origin.range)
            {
                try replacing(&self, node)
            } else if let entry = settingEntries(field, includingEmpty: true).first {
                try fill(entry, with: adding(value))
            } else {
                lines.append(
                    "\(FrontMatterKeys.all.first { $0.field == field }?.keys[0] ?? ""): \(adding(value))"
                )
            }
        }
    }

    /// Hides the note, or shows it, by the keys that speak of it.
    mutating func changeDraft(
        to change: FrontMatterEdit.Change<Bool>
    ) throws(FrontMatterEditError) {
        let hides: Bool
        switch change {
        case .keep: return
        case .remove: hides = false
        case .set(let value): hides = value
        }
        guard hides != frontMatter.isDraft else { return }
        var isSaid = false
        for entry in entries {
            let key = entry.key.lowercased()
            guard ["draft", "publish", "published"].contains(key),
                let text = entry.value.scalar?.text, let isTrue = Self.truth[text.lowercased()]
            else { continue }
            let wanted = key == "draft" ? hides : !hides
            // To hide it one key is enough; to show it none may hide it.
            if isTrue != wanted, !hides || !isSaid {
                try replace(entry.value, with: Self.opposite(of: text))
            }
            isSaid = true
        }
        if !isSaid, hides {
            if let empty = entries.first(where: {
                $0.key.lowercased() == "draft" && $0.value.isEmpty
            }) {
                try fill(empty, with: "true")
            } else {
                lines.append("draft: true")
            }
        }
    }

    private static let truth = [
        "true": true, "yes": true, "1": true, "false": false, "no": false, "0": false,
    ]

    /// The other truth in the same words: `no` for `yes`, `FALSE` for `TRUE`.
    private static func opposite(of text: String) -> String {
        let words = [
            "true": "false", "false": "true", "yes": "no", "no": "yes", "1": "0", "0": "1",
        ]
        guard let other = words[text.lowercased()] else { return text }
        if text == text.uppercased() { return other.uppercased() }
        return text.first?.isUppercase == true
            ? other.prefix(1).uppercased() + other.dropFirst() : other
    }

    // MARK: Entries

    /// The entries whose keys set a field.
    private func settingEntries(
        _ field: NoteField, includingEmpty: Bool = false
    ) -> [YAMLEntry] {
        let keys = (FrontMatterKeys.all.first { $0.field == field }?.keys ?? []).map {
            $0.lowercased()
        }
        return entries.filter { entry in
            guard keys.contains(entry.key.lowercased()) else { return false }
            if entry.value.isEmpty { return includingEmpty }
            // `published:` is a date only where it looks like one.
            return entry.key.lowercased() != "published"
                || frontMatter.origins.contains {
                    $0.range == entry.value.range && $0.field == field
                }
                || frontMatter.passedOver.contains {
                    $0.range == entry.value.range && $0.field == field
                }
        }
    }

    private func node(at range: Range<Int>, in entries: [YAMLEntry]? = nil) -> YAMLNode? {
        for entry in entries ?? self.entries {
            if entry.value.range == range { return entry.value }
            if case .mapping(let inner) = entry.value.content,
                let found = node(at: range, in: inner)
            {
                return found
            }
        }
        return nil
    }

    /// Puts a value behind a key that has none, or only a null.
    private mutating func fill(_ entry: YAMLEntry, with text: String) throws(FrontMatterEditError) {
        if !entry.value.range.isEmpty {
            replace(entry.value.range, with: text)
            return
        }
        guard let colon = colon(behind: entry) else { throw .unusualValue(entry.key) }
        replace(colon + 1..<colon + 1, with: " " + text)
    }

    /// Takes a value away; its key and the comment behind it stay.
    private mutating func empty(_ entry: YAMLEntry) throws(FrontMatterEditError) {
        try refuseUnusual(entry.value)
        guard let colon = colon(behind: entry), colon < entry.value.range.lowerBound else {
            throw .unusualValue(entry.key)
        }
        replace(colon + 1..<end(of: entry.value), with: "")
    }

    private func colon(behind entry: YAMLEntry) -> Int? {
        var place = entry.keyRange.upperBound
        while place < bytes.count, bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 }
        return place < bytes.count && bytes[place] == UInt8(ascii: ":") ? place : nil
    }

    /// The blanks before a place of a line.
    private func lineLead(before place: Int) -> String {
        var start = place
        while start > 0, bytes[start - 1] == 0x20 { start -= 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    /// The end of a value, less the blanks that a block's place includes.
    func end(of node: YAMLNode) -> Int {
        var end = node.range.upperBound
        while end > node.range.lowerBound, bytes[end - 1] <= 0x20 { end -= 1 }
        return end
    }

    /// Refuses values that others refer to.
    private func refuseUnusual(_ node: YAMLNode) throws(FrontMatterEditError) {
        guard node.range.lowerBound < bytes.count else { return }
        if [UInt8(ascii: "&"), UInt8(ascii: "!")].contains(bytes[node.range.lowerBound]) {
            throw .unusualValue(key(of: node))
        }
    }

    func key(of node: YAMLNode) -> String {
        entries.first { $0.value.range == node.range }?.key ?? "tags"
    }

    /// Replaces a scalar, written as it was: plain, in the same quotes, or in
    /// double quotes where it cannot be.
    mutating func replace(_ node: YAMLNode, with text: String) throws(FrontMatterEditError) {
        if node.scalar?.text == text { return }
        try refuseUnusual(node)
        replace(
            node.range.lowerBound..<end(of: node),
            with: written(text, like: node.range.lowerBound))
    }

    /// A scalar in the style of the one at a place.
    func written(_ text: String, like place: Int) -> String {
        let first = place < bytes.count ? bytes[place] : 0
        if first == UInt8(ascii: "\"") { return YAMLText.quoted(text) }
        if first == UInt8(ascii: "'"),
            text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        {
            return "'" + text.replacing("'", with: "''") + "'"
        }
        // Digits stand for themselves here: all values are read as typed.
        let isDigits =
            text.utf8.allSatisfy {
                $0 >= 0x30 && $0 <= 0x39 || $0 == 0x2D || $0 == 0x3A || $0 == 0x2F || $0 == 0x2B
                    || $0 == 0x2E || $0 == 0x54 || $0 == 0x5A || $0 == 0x20
            } && text.utf8.first.map { $0 >= 0x30 && $0 <= 0x39 } ?? false
        let isTruth = Self.truth[text.lowercased()] != nil && text != "1" && text != "0"
        return isDigits || isTruth ? text : YAMLText.scalar(text)
    }

    // MARK: New lines

    /// How the file ends its lines, by the first that does.
    private var lineEnd: String {
        guard let place = bytes.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return "\n" }
        if bytes[place] == 0x0A { return "\n" }
        return place + 1 < bytes.count && bytes[place + 1] == 0x0A ? "\r\n" : "\r"
    }

    /// The new lines, and where they go: behind the last key, or into a front
    /// matter of their own.
    private func addition() throws(FrontMatterEditError) -> (range: Range<Int>, bytes: [UInt8]) {
        let end = lineEnd
        guard let block else {
            let start = bodyStart
            let first = start < bytes.count ? bytes[start] : 0x0A
            // A blank line parts it from a text that has none.
            let gap = first == 0x0A || first == 0x0D ? "" : end
            let text = (["---"] + lines + ["---"]).map { $0 + end }.joined() + gap
            return (start..<start, Array(text.utf8))
        }
        if let root, root.range.lowerBound < bytes.count,
            bytes[root.range.lowerBound] == UInt8(ascii: "{")
        {
            throw .unusualValue("{")
        }
        // As far in as the keys that are there.
        let lead = entries.first.map { lineLead(before: $0.keyRange.lowerBound) } ?? ""
        let text = lines.map { lead + $0 + end }.joined()
        return (block.upperBound..<block.upperBound, Array(text.utf8))
    }
}
