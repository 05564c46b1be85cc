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
        return ignored.decision(for: path, isFolder: isFolder)
            ?? (!isFolder && Self.isEditorsCopy(path))
    }

    private static let copies = [
        "~", ".swp", ".swo", ".swx", ".swpx", ".kate-swp", ".bak", ".bck", ".tmp", ".temp",
        "___jb_tmp___", "___jb_old___", "___jb_bak___",
    ]

    /// Whether a file is what an editor makes of a note beside it, such as
    /// `note.md~` or `#note.md#`: no attachment of anybody's.
    private static func isEditorsCopy(_ path: String) -> Bool {
        let name = NotePath.fileName(of: path)
        if name.hasPrefix("#"), name.hasSuffix("#") {
            return NotePath.isNote(String(name.dropFirst().dropLast()))
        }
        return copies.contains {
            name.hasSuffix($0) && NotePath.isNote(String(name.dropLast($0.count)))
        }
    }
}
