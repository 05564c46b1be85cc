import Bytes
import Diagnostics
import Notes
import Publishing

/// Answers what the editor asks for: reads and writes notes. Used by the thread
/// that builds, between builds.
struct EditorDesk {
    let source: SiteSource
    let content: Folder
    /// The content folder, links resolved.
    let root: String
    /// The paths, from the root, that were written: what a build must look at.
    var changed: Set<String> = []
    /// The output paths of attachments that texts which are written show.
    var shown: Set<String> = []

    /// The most bytes of a note that is edited.
    static let limit = 8 << 20

    /// What the latest build left.
    let snapshot: PreviewSnapshot

    /// A desk for the notes of a site.
    init(_ source: SiteSource, _ snapshot: PreviewSnapshot) throws(FileError) {
        self.source = source
        self.snapshot = snapshot
        let place = source.path + (source.contentPath.isEmpty ? "" : "/" + source.contentPath)
        root = FilePath.resolved(place) ?? place
        content = try Folder(place)
    }

    /// Answers a request.
    mutating func answer(_ request: EditorRequest, _ session: inout BuildSession) -> HTTPResponse {
        do throws(FileError) {
            switch request {
            case .list:
                return .json(.ok, .object([("notes", NoteRows.all(of: snapshot))]))
            case .open(let path): return try open(path, session.site)
            case .save(let save): return try self.save(save, session.site)
            case .create(let draft, let folder, let pictures):
                return try create(draft, in: folder, pictures, session.site)
            case .delete(let path, let revision): return try delete(path, revision)
            case .undo(let path, let trash): return try undo(path, trash)
            case .show(let path, let edit): return try show(path, edit, &session)
            case .showNew(let draft, let folder):
                return show(
                    NotePath.joined(folder, draft.fileName), Array(draft.text.utf8), &session)
            }
        } catch {
            return failure(error)
        }
    }

    // MARK: One note

    static func revision(of bytes: [UInt8]) -> String {
        bytes.withUnsafeBytes { ContentHash(of: $0) }.hexadecimal
    }

    /// The bytes of a note; nil where there is none, or only through a link that
    /// leads out of the notes. One that is there and cannot be read is an error.
    func read(_ path: String) throws(FileError) -> [UInt8]? {
        try contents(path)?.bytes
    }

    /// Likewise, with what the system said of it before.
    func contents(
        _ path: String
    ) throws(FileError) -> (bytes: [UInt8], status: FileStatus)? {
        let real = FilePath.resolved(root + "/" + path)
        if let real, !isInside(real) { return nil }
        if source.leavesOut(path) { return nil }
        do throws(FileError) {
            let found = try content.contents(path, limit: Self.limit)
            return real == nil ? nil : found
        } catch {
            guard error.isAbsence else { throw error }
            return nil
        }
    }

    func isInside(_ real: String) -> Bool {
        FilePath.isInside(real, root)
    }

    private func open(_ path: String, _ site: Site?) throws(FileError) -> HTTPResponse {
        guard let bytes = try read(path) else {
            return refusal(.notFound, "There is no note \(path).")
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            return refusal(
                .unprocessable, "\(path) is not in UTF-8; it cannot be edited here.")
        }
        return .json(.ok, description(of: path, bytes, site))
    }

    /// A note as the page has it: what the file holds, what of it a form shows, and
    /// whence both are.
    func description(of path: String, _ bytes: [UInt8], _ site: Site?) -> JSONValue {
        let note = EditableNote(bytes)
        let id = site?.store.id(ofPath: path)
        let url = id.flatMap { site?.url(of: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        let name = NotePath.name(of: path)
        let leading = NoteDate.leading(in: name)
        let named = leading.map { String(name.dropFirst($0.length)) } ?? name
        let clock = note.date?.time.map {
            CalendarDay.padded($0.hour, 2) + ":" + CalendarDay.padded($0.minute, 2)
        }
        return .object([
            ("path", .text(path)), ("revision", .text(Self.revision(of: bytes))),
            ("url", .optional(url)), ("reason", .optional(note.reason?.message)),
            ("title", .optional(note.title)), ("name", .text(named.isEmpty ? name : named)),
            ("date", .optional(note.date?.day.text)), ("time", .optional(clock)),
            ("fileDate", .optional(leading?.day.text)),
            ("tags", .array(note.tags.map { .text($0) })), ("draft", .boolean(note.isDraft)),
            ("body", .text(note.body)), ("source", .text(String(decoding: bytes, as: UTF8.self))),
        ])
    }

    // MARK: Deleting

    private mutating func delete(
        _ path: String, _ revision: String?
    ) throws(FileError) -> HTTPResponse {
        guard let real = FilePath.resolved(root + "/" + path), isInside(real) else {
            return refusal(.notFound, "The note is not there any more.")
        }
        if let revision, try read(path).map({ Self.revision(of: $0) }) != revision {
            return refusal(.conflict, "The file has changed since it was opened.")
        }
        let trash = try Trash(source).take(note: path)
        changed.insert(root + "/" + path)
        return .json(.ok, .object([("path", .text(path)), ("trash", .text(trash))]))
    }

    private mutating func undo(_ path: String, _ trash: String) throws(FileError) -> HTTPResponse {
        do throws(FileError) {
            try Trash(source).giveBack(trash, toNote: path)
        } catch {
            guard error.isOccupied || error.isAbsence else { throw error }
            let reason =
                error.isOccupied
                ? "Another note stands there by now." : "It is not in the trash any more."
            return refusal(.conflict, reason)
        }
        changed.insert(root + "/" + path)
        return .json(.ok, .object([("path", .text(path))]))
    }

    // MARK: Showing

    private mutating func show(
        _ path: String, _ edit: NoteEdit, _ session: inout BuildSession
    ) throws(FileError) -> HTTPResponse {
        guard let bytes = try read(path) else {
            return refusal(.notFound, "The note is not there.")
        }
        do throws(FrontMatterEditError) {
            return show(path, try edit.applied(to: bytes), &session)
        } catch {
            return refusal(error)
        }
    }

    private mutating func show(
        _ path: String, _ text: [UInt8], _ session: inout BuildSession
    ) -> HTTPResponse {
        let page = session.draft(ofNote: path, text: text)
        shown.formUnion(page.attachments)
        var printer = DiagnosticPrinter(style: .drawn(colours: false, width: 80)) { _ in text }
        let messages = page.messages.map { JSONValue.text(hidingPlace(printer.print($0))) }
        return .json(
            .ok,
            .object([
                ("html", .optional(page.html.map { String(decoding: $0, as: UTF8.self) })),
                ("messages", .array(messages)),
            ]))
    }

    // MARK: Refusals

    func refusal(_ status: HTTPStatus, _ sentence: String) -> HTTPResponse {
        .json(status, .object([("error", .text(sentence))]))
    }

    func refusal(_ error: FrontMatterEditError) -> HTTPResponse {
        refusal(.unprocessable, Self.sentence(error.message))
    }

    /// What is more than this could not be opened here again.
    func tooLarge(_ note: [UInt8]) -> HTTPResponse? {
        note.count <= Self.limit
            ? nil : refusal(.unprocessable, "The note would be too large: \(Self.mostWords).")
    }

    func failure(_ error: FileError) -> HTTPResponse {
        guard error.isTooLarge else { return refusal(.internalError, sentence(error)) }
        let path = hidingPlace(error.path)
        return refusal(
            .unprocessable, "\(path) is too large to be edited here: \(Self.mostWords).")
    }

    static let mostWords = "\(limit >> 20) MB are the most"

    func sentence(_ error: FileError) -> String {
        Self.sentence(hidingPlace(error.message))
    }

    static func sentence(_ message: String) -> String {
        message.prefix(1).uppercased() + message.dropFirst() + "."
    }

    /// A message without where the site stands on the disk.
    func hidingPlace(_ text: String) -> String {
        text.replacing(root + "/", with: "").replacing(source.path + "/", with: "")
    }
}
