import Bytes
import Notes

/// What the editor's page asks for; who answers is the thread that builds.
enum EditorRequest: Sendable {
    /// All notes.
    case list
    /// One note, by its path in the content folder.
    case open(String)
    /// Changes of a note that is there.
    case save(NoteSave)
    /// A note that is not there yet, with the pictures that it shows.
    case create(NoteDraft, folder: String, [NotePicture])
    /// To the trash, where the file still has this digest.
    case delete(String, revision: String?)
    /// Back from a place in the trash.
    case undo(String, trash: String)
    /// The page of a note as it would be.
    case show(String, NoteEdit)
    /// The page of one that is new, in a folder.
    case showNew(NoteDraft, folder: String)
}

/// Why a request is not understood.
enum EditorRequestError: Error, Equatable {
    /// The body is not what is expected, for this reason.
    case noJSON(String)
    /// Something is missing.
    case missing(String)
    /// That is no path of a note.
    case noNote
    /// That is no folder that notes can be in.
    case noFolder
    /// The pictures are not what was said of them.
    case otherPictures
    /// There is nothing of that name to do.
    case unknown

    /// The message, as the editor shows it.
    var message: String {
        switch self {
        case .noJSON(let reason): "The body is no JSON: \(reason)."
        case .missing(let what): "What is asked for lacks \(what)."
        case .noNote: "That is no path of a note."
        case .noFolder:
            "That cannot be a folder of notes: no part of it may be empty, begin with a dot or hold a backslash."
        case .otherPictures: "The pictures are not those that were announced."
        case .unknown: "There is no such thing to do."
        }
    }
}

extension EditorRequest {
    /// Reads what is asked for by a name, the query and a body: JSON, of so many
    /// bytes as the query says, and behind it the pictures, one after the other.
    init(_ name: String, _ target: RequestTarget, _ body: [UInt8]) throws(EditorRequestError) {
        switch name {
        case "notes": self = .list
        case "note": self = .open(try Self.path(target["path"]))
        default:
            let length = target["json"].flatMap { Int($0) } ?? body.count
            guard (0...body.count).contains(length) else { throw .otherPictures }
            let json: JSONValue
            do throws(JSONError) { json = try JSONValue(parsing: Array(body[..<length])) } catch {
                throw .noJSON(error.reason)
            }
            try self.init(name, json, body[length...])
        }
    }

    private init(
        _ name: String, _ json: JSONValue, _ rest: ArraySlice<UInt8>
    ) throws(EditorRequestError) {
        switch name {
        case "save": self = .save(try Self.save(json, rest))
        case "create":
            self = .create(
                try Self.draft(json), folder: try Self.folder(json["folder"]?.string ?? ""),
                try Self.pictures(json, rest))
        case "delete":
            self = .delete(
                try Self.path(json["path"]?.string), revision: json["revision"]?.string)
        case "undo":
            guard let trash = json["trash"]?.string, NotePath.resolved(trash, from: "") == trash
            else { throw .missing("a place in the trash") }
            self = .undo(try Self.path(json["path"]?.string), trash: trash)
        case "show":
            if let path = json["path"]?.string {
                self = .show(try Self.path(path), try Self.edit(json))
            } else {
                self = .showNew(
                    try Self.draft(json), folder: try Self.folder(json["folder"]?.string ?? ""))
            }
        default: throw .unknown
        }
    }

    // MARK: Parts

    /// A note's path: below the content folder, hidden nowhere.
    private static func path(_ text: String?) throws(EditorRequestError) -> String {
        guard let text, NotePath.isNote(text), isVisible(text) else {
            throw .noNote
        }
        return text
    }

    private static func folder(_ text: String) throws(EditorRequestError) -> String {
        guard text.isEmpty || isVisible(text) else {
            throw .noFolder
        }
        return text
    }

    private static func isVisible(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.allSatisfy { part in
            !part.isEmpty && !part.hasPrefix(".")
                && part.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }
        }
    }

    private static func save(
        _ json: JSONValue, _ rest: ArraySlice<UInt8>
    ) throws(EditorRequestError) -> NoteSave {
        guard let revision = json["revision"]?.string else { throw .missing("a revision") }
        var save = NoteSave(path: try path(json["path"]?.string), revision: revision)
        save.edit = try edit(json)
        save.pictures = try pictures(json, rest)
        save.opened = (json["opened"]?.string).map { Array($0.utf8) }
        save.overwrites =
            switch json["over"] {
            case nil: nil
            case .null?: .nothing
            case let other?: other.string.map { .file($0) }
            }
        return save
    }

    /// The pictures behind the JSON that names them, each with its length.
    private static func pictures(
        _ json: JSONValue, _ bytes: ArraySlice<UInt8>
    ) throws(EditorRequestError) -> [NotePicture] {
        var rest = bytes
        var pictures: [NotePicture] = []
        for picture in json["pictures"]?.list ?? [] {
            guard let name = picture["name"]?.string, !name.isEmpty,
                let size = picture["size"]?.integer, (1...max(1, rest.count)).contains(size),
                size <= rest.count
            else { throw .otherPictures }
            pictures.append(NotePicture(name: name, bytes: Array(rest.prefix(size))))
            rest = rest.dropFirst(size)
        }
        guard rest.isEmpty else { throw .otherPictures }
        return pictures
    }

    private static func edit(_ json: JSONValue) throws(EditorRequestError) -> NoteEdit {
        var edit = NoteEdit()
        edit.text = json["text"]?.string
        edit.body = json["body"]?.string
        edit.frontMatter.title = change(json["title"], \.string)
        edit.frontMatter.date = change(json["date"], \.string)
        edit.frontMatter.draft = change(json["draft"], \.truth)
        edit.frontMatter.tags = change(json["tags"]) { $0.list?.compactMap(\.string) }
        if case .set(let title) = edit.frontMatter.title, title.allSatisfy(\.isWhitespace) {
            edit.frontMatter.title = .remove
        }
        return edit
    }

    private static func change<Value>(
        _ json: JSONValue?, _ value: (JSONValue) -> Value?
    ) -> FrontMatterEdit.Change<Value> {
        switch json {
        case nil: .keep
        case .null?: .remove
        case let json?: value(json).map { .set($0) } ?? .keep
        }
    }

    private static func draft(_ json: JSONValue) throws(EditorRequestError) -> NoteDraft {
        let words = (json["title"]?.string ?? "").split(whereSeparator: \.isWhitespace)
        var draft = NoteDraft(
            title: words.isEmpty ? "Untitled" : words.joined(separator: " "),
            date: json["date"]?.string, tags: json["tags"]?.list?.compactMap(\.string) ?? [])
        draft.isDraft = json["draft"]?.truth ?? false
        draft.body = json["body"]?.string ?? ""
        return draft
    }
}
