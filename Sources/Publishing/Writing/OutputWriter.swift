import Bytes
import Diagnostics
import Notes
import Synchronization

/// Puts a build's files into the output folder, all or none.
///
/// A file is staged beside the output (on the same file system) where it
/// differs from the one that is there, and placed by rename once every page is
/// good. An output that is empty is written in place, which spares each file a
/// rename. Workers share one writer; what changes is behind its lock.
final class OutputWriter: Sendable {
    private let output: Folder
    private let staging: Folder?
    private let stagingParent: Folder?
    private let stagingName: String
    private let previous: OutputManifest
    /// Whether every file is written, the same bytes or not.
    private let writesAll: Bool
    private let state = Mutex(State())

    private struct State {
        /// Folders that are known to be there and to be folders.
        var folders: Set<String> = [""]
        /// Folders that this build made, in the order of making.
        var made: [String] = []
        /// The new list.
        var manifest = OutputManifest()
        /// Staged files: output path to name in the staging folder.
        var staged: [(path: String, name: String)] = []
        /// Files that were written in place.
        var placed: [String] = []
        var nextName = 0
    }

    /// What a build did to the output.
    struct Outcome: Sendable {
        /// Paths of files that were written, sorted.
        var written: [String]
        /// Paths of files that were removed, sorted.
        var removed: [String]
    }

    /// Opens the output at `path`, which is made if it is not there, for a
    /// build that will write `expected`, and takes it until the writer goes.
    /// Where `writesAll`, files are written though their bytes be the same.
    ///
    /// Throws messages for files that stand in the way and are not Daybook's,
    /// and where another build writes to the output.
    init(
        _ path: String, expecting expected: Set<String>, writesAll: Bool
    ) throws(OutputFailure) {
        self.writesAll = writesAll
        let isFree: Bool
        do throws(FileError) {
            try FilePath.makeFolders(path)
            output = try Folder(path)
            isFree = output.lock()
            let manifest =
                output.status(OutputManifest.fileName) == nil
                ? OutputManifest()
                : OutputManifest(reading: try output.read(OutputManifest.fileName))
            previous = manifest
            let isEmpty = try output.entries().isEmpty
            if isEmpty || !isFree {
                staging = nil
                stagingParent = nil
                stagingName = ""
            } else {
                (stagingParent, stagingName) = try Self.stagingPlace(path, output)
                // Leftovers of a build that was killed.
                if stagingParent?.status(stagingName) != nil {
                    try stagingParent?.removeTree(stagingName)
                }
                try stagingParent?.makeFolder(stagingName)
                staging = try Folder((stagingParent?.path ?? "") + "/" + stagingName)
            }
        } catch {
            throw OutputFailure([Diagnostic(.error, "output", error.message)])
        }
        guard isFree else {
            throw OutputFailure([
                Diagnostic(
                    .error, "output", "another build is writing to \(path)",
                    help: "wait until it is done")
            ])
        }
        let foreign = staging == nil ? [] : thingsInTheWay(of: expected)
        guard foreign.isEmpty else {
            discard()
            throw OutputFailure(
                foreign.map { path in
                    Diagnostic(
                        .error, "foreign-file",
                        "something that Daybook did not write stands where a page belongs: \(path)",
                        help: "move it away, or into the site's static/ folder")
                })
        }
        guard staging == nil else { return }
        do throws(FileError) {
            try announce(expected)
        } catch {
            throw OutputFailure([Diagnostic(.error, "output", error.message)])
        }
    }

    /// What stands where `expected` files or their folders belong, and is not
    /// Daybook's to replace; sorted.
    private func thingsInTheWay(of expected: Set<String>) -> [String] {
        let folders = Set(expected.flatMap { Self.ancestors(of: $0) })
        let owned = Set(previous.files.keys)
        let ownedFolders = Set(owned.flatMap { Self.ancestors(of: $0) })
        let blockedFolders = folders.filter { folder in
            guard let kind = output.status(folder)?.kind else { return false }
            return kind != .folder && !owned.contains(folder)
        }
        let blockedFiles = expected.filter { path in
            guard let kind = output.status(path)?.kind else { return false }
            // A folder of our own files goes with them.
            return kind == .folder ? !ownedFolders.contains(path) : !owned.contains(path)
        }
        return blockedFolders.union(blockedFiles).sorted()
    }

    /// The folders that a path lies in, innermost first.
    private static func ancestors(of path: String) -> [String] {
        var result: [String] = []
        var folder = NotePath.folder(of: path)
        while !folder.isEmpty {
            result.append(folder)
            folder = NotePath.folder(of: folder)
        }
        return result
    }

    /// Names every file of a build that is written in place before the first
    /// is, so that the build after a kill knows them for its own.
    private func announce(_ expected: Set<String>) throws(FileError) {
        var announced = OutputManifest()
        for path in expected { announced.files[path] = .some(nil) }
        try output.write(announced.bytes, to: OutputManifest.fileName)
    }

    /// Beside the output where that is on the same device and can be written
    /// to, else inside it.
    private static func stagingPlace(_ path: String, _ output: Folder) throws(FileError) -> (
        Folder, String
    ) {
        let path = FilePath.resolved(path) ?? path
        let parent = NotePath.folder(of: path)
        let name = "." + NotePath.fileName(of: path) + ".daybook-staging"
        if !parent.isEmpty, let folder = try? Folder(parent),
            let device = folder.status(".")?.device, device == output.status(".")?.device,
            (try? folder.makeFolder(name)) != nil
        {
            return (folder, name)
        }
        return (output, ".daybook-staging")
    }

    // MARK: While rendering

    /// Takes the bytes of one output file. Whether they differ from what is
    /// there.
    func add(_ path: String, _ bytes: borrowing ByteBuffer) throws(FileError) {
        // The closure cannot throw a typed error through the lock's own.
        let failure = bytes.withBytes { buffer -> FileError? in
            do throws(FileError) {
                try add(path, buffer)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    /// Takes the bytes of one output file.
    func add(_ path: String, _ bytes: [UInt8]) throws(FileError) {
        let failure = bytes.withUnsafeBufferPointer { buffer -> FileError? in
            do throws(FileError) {
                try add(path, buffer)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    private func add(_ path: String, _ bytes: UnsafeBufferPointer<UInt8>) throws(FileError) {
        // No plan has such a path; a fault elsewhere must not lead out.
        guard !path.hasPrefix("/"), !path.split(separator: "/").contains("..") else {
            throw FileError("refused to write", path, code: 22)
        }
        let hash = ContentHash(of: UnsafeRawBufferPointer(bytes))
        guard let staging else {
            try makeFolders(above: path)
            do throws(FileError) {
                try output.write(bytes, to: path, replacing: false)
            } catch {
                // A file that stood there is somebody else's; one that was
                // begun is ours.
                if error.code != 17 { try? output.remove(path) }
                throw error
            }
            state.withLock { $0.placed.append(path) }
            state.withLock { $0.manifest.files[path] = .some(hash) }
            return
        }
        if isThere(path, bytes) {
            state.withLock { $0.manifest.files[path] = .some(hash) }
            return
        }
        let name = state.withLock { state in
            state.manifest.files[path] = .some(hash)
            state.nextName += 1
            return String(state.nextName)
        }
        try staging.write(bytes, to: name)
        state.withLock { $0.staged.append((path, name)) }
    }

    /// Whether the file that is there has the very same bytes. The file itself
    /// is compared, not what is remembered of it: somebody may have changed it.
    private func isThere(_ path: String, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !writesAll, let status = output.status(path), status.kind == .file,
            status.size == bytes.count,
            let old = try? output.read(path)
        else { return false }
        return old.withUnsafeBufferPointer { $0.elementsEqual(bytes) }
    }

    private func makeFolders(above path: String) throws(FileError) {
        let folder = NotePath.folder(of: path)
        if state.withLock({ $0.folders.contains(folder) }) { return }
        try makeFolders(above: folder)
        let failure = state.withLock { state -> FileError? in
            if state.folders.contains(folder) { return nil }
            do throws(FileError) {
                if try output.makeFolder(folder) {
                    state.made.append(folder)
                } else if output.status(folder)?.kind != .folder {
                    // Never through a link that somebody put there.
                    return FileError("cannot create the folder", folder, code: 20)
                }
            } catch {
                return error
            }
            state.folders.insert(folder)
            return nil
        }
        if let failure { throw failure }
    }

    // MARK: In the end

    /// Places everything, removes what is no longer part of the site, and
    /// writes the list.
    func place() throws(FileError) -> Outcome {
        defer { removeStaging() }
        var (manifest, staged, placed) = state.withLock { ($0.manifest, $0.staged, $0.placed) }
        staged.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        // What a link now leads to is not what was written.
        let stale = previous.files.keys
            .filter { manifest.files[$0] == nil && !Self.passesLink($0, in: output) }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        guard let staging else {
            try output.write(manifest.bytes, to: OutputManifest.fileName)
            placed.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            return Outcome(written: placed, removed: [])
        }
        let changesFiles = !staged.isEmpty || !stale.isEmpty
        if changesFiles {
            // Whoever comes after a kill must know both.
            var both = previous
            for path in manifest.files.keys { both.files[path] = .some(nil) }
            try write(both, through: staging)
            let early = makingRoom(among: stale, for: staged.map(\.path))
            for path in early { try removeFile(path) }
            for (path, name) in staged {
                try makeFolders(above: path)
                try staging.rename(name, to: path, in: output)
            }
            for path in stale where !early.contains(path) { try removeFile(path) }
        }
        if changesFiles || manifest != previous { try write(manifest, through: staging) }
        return Outcome(written: staged.map(\.path), removed: stale)
    }

    /// The files that must go before others come: where a file gives way to a
    /// folder of its name, or a folder to a file. All others go last.
    private func makingRoom(among stale: [String], for paths: [String]) -> Set<String> {
        let placed = Set(paths)
        let folders = Set(paths.flatMap { Self.ancestors(of: $0) })
        return Set(
            stale.filter { path in
                folders.contains(path) || Self.ancestors(of: path).contains { placed.contains($0) }
            })
    }

    private func removeFile(_ path: String) throws(FileError) {
        try output.remove(path)
        var folder = NotePath.folder(of: path)
        while !folder.isEmpty, output.removeEmptyFolder(folder) {
            folder = NotePath.folder(of: folder)
        }
    }

    private func write(_ manifest: OutputManifest, through staging: Folder) throws(FileError) {
        try staging.write(manifest.bytes, to: "manifest")
        try staging.rename("manifest", to: OutputManifest.fileName, in: output)
    }

    /// Leaves the output as it was found.
    func discard() {
        if staging == nil {
            let (placed, made) = state.withLock { ($0.placed, $0.made) }
            for path in placed { try? output.remove(path) }
            for folder in made.reversed() { output.removeEmptyFolder(folder) }
            try? output.remove(OutputManifest.fileName)
        }
        removeStaging()
    }

    private func removeStaging() {
        if staging != nil { try? stagingParent?.removeTree(stagingName) }
    }

    private static func passesLink(_ path: String, in output: Folder) -> Bool {
        var folder = NotePath.folder(of: path)
        while !folder.isEmpty {
            if output.status(folder)?.kind == .link { return true }
            folder = NotePath.folder(of: folder)
        }
        return false
    }
}

/// Why an output cannot be written to.
struct OutputFailure: Error {
    var messages: [Diagnostic]

    init(_ messages: [Diagnostic]) {
        self.messages = messages
    }
}
