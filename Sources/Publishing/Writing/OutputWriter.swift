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
    /// Where files are made; nil where they are made in place.
    private let staging: StagingFolder?
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
        /// What was said of files that are not left as they are known, in that
        /// order.
        var taken: [Taken] = []
    }

    /// What one file of the output will be.
    private struct Taken {
        /// Its place among the paths.
        let place: Int
        /// The digest of its bytes; nil where it is left out after all.
        let hash: ContentHash?
        /// What the system said of it when it was written, in place or staged under
        /// the number of its place; nil where the bytes were there.
        var stamp: FileStamp?
    }

    /// What a build did to the output.
    struct Outcome: Sendable {
        /// Paths of files that were written, sorted.
        var written: [String]
        /// Paths of files that were removed, sorted.
        var removed: [String] = []
        /// The digests of all files, by their places among the paths; nil of
        /// one that was not taken.
        var hashes: [ContentHash?] = []
        /// What the system says of the files that were written, by their places.
        var stamps: [Int: FileStamp] = [:]
        /// What it says of the list of what was written.
        var manifest = FileStamp.unknown
    }

    /// Why a build could not be placed wholly, and what was done by then.
    struct BrokenOff: Error {
        /// What the system refused.
        var error: FileError
        /// Paths of files that were written, sorted.
        var written: [String]
        /// Paths of files that were removed.
        var removed: [String]
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
        state = Mutex(State())
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
            staging = isEmpty || !isFree ? nil : try StagingFolder(for: path, output)
        } catch {
            throw OutputFailure([Diagnostic(.error, "output", error.message)])
        }
        guard isFree else {
            throw OutputFailure(
                [
                    Diagnostic(
                        .error, "output", "another build is writing to \(path)",
                        help: "wait until it is done")
                ], isTaken: true)
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
        let folders = Set(paths.flatMap { NotePath.folders(above: $0) })
        let owned =
            listed.map { Set($0.files.keys.map { ExactPath($0) }) }
            ?? Set(self.paths.map { ExactPath($0) })
        let ownedFolders = Set(
            owned.flatMap { NotePath.folders(above: $0.path) }.map { ExactPath($0) })
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

    /// Names every file of a build that is written in place before the first
    /// is, so that the build after a kill knows them for its own.
    private func announce() throws(FileError) {
        try output.write(OutputManifest.bytes(placing: paths), to: OutputManifest.fileName)
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

    /// Takes the bytes of an open file, piece by piece where it is large.
    func add(_ place: Int, _ file: OpenFile) throws(FileError) {
        let hasForms = files.list.encoded[place] != nil
        guard file.status.size > Self.largeFile, !hasForms else {
            guard let bytes = file.bytes else {
                throw FileError("cannot read", paths[place], code: 5)
            }
            return try add(place, bytes)
        }
        _ = try put(place, file)
    }

    /// Files of more bytes are not held in memory as a whole.
    private static let largeFile: Int64 = 1 << 20

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
        let hash = ContentHash(of: UnsafeRawBufferPointer(bytes))
        return try put(place, hash) {
            isThere($0, bytes)
        } writing: { (folder, name, replacing) throws(FileError) in
            (try folder.write(bytes, to: name, replacing: replacing), hash)
        }
    }

    /// Puts the bytes of an open file.
    private func put(_ place: Int, _ file: OpenFile) throws(FileError) -> Bool {
        // A file that is written in any case is gone through once.
        let hash = staging == nil ? nil : try file.hash()
        return try put(place, hash) { path in
            guard let status = output.status(path), status.kind == .file,
                status.size == file.status.size
            else { return false }
            return (try? output.openFile(path).hash()) == hash
        } writing: { (folder, name, replacing) throws(FileError) in
            try folder.write(file, to: name, replacing: replacing)
        }
    }

    /// Puts one file of a digest, unless it is there already; whether its bytes are
    /// not those that were known. `write` writes it under a name in a folder, and
    /// says what the digest of that is.
    private func put(
        _ place: Int, _ hash: ContentHash?, unless isThere: (String) -> Bool,
        writing write: (Folder, String, Bool) throws(FileError) -> (FileStatus?, ContentHash)
    ) throws(FileError) -> Bool {
        let path = paths[place]
        // No plan has such a path; a fault elsewhere must not lead out.
        guard !path.hasPrefix("/"), !path.split(separator: "/").contains("..") else {
            throw FileError("refused to write", path, code: 22)
        }
        guard let staging else {
            try makeFolders(above: path)
            do throws(FileError) {
                let (status, hash) = try write(output, path, false)
                take(.init(place: place, hash: hash, stamp: Self.stamp(status)))
            } catch {
                // A file that stood there is somebody else's; one that was
                // begun is ours.
                if error.code != 17 { try? output.remove(path) }
                throw error
            }
            return true
        }
        if let hash, !writesAll, files.hashes[place].map({ $0 == hash }) ?? isThere(path) {
            take(.init(place: place, hash: hash))
            return files.hashes[place] != hash
        }
        let (status, written) = try write(staging.folder, String(place), true)
        take(.init(place: place, hash: written, stamp: Self.stamp(status)))
        return true
    }

    private static func stamp(_ status: FileStatus?) -> FileStamp {
        status.map { FileStamp($0) } ?? .unknown
    }

    /// Leaves a file out after all: it cannot be made.
    func drop(_ place: Int) {
        let places = [place] + (files.list.encoded[place] ?? []).map(\.place)
        for place in places { take(.init(place: place, hash: nil)) }
    }

    private func take(_ file: Taken) { state.withLock { $0.taken.append(file) } }

    /// Whether the file that is there has the very same bytes. The file itself
    /// is compared, not what is remembered of it: somebody may have changed it.
    private func isThere(_ path: String, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let status = output.status(path), status.kind == .file, status.size == bytes.count,
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
    /// writes the list. Where that breaks off the error says what was done by then.
    func place() throws(BrokenOff) -> Outcome {
        defer { staging?.remove() }
        var outcome = Outcome(written: [])
        do throws(FileError) {
            try place(&outcome)
            return outcome
        } catch {
            throw BrokenOff(error: error, written: outcome.written, removed: outcome.removed)
        }
    }

    private func place(_ outcome: inout Outcome) throws(FileError) {
        let taken = state.withLock { $0.taken }
        let written = taken.filter { $0.stamp != nil }.sorted { $0.place < $1.place }
        guard let staging else {
            outcome.written = written.map { paths[$0.place] }
            outcome.hashes = hashes(taken)
            for file in written { outcome.stamps[file.place] = file.stamp }
            try output.write(
                OutputManifest.bytes(paths, hashes: outcome.hashes), to: OutputManifest.fileName)
            outcome.manifest = manifestStamp
            return
        }
        let isComplete =
            taken.allSatisfy { $0.hash != nil }
            && (isWhole || hashes(taken).allSatisfy { $0 != nil })
        if listed == nil, isComplete {
            // The list names them already: it is written once they are there.
            try placeStaged(written, staging, &outcome)
            outcome.hashes = hashes(taken)
            // Of a file that was not as it was left the list may say what it was: a
            // build that was killed had placed it, and not come to the list.
            if !written.isEmpty || files.hashes.contains(nil) {
                try write(OutputManifest.bytes(paths, hashes: outcome.hashes), through: staging)
            }
        } else {
            outcome.hashes = hashes(taken)
            try placeAll(written, staging, &outcome)
        }
        for file in written { outcome.stamps[file.place] = stamp(of: file) }
        outcome.manifest = manifestStamp
    }

    /// The digests of what the output will hold, by place.
    private func hashes(_ taken: [Taken]) -> [ContentHash?] {
        var hashes = files.hashes
        for file in taken { hashes[file.place] = file.hash }
        return hashes
    }

    /// What the system says of a file that was placed; unknown where it is not the
    /// one that was staged any more, because somebody was quick to change it.
    private func stamp(of file: Taken) -> FileStamp {
        guard let staged = file.stamp, let status = output.status(paths[file.place]) else {
            return .unknown
        }
        let stamp = FileStamp(status)
        // Placing it changed its name alone, which the time of its change tells.
        return stamp.isSameContent(as: staged) ? stamp : .unknown
    }

    /// Renames staged files to their places; `outcome` names each that is there.
    private func placeStaged(
        _ written: [Taken], _ staging: StagingFolder, _ outcome: inout Outcome
    ) throws(FileError) {
        for file in written {
            try makeFolders(above: paths[file.place])
            try staging.folder.rename(String(file.place), to: paths[file.place], in: output)
            outcome.written.append(paths[file.place])
        }
    }

    /// Places files, removes those that are no longer part of the site, and
    /// writes the list; `outcome` names each as it is done.
    private func placeAll(
        _ written: [Taken], _ staging: StagingFolder, _ outcome: inout Outcome
    ) throws(FileError) {
        let previous = listed ?? OutputManifest(paths, hashes: files.hashes)
        let manifest = OutputManifest(paths, hashes: outcome.hashes)
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
            let early = makingRoom(among: stale, for: written.map { paths[$0.place] })
            for path in stale where early.contains(path) {
                try removeFile(path)
                outcome.removed.append(path)
            }
            try placeStaged(written, staging, &outcome)
            for path in stale where !early.contains(path) {
                try removeFile(path)
                outcome.removed.append(path)
            }
            outcome.removed = stale
        }
        if changesFiles || manifest != previous { try write(manifest.bytes, through: staging) }
    }

    private var manifestStamp: FileStamp {
        output.status(OutputManifest.fileName).map { FileStamp($0) } ?? .unknown
    }

    /// The files that must go before others come: where a file gives way to a
    /// folder of its name, or a folder to a file. All others go last.
    private func makingRoom(among stale: [String], for paths: [String]) -> Set<String> {
        let placed = Set(paths)
        let folders = Set(paths.flatMap { NotePath.folders(above: $0) })
        return Set(
            stale.filter { path in
                folders.contains(path)
                    || NotePath.folders(above: path).contains { placed.contains($0) }
            })
    }

    private func removeFile(_ path: String) throws(FileError) {
        try output.remove(path)
        var folder = NotePath.folder(of: path)
        while !folder.isEmpty, output.removeEmptyFolder(folder) {
            folder = NotePath.folder(of: folder)
        }
    }

    private func write(_ list: [UInt8], through staging: StagingFolder) throws(FileError) {
        try staging.folder.write(list, to: "manifest")
        try staging.folder.rename("manifest", to: OutputManifest.fileName, in: output)
    }

    /// Leaves the output as it was found.
    func discard() {
        if staging == nil {
            let (taken, made) = state.withLock { ($0.taken, $0.made) }
            for file in taken where file.stamp != nil { try? output.remove(paths[file.place]) }
            for folder in made.reversed() { output.removeEmptyFolder(folder) }
            try? output.remove(OutputManifest.fileName)
            for folder in outputFolders.reversed() { FilePath.removeEmptyFolder(folder) }
        }
        staging?.remove()
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
    /// Whether another process has it: it can be written to when that is done.
    var isTaken: Bool

    init(_ messages: [Diagnostic], isTaken: Bool = false) {
        self.messages = messages
        self.isTaken = isTaken
    }
}
