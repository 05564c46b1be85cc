import Bytes
import Notes

/// What of the content folder is no content, whatever is in it.
struct LeftOutPaths: Sendable, Equatable {
    /// Whether the site folder itself is the content.
    var isSiteFolder: Bool
    /// The output folder's path in the content folder, where it is there.
    var output: String?
    /// The patterns of `ignore:`.
    var ignored: IgnorePatterns

    private static let folders: Set<String> = ["Templates", "static", "_site", "public"]

    /// Whether a path of the content folder is left out.
    func holds(_ path: String, isFolder: Bool) -> Bool {
        if isSiteFolder {
            if isFolder,
                Self.folders.contains(path) || NotePath.fileName(of: path) == "node_modules"
            {
                return true
            }
            if path == output || path == SiteSource.settingsFile { return true }
        }
        return ignored.decision(for: path, isFolder: isFolder) ?? false
    }
}
