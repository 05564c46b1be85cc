import Notes

/// Questions in words: what `explain` prints, and why a page was rendered.
extension SiteRead {
    /// What was asked, as a noun: `the title of content/b.md`.
    package func words(in site: Site) -> String {
        func file(_ id: NoteID) -> String {
            let path = site.store.paths[id.rawValue] ?? "a note that is gone"
            return NotePath.joined(site.settings.content ?? "", path)
        }
        func place(_ folder: String) -> String { folder.isEmpty ? "the root" : "`\(folder)`" }
        return switch self {
        case .field(let field, let id): "\(field.words) of \(file(id))"
        case .extra(let key, let id): "`\(key)` of \(file(id))"
        case .part(let anchor, let id): "the part `#\(anchor)` of \(file(id))"
        case .address(let id): "the address of \(file(id))"
        case .link(let id, let index): "what link \(index + 1) of \(file(id)) leads to"
        case .sentence(let id, let index):
            "the sentence around link \(index + 1) of \(file(id))"
        case .image(let id): "the image of \(file(id))"
        case .neighbours(let id): "the notes before and after \(file(id))"
        case .backlinks(let id): "the links to \(file(id))"
        case .count(let list): "the number of \(list.words)"
        case .slice(let list, let range):
            range.lowerBound == 0 && range.upperBound == .max
                ? list.words : "\(range.lowerBound + 1) to \(range.upperBound) of \(list.words)"
        case .sections(let list): "the sections of \(list.words)"
        case .tag(let key): "the tag `\(key)`"
        case .tagChildren(let key): "the tags in `\(key)`"
        case .tags: "the tags"
        case .yearBeside(let name, let offset):
            offset > 0 ? "the year before \(name)" : "the year after \(name)"
        case .datedCount: "the number of dated notes"
        case .folderIndex: "whether the home page lists folders"
        case .years: "the years"
        case .folderChildren(let path): "the folders in \(place(path))"
        case .folderCount(let path): "the number of notes in \(place(path))"
        case .folder(let path): "the folder \(place(path))"
        case .setting(let setting): "the setting `\(setting.name)`"
        case .extraSetting(let key): "the setting `extra.\(key)`"
        case .collection(let url): "the collection at /\(url)"
        case .collections: "the collections"
        case .output(let path): "whether /\(path) is there"
        case .pageCount: "the number of home pages"
        case .template(let name): "the template \(name)"
        }
    }

    /// The file that the answer stands in, in the site folder; nil where it
    /// follows from many.
    package func file(in site: Site) -> String? {
        switch self {
        case .setting, .extraSetting, .collection, .collections: return "daybook.yml"
        case .template(let name): return "Templates/" + name
        default:
            guard let id = words?.note, let path = site.store.paths[id.rawValue] else { return nil }
            return NotePath.joined(site.settings.content ?? "", path)
        }
    }
}

extension SiteRead.Setting {
    /// The key in the settings.
    fileprivate var name: String {
        switch self {
        case .baseURL, .basePath, .origin: "base-url"
        case .feedLimit: "feed.limit"
        case .feedHasFullContent: "feed.full-content"
        default: "\(self)"
        }
    }
}

extension NoteField {
    fileprivate var words: String {
        switch self {
        case .links: "the links"
        case .headings: "the headings"
        case .blocks: "the block ids"
        case .extra: "the other keys"
        default: "the \(name)"
        }
    }
}

extension NoteList {
    fileprivate var words: String {
        switch self {
        case .listed: "the list of notes"
        case .published: "all notes by path"
        case .year(let name): "the notes of \(name)"
        case .tag(let key): "the notes tagged `\(key)`"
        case .folder(let path): path.isEmpty ? "the notes at the root" : "the notes in `\(path)`"
        case .slice(let list, let range):
            "notes \(range.lowerBound + 1) to \(range.upperBound) of \(list.words)"
        case .query(_, let list): "a query of \(list.words)"
        case .section(let list, let key): "the section `\(key)` of \(list.words)"
        }
    }
}

extension Wake {
    /// Why, in words: `the title of content/b.md is another`.
    package func words(in site: Site) -> String {
        switch self {
        case .first: "nothing was known of it"
        case .planned: "another page stood at its address"
        case .output: "its file was not as it was left"
        case .message: "what was said of it is in a file that changed"
        case .read(let read): "\(read.words(in: site)) changed"
        }
    }

    /// The kind of reason, in a word.
    package var kind: String {
        switch self {
        case .first: "new"
        case .planned: "plan"
        case .output: "output"
        case .message: "message"
        case .read(let read):
            switch read {
            case .template: "template"
            case .setting, .extraSetting, .collection, .collections: "setting"
            default: read.words == nil ? "list" : "note"
            }
        }
    }
}
