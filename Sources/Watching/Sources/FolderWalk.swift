import Bytes

/// Goes through the folders of watched places, following links the way that
/// scanners of sources do: as far as they may lead, and never in a ring.
struct FolderWalk {
    let places: WatchedPlaces

    /// What is met on the way.
    enum Step {
        /// A folder, before it is listed.
        case folder(path: String)
        /// A file, and its real path where it is a link.
        case file(path: String, target: String?)
        /// A link to nothing, or to where none may lead.
        case deadLink(path: String)
        /// A link to a folder, before that is listed, and the real path of it.
        case link(path: String, target: String)
    }

    /// Visits the folder at `path`, one of the places or below one. One that
    /// cannot be read is left to those who read it.
    func visit<Failure>(
        _ path: String, _ take: (Step) throws(Failure) -> Void
    ) throws(Failure) {
        guard let real = FilePath.resolved(path), places.reaches(real),
            FilePath.status(real)?.kind == .folder
        else { return }
        try visit(path, real, chain: realPaths(above: path), take)
    }

    private func visit<Failure>(
        _ path: String, _ real: String, chain: [String], _ take: (Step) throws(Failure) -> Void
    ) throws(Failure) {
        try take(.folder(path: path))
        guard let folder = try? Folder(path), let entries = try? folder.entries() else { return }
        let chain = chain + [real]
        for (name, kind) in entries {
            let below = path + "/" + name
            switch kind {
            case .folder where !places.ignores(below, true):
                try visit(below, real + "/" + name, chain: chain, take)
            case .file where !places.ignores(below, false):
                try take(.file(path: below, target: nil))
            case .link:
                guard let target = FilePath.resolved(below), places.reaches(target),
                    let kind = FilePath.status(target)?.kind
                else {
                    // A link to nothing is worth a word of those who read it.
                    if !places.ignores(below, false) { try take(.deadLink(path: below)) }
                    continue
                }
                guard !places.ignores(below, kind == .folder) else { continue }
                if kind == .file { try take(.file(path: below, target: target)) }
                guard kind == .folder, !chain.contains(where: { FilePath.isInside($0, target) })
                else { continue }
                try take(.link(path: below, target: target))
                try visit(below, target, chain: chain, take)
            default: continue
            }
        }
    }

    /// The real paths of the folders that lead from a place down to `path`.
    private func realPaths(above path: String) -> [String] {
        let ways = places.folders.compactMap { root in
            FilePath.relative(path, to: root).map { (root: root, rest: $0) }
        }
        // The outermost of the places that hold it.
        guard let way = ways.max(by: { $0.rest.utf8.count < $1.rest.utf8.count }) else {
            return []
        }
        var chain: [String] = []
        var place = way.root
        for part in way.rest.utf8.split(separator: UInt8(ascii: "/")) {
            if let real = FilePath.resolved(place) { chain.append(real) }
            place += "/" + String(Substring(part))
        }
        return chain
    }
}
