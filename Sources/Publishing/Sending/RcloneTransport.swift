import Bytes

/// Sends by rclone, to one of its remotes.
///
/// Whether a remote can compare files is a matter of its kind, so files of the
/// lists are sent whole, and the target's list is brought up to date as they
/// arrive. No remote can be held; that somebody else came in between is seen by
/// the list.
struct RcloneTransport: FileTransport {
    let target: PublishTarget
    private let remote: String
    private let program: ExternalProgram
    let work: Folder
    private let source: String
    /// The folder of this machine that the remote is; nil of others.
    private let folder: String?

    let batchSize: Int? = 500

    init(
        _ target: PublishTarget, to remote: String, in folder: String? = nil,
        _ context: SendingContext
    ) throws(PublishFailure) {
        self.target = target
        self.remote = remote
        self.folder = folder
        work = context.work
        source = context.output
        guard let rclone = context.program("rclone") else {
            throw PublishFailure(.missingTool("rclone", package: "rclone"), target)
        }
        program = rclone
    }

    func open() throws(PublishFailure) -> OutputManifest {
        try inWork { (work) throws(FileError) in
            if work.status("fetched") != nil { try work.removeTree("fetched") }
            try work.makeFolder("fetched")
        }
        let outcome = try run(
            ["copy", "--ignore-times", "--retries=1"], list: [OutputManifest.fileName],
            ["--", remote, work.path + "/fetched"])
        // What is not there yet is a folder or a file that was not found.
        guard [0, 3, 4].contains(outcome.code) else {
            throw PublishFailure(.tool("rclone", outcome), target)
        }
        guard work.status("fetched/" + OutputManifest.fileName) != nil else {
            return OutputManifest()
        }
        return try inWork { (work) throws(FileError) in
            OutputManifest(reading: try work.read("fetched/" + OutputManifest.fileName))
        }
    }

    func currentList() throws(PublishFailure) -> OutputManifest? { try open() }

    var overtaken: PublishFailure { PublishFailure(.overtaken, target) }

    func occupied(_ paths: [String], folders: [String]) throws(PublishFailure) -> [String] {
        guard !(paths.isEmpty && folders.isEmpty) else { return [] }
        if let folder {
            // rclone shows neither links nor folders in a file's place.
            guard let there = try? Folder(folder) else { return [] }
            return paths.filter { there.status($0) != nil }
                + folders.filter { there.status($0).map { $0.kind != .folder } ?? false }
        }
        // A remote need not have folders; where one does, a file in a folder's
        // place is found too.
        let outcome = try run(
            ["lsf", "--recursive", "--files-only", "--retries=1"], list: folders + paths,
            ["--", remote])
        guard [0, 3].contains(outcome.code) else {
            throw PublishFailure(.tool("rclone", outcome), target)
        }
        let asked = Set(folders + paths)
        return outcome.output.split(separator: UInt8(ascii: "\n"))
            .map { String(decoding: $0, as: UTF8.self) }.filter { asked.contains($0) }
    }

    func contents(of folders: [String]) throws(PublishFailure) -> [String] {
        var found: [String] = []
        for name in folders {
            if let folder, let there = try? Folder(folder) {
                found += Self.contents(of: name, in: there)
                continue
            }
            let outcome = try run(
                ["lsf", "--recursive", "--files-only", "--retries=1"], list: nil,
                ["--", place(name)])
            guard [0, 3].contains(outcome.code) else {
                throw PublishFailure(.tool("rclone", outcome), target)
            }
            found += outcome.output.split(separator: UInt8(ascii: "\n"))
                .map { name + "/" + String(decoding: $0, as: UTF8.self) }
        }
        return found
    }

    private static func contents(of name: String, in folder: Folder) -> [String] {
        let entries = (try? folder.entries(of: name, followingLinks: false)) ?? []
        return entries.flatMap { entry in
            let path = name + "/" + entry.name
            return entry.kind == .folder ? contents(of: path, in: folder) : [path]
        }
    }

    func copy(_ paths: [String]) throws(PublishFailure) {
        if let folder, let there = try? Folder(folder) {
            // It would write through a link, into somebody else's file.
            for path in paths where there.status(path)?.kind == .link { try? there.remove(path) }
        }
        try check(
            run(
                ["copy", "--ignore-times", "--no-traverse"], list: paths, ["--", source, remote]))
    }

    func remove(_ paths: [String]) throws(PublishFailure) {
        guard !paths.isEmpty else { return }
        let outcome = try run(["delete"], list: paths, ["--", remote])
        guard [0, 3, 4].contains(outcome.code) else {
            throw PublishFailure(.tool("rclone", outcome), target)
        }
    }

    func removeEmptyFolders(_ folders: [String]) throws(PublishFailure) {
        guard !folders.isEmpty else { return }
        let features = try run(["backend", "features"], list: nil, ["--", remote])
        let text = String(decoding: features.output, as: UTF8.self)
        guard text.contains("\"CanHaveEmptyDirectories\": true") else { return }
        // One that is not empty, or gone already, is left alone.
        for folder in folders {
            _ = try run(["rmdir", "--retries=1"], list: nil, ["--", place(folder)])
        }
    }

    func put(_ list: [UInt8], isLast: Bool) throws(PublishFailure) {
        try inWork { (work) throws(FileError) in
            try work.makeFolder("list")
            try work.write(list, to: "list/" + OutputManifest.fileName)
        }
        try check(
            run(
                ["copy", "--ignore-times", "--no-traverse"], list: [OutputManifest.fileName],
                ["--", work.path + "/list", remote]))
    }

    private func place(_ path: String) -> String {
        remote.hasSuffix("/") || remote.hasSuffix(":") ? remote + path : remote + "/" + path
    }

    private func run(
        _ arguments: [String], list: [String]?, _ places: [String]
    ) throws(PublishFailure) -> ExternalProgram.Outcome {
        var options: [String] = []
        if let list {
            if let path = list.first(where: { $0.utf8.contains { $0 == 0x0A || $0 == 0x0D } }) {
                throw PublishFailure(.unnameable(path), target)
            }
            let lines = Array(list.map { $0 + "\n" }.joined().utf8)
            try inWork { (work) throws(FileError) in try work.write(lines, to: "names") }
            options = ["--files-from-raw", work.path + "/names"]
        }
        return try inWork { (_) throws(FileError) in
            try program.run(arguments + options + places)
        }
    }

    private func check(_ outcome: ExternalProgram.Outcome) throws(PublishFailure) {
        guard outcome.code == 0 else { throw PublishFailure(.tool("rclone", outcome), target) }
    }
}
