import Bytes
import Notes
import Publishing

/// Finds files of an output folder, and nothing outside it.
struct OutputReader: Sendable {
    /// The folder, links resolved.
    let folder: String

    /// Whether nothing of a build is there any more: somebody has taken it away.
    var isEmpty: Bool { FilePath.status(folder + "/" + ReservedOutput.manifest.rawValue) == nil }

    /// Opens the file at a path in the folder; nil where there is none, or only
    /// through a link that leads out of it.
    func open(_ path: String) -> OpenFile? {
        guard let real = place(path) else { return nil }
        return try? OpenFile(real)
    }

    /// Whether a path leads to a folder.
    func isFolder(_ path: String) -> Bool {
        guard let real = place(path) else { return false }
        return FilePath.status(real)?.kind == .folder
    }

    private func place(_ path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }),
            parts.first.flatMap({ ReservedOutput(rawValue: String($0)) }) == nil,
            let real = FilePath.resolved(folder + "/" + path), FilePath.isInside(real, folder)
        else { return nil }
        return real
    }
}
