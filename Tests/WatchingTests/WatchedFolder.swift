import Bytes
import Foundation

@testable import Watching

/// A fresh folder that is watched, and what a test does in it. Its path has signs
/// of several bytes, so that a count of bytes is none of characters.
final class WatchedFolder {
    let root: String
    let interrupt: Interrupt
    /// Where the notes are.
    var content: String { root + "/content" }

    init() throws {
        let path = FileManager.default.temporaryDirectory.appending(
            path: "daybook-wätch-März-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: path.appending(path: "content"), withIntermediateDirectories: true)
        root = path.resolvingSymlinksInPath().path
        interrupt = try Interrupt()
    }

    deinit {
        try? FileManager.default.removeItem(atPath: root)
    }

    /// Content, static files and settings, of which some may come later.
    var places: WatchedPlaces {
        WatchedPlaces(
            anchor: root, folders: [root + "/content", root + "/static"],
            files: [root + "/daybook.yml"]
        ) { path, _ in
            path.split(separator: "/").last?.hasPrefix(".") ?? false
        }
    }

    static func clock() -> Int64 {
        let time = ContinuousClock.now - start
        return time.components.seconds * 1000
            + time.components.attoseconds / 1_000_000_000_000_000
    }
    private static let start = ContinuousClock.now

    func watch(polls: Bool = false, _ places: WatchedPlaces? = nil, limit: Int = .max) -> Watch {
        Watch(
            places ?? self.places, polls: polls, interrupt: interrupt, limit: limit,
            clock: Self.clock)
    }

    // MARK: Doing

    func write(_ path: String, _ text: String = "x") throws {
        let url = URL(filePath: root + "/" + path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        // In place, as most editors write.
        if let handle = try? FileHandle(forWritingTo: url) {
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: Data(text.utf8))
            try handle.close()
        } else {
            try Data(text.utf8).write(to: url)
        }
    }

    func move(_ path: String, to target: String) throws {
        guard rename(root + "/" + path, root + "/" + target) == 0 else {
            throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
    }

    func remove(_ path: String) throws {
        try FileManager.default.removeItem(atPath: root + "/" + path)
    }

    func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: root + "/" + path, withIntermediateDirectories: true)
    }

    func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: root + "/" + path, withDestinationPath: target)
    }

    @discardableResult
    func shell(_ command: String) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        process.currentDirectoryURL = URL(filePath: root)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    // MARK: Seeing

    /// What a watch told.
    struct Told {
        /// Paths from the root of the test, so far.
        var paths: Set<String> = []
        var batches = 0
        var isEverything = false

        /// Whether a path was told, by itself or by a folder above it.
        func covers(_ path: String) -> Bool {
            isEverything || paths.contains(path)
                || paths.contains { $0.hasSuffix("/") && path.hasPrefix($0) }
        }
    }

    /// Takes batches until all `paths` were told, for a long time at most; what
    /// was told then.
    func told(_ watch: inout Watch, until paths: String...) -> Told {
        told(&watch) { told in paths.allSatisfy { told.covers($0) } }
    }

    func told(_ watch: inout Watch, until isEnough: (Told) -> Bool) -> Told {
        var told = Told()
        let end = Self.clock() + 20_000
        while !isEnough(told), Self.clock() < end { take(&watch, within: 200, &told) }
        return told
    }

    /// Takes batches until none has come for so many milliseconds.
    func settled(_ watch: inout Watch, within quiet: Int64 = 700) -> Told {
        var told = Told()
        while take(&watch, within: quiet, &told) {}
        return told
    }

    @discardableResult
    private func take(_ watch: inout Watch, within limit: Int64, _ told: inout Told) -> Bool {
        guard case .changed(let changed) = watch.next(within: limit) else { return false }
        told.batches += 1
        switch changed {
        case .everything: told.isEverything = true
        case .paths(let paths):
            told.paths.formUnion(paths.map { FilePath.relative($0, to: root) ?? $0 })
        }
        return true
    }
}
