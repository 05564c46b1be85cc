import Bytes
import Diagnostics
import Notes
import Publishing

/// Answers what the editor asks for: reads and writes notes. Used by the thread
/// that builds, between builds.
struct EditorDesk {
    private let source: SiteSource
    private let content: Folder
    /// The content folder, links resolved.
    private let root: String
    /// The paths, from the root, that were written: what a build must look at.
    private(set) var changed: Set<String> = []

    /// The most bytes of a note that is edited.
    private static let limit = 8 << 20

    /// What the latest build left.
    private let snapshot: PreviewSnapshot

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
            case .save(let path, let revision, let edit): return try save(path, revision, edit)
            case .create(let draft, let folder): return try create(draft, in: folder)
            case .delete(let path, let revision): return try delete(path, revision)
            case .undo(let path, let trash): return try undo(path, trash)
            case .show(let path, let revision, let edit, let draft):
                return try show(path, revision, edit, draft, &session)
            case .attach(let name, let folder, let bytes):
                return try attach(name, to: folder, bytes)
            }
        } catch {
            return failure(error)
        }
    }

    // MARK: One note

    private static func revision(of bytes: [UInt8]) -> String {
        bytes.withUnsafeBytes { ContentHash(of: $0) }.hexadecimal
    }

    /// The bytes of a note; nil where there is none, or only through a link that
    /// leads out of the notes.
    private func read(_ path: String) -> [UInt8]? {
        guard let real = FilePath.resolved(root + "/" + path), isInside(real) else { return nil }
        return try? content.read(path, limit: Self.limit)
    }

    private func isInside(_ real: String) -> Bool {
        FilePath.isInside(real, root)
    }

    private func open(_ path: String, _ site: Site?) throws(FileError) -> HTTPResponse {
        guard let bytes = read(path) else {
            return .json(.notFound, .object([("error", .text("There is no note \(path)."))]))
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            return .json(
                .unprocessable,
                .object([("error", .text("\(path) is not in UTF-8; it cannot be edited here."))]))
        }
        return .json(.ok, description(of: path, bytes, site))
    }

    private func description(of path: String, _ bytes: [UInt8], _ site: Site?) -> JSONValue {
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
            ("body", .text(note.body)),
        ])
    }

    private mutating func save(
        _ path: String, _ revision: String, _ edit: NoteEdit
    ) throws(FileError) -> HTTPResponse {
        guard let bytes = read(path) else {
            return .json(
                .conflict,
                .object([
                    ("error", .text("The note is not there any more: it was moved or deleted.")),
                    ("gone", .boolean(true)),
                ]))
        }
        guard Self.revision(of: bytes) == revision else {
            return .json(
                .conflict,
                .object([
                    ("error", .text("The file has changed since it was opened.")),
                    ("theirs", description(of: path, bytes, nil)),
                ]))
        }
        let new: [UInt8]
        do throws(FrontMatterEditError) {
            new = try edit.applied(to: bytes)
        } catch {
            return refusal(error)
        }
        if new != bytes { try place(new, at: path) }
        return .json(
            .ok,
            .object([
                ("path", .text(path)), ("revision", .text(Self.revision(of: new))),
                ("changed", .boolean(new != bytes)),
            ]))
    }

    /// Puts bytes in the place of a note's, wholly or not at all. A link in its
    /// place stays: what it leads to is replaced.
    private mutating func place(_ bytes: [UInt8], at path: String) throws(FileError) {
        let real = FilePath.resolved(root + "/" + path) ?? root + "/" + path
        let folder = try Folder(NotePath.folder(of: real))
        let name = NotePath.fileName(of: real)
        // Left out of every scan by its dot.
        let draft = ".\(name.prefix(100)).daybook-save"
        try folder.write(bytes, to: draft)
        // Who may read a note stays as it was.
        folder.takePermissions(of: name, to: draft)
        try folder.rename(draft, to: name, in: folder)
        changed.insert(root + "/" + path)
    }

    // MARK: New notes

    private mutating func create(
        _ draft: NoteDraft, in folder: String
    ) throws(FileError) -> HTTPResponse {
        if let date = draft.date, (try? NoteDate(parsing: date)) == nil {
            return refusal(.noSuchDate(date))
        }
        for tag in draft.tags where Tag(tag) == nil { return refusal(.unusualValue("tags")) }
        let place = try openFolder(folder)
        let name = draft.fileName
        var free = name
        var number = 2
        while true {
            let path = NotePath.joined(folder, free)
            guard !source.leavesOut(path) else {
                return .json(
                    .unprocessable,
                    .object([("error", .text("Nothing in that folder is taken for a note."))]))
            }
            do throws(FileError) {
                let bytes = Array(draft.text.utf8)
                try place.write(bytes, to: free, replacing: false)
                changed.insert(root + "/" + path)
                return .json(
                    .created,
                    .object([
                        ("path", .text(path)), ("revision", .text(Self.revision(of: bytes))),
                    ]))
            } catch {
                guard error.isOccupied, number < 1000 else { throw error }
                free = "\(NotePath.withoutEnding(name)) \(number).md"
                number += 1
            }
        }
    }

    /// Opens a folder of the notes, which is made where it is not there; never
    /// through a link.
    private func openFolder(_ folder: String) throws(FileError) -> Folder {
        var place = content
        for part in folder.split(separator: "/") {
            place = try place.makeAndOpenFolder(String(part))
        }
        return place
    }

    private mutating func attach(
        _ name: String, to folder: String, _ bytes: [UInt8]
    ) throws(FileError) -> HTTPResponse {
        guard let kind = PictureKind(bytes) else {
            return .json(.unprocessable, .object([("error", .text("That is no picture."))]))
        }
        let place = try openFolder(folder)
        let stem = Slug.make(from: NotePath.withoutEnding(NotePath.fileName(of: name)))
        var number = 1
        while true {
            let free = (number == 1 ? stem : "\(stem)-\(number)") + "." + kind.ending
            do throws(FileError) {
                try place.write(bytes, to: free, replacing: false)
                changed.insert(root + "/" + NotePath.joined(folder, free))
                return .json(.created, .object([("name", .text(free))]))
            } catch {
                guard error.isOccupied, number < 1000 else { throw error }
                number += 1
            }
        }
    }

    // MARK: Deleting

    private mutating func delete(
        _ path: String, _ revision: String?
    ) throws(FileError) -> HTTPResponse {
        guard let bytes = read(path) else {
            return .json(
                .notFound, .object([("error", .text("The note is not there any more."))]))
        }
        if let revision, Self.revision(of: bytes) != revision {
            return .json(
                .conflict,
                .object([("error", .text("The file has changed since it was opened."))]))
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
            return .json(.conflict, .object([("error", .text(reason))]))
        }
        changed.insert(root + "/" + path)
        return .json(.ok, .object([("path", .text(path))]))
    }

    // MARK: Showing

    private func show(
        _ path: String?, _ revision: String?, _ edit: NoteEdit, _ draft: NoteDraft?,
        _ session: inout BuildSession
    ) throws(FileError) -> HTTPResponse {
        let place: String
        let text: [UInt8]
        if let path {
            guard let bytes = read(path) else {
                return .json(.notFound, .object([("error", .text("The note is not there."))]))
            }
            place = path
            do throws(FrontMatterEditError) { text = try edit.applied(to: bytes) } catch {
                return refusal(error)
            }
        } else {
            let draft = draft ?? NoteDraft(title: "Untitled", date: nil)
            (place, text) = (draft.fileName, Array(draft.text.utf8))
        }
        let page = session.draft(ofNote: place, text: text)
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

    private func refusal(_ error: FrontMatterEditError) -> HTTPResponse {
        let sentence = error.message.prefix(1).uppercased() + error.message.dropFirst() + "."
        return .json(.unprocessable, .object([("error", .text(sentence))]))
    }

    private func failure(_ error: FileError) -> HTTPResponse {
        .json(.internalError, .object([("error", .text(hidingPlace(error.message)))]))
    }

    /// A message without where the site stands on the disk.
    private func hidingPlace(_ text: String) -> String {
        text.replacing(source.path + "/", with: "").replacing(root + "/", with: "")
    }
}
