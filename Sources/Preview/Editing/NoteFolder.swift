import Bytes

/// A folder of the notes, which is made as far as it is not there.
struct NoteFolder {
    /// The folder.
    let folder: Folder
    /// What had to be made, outermost first: each by its name in the folder above.
    private let made: [(above: Folder, name: String)]

    /// Opens `path` below the content folder, never through a link, or leaves
    /// everything as it was.
    init(_ path: String, in content: Folder) throws(FileError) {
        var place = content
        var made: [(above: Folder, name: String)] = []
        do throws(FileError) {
            for part in path.split(separator: "/") {
                let name = String(part)
                if try place.makeFolder(name) { made.append((place, name)) }
                place = try place.makeAndOpenFolder(name)
            }
        } catch {
            Self.remove(made)
            throw error
        }
        folder = place
        self.made = made
    }

    /// Removes what was made for it, as far as nothing stands there.
    func discard() { Self.remove(made) }

    private static func remove(_ made: [(above: Folder, name: String)]) {
        for (above, name) in made.reversed() { above.removeEmptyFolder(name) }
    }
}
