import Bytes
import Notes
import Publishing

/// Pictures that come with notes.
extension EditorDesk {
    static let noPicture = "That is no picture: PNG, JPEG, GIF, WebP and AVIF are."

    /// Names under which pictures can stand in a folder; nil where one of them is no
    /// picture.
    func freeNames(for pictures: [NotePicture], in folder: Folder) -> [String]? {
        var names: [String] = []
        for picture in pictures {
            let name = picture.freeName { !names.contains($0) && folder.status($0) == nil }
            guard let name else { return nil }
            names.append(name)
        }
        return names
    }

    func staged(
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
    mutating func place(
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
}
