import Bytes

/// Finds things by the names that notes link to: by path, by file name, in any
/// case and Unicode form, the nearest first.
///
/// Used for notes (whose names lack the ending) and for attachments alike. A
/// value; building it costs a few dictionary entries for each path.
package struct NameIndex: Sendable {
    /// What a name led to.
    package enum Match: Equatable, Sendable {
        /// Nothing has that name.
        case none
        /// One thing, by its index.
        case one(Int)
        /// Several equally near; the first by path counts.
        case ambiguous(ArraySlice<Int>)

        /// The thing that counts.
        package var index: Int? {
            switch self {
            case .none: nil
            case .one(let index): index
            case .ambiguous(let indexes): indexes.first
            }
        }
    }

    /// The paths, in ascending order of their bytes.
    package let paths: [String]
    private let folders: [String]
    private let exactPaths: [String: Int]
    private var names: [String: [Int]] = [:]
    // Only what folding changes stands in the folded tables: most names are
    // their own folded form.
    private var foldedPaths: [String: [Int]] = [:]
    private var foldedNames: [String: [Int]] = [:]
    private var aliases: [String: [Int]] = [:]
    /// Paths by their last two parts, of names that very many have.
    private var tails: [String: [Int]] = [:]

    /// From how many paths of one name on they are told apart by ``tails``.
    private static let crowd = 16

    /// Indexes `paths` (ascending, none twice) by the last part as well.
    ///
    /// `aliases` gives further names of each.
    package init(paths: [String], aliases: (Int) -> [String] = { _ in [] }) {
        self.paths = paths
        folders = paths.map { NotePath.folder(of: $0) }
        exactPaths = Dictionary(zip(paths, paths.indices), uniquingKeysWith: { first, _ in first })
        for (index, path) in paths.enumerated() {
            let name = NotePath.fileName(of: path)
            names[name, default: []].append(index)
            let foldedName = UnicodeText.folded(name)
            if foldedName != name { foldedNames[foldedName, default: []].append(index) }
            let foldedPath = UnicodeText.folded(path)
            if foldedPath != path { foldedPaths[foldedPath, default: []].append(index) }
            for alias in aliases(index) {
                let key = UnicodeText.folded(alias)
                if self.aliases[key]?.last != index { self.aliases[key, default: []].append(index) }
            }
        }
        for indexes in names.values where indexes.count >= Self.crowd {
            for index in indexes { tails[Self.tail(of: paths[index]), default: []].append(index) }
        }
    }

    /// The last two parts of a path; all of one that has less.
    private static func tail(of path: String) -> String {
        NotePath.joined(
            NotePath.fileName(of: NotePath.folder(of: path)), NotePath.fileName(of: path))
    }

    /// The thing at a path from the root, exactly, else in any case and Unicode
    /// form (only where that is one).
    package func atPath(_ path: String) -> Int? {
        if let index = exactPaths[path] { return index }
        let key = UnicodeText.folded(path)
        let folded = (exactPaths[key].map { [$0] } ?? []) + (foldedPaths[key] ?? [])
        return folded.count == 1 ? folded[0] : nil
    }

    /// The things whose last part has the folded form `key`, ascending.
    private func named(folded key: String) -> [Int] {
        switch (names[key], foldedNames[key]) {
        case (nil, nil): []
        case (let same?, nil): same
        case (nil, let other?): other
        case (let same?, let other?): (same + other).sorted()
        }
    }

    /// What `name` means in a note of `folder`: exactly, then in any case and
    /// Unicode form, then as an alias.
    ///
    /// Of several the nearest counts: those in `folder` itself, then those
    /// below it, then likewise for each folder above. A name with `/` is a path
    /// from the root, from `folder`, or the end of a path.
    package func match(_ name: String, from folder: String) -> Match {
        if name.utf8.contains(UInt8(ascii: "/")) {
            return matchPath(name, from: folder)
        }
        if let exact = names[name] {
            return nearest(exact, from: folder) { level in
                exactPaths[NotePath.joined(level, name)].map { [$0] } ?? []
            }
        }
        let folded = UnicodeText.folded(name)
        let found = named(folded: folded)
        if !found.isEmpty {
            return nearest(found, from: folder) { level in
                let key = UnicodeText.folded(NotePath.joined(level, name))
                return ((exactPaths[key].map { [$0] } ?? []) + (foldedPaths[key] ?? []))
                    .filter { folders[$0] == level }.sorted()
            }
        }
        if let found = aliases[folded] { return nearest(found, from: folder) }
        return .none
    }

    private func matchPath(_ name: String, from folder: String) -> Match {
        if let path = NotePath.resolved(name, from: ""), let index = exactPaths[path] {
            return .one(index)
        }
        if let path = NotePath.resolved(name, from: folder), let index = atPath(path) {
            return .one(index)
        }
        guard let path = NotePath.resolved(name, from: "") else { return .none }
        if let index = atPath(path) { return .one(index) }
        let last = NotePath.fileName(of: path)
        let end = "/" + path
        var namesakes = names[last] ?? []
        if namesakes.count >= Self.crowd { namesakes = tails[Self.tail(of: path)] ?? [] }
        let exact = namesakes.filter { paths[$0].hasSuffix(end) }
        if !exact.isEmpty { return nearest(exact, from: folder) }
        let foldedEnd = UnicodeText.folded(end)
        let folded = named(folded: UnicodeText.folded(last)).filter {
            UnicodeText.folded(paths[$0]).hasSuffix(foldedEnd)
        }
        if !folded.isEmpty { return nearest(folded, from: folder) }
        if let found = aliases[UnicodeText.folded(name)] { return nearest(found, from: folder) }
        return .none
    }

    /// The nearest of `candidates`, which are ascending. `inside` gives those
    /// that lie directly in a folder, where that is known without a look at
    /// each.
    ///
    /// Costs a few look-ups for each folder above, however many candidates
    /// there are: vaults have thousands of notes called `index`.
    private func nearest(
        _ candidates: [Int], from folder: String, inside: ((String) -> [Int])? = nil
    ) -> Match {
        if candidates.count == 1 { return .one(candidates[0]) }
        var level = folder
        while true {
            let below = candidates[range(of: candidates, below: level)]
            if !below.isEmpty {
                let direct = inside?(level) ?? below.filter { folders[$0] == level }
                return Self.match(direct.isEmpty ? below : direct[...])
            }
            if level.isEmpty { return .none }
            level = NotePath.folder(of: level)
        }
    }

    /// Which of `candidates` lie in a folder or below: neighbours, since paths
    /// are in order.
    private func range(of candidates: [Int], below folder: String) -> Range<Int> {
        if folder.isEmpty { return candidates.indices }
        func first(atOrAfter text: String) -> Int {
            candidates.indices.partitionPoint { paths[candidates[$0]].precedes(text) }
        }
        // `0` is the byte behind `/`.
        return first(atOrAfter: folder + "/")..<first(atOrAfter: folder + "0")
    }

    private static func match(_ found: ArraySlice<Int>) -> Match {
        found.count == 1 ? .one(found[found.startIndex]) : .ambiguous(found)
    }

    /// All names, for finding the closest to one that leads nowhere.
    package var allNames: [String] { Array(names.keys) }
}
