import Bytes
import Diagnostics
import Notes

/// The addresses of published notes, and which of them introduce other pages.
struct SiteAddresses {
    /// By number; nil for hidden notes.
    private(set) var byNote: [AddressPath?]
    /// Notes whose page is that of a folder, the home page or another
    /// generated page.
    private(set) var introductions: Set<NoteID> = []
    /// The note that introduces a folder, by the folder's path.
    private(set) var folderNotes: [String: NoteID] = [:]
    /// Notes at the address of a generated page, by that address.
    private(set) var generatedIntroductions: [String: NoteID] = [:]
    /// What is wrong with `permalink` and `slug`.
    private(set) var messages: [Diagnostic] = []

    /// The addresses of generated pages that a note's body may introduce, as
    /// far as the site has them.
    private static func introducible(_ settings: SiteSettings) -> Set<String> {
        var paths: Set<String> = []
        if settings.pages.contains(.tags) { paths.insert("tags/") }
        if settings.pages.contains(.archive) { paths.insert("archive/") }
        if settings.pages.contains(.notFound) { paths.formUnion(["404/", "404.html"]) }
        return paths
    }

    init(
        _ published: [NoteID], in store: NoteStore, settings: SiteSettings, workers: Workers
    ) {
        byNote = Array(repeating: nil, count: store.slotCount)
        let pattern = settings.permalink.map { PermalinkPattern($0) }
        let folders = Self.folders(of: published, in: store)
        let places = Dictionary(uniqueKeysWithValues: folders.map { ($0, FolderPlace($0)) })
        let made = workers.map(published.count) { index -> (AddressPath?, Diagnostic?) in
            guard let note = store[published[index]] else { return (nil, nil) }
            return Self.address(
                of: note, siteTitle: settings.title, pattern: pattern,
                folder: places[note.folder] ?? FolderPlace(note.folder))
        }
        for (id, (address, fault)) in zip(published, made) {
            byNote[id.rawValue] = address
            if let fault { messages.append(fault) }
        }
        chooseFolderNotes(published, in: store, folders: places.mapValues(\.path))
        for (folder, id) in folderNotes.sorted(by: { $0.key < $1.key }) {
            byNote[id.rawValue] = Self.folderAddress(folder)
            if folder.isEmpty ? settings.pages.contains(.home) : settings.pages.contains(.folders) {
                introductions.insert(id)
            }
        }
        let introducible = Self.introducible(settings)
        for id in published where !introductions.contains(id) {
            guard let address = byNote[id.rawValue]?.path, introducible.contains(address)
            else { continue }
            let page = address == "404/" ? "404.html" : address
            byNote[id.rawValue] = AddressPath(wellFormed: page)
            if generatedIntroductions[page] == nil {
                generatedIntroductions[page] = id
                introductions.insert(id)
            }
        }
    }

    /// What the addresses of a folder's notes begin with.
    private struct FolderPlace {
        /// The address of the folder's page.
        let path: String
        /// Whether it is, or lies in, a Jekyll folder of posts.
        let holdsPosts: Bool

        init(_ folder: String) {
            path = SiteAddresses.folderAddress(folder).path
            holdsPosts = folder.split(separator: "/").contains("_posts")
        }
    }

    /// The address of a folder's page: the slugs of its parts.
    static func folderAddress(_ folder: String) -> AddressPath {
        let parts = folder.split(separator: "/").map { Slug.make(from: String($0)) }
        return AddressPath(wellFormed: parts.isEmpty ? "" : parts.joined(separator: "/") + "/")
    }

    /// All folders that hold one of the notes, at any depth, the root included.
    static func folders(of ids: [NoteID], in store: NoteStore) -> Set<String> {
        var folders: Set<String> = [""]
        var latest = ""
        for id in ids {
            // Notes come by path: most lie where the one before does.
            guard var folder = store[id]?.folder, folder != latest else { continue }
            latest = folder
            while folders.insert(folder).inserted { folder = NotePath.folder(of: folder) }
        }
        return folders
    }

    /// A note whose `permalink` is the folder's address, else `_index`, else
    /// `index`, else `README`, else the note that stands at the address by its
    /// name: `foo.md` beside `foo/`. An index note that asks for an address of
    /// its own keeps that.
    private mutating func chooseFolderNotes(
        _ published: [NoteID], in store: NoteStore, folders: [String: String]
    ) {
        var ranks: [String: Int] = [:]
        func offer(_ id: NoteID, for folder: String, rank: Int) {
            if rank < ranks[folder] ?? .max {
                ranks[folder] = rank
                folderNotes[folder] = id
            }
        }
        let byAddress = Dictionary(
            folders.sorted { $0.key < $1.key }.map { ($0.value, $0.key) },
            uniquingKeysWith: { first, _ in first })
        for id in published {
            guard let note = store[id] else { continue }
            let matter = note.frontMatter
            if let address = byNote[id.rawValue], let folder = byAddress[address.path],
                matter.permalink != nil || note.indexRank == nil
            {
                offer(id, for: folder, rank: matter.permalink == nil ? 9 : -1)
            }
            if let rank = note.indexRank, matter.permalink == nil, matter.slug == nil {
                offer(id, for: note.folder, rank: rank)
            }
        }
    }

    private static func address(
        of note: Note, siteTitle: String, pattern: PermalinkPattern?, folder: FolderPlace
    ) -> (AddressPath, Diagnostic?) {
        let matter = note.frontMatter
        var fault: Diagnostic?
        if let permalink = matter.permalink {
            do throws(AddressError) {
                let text = PermalinkPattern(permalink).expanded(for: note, siteTitle: siteTitle)
                return (try AddressPath(permalink: text), unknownVariable(in: permalink, of: note))
            } catch {
                fault = Diagnostic(
                    .error, "permalink", error.message(for: permalink),
                    at: SourceSpan(file: note.file, range: matter.range(of: .permalink)),
                    help: AddressError.help)
            }
        }
        // A Jekyll folder of posts gives addresses by date.
        if let day = note.date?.day, folder.holdsPosts {
            let name = Slug.make(from: matter.slug ?? note.nameWithoutDate)
            let date = day.text.replacing("-", with: "/")
            return (AddressPath(wellFormed: "\(date)/\(name)/"), fault)
        }
        if let pattern, note.date != nil,
            let address = try? AddressPath(
                permalink: pattern.expanded(for: note, siteTitle: siteTitle))
        {
            return (address, fault)
        }
        let leaf = Slug.make(from: matter.slug ?? note.name)
        return (AddressPath(wellFormed: folder.path + leaf + "/"), fault)
    }

    /// Warns of a part of a note's own `permalink` that other tools fill in:
    /// here it stands in the address as it is typed. A colon inside a part
    /// belongs to names such as `Talk:Rivers`.
    private static func unknownVariable(in permalink: String, of note: Note) -> Diagnostic? {
        guard permalink.utf8.contains(UInt8(ascii: ":")) else { return nil }
        for part in permalink.split(separator: "/") where part.hasPrefix(":") {
            guard let (name, closest) = PermalinkPattern.unknownVariable(in: String(part)) else {
                continue
            }
            return Diagnostic(
                .warning, "permalink",
                "a permalink has no part `\(name)`: it stands in the address as it is",
                at: SourceSpan(file: note.file, range: note.frontMatter.range(of: .permalink)),
                help: closest.map { "did you mean `\($0)`?" }
                    ?? "there are \(PermalinkPattern.names); to give all notes such addresses, "
                    + "write a pattern as `permalink:` in daybook.yml")
        }
        return nil
    }
}
