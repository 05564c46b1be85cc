import Bytes

/// What the system says of a file without reading it: as long as it says the
/// same, the file need not be read again.
struct FileStamp: Sendable, Equatable {
    var size: Int64
    var modified: Int64
    var changed: Int64
    var inode: UInt64

    init(_ status: FileStatus) {
        size = status.size
        modified = status.modified
        changed = status.changed
        inode = status.inode
    }

    /// Whether the file was last changed before `moment` of the file system's
    /// own clock. One that was changed later may change once more without
    /// looking different, since that clock ticks every few milliseconds only.
    func isSettled(at moment: Int64) -> Bool { modified < moment && changed < moment }

    /// Whether it may be the same file with the same bytes under another name.
    func isSameContent(as other: FileStamp) -> Bool {
        size == other.size && modified == other.modified && inode == other.inode
    }

    /// Equal to no stamp of a file.
    static let unknown = FileStamp(size: -1, modified: 0, changed: 0, inode: 0)

    private init(size: Int64, modified: Int64, changed: Int64, inode: UInt64) {
        self.size = size
        self.modified = modified
        self.changed = changed
        self.inode = inode
    }

    func write(to writer: inout BinaryWriter) {
        writer.write(fixed: UInt64(bitPattern: size))
        writer.write(fixed: UInt64(bitPattern: modified))
        writer.write(fixed: UInt64(bitPattern: changed))
        writer.write(fixed: inode)
    }

    init(from reader: inout BinaryReader) {
        size = Int64(bitPattern: reader.fixed())
        modified = Int64(bitPattern: reader.fixed())
        changed = Int64(bitPattern: reader.fixed())
        inode = reader.fixed()
    }
}
