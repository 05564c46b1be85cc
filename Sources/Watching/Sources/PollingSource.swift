import Bytes

/// Tells what happens in watched places by looking at all of them again.
struct PollingSource {
    private let walk: FolderWalk
    /// What the system said of each file. Of a folder, nothing: only that it is
    /// there, since what is in it is told by itself.
    private var seen: [String: FileStatus?]

    /// Takes the first look.
    init(_ places: WatchedPlaces) {
        walk = FolderWalk(places: places)
        seen = [:]
        seen = look()
    }

    /// Looks again; what differs from the look before.
    mutating func read() -> [FileEvent] {
        let now = look()
        var told: [FileEvent] = []
        for (path, status) in now where seen[path] != status {
            if seen[path] == nil || path.hasSuffix("/") { told.append(.appeared(path)) }
            if !path.hasSuffix("/") { told.append(.written(path)) }
        }
        for path in seen.keys where now[path] == nil { told.append(.vanished(path)) }
        seen = now
        return told
    }

    private func look() -> [String: FileStatus?] {
        var seen: [String: FileStatus?] = [:]
        for file in walk.places.files {
            if let status = FilePath.status(file) { seen[file] = status }
        }
        for folder in walk.places.folders {
            walk.visit(folder) { step in
                switch step {
                case .folder(let path): seen[path + "/"] = .some(nil)
                case .file(let path, _):
                    if let status = FilePath.status(path) { seen[path] = status }
                case .deadLink(let path): seen[path] = .some(nil)
                case .link: break
                }
            }
        }
        return seen
    }
}
