import Bytes
import Notes
import Synchronization

/// A planned site as bytes: everything but the notes themselves, which are read
/// from their files when a page asks for them.
extension Site {
    /// Writes the plan.
    func write(to writer: inout BinaryWriter) {
        writer.write(settings.title)
        writer.write(list: store.paths) { $0.write(optional: $1) { $0.write($1) } }
        writer.write(ids: published)
        writer.write(rows: addresses) { $0.write(optional: $1?.path) { $0.write($1) } }
        writer.write(ids: introductions.sorted { $0.rawValue < $1.rawValue })
        writer.write(ids: listed.ids)
        writer.write(datedCount)
        writer.write(list: years) { writer, year in
            writer.write(year.name)
            writer.write(year.ids.count)
        }
        writer.write(list: tags) { writer, tag in
            writer.write(tag.key)
            writer.write(tag.label)
            writer.write(ids: tag.ids)
            writer.write(list: tag.children) { $0.write($1) }
            writer.write(optional: tag.parent) { $0.write($1) }
        }
        writer.write(list: folders) { writer, folder in
            writer.write(folder.path)
            writer.write(folder.address.path)
            writer.write(optional: folder.introduction?.rawValue) { $0.write($1) }
            writer.write(ids: folder.ids)
            writer.write(list: folder.children) { $0.write($1) }
            writer.write(folder.count)
        }
        writer.write(list: attachments.index.paths) { $0.write($1) }
        writer.write(rows: links) { writer, links in
            writer.write(list: links) { $1.write(to: &$0) }
        }
        writer.write(rows: backlinks) { writer, backlinks in
            writer.write(list: backlinks) { writer, backlink in
                writer.write(backlink.source.rawValue)
                writer.write(backlink.link)
            }
        }
        writer.write(rows: pages) { $1.write(to: &$0) }
        writer.write(list: tagURLs) { $0.write($1) }
        writer.write(list: folderURLs) { $0.write($1) }
        writer.write(list: copies.sorted { $0.key.precedes($1.key) }) { writer, copy in
            writer.write(copy.key)
            copy.value.write(to: &writer)
        }
        // The answers that pages were given: who asks again need not work them
        // out, for which all notes would have to be read.
        let answers = self.answers.withLock { $0 }
        writer.write(list: answers.map { $0 }) { writer, answer in
            answer.key.write(to: &writer)
            writer.write(list: answer.value.sections) { writer, section in
                writer.write(section.key)
                writer.write(ids: section.ids)
            }
        }
    }

    /// Reads the plan of a site with `settings`, whose notes `loader` brings;
    /// nil where the bytes are not what was written.
    convenience init?(
        from reader: inout BinaryReader, settings: SiteSettings,
        loadedBy loader: ([String?]) -> any NoteLoading
    ) {
        var settings = settings
        settings.title = reader.text()
        let paths = reader.list { $0.optional { $0.text() } }
        let published = reader.ids()
        let addresses = reader.rows { $0.optional { AddressPath(wellFormed: $0.text()) } }
        let introductions = Set(reader.ids())
        let listed = reader.ids()
        let datedCount = reader.number()
        var start = 0
        let years = reader.list { reader -> Year in
            let (name, count) = (reader.text(), reader.number())
            let range = (start..<start + max(0, count)).clamped(to: 0..<listed.count)
            start += count
            return Year(name: name, ids: Array(listed[range]))
        }
        let tags = reader.list { reader in
            TagEntry(
                key: reader.text(), label: reader.text(), ids: reader.ids(),
                children: reader.list { $0.number() }, parent: reader.optional { $0.number() })
        }
        let folders = reader.list { reader in
            FolderEntry(
                path: reader.text(), address: AddressPath(wellFormed: reader.text()),
                introduction: reader.optional { NoteID(rawValue: $0.number()) },
                ids: reader.ids(), children: reader.list { $0.number() }, count: reader.number())
        }
        let attachments = Attachments(paths: reader.list { $0.text() })
        let links = reader.rows { reader in reader.list { LinkTarget(from: &$0) } }
        let backlinks = reader.rows { reader in
            reader.list { Backlink(source: NoteID(rawValue: $0.number()), link: $0.number()) }
        }
        let pages = reader.rows { Page(from: &$0) }
        let tagURLs = reader.list { $0.text() }
        let folderURLs = reader.list { $0.text() }
        var isKnown = true
        let copies = Dictionary(
            reader.list { ($0.text(), SitePlanner.CopySource(from: &$0)) },
            uniquingKeysWith: { first, _ in first })
        let answers = reader.list { reader -> (NoteList, QueryResults)? in
            guard let list = NoteList(from: &reader) else {
                isKnown = false
                return nil
            }
            return (
                list,
                QueryResults(
                    sections: reader.list { .init(key: $0.text(), ids: $0.ids()) })
            )
        }
        let count = paths.count
        guard reader.isSound, isKnown, addresses.count == count, links.count == count,
            backlinks.count == count, tagURLs.count == tags.count,
            folderURLs.count == folders.count,
            (published + listed).allSatisfy({ $0.rawValue < count })
        else { return nil }
        self.init(
            settings: settings, store: NoteStore(at: paths, loadedBy: loader(paths)),
            publications: [], published: published, addresses: addresses,
            introductions: introductions,
            listed: QueryResults(
                sections: listed.isEmpty ? [] : [.init(key: "", ids: listed)]),
            datedCount: datedCount, years: years, tags: tags, folders: folders,
            attachments: attachments, links: links, backlinks: backlinks, pages: pages,
            copies: copies, tagURLs: tagURLs, folderURLs: folderURLs)
        self.answers.withLock { known in
            for answer in answers {
                if let (list, results) = answer { known[list] = results }
            }
        }
    }
}

extension LinkTarget {
    fileprivate func write(to writer: inout BinaryWriter) {
        switch self {
        case .note(let id, let anchor):
            writer.write(byte: 0)
            writer.write(id.rawValue)
            writer.write(optional: anchor) { $0.write($1) }
        case .attachment(let index):
            writer.write(byte: 1)
            writer.write(index)
        case .address(let address):
            writer.write(byte: 2)
            writer.write(address.path)
        case .nothing: writer.write(byte: 3)
        case .hidden: writer.write(byte: 4)
        }
    }

    fileprivate init(from reader: inout BinaryReader) {
        switch reader.byte() {
        case 0:
            self = .note(
                NoteID(rawValue: reader.number()), anchor: reader.optional { $0.text() })
        case 1: self = .attachment(reader.number())
        case 2: self = .address(AddressPath(wellFormed: reader.text()))
        case 4: self = .hidden
        default: self = .nothing
        }
    }
}

extension Page {
    /// Writes the page's plan.
    func write(to writer: inout BinaryWriter) {
        writer.write(kindName)
        switch kind {
        case .note(let id), .redirect(let id): writer.write(id.rawValue)
        case .home(let number): writer.write(number)
        case .year(let text), .folder(let text), .tag(let text), .collection(let text):
            writer.write(text)
        case .feed(let tag), .jsonFeed(let tag): writer.write(optional: tag) { $0.write($1) }
        case .archive, .tags, .sitemap, .robots, .notFound: break
        }
        writer.write(address.path)
        writer.write(template)
        writer.write(optional: introduction?.rawValue) { $0.write($1) }
    }

    /// Reads a page's plan.
    init(from reader: inout BinaryReader) {
        switch reader.text() {
        case "note": kind = .note(NoteID(rawValue: reader.number()))
        case "redirect": kind = .redirect(NoteID(rawValue: reader.number()))
        case "home": kind = .home(number: reader.number())
        case "archive": kind = .archive
        case "year": kind = .year(reader.text())
        case "folder": kind = .folder(reader.text())
        case "tags": kind = .tags
        case "tag": kind = .tag(reader.text())
        case "collection": kind = .collection(reader.text())
        case "feed": kind = .feed(tag: reader.optional { $0.text() })
        case "json-feed": kind = .jsonFeed(tag: reader.optional { $0.text() })
        case "sitemap": kind = .sitemap
        case "robots": kind = .robots
        // No other kind was written: the state is this very program's.
        default: kind = .notFound
        }
        address = AddressPath(wellFormed: reader.text())
        template = reader.text()
        introduction = reader.optional { NoteID(rawValue: $0.number()) }
    }
}

extension SitePlanner.CopySource {
    fileprivate func write(to writer: inout BinaryWriter) {
        switch self {
        case .staticFile(let path):
            writer.write(byte: 0)
            writer.write(path)
        case .attachment(let path):
            writer.write(byte: 1)
            writer.write(path)
        case .asset(let path):
            writer.write(byte: 2)
            writer.write(path)
        case .styles(let path, let theme):
            writer.write(byte: 3)
            writer.write(path)
            writer.write(theme)
        }
    }

    fileprivate init(from reader: inout BinaryReader) {
        switch reader.byte() {
        case 0: self = .staticFile(reader.text())
        case 1: self = .attachment(reader.text())
        case 3: self = .styles(reader.text(), theme: reader.text())
        default: self = .asset(reader.text())
        }
    }
}

extension BinaryWriter {
    /// Writes the numbers of notes.
    mutating func write(ids: [NoteID]) {
        write(ids.count)
        for id in ids { write(id.rawValue) }
    }
}

extension BinaryReader {
    /// Reads the numbers of notes.
    mutating func ids() -> [NoteID] { list { NoteID(rawValue: $0.number()) } }
}
