import Bytes
package import Diagnostics
package import Markup
package import Notes
package import YAML

/// Reads `daybook.yml` into ``SiteSettings``.
///
/// An unknown key is a warning with the closest name, a value of the wrong
/// kind an error at its place. All are found in one go.
package struct SettingsReader {
    /// The settings as far as they could be read.
    package private(set) var settings = SiteSettings()
    /// What is to be said.
    package private(set) var messages: [Diagnostic] = []

    private let file: String
    /// Finds the rules of a time zone; nil where the system has none such.
    private let zone: (String) -> ZoneRules?

    /// One key: its name and what it does with a value.
    private struct Key: Sendable {
        var name: String
        var read: @Sendable (inout SettingsReader, YAMLNode) -> Void
    }

    /// The names of all settings, in the order of the guide.
    package static var names: [String] { keys.map(\.name) }

    private static let keys: [Key] = [
        Key(name: "title") { $0.readTitle($1) },
        Key(name: "description") { $0.text($1) { $0.description = $1 } },
        Key(name: "author") { $0.text($1) { $0.author = $1 } },
        Key(name: "language") { $0.text($1) { $0.language = $1 } },
        Key(name: "timezone") { $0.readZone($1) },
        Key(name: "base-url") { $0.readBaseURL($1) },
        Key(name: "content") { $0.folder($1) { $0.content = $1 } },
        Key(name: "output") { $0.text($1) { $0.output = $1 } },
        Key(name: "paginate") { $0.number($1, 1...10_000) { $0.paginate = $1 } },
        Key(name: "permalink") { $0.readPermalink($1) },
        Key(name: "ignore") { $0.texts($1) { $0.ignore = $1 } },
        Key(name: "follow") { $0.texts($1) { $0.follow = $1 } },
        Key(name: "future") { $0.boolean($1) { $0.future = $1 } },
        Key(name: "drafts") { $0.boolean($1) { $0.drafts = $1 } },
        Key(name: "opt-in") { $0.boolean($1) { $0.optIn = $1 } },
        Key(name: "dates") { $0.readDates($1) },
        Key(name: "pages") { $0.readPages($1) },
        Key(name: "theme") { $0.readTheme($1) },
        Key(name: "markdown") { $0.readMarkdown($1) },
        Key(name: "feed") { $0.readFeed($1) },
        Key(name: "collections") { $0.readCollections($1) },
        Key(name: "precompress") { $0.readEncodings($1) },
        Key(name: "publish") { $0.readTargets($1) },
        Key(name: "extra") { $0.readExtra($1) },
    ]

    /// The switches of `markdown:`, by name.
    package static let switches: [(name: String, value: Dialect)] = [
        ("tables", .tables), ("task-lists", .taskLists), ("task-marks", .taskMarks),
        ("strikethrough", .strikethrough), ("autolinks", .autolinks), ("footnotes", .footnotes),
        ("alerts", .alerts), ("callouts", .callouts), ("wikilinks", .wikilinks),
        ("highlights", .highlights), ("comments", .comments), ("tags", .tags),
        ("block-ids", .blockIDs), ("maths", .maths), ("image-sizes", .imageSizes),
        ("template-tags", .templateTags), ("heading-ids", .headingIDs), ("raw-html", .rawHTML),
    ]

    /// Reads the settings in `root`, which stands in `file`.
    package init(_ root: YAMLNode?, file: String, zone: @escaping (String) -> ZoneRules?) {
        self.file = file
        self.zone = zone
        guard let root, !root.isEmpty else { return }
        guard case .mapping(let entries) = root.content else {
            wrongKind(root, "settings: `key: value` lines")
            return
        }
        for entry in entries {
            guard let key = Self.keys.first(where: { $0.name == entry.key }) else {
                let closest = closestName(to: entry.key, among: Self.names)
                warn(
                    "unknown-setting", "there is no setting `\(entry.key)`", at: entry.keyRange,
                    help: closest.map { "did you mean `\($0)`?" }
                        ?? "values for your own templates go under `extra:`")
                continue
            }
            if !entry.value.isEmpty { key.read(&self, entry.value) }
        }
    }

    // MARK: Kinds of values

    private mutating func warn(_ id: String, _ message: String, at range: Range<Int>, help: String?)
    {
        messages.append(
            Diagnostic(.warning, id, message, at: SourceSpan(file: file, range: range), help: help))
    }

    private mutating func fail(_ message: String, at range: Range<Int>, help: String? = nil) {
        messages.append(
            Diagnostic(
                .error, "setting", message, at: SourceSpan(file: file, range: range), help: help))
    }

    private mutating func wrongKind(_ node: YAMLNode, _ expected: String) {
        let found = node.scalar.map { "`\($0.text)`" } ?? node.kindName
        fail("expected \(expected), found \(found)", at: node.range)
    }

    private mutating func text(_ node: YAMLNode, _ set: (inout SiteSettings, String) -> Void) {
        guard let scalar = node.scalar else { return wrongKind(node, "text") }
        set(&settings, scalar.text)
    }

    private mutating func boolean(_ node: YAMLNode, _ set: (inout SiteSettings, Bool) -> Void) {
        guard let value = Self.boolean(node) else { return wrongKind(node, "true or false") }
        set(&settings, value)
    }

    private mutating func number(
        _ node: YAMLNode, _ range: ClosedRange<Int>, _ set: (inout SiteSettings, Int) -> Void
    ) {
        guard let number = node.scalar.flatMap({ Int($0.text) }), range.contains(number) else {
            return wrongKind(node, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        set(&settings, number)
    }

    private mutating func texts(_ node: YAMLNode, _ set: (inout SiteSettings, [String]) -> Void) {
        guard let texts = Self.texts(node) else { return wrongKind(node, "a list of texts") }
        set(&settings, texts)
    }

    private mutating func folder(_ node: YAMLNode, _ set: (inout SiteSettings, String) -> Void) {
        guard let text = node.scalar?.text else { return wrongKind(node, "a folder") }
        guard !text.hasPrefix("/"), let path = NotePath.resolved(text, from: "") else {
            return fail(
                "`\(text)` leads out of the site folder", at: node.range,
                help: "name a folder inside the site folder")
        }
        set(&settings, path)
    }

    private static func boolean(_ node: YAMLNode) -> Bool? {
        if case .boolean(let value)? = node.scalar?.typed { return value }
        return nil
    }

    private static func texts(_ node: YAMLNode) -> [String]? {
        switch node.content {
        case .scalar(let scalar): return [scalar.text]
        case .mapping: return nil
        case .sequence(let items):
            let texts = items.compactMap { $0.scalar?.text }
            return texts.count == items.count ? texts : nil
        }
    }

    // MARK: Settings with rules of their own

    private mutating func readTitle(_ node: YAMLNode) {
        text(node) { settings, text in
            settings.title = text
            settings.namesTitle = true
        }
    }

    private mutating func readZone(_ node: YAMLNode) {
        guard let name = node.scalar?.text else { return wrongKind(node, "a time zone") }
        guard let rules = zone(name) else {
            return fail(
                "there is no time zone `\(name)` on this system", at: node.range,
                help:
                    "write a name such as Europe/Berlin (Debian's package tzdata has them), or an "
                    + "offset such as +01:00")
        }
        settings.zone = rules
    }

    private mutating func readBaseURL(_ node: YAMLNode) {
        guard let text = node.scalar?.text, let url = SiteSettings.baseURL(text) else {
            return wrongKind(node, "an address such as https://example.org/notes/")
        }
        settings.baseURL = url
    }

    private mutating func readPermalink(_ node: YAMLNode) {
        guard let text = node.scalar?.text else { return wrongKind(node, "a pattern") }
        guard text.contains(":slug") || text.contains(":title") else {
            return fail(
                "the pattern `\(text)` gives all notes one address", at: node.range,
                help: "use :slug or :title in it")
        }
        if let (name, closest) = PermalinkPattern.unknownVariable(in: text) {
            return fail(
                "a permalink has no part `\(name)`", at: node.range,
                help: closest.map { "did you mean `\($0)`?" }
                    ?? "there are \(PermalinkPattern.names)")
        }
        do throws(AddressError) {
            _ = try AddressPath(permalink: PermalinkPattern.sample(text))
            settings.permalink = text
        } catch {
            fail(error.message(for: text), at: node.range, help: AddressError.help)
        }
    }

    private mutating func readPages(_ node: YAMLNode) {
        guard case .mapping(let entries) = node.content else {
            return wrongKind(node, "a kind of page and true or false")
        }
        for entry in entries {
            guard let kind = SiteSettings.PageSwitch(rawValue: entry.key) else {
                let names = SiteSettings.PageSwitch.allCases.map(\.rawValue)
                warn(
                    "unknown-setting", "there is no kind of page `\(entry.key)`",
                    at: entry.keyRange,
                    help: closestName(to: entry.key, among: names).map { "did you mean `\($0)`?" }
                        ?? "there are \(names.joined(separator: ", "))")
                continue
            }
            guard let isOn = Self.boolean(entry.value) else {
                wrongKind(entry.value, "true or false")
                continue
            }
            if isOn { settings.pages.insert(kind) } else { settings.pages.remove(kind) }
        }
    }

    private static let presets: [String: Dialect] = [
        "notes": .notes, "gfm": .gfm, "commonmark": .commonmark,
    ]

    private mutating func readMarkdown(_ node: YAMLNode) {
        switch node.content {
        case .scalar(let scalar):
            guard let preset = Self.presets[scalar.text] else {
                return wrongKind(node, "notes, gfm, commonmark, or a map of switches")
            }
            settings.dialect = preset
        case .sequence: wrongKind(node, "notes, gfm, commonmark, or a map of switches")
        case .mapping(let entries):
            // The preset first, wherever it stands: switches change it.
            for entry in entries where entry.key == "preset" {
                guard let preset = entry.value.scalar.flatMap({ Self.presets[$0.text] }) else {
                    wrongKind(entry.value, "notes, gfm or commonmark")
                    continue
                }
                settings.dialect = preset
            }
            for entry in entries where entry.key != "preset" {
                guard let found = Self.switches.first(where: { $0.name == entry.key }) else {
                    let names = Self.switches.map(\.name)
                    warn(
                        "unknown-setting", "there is no switch `\(entry.key)`", at: entry.keyRange,
                        help: closestName(to: entry.key, among: names).map {
                            "did you mean `\($0)`?"
                        }
                            ?? "there are \(names.joined(separator: ", "))")
                    continue
                }
                guard let isOn = Self.boolean(entry.value) else {
                    wrongKind(entry.value, "true or false")
                    continue
                }
                if isOn {
                    settings.dialect.insert(found.value)
                } else {
                    settings.dialect.remove(found.value)
                }
            }
        }
    }

    private mutating func readFeed(_ node: YAMLNode) {
        guard case .mapping(let entries) = node.content else {
            return wrongKind(node, "limit, full-content and tags")
        }
        for entry in entries {
            switch entry.key {
            case "limit": number(entry.value, 1...10_000) { $0.feedLimit = $1 }
            case "full-content": boolean(entry.value) { $0.feedHasFullContent = $1 }
            case "tags": boolean(entry.value) { $0.feedsForTags = $1 }
            default:
                warn(
                    "unknown-setting", "there is no feed setting `\(entry.key)`",
                    at: entry.keyRange,
                    help: closestName(to: entry.key, among: ["limit", "full-content", "tags"])
                        .map { "did you mean `\($0)`?" } ?? "there are limit, full-content and tags"
                )
            }
        }
    }

    private mutating func readTheme(_ node: YAMLNode) {
        guard case .mapping(let entries) = node.content else {
            return wrongKind(node, "a property and its value")
        }
        for entry in entries {
            guard Theme.names.contains(entry.key) else {
                warn(
                    "unknown-setting", "there is no theme property `\(entry.key)`",
                    at: entry.keyRange,
                    help: closestName(to: entry.key, among: Theme.names)
                        .map { "did you mean `\($0)`?" } ?? "others go into static/custom.css")
                continue
            }
            // Null as a word is absence; nothing at all is most likely a colour
            // that YAML took for a comment.
            if let scalar = entry.value.scalar, scalar.isNull, !scalar.text.isEmpty { continue }
            guard let texts = Self.texts(entry.value), texts.count == 1 || texts.count == 2 else {
                wrongKind(
                    entry.value, "a value, or of a colour one for light and one for dark pages")
                continue
            }
            guard texts.count == 1 || Theme.colours.contains(entry.key) else {
                fail(
                    "`\(entry.key)` is one value: only colours differ on dark pages",
                    at: entry.value.range, help: Theme.help(insteadOf: texts, for: entry.key))
                continue
            }
            if texts.count == 1, let expected = Theme.expected(of: entry.key, insteadOf: texts[0]) {
                fail(
                    "`\(entry.key)`: expected \(expected), found `\(texts[0])`",
                    at: entry.value.range, help: "leave out the comma")
                continue
            }
            do throws(Theme.Fault) {
                for text in texts { try Theme.check(text, isOfPair: texts.count == 2) }
                settings.theme.set(entry.key, to: texts)
            } catch {
                fail(error.message, at: entry.value.range, help: error.help)
            }
        }
    }

    private mutating func readExtra(_ node: YAMLNode) {
        guard case .mapping(let entries) = node.content else { return wrongKind(node, "a mapping") }
        settings.extra = entries
    }

    private mutating func readCollections(_ node: YAMLNode) {
        guard case .mapping(let entries) = node.content else {
            return wrongKind(node, "a mapping of names to queries")
        }
        for entry in entries {
            var reader = CollectionReader(name: entry.key, range: entry.keyRange)
            reader.read(entry.value)
            for fault in reader.faults {
                messages.append(
                    Diagnostic(
                        fault.isWarning ? .warning : .error,
                        fault.isWarning ? "unknown-setting" : "setting", fault.message,
                        at: SourceSpan(file: file, range: fault.range), help: fault.help))
            }
            var collection = reader.collection
            collection.fingerprint = Fingerprint(of: entry.key)
            collection.fingerprint.combine(NoteField.fingerprint(of: entry.value))
            settings.collections.append(collection)
        }
    }

    private mutating func readDates(_ node: YAMLNode) {
        guard node.scalar?.text == "git" else { return wrongKind(node, "git") }
        settings.gitDates = node.range
    }

    private mutating func readEncodings(_ node: YAMLNode) {
        guard let texts = Self.texts(node) else { return wrongKind(node, "br, gzip or both") }
        for text in texts {
            guard let encoding = ContentEncoding(rawValue: text) else {
                return wrongKind(node, "br, gzip or both")
            }
            settings.precompress.insert(encoding)
        }
    }

    private mutating func readTargets(_ node: YAMLNode) {
        guard case .mapping(let entries) = node.content else {
            return wrongKind(node, "a mapping of names to places to publish to")
        }
        for entry in entries {
            let reader = PublishTargetReader(entry)
            if let target = reader.target { settings.targets.append(target) }
            if let fault = reader.fault { fail(fault.message, at: fault.range, help: fault.help) }
        }
    }
}
