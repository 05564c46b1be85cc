import Bytes
import Synchronization
package import Notes

/// A site at one moment: its published notes with their addresses, groups and
/// links, and the pages they make.
///
/// Constant once it is made, so all workers share it. Rendering never reads it
/// directly: it asks a ``SiteReader``, which records what was asked.
package final class Site: Sendable {
    /// The settings.
    package let settings: SiteSettings
    /// All notes, hidden ones included.
    package let store: NoteStore
    /// Whether each note is published, by its number.
    package let publications: [Publication?]
    /// The published notes, by path.
    package let published: [NoteID]
    /// Addresses of published notes, by number; nil for hidden ones.
    package let addresses: BinaryRows<AddressPath?>
    /// Which note introduces what, by number: the note's page is that page.
    package let introductions: Set<NoteID>
    /// The notes that lists show, newest first, undated ones last.
    package let listed: QueryResults
    /// The position of each dated note in ``listed``, by number; -1 for others.
    package let positions: [Int32]
    /// How many of ``listed`` are dated.
    package let datedCount: Int
    /// The years, newest first.
    package let years: [Year]
    /// The tags, by key, ancestors of nested ones included.
    package let tags: [TagEntry]
    /// Indexes into ``tags`` by key.
    package let tagIndexes: [String: Int]
    /// The folders that hold published notes, by path; the first is the root.
    package let folders: [FolderEntry]
    /// Indexes into ``folders`` by path.
    package let folderIndexes: [String: Int]
    /// The attachments, by path.
    package let attachments: Attachments
    /// What each link of a note leads to, by the note's number.
    package let links: BinaryRows<[LinkTarget]>
    /// The links to each note, by its number, in order of the linking notes'
    /// paths.
    package let backlinks: BinaryRows<[Backlink]>
    /// The pages, in the order of their output paths.
    package let pages: BinaryRows<Page>
    /// The files that are copied as they are: output path to source.
    package let copies: [String: SitePlanner.CopySource]
    /// Addresses of published notes as links write them, by number; empty for
    /// hidden ones, and as a whole where they are worked out when asked for.
    private let urls: [String]
    /// Addresses of the tags' pages as links write them, as ``tags``; empty
    /// where there is none.
    let tagURLs: [String]
    /// Likewise of folders' pages, as ``folders``.
    let folderURLs: [String]
    /// Every address at which something is made, of pages and copied files; nil
    /// where it is worked out when asked for.
    private let made: Set<String>?
    private let madeLate = Mutex<Set<String>?>(nil)
    /// Answers to the queries of templates. Guarded by its lock; what is in it
    /// never changes, so it makes no page depend on another.
    let answers = Mutex<[NoteList: QueryResults]>([:])

    /// A year with notes.
    package struct Year: Sendable {
        /// `2024`.
        package var name: String
        /// Its notes, newest first.
        package var ids: [NoteID]
    }

    /// A tag with its notes.
    package struct TagEntry: Sendable {
        /// What makes it the same tag in every spelling.
        package var key: String
        /// The first spelling, in the order of the notes' paths.
        package var label: String
        /// The notes that carry it or a tag nested in it, newest first.
        package var ids: [NoteID]
        /// The tags nested directly in it.
        package var children: [Int]
        /// The tag that it is nested in.
        package var parent: Int?

        /// The address of its page.
        package var address: AddressPath { AddressPath(wellFormed: "tags/\(key)/") }
    }

    /// A folder with its notes.
    package struct FolderEntry: Sendable {
        /// The path in the content folder; empty for the root.
        package var path: String
        /// The address of its page.
        package var address: AddressPath
        /// The note that introduces it.
        package var introduction: NoteID?
        /// The notes in it, less the introduction: by `order`, newest first,
        /// by title.
        package var ids: [NoteID]
        /// The folders directly in it.
        package var children: [Int]
        /// The number of notes in it and below, less introductions.
        package var count: Int
    }

    /// A link from elsewhere.
    package struct Backlink: Sendable, Equatable {
        /// The note that links.
        package var source: NoteID
        /// Which of its links; indexes its body's links.
        package var link: Int
    }

    /// A site of what was planned; all else follows from it.
    convenience init(
        settings: SiteSettings, store: NoteStore, publications: [Publication?],
        published: [NoteID], addresses: [AddressPath?], introductions: Set<NoteID>,
        listed: QueryResults, datedCount: Int, years: [Year], tags: [TagEntry],
        folders: [FolderEntry], attachments: Attachments, links: [[LinkTarget]], pages: [Page],
        copies: [String: SitePlanner.CopySource]
    ) {
        let (made, base) = (Self.made(pages, copies), settings.basePath)
        func url(_ address: AddressPath) -> String {
            made.contains(address.path) ? address.url(base: base) : ""
        }
        self.init(
            settings: settings, store: store, publications: publications, published: published,
            addresses: BinaryRows(addresses), introductions: introductions, listed: listed,
            datedCount: datedCount, years: years, tags: tags, folders: folders,
            attachments: attachments, links: BinaryRows(links),
            backlinks: BinaryRows(Self.backlinks(published, links: links)),
            pages: BinaryRows(pages), copies: copies,
            urls: addresses.map { $0?.url(base: base) ?? "" },
            tagURLs: tags.map { url($0.address) }, folderURLs: folders.map { url($0.address) },
            made: made)
    }

    /// A site of what was planned, with all that follows from it. `urls` and
    /// `made` are worked out when asked for where they are not given.
    init(
        settings: SiteSettings, store: NoteStore, publications: [Publication?],
        published: [NoteID], addresses: BinaryRows<AddressPath?>, introductions: Set<NoteID>,
        listed: QueryResults, datedCount: Int, years: [Year], tags: [TagEntry],
        folders: [FolderEntry], attachments: Attachments, links: BinaryRows<[LinkTarget]>,
        backlinks: BinaryRows<[Backlink]>, pages: BinaryRows<Page>,
        copies: [String: SitePlanner.CopySource], urls: [String] = [], tagURLs: [String],
        folderURLs: [String], made: Set<String>? = nil
    ) {
        self.settings = settings
        self.store = store
        self.publications = publications
        self.published = published
        self.addresses = addresses
        self.introductions = introductions
        self.listed = listed
        self.datedCount = datedCount
        self.years = years
        self.tags = tags
        self.folders = folders
        self.attachments = attachments
        self.links = links
        self.backlinks = backlinks
        self.pages = pages
        self.copies = copies
        self.urls = urls
        self.tagURLs = tagURLs
        self.folderURLs = folderURLs
        self.made = made
        var positions = Array(repeating: Int32(-1), count: store.slotCount)
        for (position, id) in listed.ids.prefix(datedCount).enumerated() {
            positions[id.rawValue] = Int32(position)
        }
        self.positions = positions
        tagIndexes = Dictionary(uniqueKeysWithValues: zip(tags.map(\.key), tags.indices))
        folderIndexes = Dictionary(uniqueKeysWithValues: zip(folders.map(\.path), folders.indices))
    }

    /// The same plan over notes that differ in what no plan is made from: their
    /// words; and in where their links lead, where that is given.
    init(
        _ site: Site, showing store: NoteStore, links: BinaryRows<[LinkTarget]>? = nil
    ) {
        settings = site.settings
        self.store = store
        publications = site.publications
        published = site.published
        addresses = site.addresses
        introductions = site.introductions
        listed = site.listed
        datedCount = site.datedCount
        years = site.years
        tags = site.tags
        folders = site.folders
        attachments = site.attachments
        self.links = links ?? site.links
        backlinks = site.backlinks
        pages = site.pages
        copies = site.copies
        urls = site.urls
        tagURLs = site.tagURLs
        folderURLs = site.folderURLs
        made = site.made
        positions = site.positions
        tagIndexes = site.tagIndexes
        folderIndexes = site.folderIndexes
        let (answered, late) = (site.answers.withLock { $0 }, site.madeLate.withLock { $0 })
        answers.withLock { $0 = answered }
        madeLate.withLock { $0 = late }
    }

    /// The address of a published note as links write it; empty for a hidden
    /// one.
    package func url(of id: NoteID) -> String {
        urls.isEmpty
            ? addresses[id.rawValue]?.url(base: settings.basePath) ?? "" : urls[id.rawValue]
    }

    /// The addresses that pages and copied files are reached at. A folder with
    /// an index page in `static/` is reached as the folder too.
    static func made(_ pages: some Sequence<Page>, _ copies: [String: SitePlanner.CopySource])
        -> Set<String>
    {
        let index = "index.html"
        let folders = copies.keys.filter { $0 == index || $0.hasSuffix("/" + index) }
            .map { String($0.dropLast(index.count)) }
        return Set(pages.map(\.address.path)).union(copies.keys).union(folders)
    }

    private static func backlinks(_ published: [NoteID], links: [[LinkTarget]]) -> [[Backlink]] {
        var backlinks: [[Backlink]] = Array(repeating: [], count: links.count)
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

    /// What a link of a note leads to; nothing where it has no such link.
    func target(ofLink index: Int, in id: NoteID) -> LinkTarget {
        index < links[id.rawValue].count ? links[id.rawValue][index] : .nothing
    }

    /// The address of a picture that a note names as its image: of an
    /// attachment, of a file of the site, or as it stands where it has a scheme.
    func url(ofImage image: String, in note: Note) -> String? {
        if image.contains("://") { return image }
        if let index = attachments.find(image, from: note) {
            return AddressPath(wellFormed: attachments.outputs[index]).url(base: settings.basePath)
        }
        guard let path = NotePath.resolved(image, from: ""), isMade(path) else { return nil }
        return AddressPath(wellFormed: path).url(base: settings.basePath)
    }

    /// Whether something is made at an output path.
    func isMade(_ output: String) -> Bool {
        let index = "index.html"
        let isIndex = output == index || output.hasSuffix("/" + index)
        let address = isIndex ? String(output.dropLast(index.count)) : output
        if let made { return made.contains(address) }
        return madeLate.withLock { made in
            let known = made ?? Self.made(pages, copies)
            made = known
            return known.contains(address)
        }
    }

    /// The title of a note, or the site's where the note takes that.
    package func title(of note: Note) -> String { note.title ?? settings.title }
}

/// Files beside the notes: pictures and whatever else notes link to.
package struct Attachments: Sendable {
    /// Their paths, findable by name.
    package let index: NameIndex
    /// Where each is copied to, by its position in the index: folders as notes'
    /// addresses have them, the file's name as it is.
    package let outputs: [String]

    /// The attachments at `paths` of the content folder, ascending.
    package init(paths: [String]) {
        index = NameIndex(paths: paths)
        outputs = paths.map { path in
            let folder = NotePath.folder(of: path).split(separator: "/").map {
                Slug.make(from: String($0))
            }
            return NotePath.joined(
                folder.joined(separator: "/"), UnicodeText.composed(NotePath.fileName(of: path)))
        }
    }
}

/// What a link leads to.
package enum LinkTarget: Sendable, Equatable {
    /// A published note, perhaps at an anchor on its page.
    case note(NoteID, anchor: String?)
    /// A file beside the notes; indexes ``Attachments``.
    case attachment(Int)
    /// Any other address of the site, with the base still to be put before it.
    case address(AddressPath)
    /// Nothing that the site has: Markdown's own links stay as typed.
    case nothing
    /// A note that is not published; only the typed text may show.
    case hidden
}
