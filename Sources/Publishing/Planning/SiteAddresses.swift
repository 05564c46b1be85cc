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

    /// The addresses of generated pages that a note's body may introduce.
    static let introducible = ["tags/", "archive/", "search/", "404/", "404.html"]

    init(_ published: [NoteID], in store: NoteStore, settings: SiteSettings) {
        byNote = Array(repeating: nil, count: store.slotCount)
        for id in published {
            guard let note = store[id] else { continue }
            byNote[id.rawValue] = address(of: note, settings: settings)
        }
        chooseFolderNotes(published, in: store)
        for (folder, id) in folderNotes {
            byNote[id.rawValue] = Self.folderAddress(folder)
            if folder.isEmpty ? settings.pages.contains(.home) : settings.pages.contains(.folders) {
                introductions.insert(id)
            }
        }
        for id in published where !introductions.contains(id) {
            guard let address = byNote[id.rawValue]?.path, Self.introducible.contains(address)
            else { continue }
            let page = address == "404/" ? "404.html" : address
            byNote[id.rawValue] = AddressPath(wellFormed: page)
            if generatedIntroductions[page] == nil {
                generatedIntroductions[page] = id
                introductions.insert(id)
            }
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
        for id in ids {
            var folder = store[id]?.folder ?? ""
            while folders.insert(folder).inserted { folder = NotePath.folder(of: folder) }
        }
        return folders
    }

    /// A note whose `permalink` is the folder's address, else `_index`, else
    /// `index`, else `README`, else the note that stands at the address by its
    /// name: `foo.md` beside `foo/`. An index note that asks for an address of
    /// its own keeps that.
    private mutating func chooseFolderNotes(_ published: [NoteID], in store: NoteStore) {
        var ranks: [String: Int] = [:]
        func offer(_ id: NoteID, for folder: String, rank: Int) {
            if rank < ranks[folder] ?? .max {
                ranks[folder] = rank
                folderNotes[folder] = id
            }
        }
        let byAddress = Dictionary(
            Self.folders(of: published, in: store).sorted().map {
                (Self.folderAddress($0).path, $0)
            },
            uniquingKeysWith: { first, _ in first })
        for id in published {
            guard let note = store[id] else { continue }
            let matter = note.frontMatter
            if let address = byNote[id.rawValue], let folder = byAddress[address.path] {
                offer(id, for: folder, rank: matter.permalink == nil ? 9 : -1)
            }
            if let rank = note.indexRank, matter.permalink == nil, matter.slug == nil {
                offer(id, for: note.folder, rank: rank)
            }
        }
    }

    private mutating func address(of note: Note, settings: SiteSettings) -> AddressPath {
        let matter = note.frontMatter
        let folder = note.folder.split(separator: "/").map { String($0) }
        if let permalink = matter.permalink {
            let expanded = Self.expand(permalink, for: note, title: note.title ?? settings.title)
            do throws(AddressError) {
                return try AddressPath(permalink: expanded)
            } catch {
                let range = matter.range(of: .permalink)
                messages.append(
                    Diagnostic(
                        .error, "permalink", error.message(for: permalink),
                        at: SourceSpan(file: note.file, range: range), help: AddressError.help))
            }
        }
        let leaf = Slug.make(from: matter.slug ?? note.name)
        // A Jekyll folder of posts gives addresses by date.
        if folder.contains("_posts"), let day = note.date?.day {
            let name = matter.slug ?? Self.nameWithoutDate(note.name)
            return AddressPath(
                wellFormed:
                    "\(CalendarDay.padded(day.year, 4))/\(CalendarDay.padded(day.month, 2))/"
                    + "\(CalendarDay.padded(day.day, 2))/\(Slug.make(from: name))/")
        }
        if let pattern = settings.permalink, note.date != nil {
            let expanded = Self.expand(pattern, for: note, title: note.title ?? settings.title)
            if let address = try? AddressPath(permalink: expanded) { return address }
        }
        let parts = folder.map { Slug.make(from: $0) } + [leaf]
        return AddressPath(wellFormed: parts.joined(separator: "/") + "/")
    }

    private static func nameWithoutDate(_ name: String) -> String {
        guard let (_, length) = NoteDate.leading(in: name), length < name.utf8.count else {
            return name
        }
        return String(Substring(name.utf8.dropFirst(length)))
    }

    /// Fills in `:year :month :day :slug :title :folder`.
    private static func expand(_ pattern: String, for note: Note, title: String) -> String {
        guard pattern.contains(":") else { return pattern }
        let slug = Slug.make(from: note.frontMatter.slug ?? nameWithoutDate(note.name))
        let folder = folderAddress(note.folder).path
        let day = note.date?.day
        let values: [(String, String)] = [
            (":year", day.map { CalendarDay.padded($0.year, 4) } ?? ""),
            (":month", day.map { CalendarDay.padded($0.month, 2) } ?? ""),
            (":day", day.map { CalendarDay.padded($0.day, 2) } ?? ""),
            (":slug", slug),
            (":title", Slug.make(from: title)),
            (":folder", folder.hasSuffix("/") ? String(folder.dropLast()) : folder),
        ]
        var result = ""
        var rest = Substring(pattern)
        while let first = rest.first {
            if first == ":", let (name, value) = values.first(where: { rest.hasPrefix($0.0) }) {
                result += value
                rest = rest.dropFirst(name.count)
            } else {
                result.append(first)
                rest.removeFirst()
            }
        }
        return result
    }
}
