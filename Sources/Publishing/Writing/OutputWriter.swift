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
    /// What the list of what was written says; nil where it names just the files
    /// that this build writes.
    private let listed: OutputManifest?
    /// The output folder and those above it, as far as this build made them.
    private let outputFolders: [String]
    /// What the build will write, and what is known of the files there.
    private let files: OutputFiles
    private var paths: [String] { files.list.paths }
    /// Whether every file is written, the same bytes or not.
    private let writesAll: Bool
    /// Whether every file is known.
    private let isWhole: Bool
    private let state: Mutex<State>

    private struct State {
        /// Folders that are known to be there and to be folders.
        var folders: Set<String> = [""]
        /// Folders that this build made, in the order of making.
        var made: [String] = []
        /// The digests of what the output will hold, by place.
        var hashes: [ContentHash?]
        /// Files that differ and were staged under the numbers of their places,
        /// or were written in place.
        var written: [Int] = []
        /// What the system said of files when they were written, in place or beside
        /// it.
        var stamps: [Int: FileStamp] = [:]
    }

    /// What a build did to the output.
    struct Outcome: Sendable {
        /// Paths of files that were written, sorted.
        var written: [String]
        /// Paths of files that were removed, sorted.
        var removed: [String]
        /// The digests of all files, by their places among the paths; nil of
        /// one that was not taken.
        var hashes: [ContentHash?]
        /// What the system says of the files that were written, by their places.
        var stamps: [Int: FileStamp]
        /// What it says of the list of what was written.
        var manifest: FileStamp
    }

    /// Opens the output at `path`, which is made if it is not there, for a
    /// build that will write `files`, and takes it until the writer goes.
    ///
    /// A file whose digest is known stays as it is unless other bytes are added
    /// for it. `held` is the output where the build has it already. `listed` is
    /// the list of what was written, which is read where nobody knows it;
    /// `isListed` says that it names just `files`, `isWhole` that all of these are
    /// known, which spares a look at each. Where `writesAll`, files are
    /// written though their bytes be the same.
    ///
    /// Throws messages for files that stand in the way and are not Daybook's,
    /// and where another build writes to the output.
    init(
        _ path: String, held: Folder? = nil, _ files: OutputFiles, isListed: Bool,
        isWhole: Bool = false, listed list: OutputManifest?, writesAll: Bool
    ) throws(OutputFailure) {
        self.files = files
        self.isWhole = isWhole
        self.writesAll = writesAll
        state = Mutex(State(hashes: files.hashes))
        let isFree: Bool
        do throws(FileError) {
            outputFolders = try FilePath.makeFolders(path)
            if let held { output = held } else { output = try Folder(path) }
            isFree = output.lock()
            if isListed {
                listed = nil
            } else if let list {
                listed = list
            } else if output.status(OutputManifest.fileName) == nil {
                listed = OutputManifest()
            } else {
                listed = OutputManifest(reading: try output.read(OutputManifest.fileName))
            }
            let isEmpty = isListed ? false : try output.entries().isEmpty
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
        let foreign = staging == nil || isWhole ? [] : thingsInTheWay()
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
            try announce()
        } catch {
            discard()
            throw OutputFailure([Diagnostic(.error, "output", error.message)])
        }
    }

    /// What stands where files or their folders belong, and is not Daybook's to
    /// replace; sorted.
    private func thingsInTheWay() -> [String] {
        // Files that are known to be there stand in nobody's way.
        let paths = files.hashes.indices.filter { files.hashes[$0] == nil }.map { self.paths[$0] }
        guard !paths.isEmpty else { return [] }
        let folders = Set(paths.flatMap { Self.ancestors(of: $0) })
        let owned =
            listed.map { Set($0.files.keys.map { ExactPath($0) }) }
            ?? Set(self.paths.map { ExactPath($0) })
        let ownedFolders = Set(
            owned.flatMap { Self.ancestors(of: $0.path) }.map { ExactPath($0) })
        let blockedFolders = folders.filter { folder in
            guard let kind = output.status(folder)?.kind else { return false }
            return kind != .folder && !owned.contains(ExactPath(folder))
        }
        let blockedFiles = paths.filter { path in
            guard let kind = output.status(path)?.kind else { return false }
            // A folder of our own files goes with them.
            return !(kind == .folder ? ownedFolders : owned).contains(ExactPath(path))
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
    private func announce() throws(FileError) {
        try output.write(OutputManifest.bytes(paths) { _ in nil }, to: OutputManifest.fileName)
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

    /// Takes the bytes of the output file at a place among the expected paths.
    func add(_ place: Int, _ bytes: borrowing ByteBuffer) throws(FileError) {
        try bytes.withBytes { (buffer) throws(FileError) in try add(place, buffer) }
    }

    /// Takes the bytes of the output file at a place among the expected paths.
    func add(_ place: Int, _ bytes: [UInt8]) throws(FileError) {
        try bytes.withUnsafeBufferPointer { (buffer) throws(FileError) in try add(place, buffer) }
    }

    private func add(_ place: Int, _ bytes: UnsafeBufferPointer<UInt8>) throws(FileError) {
        let isChanged = try put(place, bytes)
        for form in files.list.encoded[place] ?? [] {
            // The form of bytes that are as they were is as it was.
            if !isChanged, !writesAll, files.hashes[form.place] != nil { continue }
            let encoded = try form.encoding.encoded(bytes, for: paths[place])
            try encoded.withUnsafeBufferPointer { (bytes) throws(FileError) in
                _ = try put(form.place, bytes)
            }
        }
    }

    /// Puts the bytes of one file; whether they are not those that were known.
    private func put(
        _ place: Int, _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(FileError) -> Bool {
        let path = paths[place]
        // No plan has such a path; a fault elsewhere must not lead out.
        guard !path.hasPrefix("/"), !path.split(separator: "/").contains("..") else {
            throw FileError("refused to write", path, code: 22)
        }
        let hash = ContentHash(of: UnsafeRawBufferPointer(bytes))
        guard let staging else {
            try makeFolders(above: path)
            let status: FileStatus?
            do throws(FileError) {
                status = try output.write(bytes, to: path, replacing: false)
            } catch {
                // A file that stood there is somebody else's; one that was
                // begun is ours.
                if error.code != 17 { try? output.remove(path) }
                throw error
            }
            take(place, hash, isWritten: true, status.map { FileStamp($0) })
            return true
        }
        if files.hashes[place].map({ $0 == hash && !writesAll }) ?? isThere(path, bytes) {
            take(place, hash, isWritten: false)
            return files.hashes[place] != hash
        }
        let status = try staging.write(bytes, to: String(place))
        take(place, hash, isWritten: true, status.map { FileStamp($0) })
        return true
    }

    /// Leaves a file out after all: it cannot be made.
    func drop(_ place: Int) {
        state.withLock {
            $0.hashes[place] = nil
            for form in files.list.encoded[place] ?? [] { $0.hashes[form.place] = nil }
        }
    }

    private func take(
        _ place: Int, _ hash: ContentHash, isWritten: Bool, _ stamp: FileStamp? = nil
    ) {
        state.withLock { state in
            state.hashes[place] = hash
            if isWritten { state.written.append(place) }
            if let stamp { state.stamps[place] = stamp }
        }
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
        // Outside the lock: two workers may both try, and one of them makes it.
        let isMade = try output.makeFolder(folder)
        if !isMade, output.status(folder)?.kind != .folder {
            // Never through a link that somebody put there.
            throw FileError("cannot create the folder", folder, code: 20)
        }
        state.withLock { state in
            state.folders.insert(folder)
            if isMade { state.made.append(folder) }
        }
    }

    // MARK: In the end

    /// Places everything, removes what is no longer part of the site, and
    /// writes the list.
    func place() throws(FileError) -> Outcome {
        defer { removeStaging() }
        let (hashes, written, placed) = state.withLock {
            ($0.hashes, $0.written.sorted(), $0.stamps)
        }
        guard let staging else {
            let taken = paths.indices.filter { hashes[$0] != nil }
            try output.write(
                OutputManifest.bytes(taken.map { paths[$0] }) { hashes[taken[$0]] },
                to: OutputManifest.fileName)
            return Outcome(
                written: written.map { paths[$0] }, removed: [], hashes: hashes, stamps: placed,
                manifest: manifestStamp)
        }
        let removed: [String]
        if listed == nil, isWhole || hashes.allSatisfy({ $0 != nil }) {
            removed = []
            try placeListed(written, hashes, staging)
        } else {
            removed = try placeAll(written, hashes, staging)
        }
        var stamps = placed
        for place in written { stamps[place] = stamp(of: place, staged: placed[place]) }
        return Outcome(
            written: written.map { paths[$0] }, removed: removed, hashes: hashes, stamps: stamps,
            manifest: manifestStamp)
    }

    /// What the system says of a file that was placed; unknown where it is not the
    /// one that was staged any more, because somebody was quick to change it.
    private func stamp(of place: Int, staged: FileStamp?) -> FileStamp {
        guard let staged, let status = output.status(paths[place]) else { return .unknown }
        let stamp = FileStamp(status)
        // Placing it changed its name alone, which the time of its change tells.
        return stamp.isSameContent(as: staged) ? stamp : .unknown
    }

    /// Places files that the list of what was written names already, and writes
    /// it once they are there.
    private func placeListed(
        _ written: [Int], _ hashes: [ContentHash?], _ staging: Folder
    ) throws(FileError) {
        guard !written.isEmpty else { return }
        for place in written {
            try makeFolders(above: paths[place])
            try staging.rename(String(place), to: paths[place], in: output)
        }
        try write(OutputManifest.bytes(paths) { hashes[$0] }, through: staging)
    }

    /// Places files, removes those that are no longer part of the site, and
    /// writes the list. What was removed.
    private func placeAll(
        _ written: [Int], _ hashes: [ContentHash?], _ staging: Folder
    ) throws(FileError) -> [String] {
        let previous = listed ?? OutputManifest(paths, hashes: files.hashes)
        let manifest = OutputManifest(paths, hashes: hashes)
        // What a link now leads to is not what was written, and a folder in a
        // file's place is somebody's: both are left alone.
        let stale = previous.files.keys
            .filter { path in
                manifest.files[path] == nil && !Self.passesLink(path, in: output)
                    && output.status(path)?.kind != .folder
            }
            .sorted { $0.precedes($1) }
        let changesFiles = !written.isEmpty || !stale.isEmpty
        if changesFiles {
            // Whoever comes after a kill must know both.
            var both = previous
            for path in manifest.files.keys { both.files[path] = .some(nil) }
            try write(both.bytes, through: staging)
            let early = makingRoom(among: stale, for: written.map { paths[$0] })
            for path in early { try removeFile(path) }
            for place in written {
                try makeFolders(above: paths[place])
                try staging.rename(String(place), to: paths[place], in: output)
            }
            for path in stale where !early.contains(path) { try removeFile(path) }
        }
        if changesFiles || manifest != previous { try write(manifest.bytes, through: staging) }
        return stale
    }

    private var manifestStamp: FileStamp {
        output.status(OutputManifest.fileName).map { FileStamp($0) } ?? .unknown
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

    private func write(_ list: [UInt8], through staging: Folder) throws(FileError) {
        try staging.write(list, to: "manifest")
        try staging.rename("manifest", to: OutputManifest.fileName, in: output)
    }

    /// Leaves the output as it was found.
    func discard() {
        if staging == nil {
            let (placed, made) = state.withLock { ($0.written, $0.made) }
            for place in placed { try? output.remove(paths[place]) }
            for folder in made.reversed() { output.removeEmptyFolder(folder) }
            try? output.remove(OutputManifest.fileName)
            for folder in outputFolders.reversed() { FilePath.removeEmptyFolder(folder) }
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
