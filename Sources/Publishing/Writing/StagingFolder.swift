import Bytes
import Notes

/// Where the files of a build are made before they are placed: an empty folder on the
/// device of the output, so that placing is a rename.
struct StagingFolder: Sendable {
    /// The folder itself.
    let folder: Folder
    private let parent: Folder
    private let name: String

    /// Makes it beside the output at `path` where that is on the same device and can be
    /// written to, else inside it. What a build left that was killed goes.
    init(for path: String, _ output: Folder) throws(FileError) {
        let path = FilePath.resolved(path) ?? path
        let above = NotePath.folder(of: path)
        let beside = "." + NotePath.fileName(of: path) + ".daybook-staging"
        let isMade: Bool
        if !above.isEmpty, let folder = try? Folder(above),
            let device = folder.status(".")?.device, device == output.status(".")?.device,
            let made = try? folder.makeFolder(beside), folder.status(beside)?.kind == .folder
        {
            (parent, name, isMade) = (folder, beside, made)
        } else {
            (parent, name) = (output, ReservedOutput.staging.rawValue)
            isMade = try output.makeFolder(name)
        }
        if !isMade {
            try parent.removeTree(name)
            try parent.makeFolder(name)
        }
        folder = try Folder(parent.path + "/" + name)
    }

    /// Takes it away with all that is in it.
    func remove() { try? parent.removeTree(name) }
}
