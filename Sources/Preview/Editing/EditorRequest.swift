import Bytes
import Notes

/// What the editor's page asks for; who answers is the thread that builds.
enum EditorRequest: Sendable {
    /// All notes.
    case list
    /// One note, by its path in the content folder.
    case open(String)
    /// Changes of a note whose file had this digest.
    case save(String, revision: String, NoteEdit)
    /// A note that is not there yet.
    case create(NoteDraft, folder: String)
    /// To the trash, where the file still has this digest.
    case delete(String, revision: String?)
    /// Back from a place in the trash.
    case undo(String, trash: String)
    /// The page of a note as it would be; of one that is new where nil.
    case show(String?, revision: String?, NoteEdit, NoteDraft?)
    /// A picture beside a note, or in a folder.
    case attach(name: String, folder: String, [UInt8])
}

/// Why a request is not understood.
struct EditorRequestError: Error, Equatable {
    var reason: String
}

extension EditorRequest {
    /// Reads what is asked for by a name, the query and a JSON body.
    init(_ name: String, _ target: RequestTarget, _ body: [UInt8]) throws(EditorRequestError) {
        switch name {
        case "notes": self = .list
        case "note": self = .open(try Self.path(target["path"]))
        case "attach":
            guard let file = target["name"], !body.isEmpty else {
                throw EditorRequestError(reason: "expected a name and a picture")
            }
            self = .attach(name: file, folder: try Self.folder(target["folder"] ?? ""), body)
        default:
            let json: JSONValue
            do throws(JSONError) { json = try JSONValue(parsing: body) } catch {
                throw EditorRequestError(reason: "the body is no JSON: \(error.reason)")
            }
            try self.init(name, json)
        }
    }

    private init(_ name: String, _ json: JSONValue) throws(EditorRequestError) {
        switch name {
        case "save":
            guard let revision = json["revision"]?.string else {
                throw EditorRequestError(reason: "expected a revision")
            }
            self = .save(
                try Self.path(json["path"]?.string), revision: revision, try Self.edit(json))
        case "create":
            self = .create(
                try Self.draft(json), folder: try Self.folder(json["folder"]?.string ?? ""))
        case "delete":
            self = .delete(
                try Self.path(json["path"]?.string), revision: json["revision"]?.string)
        case "undo":
            guard let trash = json["trash"]?.string, NotePath.resolved(trash, from: "") == trash
            else { throw EditorRequestError(reason: "expected a place in the trash") }
            self = .undo(try Self.path(json["path"]?.string), trash: trash)
        case "show":
            if let path = json["path"]?.string {
                self = .show(
                    try Self.path(path), revision: json["revision"]?.string, try Self.edit(json),
                    nil)
            } else {
                self = .show(nil, revision: nil, NoteEdit(), try Self.draft(json))
            }
        default: throw EditorRequestError(reason: "there is no such thing to do")
        }
    }

    // MARK: Parts

    /// A note's path: below the content folder, hidden nowhere.
    private static func path(_ text: String?) throws(EditorRequestError) -> String {
        guard let text, NotePath.isNote(text), isVisible(text) else {
            throw EditorRequestError(reason: "expected the path of a note")
        }
        return text
    }

    private static func folder(_ text: String) throws(EditorRequestError) -> String {
        guard text.isEmpty || isVisible(text) else {
            throw EditorRequestError(reason: "expected a folder of the notes")
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
