import Bytes

/// A file that a build read or wrote, as it was then.
struct SavedFile: Sendable, Equatable {
    /// The path in the folder that the list is about.
    var path: String
    /// What the system said of it; unknown where it must be read again.
    var stamp: FileStamp
    /// The digest of its bytes.
    var hash: ContentHash

    /// The bytes of a piece of a list of files.
    static func bytes(_ files: ArraySlice<SavedFile>) -> [UInt8] {
        var writer = BinaryWriter(capacity: files.count * 96)
        writer.write(list: files) { writer, file in
            writer.write(file.path)
            file.stamp.write(to: &writer)
            writer.write(file.hash)
        }
        return writer.bytes
    }

    /// The bytes of a piece of the output's files, all of which are known.
    static func bytes(_ files: OutputFiles, _ range: Range<Int>) -> [UInt8] {
        bytes(
            range.map { place in
                SavedFile(
                    path: files.list.paths[place], stamp: files.stamps[place],
                    hash: files.hashes[place] ?? ContentHash(high: 0, low: 0))
            }[...])
    }

    /// Reads the pieces of a list; nil where they are not what was written.
    static func list(of pieces: [[UInt8]]?) -> [SavedFile]? {
        guard let pieces else { return nil }
        var files: [SavedFile] = []
        files.reserveCapacity(pieces.count * SavedParts.fileShard)
        for piece in pieces {
            var reader = BinaryReader(piece)
            files += reader.list { reader in
                SavedFile(
                    path: reader.text(), stamp: FileStamp(from: &reader), hash: reader.hash())
            }
            guard reader.isSound else { return nil }
        }
        return files
    }
}

extension [SavedFile] {
    /// The place of the first file whose path is not before `path`; the files
    /// are sorted.
    func firstPlace(of path: String) -> Int {
        indices.partitionPoint { self[$0].path.precedes(path) }
    }
}
