import Bytes
import Notes
import Publishing

/// Notes that are not there yet.
extension EditorDesk {
    mutating func create(
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
    mutating func make(
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
    func slugs(in folder: String, _ site: Site?) -> Set<String> {
        let paths = site?.store.paths.compactMap { $0 } ?? []
        return Set(
            paths.filter { NotePath.folder(of: $0) == folder }
                .map { Slug.make(from: NotePath.name(of: $0)) })
    }

    /// Writes a note under the first of `names` that is free: that name, what the
    /// note says, and its pictures, which are staged.
    func write(
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
}
