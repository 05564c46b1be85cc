import Bytes

/// A file that tells at the end of long work what the work did.
///
/// Opened before the work begins: a folder that is not there, or one that may
/// not be written to, is found while nothing has been done yet, since what was
/// done cannot be told of again.
struct ReportFile {
    private let folder: Folder
    private let name: String

    /// Finds out whether the file at `path` can be written, and leaves no trace.
    init(at path: String) throws(FileError) {
        let path = Console.absolute(path)
        name = FilePath.name(of: path)
        folder = try Folder(FilePath.folder(of: path))
        guard !name.isEmpty, folder.status(name)?.kind != .folder else {
            throw FileError("cannot write", path, code: FileError.isFolder)
        }
        let draft = Console.draft(of: name)
        try folder.write([], to: draft)
        try folder.remove(draft)
    }

    /// Puts a text in the place of what is there, wholly or not at all.
    func write(_ text: String) throws(FileError) {
        let draft = Console.draft(of: name)
        try folder.write(Array(text.utf8), to: draft)
        try folder.rename(draft, to: name, in: folder)
    }
}
