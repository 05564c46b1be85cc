import Bytes

/// A file that is written whole under a hidden name, in the folder where it will
/// stand, before it is placed: what can fail has failed by then.
struct StagedFile {
    private let folder: Folder
    private let draft: String
    /// The name that it will have.
    let name: String

    /// Writes `bytes`, which will stand in `folder` under `name`.
    ///
    /// The hidden name is short whatever the other is, left out of every scan by its
    /// dot, and nobody else's: two editors may save at once.
    init(_ bytes: [UInt8], for name: String, in folder: Folder) throws(FileError) {
        (self.folder, self.name) = (folder, name)
        draft = ".\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).daybook-save"
        do throws(FileError) {
            try folder.write(bytes, to: draft, replacing: false)
        } catch {
            // What was begun, on a full disk for one.
            if !error.isOccupied { try? folder.remove(draft) }
            throw error
        }
    }

    /// Puts it in the place of the file that has its name; who may read that stays
    /// as it was.
    func replace() throws(FileError) {
        folder.takePermissions(of: name, to: draft)
        try folder.rename(draft, to: name, in: folder)
    }

    /// Puts it where nothing stands yet; an error that `isOccupied` where something
    /// does. `name` is another than its own.
    func place(as name: String? = nil) throws(FileError) {
        try folder.move(draft, toFree: name ?? self.name, in: folder)
    }

    /// Takes it away again, unless it was placed.
    func discard() { try? folder.remove(draft) }
}
