#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Paths of the file system as a whole.
package enum FilePath {
    /// A path from the root, without links, `.` and `..`; nil where nothing
    /// stands there.
    package static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// A path from the root, with links resolved as far as it exists.
    package static func resolvedAsFarAsItExists(_ path: String) -> String {
        if let whole = resolved(path) { return whole }
        var rest: [Substring] = []
        var parts = normalized(path).split(separator: "/")
        while let last = parts.popLast() {
            rest.insert(last, at: 0)
            if let start = resolved("/" + parts.joined(separator: "/")) {
                return start == "/"
                    ? "/" + rest.joined(separator: "/") : start + "/" + rest.joined(separator: "/")
            }
        }
        return "/"
    }

    /// A path from the root, with `.` and `..` taken out by their text; one
    /// that does not say so is taken from the root, never from the folder that
    /// the program happens to be in.
    package static func normalized(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") {
            if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// A path as seen from a folder: `b/c` of `/a/b/c` in `/a`, empty of the
    /// folder itself, nil of what does not lie in it. Both are resolved, or both
    /// are taken from the same folder, which is empty then.
    ///
    /// By bytes, as the system has them. A count of one thing cut off as a count
    /// of another cuts too much or too little as soon as a name is not ASCII: `ü`
    /// is one character, two bytes, or three where it is written as two signs.
    package static func relative(_ path: String, to folder: String) -> String? {
        if folder.isEmpty { return path }
        let slash = UInt8(ascii: "/")
        guard path.utf8.starts(with: folder.utf8) else { return nil }
        let rest = path.utf8.dropFirst(folder.utf8.count)
        if rest.isEmpty { return "" }
        if folder.utf8.last == slash { return String(Substring(rest)) }
        return rest.first == slash ? String(Substring(rest.dropFirst())) : nil
    }

    /// Whether `path` is `folder` or lies in it; both resolved.
    package static func isInside(_ path: String, _ folder: String) -> Bool {
        let slash = UInt8(ascii: "/")
        guard path.utf8.starts(with: folder.utf8) else { return false }
        let next = path.utf8.dropFirst(folder.utf8.count).first
        return next == nil || next == slash || folder.utf8.last == slash
    }

    /// The folder that holds what is at a path from the root.
    package static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex
        else { return "/" }
        return String(path[..<slash])
    }

    /// The last part of a path.
    package static func name(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }

    /// What stands at a path, links followed.
    package static func status(_ path: String) -> FileStatus? {
        var result = stat()
        guard stat(path, &result) == 0 else { return nil }
        return FileStatus(result)
    }

    /// Makes a folder and those above it; the paths of those that it made,
    /// outermost first.
    @discardableResult
    package static func makeFolders(_ path: String) throws(FileError) -> [String] {
        let path = normalized(path)
        if let status = status(path) {
            guard status.kind == .folder else {
                throw FileError("cannot create", path, code: ENOTDIR)
            }
            return []
        }
        var made: [String] = []
        if let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            made = try makeFolders(String(path[..<slash]))
        }
        if mkdir(path, 0o755) == 0 {
            made.append(path)
        } else if errno != EEXIST {
            throw FileError("cannot create", path, code: errno)
        }
        return made
    }

    /// Writes bytes at the end of a file, which is made if it is not there.
    package static func append(_ bytes: [UInt8], to path: String) throws(FileError) {
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw FileError("cannot write", path, code: errno) }
        defer { close(file) }
        let count = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        guard count == bytes.count else {
            throw FileError("cannot write", path, code: count < 0 ? errno : EIO)
        }
    }

    /// Removes a folder if it is empty.
    package static func removeEmptyFolder(_ path: String) {
        rmdir(path)
    }
}
