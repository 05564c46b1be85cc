import Bytes
import Notes

/// The files of the output, each known by its place in the order of their
/// paths: which there are to be, and what is known of those that are there.
struct OutputFiles: Sendable {
    /// Which there are to be.
    var list = OutputList()
    /// The digest of each file that is there as the latest build left it.
    var hashes: [ContentHash?] = []
    /// What the system says of those.
    var stamps: [FileStamp] = []

    /// No files.
    init() {}

    /// Whether a file and its encoded forms are there as they were left.
    func isKnown(_ place: Int) -> Bool {
        hashes[place] != nil
            && (list.encoded[place] ?? []).allSatisfy { hashes[$0.place] != nil }
    }

    /// The bytes of a file in the output, where they are those that were left.
    func bytes(_ place: Int, in output: Folder?) -> [UInt8]? {
        guard let hash = hashes[place], let bytes = try? output?.read(list.paths[place]),
            bytes.withUnsafeBytes({ ContentHash(of: $0) }) == hash
        else { return nil }
        return bytes
    }

    /// The files of `list`, of which `earlier` knows those it has too.
    init(_ list: OutputList, from earlier: OutputFiles) {
        self.list = list
        hashes = Array(repeating: nil, count: list.paths.count)
        stamps = Array(repeating: .unknown, count: list.paths.count)
        var next = 0
        let paths = earlier.list.paths
        for (place, path) in list.paths.enumerated() {
            while next < paths.count, paths[next].precedes(path) { next += 1 }
            guard next < paths.count else { break }
            if paths[next].isExactly(path) {
                hashes[place] = earlier.hashes[next]
                stamps[place] = earlier.stamps[next]
            }
        }
    }

    /// Likewise, as they were saved.
    init(_ list: OutputList, hashes: [ContentHash?], stamps: [FileStamp]) {
        self.list = list
        self.hashes = hashes
        self.stamps = stamps
    }
}
