import Bytes

/// The list, kept in the output, of the files that Daybook put there.
///
/// Only what it names is ever removed or replaced: everything else in the
/// output belongs to somebody else. While a build places files it names the
/// old and the new ones; when all are placed, the new ones alone.
struct OutputManifest: Equatable {
    /// Its name in the output folder.
    static let fileName = ReservedOutput.manifest.rawValue

    /// The digests of the files by their paths; nil where a build was placing
    /// the file when the list was written.
    var files = PathTable<ContentHash?>()

    /// What tells one upload's list from another's while it sends; nil in an
    /// output and where nothing is on its way.
    var mark: String?

    /// Of the files of an upload that is not at its end, those that have arrived:
    /// whoever completes it tells of them too.
    var arrived: Set<ExactPath> = []

    private static let header = "daybook-manifest 1"
    private static let markStart = "sending "
    private static let arrivedStart = "arrived "

    init() {}

    /// The list of the files at `paths` of which a digest is known.
    init(_ paths: [String], hashes: [ContentHash?]) {
        files.reserveCapacity(paths.count)
        for (path, hash) in zip(paths, hashes) {
            if let hash { files[path] = .some(hash) }
        }
    }

    /// Reads the list; what cannot be read as one lists nothing.
    init(reading bytes: [UInt8]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        guard let first = lines.first, first.elementsEqual(Self.header.utf8) else { return }
        for line in lines.dropFirst() {
            let start = Self.markStart.utf8
            if line.starts(with: start) {
                mark = String(decoding: line.dropFirst(start.count), as: UTF8.self)
                continue
            }
            let arrival = Self.arrivedStart.utf8
            if line.starts(with: arrival) {
                let path = String(decoding: line.dropFirst(arrival.count), as: UTF8.self)
                if Self.isSafe(path) { arrived.insert(ExactPath(path)) }
                continue
            }
            // 32 digits or as many hyphens, a blank, the path.
            guard line.count > 33, line[line.startIndex + 32] == UInt8(ascii: " ") else { continue }
            let path = String(decoding: line.dropFirst(33), as: UTF8.self)
            guard Self.isSafe(path) else { continue }
            let digits = String(decoding: line.prefix(32), as: UTF8.self)
            files[path] = .some(ContentHash(hexadecimal: digits[...]))
        }
    }

    /// A list that somebody else wrote must not lead out of the output.
    private static func isSafe(_ path: String) -> Bool {
        !path.hasPrefix("/") && !path.utf8.contains(0)
            && path.split(separator: "/", omittingEmptySubsequences: false)
                .allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
            && path != fileName
    }

    /// The list as it is written: sorted by path.
    var bytes: [UInt8] {
        let paths = files.keys.sorted { $0.precedes($1) }
        let arrived = arrived.map(\.path).sorted { $0.precedes($1) }
        return Self.bytes(paths.count, mark: mark, arrived: arrived) { output, place in
            Self.write(paths[place], files[paths[place]] ?? nil, to: &output)
        }
    }

    /// The list of those of `paths`, which are sorted, that have a digest.
    static func bytes(_ paths: [String], hashes: [ContentHash?]) -> [UInt8] {
        bytes(paths.count) { output, place in
            if let hash = hashes[place] { write(paths[place], hash, to: &output) }
        }
    }

    /// The list of `paths`, which are sorted, all of which are being placed.
    static func bytes(placing paths: [String]) -> [UInt8] {
        bytes(paths.count) { output, place in write(paths[place], nil, to: &output) }
    }

    private static func bytes(
        _ count: Int, mark: String? = nil, arrived: [String] = [],
        _ write: (inout ByteBuffer, Int) -> Void
    ) -> [UInt8] {
        var output = ByteBuffer(capacity: count * 80)
        output.append(Self.header)
        output.append("\n")
        if let mark { output.append(markStart + mark + "\n") }
        for path in arrived { output.append(arrivedStart + path + "\n") }
        for place in 0..<count { write(&output, place) }
        return output.copy()
    }

    private static func write(_ path: String, _ hash: ContentHash?, to output: inout ByteBuffer) {
        if let hash {
            output.append(hexadecimal: hash.high)
            output.append(hexadecimal: hash.low)
        } else {
            output.append("--------------------------------")
        }
        output.append(" ")
        output.append(path)
        output.append("\n")
    }
}
