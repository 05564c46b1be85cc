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
    /// What the system said of it when it was opened.
    package let status: FileStatus

    /// Opens the regular file at `path`.
    package init(_ path: String) throws(FileError) {
        let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else { throw FileError("cannot read", path, code: errno) }
        var information = stat()
        let isKnown = fstat(opened, &information) == 0
        let status = FileStatus(information)
        guard isKnown, status.kind == .file else {
            close(opened)
            throw FileError("cannot read", path, code: status.kind == .folder ? EISDIR : EIO)
        }
        descriptor = opened
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
