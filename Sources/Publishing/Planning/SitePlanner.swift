package import Diagnostics
package import Notes
import Bytes
import Markup

/// Turns the notes of a moment into a ``Site``: decides what is published,
/// where everything stands and where every link leads.
///
/// The result depends on the arguments alone, not on their order.
package struct SitePlanner {
    /// What is to be said, sorted by place.
    package private(set) var messages: [Diagnostic] = []
    /// The files that are copied as they are: output path to source.
    package private(set) var copies: [String: CopySource] = [:]

    /// The path of a note that is planned as if it were published.
    var shown: String?

    private var settings: SiteSettings
    private let workers: Workers
    /// Who asked for a path and got it.
    private var claimants: [Claim] = [.reserved]
    /// Who has an output path, by its folded form; indexes ``claimants``.
    private var claims: [String: Int] = [OutputManifest.fileName: 0]
    /// Who made a path the path of a folder first; indexes ``claimants``.
    private var folderClaims: [String: Int] = [:]

    /// Where a copied file comes from.
    package enum CopySource: Sendable, Hashable {
        /// A file of `static/`, by its path there.
        case staticFile(String)
        /// An attachment, by its path in the content folder.
        case attachment(String)
        /// A file of the look, by its path in `Templates/`.
        case asset(String)
        /// A style sheet of the look, by its path, with the properties that the
        /// settings give.
        case styles(String, theme: String)
    }

    /// Who wants an output path. Words are made only where two do.
    private enum Claim {
        case page(Page, Note?)
        case file(String)
        case alias(Note)
        case collection(SiteSettings.Collection)
        /// Daybook itself.
        case reserved

        /// What messages call it.
        var name: String {
            switch self {
            case .page(_, let note?), .alias(let note): note.file
            case .page(let page, nil): "the \(page.kindName) page"
            case .file(let name): name
            case .collection(let collection): "the collection `\(collection.name)`"
            case .reserved: "Daybook's list of what it wrote"
            }
        }

        /// Where it asks for the path.
        var span: SourceSpan? {
            switch self {
            case .page(_, let note?):
                SourceSpan(
                    file: note.file,
                    range: note.frontMatter.range(of: .permalink)
                        ?? note.frontMatter.range(of: .slug))
            case .page(_, nil), .reserved: nil
            case .file(let name): SourceSpan(file: name)
            case .collection(let collection):
                SourceSpan(file: "daybook.yml", range: collection.range)
            case .alias(let note):
                SourceSpan(file: note.file, range: note.frontMatter.range(of: .aliases))
            }
        }
    }

    /// A planner for a site with `settings`.
    package init(settings: SiteSettings, workers: Workers = Workers()) {
        self.settings = settings
        self.workers = workers
    }

    /// Plans the site of `store` at `now`.
    ///
    /// `attachmentPaths`, `staticPaths` and `assetPaths` are the other files at
    /// hand, each ascending; `templateNames` the templates that a note's
    /// `layout` may name.
    package mutating func plan(
        _ store: NoteStore, attachmentPaths: [String], staticPaths: [String], assetPaths: [String],
        templateNames: [String], now: Instant
    ) -> Site {
        var publications: [Publication?] = Array(repeating: nil, count: store.slotCount)
        var published: [NoteID] = []
        for id in store.ids {
            guard let note = store[id] else { continue }
            var publication = Publication(of: note, settings: settings, now: now)
            if note.path == shown { publication.state = .published }
            publications[id.rawValue] = publication
            if publication.state == .published { published.append(id) }
        }
        let addresses = SiteAddresses(
            published, in: store, settings: settings, workers: workers)
        messages += addresses.messages
        if !settings.namesTitle, let home = addresses.folderNotes[""].flatMap({ store[$0]?.title })
        {
            settings.title = home
        }
        checkLayouts(published, in: store, templateNames)
        checkCollections(published, in: store)
        let (groups, names) = group(published, in: store, addresses: addresses)
        var pages = PagePlan(
            settings: settings, store: store, addresses: addresses, groups: groups,
            templateNames: Set(templateNames)
        )
        .pages(published)
        pages = claim(pages, in: store)
        let theme = settings.theme.css
        for path in assetPaths {
            let isStyled = path == "assets/daybook.css" && !theme.isEmpty
            copy(
                isStyled ? .styles(path, theme: theme) : .asset(path), to: path,
                name: "Templates/\(path)")
        }
        for path in staticPaths { copy(.staticFile(path), to: path, name: "static/\(path)") }
        pages += redirects(published, in: store, addresses: addresses)
        pages = Self.sorted(pages)

        let attachments = Attachments(paths: attachmentPaths)
        // A folder with an index page in static/ is reached as the folder too.
        let index = "index.html"
        let folders = copies.keys.filter { $0 == index || $0.hasSuffix("/" + index) }
            .map { String($0.dropLast(index.utf8.count)) }
        let made = Set(pages.map(\.address.path)).union(copies.keys).union(folders)
        let resolver = LinkResolver(
            store: store, attachments: attachments, addresses: addresses.byNote,
            pageAddresses: made, folders: groups.folders.entries, names: names)
        let links = resolveLinks(published, in: store, resolver)
        let backlinks = Self.backlinks(published, links: links, count: store.slotCount)
        copyReached(published, in: store, links: links, attachments: attachments)
        messages.sort()
        return Site(
            settings: settings, store: store, publications: publications, published: published,
            groups: groups, addresses: addresses, attachments: attachments, links: links,
            backlinks: backlinks, pages: pages, made: made.union(copies.keys))
    }

    /// The pages in the order of their output paths, each worked out once.
    private static func sorted(_ pages: [Page]) -> [Page] {
        let paths = pages.map(\.address.outputFile)
        return paths.indices.sorted { paths[$0].precedes(paths[$1]) }.map { pages[$0] }
    }

    /// Groups the notes, and indexes their names beside that.
    private func group(
        _ published: [NoteID], in store: NoteStore, addresses: SiteAddresses
    ) -> (SiteGroups, NoteNames) {
        let zone = settings.zone
        let ((listed, tags), (folders, names)) = workers.both {
            let listed = ListedNotes(published, in: store, addresses: addresses, zone: zone)
            return (listed, TagGroups(published, listed: listed.results, in: store))
        } and: {
            (
                FolderGroups(published, in: store, addresses: addresses, zone: zone),
                NoteNames(published, in: store)
            )
        }
        return (SiteGroups(listed: listed, tags: tags, folders: folders), names)
    }

    /// Says, once for each name, that a note's `layout` names no template.
    private mutating func checkLayouts(
        _ published: [NoteID], in store: NoteStore, _ templateNames: [String]
    ) {
        // Other tools' names for their ordinary page go without saying.
        var said: Set<String> = ["post", "page", "default", "note", "single", "doc", "docs"]
        for id in published {
            guard let note = store[id], let layout = note.frontMatter.layout else { continue }
            let name = layout.contains(".") ? layout : layout + ".html"
            guard !templateNames.contains(name), said.insert(layout).inserted else { continue }
            // Layouts are whole pages, not their parts, and all end alike: only
            // what stands before that is compared.
            let layouts = templateNames.filter { $0.hasSuffix(".html") && !$0.contains("/") }
                .map { String($0.dropLast(5)) }
            let typed = layout.hasSuffix(".html") ? String(layout.dropLast(5)) : layout
            messages.append(
                Diagnostic(
                    .warning, "unknown-layout", "there is no template `\(name)`; note.html is used",
                    at: SourceSpan(file: note.file, range: note.frontMatter.range(of: .layout)),
                    help: closestName(to: typed, among: layouts).map {
                        "did you mean `\($0).html`?"
                    }))
        }
    }

    /// Says that a named query compares a field that no note has: most likely
    /// it is mistyped.
    private mutating func checkCollections(_ published: [NoteID], in store: NoteStore) {
        guard !settings.collections.isEmpty, !published.isEmpty else { return }
        let known = Set(
            published.flatMap { store[$0]?.frontMatter.extraTexts.map(\.key) ?? [] })
        for collection in settings.collections {
            let query = collection.query
            var keys = query.conditions.map(\.key) + query.sort.map(\.key)
            if case .key(let key)? = query.grouping { keys.append(key) }
            var said: Set<String> = []
            for case .extra(let name) in keys
            where !known.contains(name) && said.insert(name).inserted {
                let names = known.sorted() + NoteQuery.Key.names
                messages.append(
                    Diagnostic(
                        .warning, "unknown-field",
                        "no note has the field `\(name)` that `\(collection.name)` asks for",
                        at: SourceSpan(file: "daybook.yml", range: collection.range),
                        help: closestName(to: name, among: names).map { "did you mean `\($0)`?" }))
            }
        }
    }

    // MARK: Claims

    /// Takes an output path for something, and the paths above it for folders.
    /// Who has it already; nil where it was free.
    private mutating func take(_ output: String, _ claim: Claim) -> Claim? {
        let key = UnicodeText.folded(output)
        if let first = claims[key] ?? folderClaims[key] { return claimants[first] }
        var folders: [String] = []
        var folder = NotePath.folder(of: key)
        while !folder.isEmpty, folderClaims[folder] == nil {
            if let file = claims[folder] { return claimants[file] }
            folders.append(folder)
            folder = NotePath.folder(of: folder)
        }
        claims[key] = claimants.count
        for folder in folders { folderClaims[folder] = claimants.count }
        claimants.append(claim)
        return nil
    }

    private mutating func claim(_ pages: [Page], in store: NoteStore) -> [Page] {
        claims.reserveCapacity(pages.count + pages.count / 8)
        folderClaims.reserveCapacity(pages.count + pages.count / 8)
        claimants.reserveCapacity(pages.count + pages.count / 8)
        return pages.filter { page in
            let id: NoteID? = if case .note(let id) = page.kind { id } else { page.introduction }
            let note = id.flatMap { store[$0] }
            let claim =
                if case .collection(let url) = page.kind,
                    let collection = settings.collection(at: url)
                {
                    Claim.collection(collection)
                } else {
                    Claim.page(page, note)
                }
            guard let first = take(page.address.outputFile, claim) else { return true }
            // A folder may be called Archive or Tags: its notes are found there.
            if let folder = page.folder, note == nil {
                messages.append(
                    Diagnostic(
                        .warning, "folder-taken",
                        "the folder `\(folder)` has no page of its own: "
                            + "/\(page.address.path) belongs to \(first.name)",
                        help: "rename the folder, or turn the other page off under `pages:`"))
                return false
            }
            let help =
                note.map {
                    "give one of them a slug of its own, such as `slug: \(Slug.make(from: $0.name))-2`"
                } ?? "turn that kind of page off under `pages:`"
            messages.append(
                Diagnostic(
                    .error, "address-taken",
                    "\(claim.name) and \(first.name) both want the address /\(page.address.path)",
                    at: claim.span ?? first.span, help: help,
                    notes: first.span.map { [.init("the other one", at: $0)] } ?? []))
            return false
        }
    }

    private mutating func copy(_ source: CopySource, to output: String, name: String) {
        let claim = Claim.file(name)
        // The list of what was written has a line for each file.
        guard output.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            messages.append(
                Diagnostic(
                    .error, "file-name", "the name of this file holds a control character",
                    at: claim.span, help: "rename it"))
            return
        }
        guard let first = take(output, claim) else {
            copies[output] = source
            return
        }
        // A site's own file stands instead of one of the look.
        if case .staticFile = source {
            switch copies[output] {
            case .asset?, .styles?:
                copies[output] = source
                return
            default: break
            }
        }
        messages.append(
            Diagnostic(
                .error, "address-taken",
                "\(name) and \(first.name) both want the address /\(output)",
                at: claim.span, help: "rename or remove one of the two",
                notes: first.span.map { [.init("the other one", at: $0)] } ?? []))
    }

    // MARK: Redirects

    private mutating func redirects(
        _ published: [NoteID], in store: NoteStore, addresses: SiteAddresses
    ) -> [Page] {
        guard settings.pages.contains(.redirects) else { return [] }
        var pages: [Page] = []
        for id in published {
            guard let note = store[id], let own = addresses.byNote[id.rawValue] else { continue }
            for alias in note.frontMatter.aliases {
                let span = SourceSpan(file: note.file, range: note.frontMatter.range(of: .aliases))
                guard let address = redirectAddress(alias, of: note, at: span),
                    address.path != own.path
                else { continue }
                guard let first = take(address.outputFile, .alias(note)) else {
                    pages.append(
                        Page(kind: .redirect(id), address: address, template: "redirect.html"))
                    continue
                }
                messages.append(
                    Diagnostic(
                        .warning, "alias-taken",
                        "the alias `\(alias)` of \(note.file) does not redirect: "
                            + "/\(address.path) belongs to \(first.name)",
                        at: span, notes: first.span.map { [.init("the page there", at: $0)] } ?? [])
                )
            }
        }
        return pages
    }

    /// Where an alias redirects from: a path is taken from the root, a name from
    /// the note's folder. Names that no address may hold are names only.
    private mutating func redirectAddress(
        _ alias: String, of note: Note, at span: SourceSpan
    ) -> AddressPath? {
        guard alias.contains("/") || alias.contains("\\") else {
            let folder = SiteAddresses.folderAddress(note.folder).path
            return AddressPath(wellFormed: folder + Slug.make(from: alias) + "/")
        }
        do throws(AddressError) {
            return try AddressPath(permalink: alias)
        } catch {
            if alias.hasPrefix("/") || error == .dots || alias.contains("\\") {
                messages.append(
                    Diagnostic(
                        .error, "alias", error.message(for: alias), at: span,
                        help: AddressError.help))
            }
            return nil
        }
    }

    // MARK: Links

    private mutating func resolveLinks(
        _ published: [NoteID], in store: NoteStore, _ resolver: LinkResolver
    ) -> [[LinkTarget]] {
        // Each worker writes only the slots of the notes it took.
        let results = workers.map(published.count) { index -> ([LinkTarget], [Diagnostic]) in
            let id = published[index]
            guard let note = store[id] else { return ([], []) }
            var targets: [LinkTarget] = []
            var messages: [Diagnostic] = []
            targets.reserveCapacity(note.body.links.count)
            for link in note.body.links {
                let (target, message) = resolver.resolve(link, of: note, id: id)
                targets.append(target)
                if let message { messages.append(message) }
            }
            return (targets, messages)
        }
        var links: [[LinkTarget]] = Array(repeating: [], count: store.slotCount)
        var suggestions = 0
        for (id, (targets, said)) in zip(published, results) {
            links[id.rawValue] = targets
            for var message in said {
                if message.id == "broken-link", suggestions < Self.maximalSuggestions,
                    let note = store[id], let span = message.span,
                    let link = note.body.links.first(where: { note.span(ofBody: $0.span) == span })
                {
                    suggestions += 1
                    message.help = resolver.suggestion(for: link, of: note)
                }
                messages.append(message)
            }
        }
        return links
    }

    /// How many broken links are told the closest name: each costs a look at
    /// all names.
    private static let maximalSuggestions = 50

    private static func backlinks(
        _ published: [NoteID], links: [[LinkTarget]], count: Int
    ) -> [[Site.Backlink]] {
        var backlinks: [[Site.Backlink]] = Array(repeating: [], count: count)
        for id in published {
            for (index, target) in links[id.rawValue].enumerated() {
                // A note links to another once, by the first of its links: the
                // latest backlink there tells whether it did.
                guard case .note(let other, _) = target, other != id,
                    backlinks[other.rawValue].last?.source != id
                else { continue }
                backlinks[other.rawValue].append(.init(source: id, link: index))
            }
        }
        return backlinks
    }

    /// Copies the attachments that a published note links to, embeds or names
    /// as its image, and no others.
    private mutating func copyReached(
        _ published: [NoteID], in store: NoteStore, links: [[LinkTarget]], attachments: Attachments
    ) {
        var reached: Set<Int> = []
        for id in published {
            for case .attachment(let index) in links[id.rawValue] { reached.insert(index) }
            guard let note = store[id], let image = note.frontMatter.image else { continue }
            if let index = attachments.find(image, from: note) {
                reached.insert(index)
            } else if !image.contains("://"),
                NotePath.resolved(image, from: "").flatMap({ copies[$0] }) == nil
            {
                let names = attachments.index.paths
                messages.append(
                    Diagnostic(
                        .warning, "broken-image",
                        "`\(image)` is no attachment, and no file of static/",
                        at: SourceSpan(file: note.file, range: note.frontMatter.range(of: .image)),
                        help: closestName(to: image, among: names).map { "did you mean `\($0)`?" }))
            }
        }
        for index in reached.sorted() {
            let path = attachments.index.paths[index]
            copy(
                .attachment(path), to: attachments.outputs[index],
                name: NotePath.joined(settings.content ?? "", path))
        }
    }
}

extension Attachments {
    /// The attachment that a note's `image:` names, by path or by name.
    func find(_ name: String, from note: Note) -> Int? {
        if let path = NotePath.resolved(name, from: note.folder), let index = index.atPath(path) {
            return index
        }
        return index.match(name, from: note.folder).index
    }
}
