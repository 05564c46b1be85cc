import Bytes
import Diagnostics
import Markup
import Notes

/// The names of notes, for finding what links mean.
struct NoteNames: Sendable {
    /// Published notes by their paths without endings, and their aliases.
    let published: NameIndex
    /// The notes behind ``published``, by its positions.
    let ids: [NoteID]
    /// Notes that are not published: only whether a name is theirs.
    let hidden: NameIndex

    init(_ published: [NoteID], in store: NoteStore) {
        (self.published, ids) = Self.index(published, in: store)
        let shown = Set(published)
        (hidden, _) = Self.index(store.ids.filter { !shown.contains($0) }, in: store)
    }

    private static func index(_ ids: [NoteID], in store: NoteStore) -> (NameIndex, [NoteID]) {
        let rows = ids.compactMap { id in
            store[id].map { (NotePath.withoutEnding($0.path), id, $0) }
        }
        .sorted { $0.0.precedes($1.0) }
        let index = NameIndex(paths: rows.map(\.0)) { row in rows[row].2.frontMatter.aliases }
        return (index, rows.map(\.1))
    }
}

/// Finds out where the links of notes lead.
///
/// Knows published notes only: to it a hidden one is absent, except for the
/// words of a message to the author. Constant, so all workers share one.
struct LinkResolver: Sendable {
    private let store: NoteStore
    private let attachments: Attachments
    /// Addresses of published notes, by number.
    private let addresses: [AddressPath?]
    /// Every address that will be there.
    private let pageAddresses: Set<String>
    private let folderAddresses: [String: AddressPath]
    private let names: NoteNames
    private var notes: NameIndex { names.published }

    init(
        store: NoteStore, attachments: Attachments, addresses: [AddressPath?],
        pageAddresses: Set<String>, folders: [Site.FolderEntry], names: NoteNames
    ) {
        self.store = store
        self.attachments = attachments
        self.addresses = addresses
        self.pageAddresses = pageAddresses
        self.names = names
        folderAddresses = Dictionary(uniqueKeysWithValues: folders.map { ($0.path, $0.address) })
    }

    /// What `link` of `note` leads to, and what is to be said of it.
    func resolve(_ link: Link, of note: Note, id: NoteID) -> (LinkTarget, Diagnostic?) {
        if link.target.isEmpty {
            return anchored(id, note, link, from: note)
        }
        switch link.form {
        case .wikilink, .embed: return resolveName(link, of: note)
        case .link, .image: return resolvePath(link, of: note, id)
        }
    }

    // MARK: Wikilinks

    private func resolveName(_ link: Link, of note: Note) -> (LinkTarget, Diagnostic?) {
        let name = Self.withoutNoteEnding(link.target)
        let match = notes.match(name, from: note.folder)
        if let row = match.index {
            let id = names.ids[row]
            guard let target = store[id] else { return (.nothing, nil) }
            let (found, message) = anchored(id, target, link, from: note)
            if case .ambiguous(let rows) = match, message == nil {
                return (
                    found,
                    ambiguous(link, of: note, count: rows.count) { place in
                        store[names.ids[rows[rows.startIndex + place]]]?.path ?? ""
                    }
                )
            }
            return (found, message)
        }
        let file = attachments.index.match(link.target, from: note.folder)
        if let index = file.index {
            if case .ambiguous(let found) = file {
                return (
                    .attachment(index),
                    ambiguous(link, of: note, count: found.count) { place in
                        attachments.index.paths[found[found.startIndex + place]]
                    }
                )
            }
            return (.attachment(index), nil)
        }
        if names.hidden.match(name, from: note.folder) != .none {
            return (.hidden, hiddenMessage(link, of: note))
        }
        // Dendron writes the text first: `[[the text|name.of.note]]`.
        if link.hasText, link.form == .wikilink,
            let row = notes.match(Self.withoutNoteEnding(link.text), from: note.folder).index,
            let target = store[names.ids[row]]
        {
            return anchored(names.ids[row], target, link, from: note)
        }
        return (.nothing, broken(link, of: note))
    }

    // MARK: Markdown links

    private func resolvePath(
        _ link: Link, of note: Note, _ id: NoteID
    ) -> (LinkTarget, Diagnostic?) {
        // Zola writes `@/` for the root of the content.
        let target =
            link.target.utf8.starts(with: "@/".utf8) ? String(link.target.dropFirst()) : link.target
        guard let path = NotePath.resolved(target, from: note.folder) else {
            // Climbs above the content: perhaps a file by its bare name.
            if let found = byFileName(link, of: note) { return found }
            return (.nothing, broken(link, of: note))
        }
        if let found = noteAt(path, link, of: note) { return found }
        if let index = attachments.index.atPath(path) { return (.attachment(index), nil) }
        if let address = folderAddresses[path], !target.isEmpty {
            return (.address(address), nil)
        }
        let rooted = NotePath.resolved(target, from: "") ?? path
        // An address of the site itself, such as /tags/ or /feed.xml; Jekyll's
        // and Hugo's users write them from the root.
        if target.hasPrefix("/") {
            let trailing = target.hasSuffix("/") && !rooted.isEmpty ? rooted + "/" : rooted
            for candidate in [trailing, rooted + "/", rooted]
            where pageAddresses.contains(candidate) {
                return (.address(AddressPath(wellFormed: candidate)), nil)
            }
            if rooted.isEmpty { return (.address(AddressPath(wellFormed: "")), nil) }
        } else if let own = addresses[id.rawValue] {
            // A relative address is meant from the note's own page.
            if let path = NotePath.resolved(target, from: own.path) {
                for candidate in [path + "/", path] where pageAddresses.contains(candidate) {
                    return (.address(AddressPath(wellFormed: candidate)), nil)
                }
            }
        }
        if let found = byFileName(link, of: note) { return found }
        // By its bare name too: whatever may mean a hidden note shows no path.
        let bareName = Self.withoutNoteEnding(NotePath.fileName(of: target))
        if names.hidden.atPath(Self.withoutNoteEnding(path)) != nil
            || NotePath.isNote(target) && names.hidden.match(bareName, from: note.folder) != .none
        {
            return (.hidden, hiddenMessage(link, of: note))
        }
        return (.nothing, broken(link, of: note))
    }

    private func noteAt(_ path: String, _ link: Link, of note: Note) -> (LinkTarget, Diagnostic?)? {
        let hasEnding = NotePath.isNote(path)
        guard let row = notes.atPath(hasEnding ? NotePath.withoutEnding(path) : path),
            let target = store[names.ids[row]]
        else { return nil }
        // A picture named like a note is a picture.
        if !hasEnding, link.form == .image { return nil }
        return anchored(names.ids[row], target, link, from: note)
    }

    /// Obsidian also takes a bare file name for a path: of a file the last part
    /// alone, of a note a name that has no other part.
    private func byFileName(_ link: Link, of note: Note) -> (LinkTarget, Diagnostic?)? {
        let name = NotePath.fileName(of: link.target)
        guard !name.isEmpty, !link.target.hasSuffix("/") else { return nil }
        if NotePath.isNote(name) {
            guard !link.target.utf8.contains(UInt8(ascii: "/")) else { return nil }
            let match = notes.match(NotePath.withoutEnding(name), from: note.folder)
            guard let row = match.index, let target = store[names.ids[row]] else { return nil }
            let (found, message) = anchored(names.ids[row], target, link, from: note)
            guard case .ambiguous(let rows) = match, message == nil else { return (found, message) }
            return (
                found,
                ambiguous(link, of: note, count: rows.count) { place in
                    store[names.ids[rows[rows.startIndex + place]]]?.path ?? ""
                }
            )
        }
        guard !NotePath.ending(of: name).isEmpty else { return nil }
        let match = attachments.index.match(name, from: note.folder)
        guard let index = match.index else { return nil }
        guard case .ambiguous(let found) = match else { return (.attachment(index), nil) }
        return (
            .attachment(index),
            ambiguous(link, of: note, count: found.count) { place in
                attachments.index.paths[found[found.startIndex + place]]
            }
        )
    }

    // MARK: Anchors

    private func anchored(
        _ id: NoteID, _ target: Note, _ link: Link, from note: Note
    ) -> (LinkTarget, Diagnostic?) {
        guard let fragment = link.fragment, !fragment.isEmpty else {
            return (.note(id, anchor: nil), nil)
        }
        let isWikilink = link.form == .wikilink || link.form == .embed
        if isWikilink, let caret = fragment.lastIndex(of: "^"),
            fragment[..<caret].allSatisfy({ $0 == "#" })
        {
            let blockID = String(fragment[fragment.index(after: caret)...])
            let blocks = target.body.blocks
            // Obsidian asks for no case.
            let block =
                blocks.first { $0.id == blockID }
                ?? blocks.first { $0.id.lowercased() == blockID.lowercased() }
            if let block { return (.note(id, anchor: "^" + block.id), nil) }
            return (
                .note(id, anchor: nil),
                missing(
                    "block", "^" + blockID, of: target, link, from: note,
                    among: target.body.blocks.map { "^" + $0.id })
            )
        }
        if let heading = target.headings.heading(fragment, isWikilink: isWikilink) {
            return (.note(id, anchor: heading.id), nil)
        }
        // Raw HTML may hold the anchor; a page's own `#top` always works.
        if target.body.html.holdsAnchor(fragment) || (!isWikilink && fragment == "top") {
            return (.note(id, anchor: fragment), nil)
        }
        let message = missing(
            "heading", fragment, of: target, link, from: note, among: target.headings.texts)
        return (.note(id, anchor: isWikilink ? nil : fragment), message)
    }

    // MARK: Messages

    private func shown(_ link: Link) -> String {
        switch link.form {
        case .wikilink: "[[\(link.destination)]]"
        case .embed: "![[\(link.destination)]]"
        case .link, .image: link.destination
        }
    }

    /// The closest name is worked out afterwards, and for the first of a
    /// build's broken links only: it is looked for among all names.
    private func broken(_ link: Link, of note: Note) -> Diagnostic {
        Diagnostic(
            .warning, "broken-link", "`\(shown(link))` leads to nothing",
            at: note.span(ofBody: link.span))
    }

    /// What a link of a note that leads to nothing may have meant: a note whose
    /// title it gives (which is no name), one whose name has a date before that,
    /// a file of its name elsewhere, else the closest name, never the note
    /// itself. `titled` is the note whose title it gives.
    func suggestion(
        for link: Link, of note: Note, among guesses: Guesses
    ) -> (help: String?, titled: NoteID?) {
        let isPath = link.form == .link || link.form == .image
        let target = Self.withoutNoteEnding(link.target)
        let own = NotePath.withoutEnding(note.path)
        let last = Self.lastName(of: link)
        func means(_ path: String) -> String { "did you mean `\(path)`?" }
        func means(row: Int) -> String {
            means(isPath ? notes.paths[row] : finding(row, from: note.folder))
        }
        func other(_ rows: [Int]?) -> Int? { rows?.first { notes.paths[$0] != own } }
        if let row = other(guesses.titles[last]) {
            let reason = " Links go by file names; what you wrote is that note's title"
            return (means(row: row) + reason, names.ids[row])
        }
        let undated = other(guesses.undated[last])
        guard isPath else {
            if let undated { return (means(row: undated), nil) }
            let others = guesses.names.filter { $0 != note.name && $0 != note.nameWithoutDate }
            let closest = closestName(to: target, among: others)
            return (closest.map { guesses.shortened[$0].map(means(row:)) ?? means($0) }, nil)
        }
        let paths = notes.paths.filter { $0 != own } + attachments.index.paths
        let namesake = paths.first {
            UnicodeText.folded(NotePath.fileName(of: $0)) == last
        }
        if namesake == nil, let undated { return (means(row: undated), nil) }
        return ((namesake ?? closestName(to: target, among: paths)).map(means), nil)
    }

    /// The shortest text by which a wikilink in `folder` finds a note: its name,
    /// else its path. `index` says too little to a reader, even where there is
    /// but one.
    private func finding(_ row: Int, from folder: String) -> String {
        let path = notes.paths[row]
        let name = NotePath.fileName(of: path)
        let texts = NotePath.indexRank(ofName: name) == nil ? [name, path] : [path]
        return texts.first { notes.match($0, from: folder) == .one(row) } ?? "/" + path
    }

    /// What broken links of a site may have meant: made once for all of them.
    struct Guesses: Sendable {
        /// The rows of the notes that have each title, case folded away, ascending.
        var titles: [String: [Int]] = [:]
        /// The same of names without their leading date.
        var undated: [String: [Int]] = [:]
        /// All names of notes, and those without their leading date.
        var names: [String] = []
        /// The notes behind those of ``names`` that are no whole names.
        var shortened: [String: Int] = [:]
    }

    func guesses() -> Guesses {
        var guesses = Guesses()
        let whole = Set(notes.allNames)
        for (row, id) in names.ids.enumerated() {
            guard let note = store[id] else { continue }
            if let title = note.title {
                guesses.titles[UnicodeText.folded(title), default: []].append(row)
            }
            let name = note.nameWithoutDate
            if name.utf8.count < note.name.utf8.count {
                guesses.undated[UnicodeText.folded(name), default: []].append(row)
                if !whole.contains(name), guesses.shortened[name] == nil {
                    guesses.shortened[name] = row
                }
            }
        }
        guesses.names = Array(whole) + guesses.shortened.keys
        return guesses
    }

    /// The last part of what a link names, case folded away.
    static func lastName(of link: Link) -> String {
        UnicodeText.folded(NotePath.fileName(of: withoutNoteEnding(link.target)))
    }

    private func hiddenMessage(_ link: Link, of note: Note) -> Diagnostic {
        Diagnostic(
            .warning, "hidden-link",
            "`\(shown(link))` leads to a note that is not published; only its text shows",
            at: note.span(ofBody: link.span))
    }

    /// Says what a link may mean; of very many the first few.
    private func ambiguous(
        _ link: Link, of note: Note, count: Int, path: (Int) -> String
    ) -> Diagnostic {
        let shownCount = count > 4 ? 3 : count
        let paths = (0..<shownCount).map(path)
        let rest = count > shownCount ? " or \(count - shownCount) others" : ""
        return Diagnostic(
            .warning, "ambiguous-link",
            "`\(shown(link))` may mean \(paths.map { "`\($0)`" }.joined(separator: " or "))\(rest); the first is taken",
            at: note.span(ofBody: link.span),
            help: "write the folder too, as in [[\(NotePath.withoutEnding(paths[0]))]]")
    }

    private func missing(
        _ what: String, _ fragment: String, of target: Note, _ link: Link, from note: Note,
        among names: [String]
    ) -> Diagnostic {
        Diagnostic(
            .warning, "broken-anchor",
            "`\(shown(link))`: `\(target.path)` has no \(what) `\(fragment)`",
            at: note.span(ofBody: link.span),
            // A note with very many headings would be gone through for each.
            help: names.count > 200
                ? nil : closestName(to: fragment, among: names).map { "did you mean `\($0)`?" })
    }

    private static func withoutNoteEnding(_ name: String) -> String {
        NotePath.isNote(name) ? NotePath.withoutEnding(name) : name
    }
}

extension [UInt8] {
    /// Whether raw HTML in it has an element with this id or name. Costs a scan;
    /// asked only when no heading matches.
    fileprivate func holdsAnchor(_ anchor: String) -> Bool {
        let wanted = Array(anchor.utf8)
        guard !wanted.isEmpty, wanted.count < count else { return false }
        for start in ["id=\"", "id='", "name=\"", "name='"] {
            let prefix = Array(start.utf8)
            let pattern = prefix + wanted
            var index = 0
            while index + pattern.count < count {
                guard let found = self[index...].firstIndex(of: pattern[0]),
                    found + pattern.count < count
                else { break }
                if self[found..<found + pattern.count].elementsEqual(pattern),
                    self[found + pattern.count] == prefix[prefix.count - 1]
                {
                    return true
                }
                index = found + 1
            }
        }
        return false
    }
}
