import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open folder, through which the files below it are reached.
///
/// Paths are relative to it. Reaching files through an open folder spares the
/// system the walk from the root, and keeps meaning the same folder when one
/// above it is renamed. Closed when the last reference goes. May be shared by
/// threads: all that changes in it is whether it is taken.
package final class Folder: Sendable {
    private let descriptor: Int32
    /// Whether this process took it; see ``lock()``.
    private let isTaken = Atomic(false)
    /// The path that it was opened by.
    package let path: String

    /// Opens the folder at `path`.
    package init(_ path: String) throws(FileError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("cannot open", path, code: errno) }
    }

    private init(_ descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit {
        // A program that another thread starts holds the folder too until it runs:
        // closing alone would leave it taken for that long.
        if isTaken.load(ordering: .relaxed) { flock(descriptor, LOCK_UN) }
        close(descriptor)
    }

    private func shown(_ relative: String) -> String {
        relative.isEmpty ? path : path.hasSuffix("/") ? path + relative : path + "/" + relative
    }

    /// The names in the folder at `relative` with their kinds, links not
    /// followed, sorted by their bytes.
    package func entries(
        of relative: String = "", followingLinks: Bool = true
    ) throws(FileError) -> [(name: String, kind: FileKind)] {
        let opened = openat(
            descriptor, relative.isEmpty ? "." : relative,
            O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followingLinks ? 0 : O_NOFOLLOW))
        guard opened >= 0, let stream = fdopendir(opened) else {
            let code = errno
            if opened >= 0 { close(opened) }
            throw FileError("cannot list", shown(relative), code: code)
        }
        defer { closedir(stream) }
        var entries: [(name: String, kind: FileKind)] = []
        errno = 0
        while let entry = readdir(stream) {
            defer { errno = 0 }
            let kind: FileKind =
                switch Int32(entry.pointee.d_type) {
                case Int32(DT_REG): .file
                case Int32(DT_DIR): .folder
                case Int32(DT_LNK): .link
                default: .other
                }
            let (name, isMisnamed) = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                let bytes = bytes.prefix { $0 != 0 }
                let name = String(decoding: bytes, as: UTF8.self)
                return (name, !name.utf8.elementsEqual(bytes))
            }
            if name == "." || name == ".." { continue }
            if isMisnamed {
                entries.append((name, .misnamed))
                continue
            }
            let isUnknown = Int32(entry.pointee.d_type) == Int32(DT_UNKNOWN)
            let known =
                isUnknown ? status(relative.isEmpty ? name : relative + "/" + name)?.kind : kind
            entries.append((name, known ?? .other))
        }
        // Files that could not be listed must not look like files that are gone.
        guard errno == 0 else { throw FileError("cannot list", shown(relative), code: errno) }
        return entries.sorted { $0.name.precedes($1.name) }
    }

    /// What stands at a path, or nil where nothing does.
    package func status(_ relative: String, followingLinks: Bool = false) -> FileStatus? {
        var result = stat()
        let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
        guard fstatat(descriptor, relative, &result, flags) == 0 else { return nil }
        return FileStatus(result)
    }

    /// The bytes of a file. `limit` is the most that is read: a larger file is
    /// an error.
    package func read(_ relative: String, limit: Int = 1 << 30) throws(FileError) -> [UInt8] {
        try contents(relative, limit: limit).bytes
    }

    /// The first bytes of a file, at most `count`.
    package func head(of relative: String, count: Int) throws(FileError) -> [UInt8] {
        let file = openat(descriptor, relative, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw FileError("cannot read", shown(relative), code: errno) }
        defer { close(file) }
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
            read = 0
            while read < count {
                let got = systemRead(file, buffer.baseAddress.map { $0 + read }, count - read)
                if got < 0 { failure = errno }
                if got <= 0 { break }
                read += got
            }
        }
        guard failure == 0 else {
            throw FileError("cannot read", shown(relative), code: failure)
        }
        return bytes
    }

    /// The bytes of a file with what the system said of it before they were
    /// read.
    package func contents(
        _ relative: String, limit: Int = 1 << 30
    ) throws(FileError) -> (bytes: [UInt8], status: FileStatus) {
        let file = openat(descriptor, relative, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw FileError("cannot read", shown(relative), code: errno) }
        defer { close(file) }
        var information = stat()
        guard fstat(file, &information) == 0 else {
            throw FileError("cannot read", shown(relative), code: errno)
        }
        let status = FileStatus(information)
        guard status.kind == .file else {
            throw FileError(
                "cannot read", shown(relative), code: status.kind == .folder ? EISDIR : EIO)
        }
        guard status.size <= limit else {
            throw FileError("cannot read", shown(relative), code: EFBIG)
        }
        var failure: Int32 = 0
        // One byte more than expected finds the end without a further call.
        var capacity = Int(status.size) + 1
        var bytes: [UInt8] = []
        while true {
            let have = bytes.count
            let chunk = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                count = 0
                while count < buffer.count {
                    let got = Self.retry {
                        systemRead(
                            file, buffer.baseAddress.map { $0 + count }, buffer.count - count)
                    }
                    if got < 0 { failure = errno }
                    if got <= 0 { break }
                    count += got
                    // Asked for more, and got just what the status said: the end.
                    if have == 0, count == buffer.count - 1 { break }
                }
            }
            guard failure == 0 else {
                throw FileError("cannot read", shown(relative), code: failure)
            }
            if have == 0 { bytes = chunk } else { bytes += chunk }
            if chunk.count < capacity { return (bytes, status) }
            // It grew while it was read.
            guard bytes.count <= limit else {
                throw FileError("cannot read", shown(relative), code: EFBIG)
            }
            capacity = 64 * 1024
        }
    }

    /// Writes a file that is not there yet, or replaces the bytes of one that
    /// is; never through a link. What the system says of it then.
    @discardableResult
    package func write(
        _ bytes: UnsafeBufferPointer<UInt8>, to relative: String, replacing: Bool = true
    ) throws(FileError) -> FileStatus? {
        try write(to: relative, replacing: replacing) { (put) throws(FileError) in
            try put(UnsafeRawBufferPointer(bytes))
        }
    }

    /// Writes the bytes of an open file likewise, piece by piece; also the digest
    /// of what was written.
    package func write(
        _ source: OpenFile, to relative: String, replacing: Bool = true
    ) throws(FileError) -> (status: FileStatus?, hash: ContentHash) {
        let hasher = ContentHasher()
        let status = try write(to: relative, replacing: replacing) { (put) throws(FileError) in
            try source.forEachPiece { (piece) throws(FileError) in
                hasher.add(piece)
                try put(piece)
            }
        }
        return (status, hasher.hash)
    }

    private func write(
        to relative: String, replacing: Bool,
        _ body: ((UnsafeRawBufferPointer) throws(FileError) -> Void) throws(FileError) -> Void
    ) throws(FileError) -> FileStatus? {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (replacing ? O_TRUNC : O_EXCL)
        let file = openat(descriptor, relative, flags, 0o644)
        guard file >= 0 else { throw FileError("cannot write", shown(relative), code: errno) }
        do throws(FileError) {
            try body { (bytes) throws(FileError) in try put(bytes, in: file, relative) }
        } catch {
            close(file)
            throw error
        }
        var information = stat()
        let isKnown = fstat(file, &information) == 0
        guard close(file) == 0 else {
            throw FileError("cannot write", shown(relative), code: errno)
        }
        return isKnown ? FileStatus(information) : nil
    }

    private func put(
        _ bytes: UnsafeRawBufferPointer, in file: Int32, _ relative: String
    ) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let count = Self.retry {
                systemWrite(file, bytes.baseAddress.map { $0 + written }, bytes.count - written)
            }
            guard count > 0 else {
                throw FileError("cannot write", shown(relative), code: count == 0 ? EIO : errno)
            }
            written += count
        }
    }

    /// Opens a file to be read piece by piece.
    package func openFile(_ relative: String) throws(FileError) -> OpenFile {
        try OpenFile(descriptor, relative, shownAs: shown(relative))
    }

    /// Writes a file.
    package func write(_ bytes: [UInt8], to relative: String, replacing: Bool = true)
        throws(FileError)
    {
        try bytes.withUnsafeBufferPointer { (buffer) throws(FileError) -> Void in
            try write(buffer, to: relative, replacing: replacing)
        }
    }

    /// Gives a file the permissions of another, as far as that is there and the
    /// system allows it.
    package func takePermissions(of source: String, to target: String) {
        var information = stat()
        guard fstatat(descriptor, source, &information, 0) == 0 else { return }
        fchmodat(descriptor, target, information.st_mode & 0o7777, 0)
    }

    /// Makes one folder; whatever is there already is left as it is. Whether
    /// it made one.
    @discardableResult
    package func makeFolder(_ relative: String) throws(FileError) -> Bool {
        if mkdirat(descriptor, relative, 0o755) == 0 { return true }
        guard errno == EEXIST else {
            throw FileError("cannot create", shown(relative), code: errno)
        }
        return false
    }

    /// Moves a file, over one that may stand at the new place.
    package func rename(_ relative: String, to target: String, in folder: Folder) throws(FileError)
    {
        if renameat(descriptor, relative, folder.descriptor, target) != 0 {
            throw FileError("cannot place", folder.shown(target), code: errno)
        }
    }

    /// Moves a file to a place where nothing is yet; an error of code `EEXIST`
    /// where something is.
    ///
    /// Takes the new name first, by an empty file that only one can make, and
    /// then puts the file there: also between two processes nothing is lost.
    package func move(_ relative: String, toFree target: String, in folder: Folder)
        throws(FileError)
    {
        try folder.write([], to: target, replacing: false)
        do throws(FileError) {
            try rename(relative, to: target, in: folder)
        } catch {
            try? folder.remove(target)
            throw error
        }
    }

    /// Opens the folder of a name, which is made if it is not there. A link in
    /// its place is an error: it could lead anywhere.
    package func makeAndOpenFolder(_ name: String) throws(FileError) -> Folder {
        try makeFolder(name)
        let opened = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard opened >= 0 else { throw FileError("cannot open", shown(name), code: errno) }
        return Folder(opened, path: shown(name))
    }

    /// Removes a file or a link; one that is not there is no error.
    package func remove(_ relative: String) throws(FileError) {
        if unlinkat(descriptor, relative, 0) != 0, errno != ENOENT {
            throw FileError("cannot remove", shown(relative), code: errno)
        }
    }

    /// Removes a folder if it is empty; whether it did.
    @discardableResult
    package func removeEmptyFolder(_ relative: String) -> Bool {
        unlinkat(descriptor, relative, AT_REMOVEDIR) == 0
    }

    /// Takes the folder for this process until the last reference goes, and no longer,
    /// even while a program is being started; whether no other process holds it.
    package func lock() -> Bool {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
        isTaken.store(true, ordering: .relaxed)
        return true
    }

    /// Removes a folder with all that is in it, links not followed: one that
    /// stands in the folder's own place is an error.
    package func removeTree(_ relative: String) throws(FileError) {
        for (name, kind) in try entries(of: relative, followingLinks: false) {
            let path = relative + "/" + name
            if kind == .folder { try removeTree(path) } else { try remove(path) }
        }
        removeEmptyFolder(relative)
    }

    private static func retry(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}

// The methods of Folder hide the functions of the same names.
private func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(file, buffer, count)
}

private func systemWrite(_ file: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(file, buffer, count)
}
