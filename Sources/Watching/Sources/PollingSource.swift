import Bytes

/// Tells what happens in watched places by looking at all of them again.
struct PollingSource {
    private let walk: FolderWalk
    private var stamps: [String: Stamp]

    /// What tells one state of a file from another without reading it.
    private struct Stamp: Equatable {
        var size: Int64
        var modified: Int64
        var changed: Int64
        var inode: UInt64
        var device: UInt64

        init(_ status: FileStatus) {
            size = status.size
            modified = status.modified
            changed = status.changed
            inode = status.inode
            device = status.device
        }

        /// Of a folder only that it is there: what is in it is told by itself.
        private init() { (size, modified, changed, inode, device) = (0, 0, 0, 0, 0) }

        static let folder = Stamp()
    }

    /// Takes the first look.
    init(_ places: WatchedPlaces) {
        walk = FolderWalk(places: places)
        stamps = [:]
        stamps = look()
    }

    /// Looks again; what differs from the look before.
    mutating func read() -> [FileEvent] {
        let seen = look()
        var told: [FileEvent] = []
        for (path, stamp) in seen where stamps[path] != stamp {
            if stamps[path] == nil || path.hasSuffix("/") { told.append(.appeared(path)) }
            if !path.hasSuffix("/") { told.append(.written(path)) }
        }
        for path in stamps.keys where seen[path] == nil { told.append(.vanished(path)) }
        stamps = seen
        return told
    }

    private func look() -> [String: Stamp] {
        var seen: [String: Stamp] = [:]
        for file in walk.places.files {
            if let status = FilePath.status(file) { seen[file] = Stamp(status) }
        }
        for folder in walk.places.folders {
            walk.visit(folder) { step in
                switch step {
                case .folder(let path): seen[path + "/"] = .folder
                case .file(let path, _):
                    if let status = FilePath.status(path) { seen[path] = Stamp(status) }
                case .deadLink(let path): seen[path] = .folder
                case .link: break
                }
            }
        }
        return seen
    }
}
