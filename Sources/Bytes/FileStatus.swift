#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a path leads to.
package enum FileKind: Sendable, Hashable {
    /// A regular file.
    case file
    /// A folder.
    case folder
    /// A symbolic link, where links were not followed.
    case link
    /// A socket, pipe or device.
    case other
    /// Something whose name is not UTF-8, so that nothing here can name it.
    case misnamed
}

/// What the system knows of a file without reading it.
package struct FileStatus: Sendable, Hashable {
    /// What it is.
    package var kind: FileKind
    /// Bytes.
    package var size: Int64
    /// Time of the last change of the contents, in nanoseconds since 1970.
    package var modified: Int64
    /// Time of the last change of contents or attributes, likewise.
    package var changed: Int64
    /// The file's number on its device.
    package var inode: UInt64
    /// The device.
    package var device: UInt64

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        size = Int64(status.st_size)
        #if canImport(Darwin)
            let (modification, change) = (status.st_mtimespec, status.st_ctimespec)
        #else
            let (modification, change) = (status.st_mtim, status.st_ctim)
        #endif
        modified = Int64(modification.tv_sec) * 1_000_000_000 + Int64(modification.tv_nsec)
        changed = Int64(change.tv_sec) * 1_000_000_000 + Int64(change.tv_nsec)
        inode = UInt64(status.st_ino)
        device = UInt64(status.st_dev)
    }
}
