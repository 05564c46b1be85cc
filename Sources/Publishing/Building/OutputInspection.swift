import Bytes

/// Which files of the output are as the latest build left them.
///
/// Files are looked at by their known paths, two at once, never by a walk.
struct OutputInspection {
    /// The digests of files that are there as they were, by path.
    private(set) var known: [String: SavedFile] = [:]
    /// Whether every file is there as it was, the list of them too.
    private(set) var isWhole = true
    /// Whether the list of what was written is the one that the latest build
    /// wrote.
    private(set) var isManifestKnown = false
    /// Whether the system says something else of a file whose bytes are the
    /// same.
    private(set) var hasOtherStamps = false

    /// Looks at the files that `remembered` names, in the folder at `path`.
    init(_ remembered: SavedBuild, at path: String, _ workers: Workers) {
        guard !remembered.isEmpty, let folder = try? Folder(path) else {
            isWhole = false
            return
        }
        let outputs = remembered.outputs
        let files = workers.map(outputs.count) { index -> SavedFile? in
            let saved = outputs[index]
            guard let status = folder.status(saved.path), status.kind == .file else { return nil }
            let stamp = FileStamp(status)
            if stamp == saved.stamp { return saved }
            // Touched, or replaced by the same: only the bytes tell.
            guard let bytes = try? folder.read(saved.path),
                bytes.withUnsafeBytes({ ContentHash(of: $0) }) == saved.hash
            else { return nil }
            return SavedFile(path: saved.path, stamp: stamp, hash: saved.hash)
        }
        known.reserveCapacity(files.count)
        for (file, saved) in zip(files, outputs) {
            guard let file else {
                isWhole = false
                continue
            }
            if file.stamp != saved.stamp { hasOtherStamps = true }
            known[file.path] = file
        }
        let list = folder.status(OutputManifest.fileName).map { FileStamp($0) }
        isManifestKnown = list == remembered.summary.manifest && list != nil
        isWhole = isWhole && isManifestKnown
    }

    /// The list of what was written, where it is known without reading it.
    func manifest(_ remembered: SavedBuild) -> OutputManifest? {
        guard isManifestKnown else { return nil }
        var manifest = OutputManifest()
        for file in remembered.outputs { manifest.files[file.path] = .some(file.hash) }
        return manifest
    }
}
