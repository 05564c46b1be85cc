import Bytes

/// What is to be watched: folders with all below them, and single files.
///
/// None of it need be there yet; what comes later is seen when it comes.
package struct WatchedPlaces: Sendable {
    /// The folder that all places are in or hang from, links resolved. That it
    /// is removed, renamed or made again is seen too.
    package var anchor: String
    /// Folders, from the root, watched with all below them.
    package var folders: [String]
    /// Single files, from the root. Each is watched by its folder, since a file
    /// that is replaced is another file.
    package var files: [String]
    /// The real paths of the folders that symbolic links may lead into.
    package var reach: [String]
    /// Whether a path below a folder is passed over, with all below it. A single
    /// file never is.
    package var ignores: @Sendable (_ path: String, _ isFolder: Bool) -> Bool

    /// Places below `anchor`, which links do not leave unless `reach` is set.
    package init(
        anchor: String, folders: [String], files: [String] = [],
        ignores: @escaping @Sendable (_ path: String, _ isFolder: Bool) -> Bool = { _, _ in false }
    ) {
        self.anchor = anchor
        self.folders = folders
        self.files = files
        reach = [anchor]
        self.ignores = ignores
    }

    /// Whether a link may be followed to a real path.
    func reaches(_ real: String) -> Bool {
        reach.contains { FilePath.isInside(real, $0) }
    }
}
