import Bytes

/// The files that a build will write, pages and copies, in the order of their
/// paths: each is known by its place in that order.
struct OutputList: Sendable {
    /// All output paths, sorted.
    private(set) var paths: [String] = []
    /// The place of each page, in the order of the pages.
    private(set) var pages: [Int] = []
    /// The output path of each page, likewise.
    private(set) var pagePaths: [String] = []

    /// The encoded forms of files, by the files' places; see ``findEncoded(in:)``.
    var encoded: [Int: [EncodedForm]] = [:]

    /// No files.
    init() {}

    /// The list of `pages`, which are sorted, and `copies`; no path is in both.
    init(pages: [String], copies: some Sequence<String>) {
        let sorted = copies.sorted { $0.precedes($1) }
        paths.reserveCapacity(pages.count + sorted.count)
        self.pages.reserveCapacity(pages.count)
        pagePaths = pages
        var next = 0
        func addCopies(before path: String?) {
            while next < sorted.count, path.map({ sorted[next].precedes($0) }) ?? true {
                paths.append(sorted[next])
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

    /// The list as it was saved: all paths, and the places of the pages.
    init(paths: [String], pages: [Int]) {
        self.paths = paths
        self.pages = pages
        pagePaths = pages.map { paths[$0] }
    }

    /// The files that are no pages, by their places.
    var copies: [Int] {
        var result: [Int] = []
        var next = 0
        for place in paths.indices {
            if next < pages.count, pages[next] == place {
                next += 1
            } else {
                result.append(place)
            }
        }
        return result
    }
}
