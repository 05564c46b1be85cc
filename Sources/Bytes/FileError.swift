#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file operation that the system refused.
package struct FileError: Error, Equatable, Sendable {
    /// What was tried, as in `cannot read`.
    package var operation: String
    /// The path it was tried on.
    package var path: String
    /// The system's error number.
    package var code: Int32

    /// An error of `code` when `operation` was tried on `path`.
    package init(_ operation: String, _ path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    /// The system's words, such as `No such file or directory`.
    package var reason: String {
        // strerror may use one buffer for all threads; the numbers that matter
        // get their words here.
        switch code {
        case ENOENT: "No such file or directory"
        case EACCES, EPERM: "Permission denied"
        case ENOSPC: "No space left on device"
        case EROFS: "Read-only file system"
        case EISDIR: "Is a directory"
        case ENOTDIR: "Not a directory"
        case EEXIST: "File exists"
        case ELOOP: "Too many levels of symbolic links"
        case ENAMETOOLONG: "File name too long"
        case EMFILE, ENFILE: "Too many open files"
        case EIO: "Input/output error"
        case EDQUOT: "Disk quota exceeded"
        case EFBIG: "File too large"
        default: "error \(code)"
        }
    }

    /// The whole sentence: `cannot read notes/a.md: Permission denied`.
    package var message: String { "\(operation) \(path): \(reason)" }

    /// The code of what was done to a folder and can be done to files only.
    package static let isFolder = EISDIR

    /// Whether something was there that may not be replaced.
    package var isOccupied: Bool { code == EEXIST }

    /// Whether there were more bytes than are wanted, or can be had.
    package var isTooLarge: Bool { code == EFBIG }

    /// Whether the file was not there.
    package var isAbsence: Bool { code == ENOENT || code == ENOTDIR }
}
