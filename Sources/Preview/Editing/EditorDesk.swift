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
    /// The output paths of attachments that texts which are written show.
    private(set) var shown: Set<String> = []

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

    private static func revision(of bytes: [UInt8]) -> String {
        bytes.withUnsafeBytes { ContentHash(of: $0) }.hexadecimal
    }

    /// The bytes of a note; nil where there is none, or only through a link that
    /// leads out of the notes. One that is there and cannot be read is an error.
    private func read(_ path: String) throws(FileError) -> [UInt8]? {
        try contents(path)?.bytes
    }

    /// Likewise, with what the system said of it before.
    private func contents(
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

    private func isInside(_ real: String) -> Bool {
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
            ("body", .text(note.body)), ("source", .text(String(decoding: bytes, as: UTF8.self))),
        ])
    }

    // MARK: Saving

    private mutating func save(_ save: NoteSave, _ site: Site?) throws(FileError) -> HTTPResponse {
        if let opened = save.opened, Self.revision(of: opened) != save.revision {
            return refusal(.badRequest, "What was opened does not have that digest.")
        }
        let found = try contents(save.path)
        let current = found?.bytes
        let now = current.map { NoteSave.Other.file(Self.revision(of: $0)) } ?? .nothing
        guard now == .file(save.revision) || now == save.overwrites else {
            return conflict(save, current, site)
        }
        var new: [UInt8]
        do throws(FrontMatterEditError) {
            new = try save.result(over: current)
        } catch {
            return refusal(error)
        }
        guard let found else {
            // Nobody has its words any more but the page that opened it.
            guard save.opened != nil || save.edit.text != nil else {
                return refusal(.unprocessable, "What was opened is needed to put it back.")
            }
            let name = NotePath.fileName(of: save.path)
            return try make(
                new, in: NotePath.folder(of: save.path), names: [name], save.pictures, site)
        }
        // Pictures are meant from where it stands, not from where a link leads.
        guard let here = FilePath.resolved(root + "/" + NotePath.folder(of: save.path)),
            isInside(here)
        else { return conflict(save, nil, site) }
        let folder = try Folder(here)
        guard let names = freeNames(for: save.pictures, in: folder) else {
            return refusal(.unprocessable, Self.noPicture)
        }
        for (picture, name) in zip(save.pictures, names) {
            new = picture.renamed(name, in: new)
        }
        if let response = tooLarge(new) { return response }
        let isChanged = new != current
        let pictures = try staged(save.pictures, names, in: folder)
        do throws(FileError) {
            if isChanged, try !replace(save.path, of: found.status, with: new) {
                for picture in pictures { picture.discard() }
                return conflict(save, try read(save.path), site)
            }
        } catch {
            for picture in pictures { picture.discard() }
            throw error
        }
        let placed = place(pictures, save.pictures, besideNote: save.path)
        return .json(
            .ok,
            description(of: save.path, new, site)
                .adding([("changed", .boolean(isChanged))] + placed))
    }

    /// Puts bytes in the place of a note's, wholly or not at all; false where the
    /// file is not the one of `status` any more, because somebody else saved it
    /// meanwhile. A link in its place stays: what it leads to is replaced.
    private mutating func replace(
        _ path: String, of status: FileStatus, with bytes: [UInt8]
    ) throws(FileError) -> Bool {
        let real = FilePath.resolved(root + "/" + path) ?? root + "/" + path
        let note = try StagedFile(
            bytes, for: FilePath.name(of: real), in: Folder(FilePath.folder(of: real)))
        do throws(FileError) {
            // Looked at last of all: writing may have taken a while.
            guard FilePath.status(real) == status else {
                note.discard()
                return false
            }
            try note.replace()
        } catch {
            note.discard()
            throw error
        }
        changed.insert(root + "/" + path)
        return true
    }

    /// What stands in the place of the note is not what was opened: both texts, that
    /// in the file and the one that would be written over it.
    private func conflict(
        _ save: NoteSave, _ current: [UInt8]?, _ site: Site?
    ) -> HTTPResponse {
        let isKnown = current != nil || save.opened != nil || save.edit.text != nil
        let mine = isKnown ? try? save.result(over: current) : nil
        let text = mine.map { EditableNote.text(of: $0) }
        guard let current else {
            return .json(
                .conflict,
                .object([
                    ("error", .text("The note is not there any more: it was moved or deleted.")),
                    ("gone", .boolean(true)), ("mine", .optional(text)),
                ]))
        }
        return .json(
            .conflict,
            .object([
                ("error", .text("The file has changed since it was opened.")),
                ("theirs", description(of: save.path, current, site)), ("mine", .optional(text)),
            ]))
    }

    // MARK: New notes

    private mutating func create(
        _ draft: NoteDraft, in folder: String, _ pictures: [NotePicture], _ site: Site?
    ) throws(FileError) -> HTTPResponse {
        if let date = draft.date, (try? NoteDate(parsing: date)) == nil {
            return refusal(.noSuchDate(date))
        }
        for tag in draft.tags where Tag(tag) == nil { return refusal(.unusualValue("tags")) }
        let name = draft.fileName
        let others = (2...1000).map { "\(NotePath.withoutEnding(name)) \($0).md" }
        return try make(
            Array(draft.text.utf8), in: folder, names: [name] + others, pictures, site)
    }

    /// Writes a note that is not there yet, with its pictures, under the first of
    /// `names` that is free. Nothing is made, no folder either, before nothing can
    /// refuse any more.
    private mutating func make(
        _ text: [UInt8], in folder: String, names: [String], _ pictures: [NotePicture],
        _ site: Site?
    ) throws(FileError) -> HTTPResponse {
        let slugs = slugs(in: folder, site)
        let free = names.drop { name in
            content.status(NotePath.joined(folder, name)) != nil
                || names.count > 1 && slugs.contains(Slug.make(from: NotePath.name(of: name)))
        }
        if let name = free.first, source.leavesOut(NotePath.joined(folder, name)) {
            return refusal(.unprocessable, "Nothing in that folder is taken for a note.")
        }
        if pictures.contains(where: { PictureKind($0.bytes) == nil }) {
            return refusal(.unprocessable, Self.noPicture)
        }
        if let response = tooLarge(text) { return response }
        let place = try NoteFolder(folder, in: content, root: root)
        do throws(FileError) {
            let (name, bytes, staged) = try write(text, free, pictures, in: place.folder)
            let path = NotePath.joined(folder, name)
            changed.insert(root + "/" + path)
            let placed = self.place(staged, pictures, besideNote: path)
            return .json(
                .created,
                description(of: path, bytes, site).adding([("changed", .boolean(true))] + placed))
        } catch {
            place.discard()
            throw error
        }
    }

    /// The names of a folder's notes as addresses have them: two that are the same
    /// there would want one address.
    private func slugs(in folder: String, _ site: Site?) -> Set<String> {
        let paths = site?.store.paths.compactMap { $0 } ?? []
        return Set(
            paths.filter { NotePath.folder(of: $0) == folder }
                .map { Slug.make(from: NotePath.name(of: $0)) })
    }

    /// Writes a note under the first of `names` that is free: that name, what the
    /// note says, and its pictures, which are staged.
    private func write(
        _ text: [UInt8], _ names: ArraySlice<String>, _ pictures: [NotePicture], in folder: Folder
    ) throws(FileError) -> (name: String, bytes: [UInt8], pictures: [StagedFile]) {
        let pictureNames = freeNames(for: pictures, in: folder) ?? []
        var bytes = text
        for (picture, name) in zip(pictures, pictureNames) {
            bytes = picture.renamed(name, in: bytes)
        }
        let staged = try self.staged(pictures, pictureNames, in: folder)
        do throws(FileError) {
            let note = try StagedFile(bytes, for: names.first ?? "", in: folder)
            var taken = FileError("cannot write", names.first ?? "another note", code: 17)
            for name in names {
                do throws(FileError) {
                    try note.place(as: name)
                    return (name, bytes, staged)
                } catch {
                    taken = error
                    if !error.isOccupied { break }
                }
            }
            note.discard()
            throw taken
        } catch {
            for picture in staged { picture.discard() }
            throw error
        }
    }

    // MARK: Pictures

    private static let noPicture = "That is no picture: PNG, JPEG, GIF, WebP and AVIF are."

    /// Names under which pictures can stand in a folder; nil where one of them is no
    /// picture.
    private func freeNames(for pictures: [NotePicture], in folder: Folder) -> [String]? {
        var names: [String] = []
        for picture in pictures {
            let name = picture.freeName { !names.contains($0) && folder.status($0) == nil }
            guard let name else { return nil }
            names.append(name)
        }
        return names
    }

    private func staged(
        _ pictures: [NotePicture], _ names: [String], in folder: Folder
    ) throws(FileError) -> [StagedFile] {
        var staged: [StagedFile] = []
        do throws(FileError) {
            for (picture, name) in zip(pictures, names) {
                staged.append(try StagedFile(picture.bytes, for: name, in: folder))
            }
        } catch {
            for file in staged { file.discard() }
            throw error
        }
        return staged
    }

    /// Places pictures beside a note that is there by now: what to say of it. One
    /// whose name somebody else took meanwhile is left to the next save.
    private mutating func place(
        _ staged: [StagedFile], _ pictures: [NotePicture], besideNote path: String
    ) -> [(String, JSONValue)] {
        var names: [(String, JSONValue)] = []
        var failure: String?
        for (file, picture) in zip(staged, pictures) {
            do throws(FileError) {
                try file.place()
                changed.insert(root + "/" + NotePath.joined(NotePath.folder(of: path), file.name))
                names.append((picture.name, .text(file.name)))
            } catch {
                file.discard()
                failure = sentence(error)
            }
        }
        return [("pictures", .object(names)), ("failure", .optional(failure))]
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

    private func refusal(_ status: HTTPStatus, _ sentence: String) -> HTTPResponse {
        .json(status, .object([("error", .text(sentence))]))
    }

    private func refusal(_ error: FrontMatterEditError) -> HTTPResponse {
        refusal(.unprocessable, Self.sentence(error.message))
    }

    /// What is more than this could not be opened here again.
    private func tooLarge(_ note: [UInt8]) -> HTTPResponse? {
        note.count <= Self.limit
            ? nil : refusal(.unprocessable, "The note would be too large: \(Self.mostWords).")
    }

    private func failure(_ error: FileError) -> HTTPResponse {
        guard error.isTooLarge else { return refusal(.internalError, sentence(error)) }
        let path = hidingPlace(error.path)
        return refusal(
            .unprocessable, "\(path) is too large to be edited here: \(Self.mostWords).")
    }

    private static let mostWords = "\(limit >> 20) MB are the most"

    private func sentence(_ error: FileError) -> String {
        Self.sentence(hidingPlace(error.message))
    }

    private static func sentence(_ message: String) -> String {
        message.prefix(1).uppercased() + message.dropFirst() + "."
    }

    /// A message without where the site stands on the disk.
    private func hidingPlace(_ text: String) -> String {
        text.replacing(root + "/", with: "").replacing(source.path + "/", with: "")
    }
}
