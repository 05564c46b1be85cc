package import Bytes

/// A folder of the notes, which is made as far as it is not there.
package struct NoteFolder {
    /// The folder.
    package let folder: Folder
    /// What had to be made, outermost first: each by its name in the folder above.
    private let made: [(above: Folder, name: String)]

    /// Opens `path` below the content folder, or leaves everything as it was.
    ///
    /// A link on the way is followed where it leads to a folder below `root`, links
    /// resolved, as it is for notes; any other is an error.
    package init(_ path: String, in content: Folder, root: String) throws(FileError) {
        var place = content
        var made: [(above: Folder, name: String)] = []
        do throws(FileError) {
            for part in path.split(separator: "/") {
                let name = String(part)
                if place.status(name)?.kind == .link,
                    let real = FilePath.resolved(place.path + "/" + name),
                    FilePath.isInside(real, root)
                {
                    place = try Folder(real)
                    continue
                }
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
    package func discard() { Self.remove(made) }

    private static func remove(_ made: [(above: Folder, name: String)]) {
        for (above, name) in made.reversed() { above.removeEmptyFolder(name) }
    }
}
