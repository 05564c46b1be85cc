import Bytes

/// Which files of the output are as the latest build left them.
///
/// Files are looked at by their known paths, by all workers, never by a walk.
struct OutputInspection {
    /// The files with what is known of them: no digest of one that is not as it
    /// was.
    private(set) var files: OutputFiles
    /// Whether every file is there as it was, the list of them too.
    private(set) var isWhole = true
    /// Whether the list of what was written is the one that the latest build
    /// wrote.
    private(set) var isListed = false
    /// Whether the system says something else of a file whose bytes are the
    /// same.
    private(set) var hasOtherStamps = false

    /// Looks at the files that `latest` names, in the folder at `path`.
    init(_ latest: LatestBuild, at path: String, _ workers: Workers) {
        files = latest.outputs
        guard !latest.isEmpty, let folder = try? Folder(path) else {
            files.hashes = Array(repeating: nil, count: files.hashes.count)
            isWhole = false
            return
        }
        let known = latest.outputs
        let stamps = workers.map(known.list.paths.count) { place -> FileStamp? in
            let path = known.list.paths[place]
            guard known.hashes[place] != nil, let status = folder.status(path),
                status.kind == .file
            else { return nil }
            let stamp = FileStamp(status)
            if stamp == known.stamps[place] { return stamp }
            // Touched, or replaced by the same: only the bytes tell.
            return known.bytes(place, in: folder) == nil ? nil : stamp
        }
        for (place, stamp) in stamps.enumerated() {
            guard let stamp else {
                isWhole = false
                files.hashes[place] = nil
                continue
            }
            if stamp != files.stamps[place] {
                hasOtherStamps = true
                files.stamps[place] = stamp
            }
        }
        let list = folder.status(OutputManifest.fileName).map { FileStamp($0) }
        isListed = list == latest.summary.manifest && list != nil
        isWhole = isWhole && isListed
    }
}
