#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that is open for reading, piece by piece.
///
/// Stays what it was when another is put in its place. Closed when the last
/// reference goes. May be shared by threads: it holds nothing that changes.
package final class OpenFile: Sendable {
    private let descriptor: Int32
    /// As messages name it.
    private let path: String
    /// What the system said of it when it was opened.
    package let status: FileStatus

    /// Opens the regular file at `path`.
    package convenience init(_ path: String) throws(FileError) {
        try self.init(AT_FDCWD, path, shownAs: path)
    }

    init(_ folder: Int32, _ relative: String, shownAs path: String) throws(FileError) {
        let opened = openat(folder, relative, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else { throw FileError("cannot read", path, code: errno) }
        var information = stat()
        let isKnown = fstat(opened, &information) == 0
        let status = FileStatus(information)
        guard isKnown, status.kind == .file else {
            close(opened)
            throw FileError("cannot read", path, code: status.kind == .folder ? EISDIR : EIO)
        }
        descriptor = opened
        self.path = path
        self.status = status
    }

    deinit { close(descriptor) }

    /// Reads from a place on into `buffer`; how many bytes there were: fewer than
    /// it holds at the end, -1 where that failed.
    package func read(at place: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        while count < buffer.count {
            let got = pread(
                descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count,
                off_t(place) + off_t(count))
            if got < 0, errno == EINTR { continue }
            if got < 0 { return -1 }
            if got == 0 { break }
            count += got
        }
        return count
    }

    /// Calls `body` with piece after piece of its bytes, which are valid during the
    /// call only. Memory holds one at a time, however large the file is.
    package func forEachPiece(
        _ body: (UnsafeRawBufferPointer) throws(FileError) -> Void
    ) throws(FileError) {
        var place: Int64 = 0
        let pieces = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { pieces.deallocate() }
        while true {
            let count = read(at: place, into: pieces)
            guard count >= 0 else { throw FileError("cannot read", path, code: errno) }
            if count == 0 { return }
            try body(UnsafeRawBufferPointer(rebasing: pieces[..<count]))
            place += Int64(count)
        }
    }

    /// The digest of its bytes, read piece by piece.
    package func hash() throws(FileError) -> ContentHash {
        let hasher = ContentHasher()
        try forEachPiece { hasher.add($0) }
        return hasher.hash
    }

    /// All its bytes; nil where they cannot be read.
    package var bytes: [UInt8]? {
        var result = -1
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(status.size)) { buffer, count in
            result = read(at: 0, into: UnsafeMutableRawBufferPointer(buffer))
            count = max(0, result)
        }
        return result < 0 ? nil : bytes
    }
}
