import Bytes
import Notes
import Publishing

/// Saves of notes that are there, or were.
extension EditorDesk {
    mutating func save(_ save: NoteSave, _ site: Site?) throws(FileError) -> HTTPResponse {
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
    mutating func replace(
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
    func conflict(
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
}
