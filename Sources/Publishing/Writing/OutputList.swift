import Bytes

/// The files that a build will write, pages and copies, in the order of their
/// paths: each is known by its place in that order.
struct OutputList: Sendable {
    /// All output paths, sorted.
    private(set) var paths: [String] = []
    /// The place of each page, in the order of the pages.
    private(set) var pages: [Int] = []
    /// The copied files by their places.
    private(set) var copies: [(place: Int, source: SitePlanner.CopySource)] = []

    /// The list of `pages`, which are sorted, and `copies`; no path is in both.
    init(pages: [String], copies: [String: SitePlanner.CopySource]) {
        let sorted = copies.sorted { $0.key.precedes($1.key) }
        paths.reserveCapacity(pages.count + sorted.count)
        self.pages.reserveCapacity(pages.count)
        var next = 0
        func addCopies(before path: String?) {
            while next < sorted.count, path.map({ sorted[next].key.precedes($0) }) ?? true {
                self.copies.append((paths.count, sorted[next].value))
                paths.append(sorted[next].key)
                next += 1
            }
        }
        for path in pages {
            addCopies(before: path)
            self.pages.append(paths.count)
            paths.append(path)
        }
        addCopies(before: nil)
    }
}
