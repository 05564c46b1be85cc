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
    /// What is to be said of links, in the order of the notes' paths and of the
    /// links in each.
    private(set) var linkMessages: [LinkMessage] = []
    /// The files that are copied as they are: output path to source.
    private var copies: [String: CopySource] = [:]

    /// The path of a note that is planned as if it were published.
    var shown: String?

    private var settings: SiteSettings
    private let workers: Workers
    /// Who asked for a path and got it.
    private var claims = OutputClaims()

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
        let (publications, published) = publish(store, now: now)
        // Names need no addresses, and addresses no names.
        let (addresses, names) = workers.both { [settings, workers] in
            SiteAddresses(published, in: store, settings: settings, workers: workers)
        } and: {
            NoteNames(published, in: store)
        }
        messages += addresses.messages
        if !settings.namesTitle, let home = addresses.folderNotes[""].flatMap({ store[$0]?.title })
        {
            settings.title = home
        }
        checkLayouts(published, in: store, templateNames)
        checkCollections(published, in: store)
        let groups = group(published, in: store, addresses: addresses)
        let wanted = PagePlan(
            settings: settings, store: store, addresses: addresses, groups: groups,
            templateNames: Set(templateNames)
        )
        .pages(published)
        var placed = claim(wanted, in: store)
        let theme = settings.theme.css
        for path in assetPaths {
            let isStyled = path == "assets/daybook.css" && !theme.isEmpty
            copy(
                isStyled ? .styles(path, theme: theme) : .asset(path), to: path,
                name: "Templates/\(path)", in: store)
        }
        for path in staticPaths {
            copy(.staticFile(path), to: path, name: "static/\(path)", in: store)
        }
        placed += redirects(published, in: store, addresses: addresses)
        let pages = Self.sorted(placed)

        let attachments = Attachments(paths: attachmentPaths)
        let made = Site.made(pages, copies)
        let resolver = LinkResolver(
            store: store, attachments: attachments, addresses: addresses.byNote,
            pageAddresses: made, folders: groups.folders.entries, names: names)
        let links = resolveLinks(published, in: store, resolver)
        copyReached(published, in: store, links: links, attachments: attachments)
        messages.sort()
        workers.free((resolver, claims, wanted))
        claims = OutputClaims()
        return Site(
            settings: settings, store: store, publications: publications, published: published,
            addresses: addresses.byNote, introductions: addresses.introductions,
            listed: groups.listed.results, datedCount: groups.listed.datedCount,
            years: groups.listed.years, tags: groups.tags.entries, folders: groups.folders.entries,
            attachments: attachments, links: links, pages: pages, copies: copies)
    }

    /// The pages in the order of their output paths.
    private static func sorted(_ pages: [PlacedPage]) -> [Page] {
        pages.indices.sorted { pages[$0].output.precedes(pages[$1].output) }
            .map { pages[$0].page }
    }

    /// Which notes are published, by number, and those that are, by path.
    private func publish(
        _ store: NoteStore, now: Instant
    ) -> (publications: [Publication?], published: [NoteID]) {
        let (ids, settings, shown) = (store.ids, self.settings, self.shown)
        let judged = workers.map(ids.count) { index -> Publication? in
            guard let note = store[ids[index]] else { return nil }
            var publication = Publication(of: note, settings: settings, now: now)
            if note.path == shown { publication.state = .published }
            return publication
        }
        var publications: [Publication?] = Array(repeating: nil, count: store.slotCount)
        for (id, publication) in zip(ids, judged) { publications[id.rawValue] = publication }
        let published = ids.filter { publications[$0.rawValue]?.state == .published }
        return (publications, published)
    }

    private func group(
        _ published: [NoteID], in store: NoteStore, addresses: SiteAddresses
    ) -> SiteGroups {
        let zone = settings.zone
        let ((listed, tags), folders) = workers.both {
            let listed = ListedNotes(published, in: store, addresses: addresses, zone: zone)
            return (listed, TagGroups(published, listed: listed.results, in: store))
        } and: {
            FolderGroups(published, in: store, addresses: addresses, zone: zone)
        }
        return SiteGroups(listed: listed, tags: tags, folders: folders)
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

    /// The pages that get the paths they want, less those that yield.
    private mutating func claim(_ pages: [Page], in store: NoteStore) -> [PlacedPage] {
        // Folding and joining needs no order, so all workers do it.
        let placed = workers.map(pages.count) { PlacedPage(pages[$0]) }
        claims.reserveCapacity(pages.count + pages.count / 8)
        return placed.filter { placed in
            guard let first = claims.take(placed.key, .page(placed.page)) else {
                return true
            }
            yield(placed.page, to: first, in: store)
            return false
        }
    }

    /// Says that a page wants a path that `first` has.
    private mutating func yield(
        _ page: Page, to first: OutputClaims.Claim, in store: NoteStore
    ) {
        let claim = OutputClaims.Claim.page(page)
        let note = claim.note(in: store)
        let (name, span) = (first.name(in: store, settings), first.span(in: store, settings))
        // A folder may be called Archive or Tags: its notes are found there.
        if let folder = page.folder, note == nil {
            messages.append(
                Diagnostic(
                    .warning, "folder-taken",
                    "the folder `\(folder)` has no page of its own: "
                        + "/\(page.address.path) belongs to \(name)",
                    help: "rename the folder, or turn the other page off under `pages:`"))
            return
        }
        let help =
            note.map {
                "give one of them a slug of its own, such as `slug: \(Slug.make(from: $0.name))-2`"
            } ?? "turn that kind of page off under `pages:`"
        messages.append(
            Diagnostic(
                .error, "address-taken",
                "\(claim.name(in: store, settings)) and \(name) both want the address /\(page.address.path)",
                at: claim.span(in: store, settings) ?? span, help: help,
                notes: span.map { [.init("the other one", at: $0)] } ?? []))
    }

    private mutating func copy(
        _ source: CopySource, to output: String, name: String, in store: NoteStore
    ) {
        let claim = OutputClaims.Claim.file(name)
        // The list of what was written has a line for each file.
        guard output.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            messages.append(
                Diagnostic(
                    .error, "file-name", "the name of this file holds a control character",
                    at: SourceSpan(file: name), help: "rename it"))
            return
        }
        guard let first = claims.take(OutputKey(output), claim) else {
            copies[output] = source
            return
        }
        if case .reserved(let reserved) = first {
            messages.append(
                Diagnostic(
                    .error, "address-taken",
                    "this file would be at /\(output), and /\(reserved.rawValue) is "
                        + "Daybook's \(reserved.use)",
                    at: SourceSpan(file: name), help: "rename it"))
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
                "\(name) and \(first.name(in: store, settings)) both want the address /\(output)",
                at: SourceSpan(file: name), help: "rename or remove one of the two",
                notes: first.span(in: store, settings).map { [.init("the other one", at: $0)] }
                    ?? []))
    }

    // MARK: Redirects

    private mutating func redirects(
        _ published: [NoteID], in store: NoteStore, addresses: SiteAddresses
    ) -> [PlacedPage] {
        guard settings.pages.contains(.redirects) else { return [] }
        var pages: [PlacedPage] = []
        for id in published {
            guard let note = store[id], let own = addresses.byNote[id.rawValue] else { continue }
            for alias in note.frontMatter.aliases {
                let span = SourceSpan(file: note.file, range: note.frontMatter.range(of: .aliases))
                guard let address = redirectAddress(alias, of: note, at: span),
                    address.path != own.path
                else { continue }
                let page = PlacedPage(
                    Page(kind: .redirect(id), address: address, template: "redirect.html"))
                guard let first = claims.take(page.key, .page(page.page)) else {
                    pages.append(page)
                    continue
                }
                messages.append(
                    Diagnostic(
                        .warning, "alias-taken",
                        "the alias `\(alias)` of \(note.file) does not redirect: "
                            + "/\(address.path) belongs to \(first.name(in: store, settings))",
                        at: span,
                        notes: first.span(in: store, settings).map {
                            [.init("the page there", at: $0)]
                        } ?? [])
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
        let results = workers.map(published.count) { index -> ([LinkTarget], [LinkMessage]) in
            let id = published[index]
            guard let note = store[id] else { return ([], []) }
            var targets: [LinkTarget] = []
            var messages: [LinkMessage] = []
            targets.reserveCapacity(note.body.links.count)
            for (place, link) in note.body.links.enumerated() {
                let (target, message) = resolver.resolve(link, of: note, id: id)
                targets.append(target)
                if let message {
                    messages.append(
                        LinkMessage(
                            note: id, link: place, name: LinkResolver.lastName(of: link),
                            message: message))
                }
            }
            return (targets, messages)
        }
        var links: [[LinkTarget]] = Array(repeating: [], count: store.slotCount)
        for (id, (targets, said)) in zip(published, results) {
            links[id.rawValue] = targets
            linkMessages += said
        }
        let broken = linkMessages.indices.filter { linkMessages[$0].message.id == "broken-link" }
            .prefix(Self.maximalSuggestions)
        let said = linkMessages
        let guesses = broken.isEmpty ? .init() : resolver.guesses()
        let meant = workers.map(broken.count, piece: 1) { index -> (String?, NoteID?) in
            let place = said[broken[index]]
            guard let note = store[place.note] else { return (nil, nil) }
            return resolver.suggestion(
                for: note.body.links[place.link], of: note, among: guesses)
        }
        for (place, (help, titled)) in zip(broken, meant) {
            linkMessages[place].message.help = help
            linkMessages[place].titled = titled
        }
        return links
    }

    /// How many broken links are told the closest name: each costs a look at
    /// all names.
    private static let maximalSuggestions = 50

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
                name: NotePath.joined(settings.content ?? "", path), in: store)
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
