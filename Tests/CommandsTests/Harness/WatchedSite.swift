import Foundation
import Testing

/// The real program, watching a site; ended when the last reference goes.
final class WatchedSite {
    let site: TestSite
    private let process = Process()
    private let said = Said()
    private let printed = Said()

    /// What the program wrote so far. Written by the reader's queue, read by the
    /// test.
    private final class Said: @unchecked Sendable {
        private let lock = NSLock()
        private var data = Data()

        func append(_ more: Data) { lock.withLock { data.append(more) } }
        var text: String { lock.withLock { String(decoding: data, as: UTF8.self) } }
    }

    static let now = ["--now", "2026-06-01T12:00Z"]

    /// Starts `daybook build --watch` and waits for its first build. `wrapper` is
    /// a command that runs the program; `folder` lies in the site's.
    init(
        _ site: TestSite, _ arguments: [String] = [], now: [String] = WatchedSite.now,
        inside folder: String = "", wrapper: [String] = [], environment: [String: String] = [:],
        isServed: Bool = false
    ) throws {
        self.site = site
        let words =
            wrapper
            + [
                Daybook.binary.path, isServed ? "serve" : "build",
                site.root.appending(path: folder).path, isServed ? "--verbose" : "--watch",
            ]
            + now + arguments
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        var variables = ProcessInfo.processInfo.environment
        for name in [
            "SOURCE_DATE_EPOCH", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITLAB_CI", "NO_COLOR",
        ] {
            variables[name] = nil
        }
        process.environment = variables.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardError = Self.pipe(to: said)
        process.standardOutput = Self.pipe(to: printed)
        try process.run()
        try wait("the first build") { errors.contains("watching for changes") || !isRunning }
    }

    private static func pipe(to said: Said) -> Pipe {
        let pipe = Pipe()
        pipe.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil } else { said.append(data) }
        }
        return pipe
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// What it said so far.
    var errors: String { said.text }
    /// What it printed so far.
    var output: String { printed.text }
    var isRunning: Bool { process.isRunning }
    /// How many builds there were after the first.
    var builds: Int { errors.count(of: " ms\n") }

    /// The memory that it holds, in KB.
    var memory: Int { status("VmRSS") }
    /// The most memory that it ever held, in KB.
    var peakMemory: Int { status("VmHWM") }

    private func status(_ field: String) -> Int {
        let status = try? String(
            contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        return status?.pieces(between: field + ":", and: "kB").first
            .flatMap { Int($0.trimmingCharacters(in: .whitespaces)) } ?? 0
    }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Sends a signal that ends it; the exit code.
    func end(by signal: Int32) -> Int32 {
        send(signal)
        process.waitUntilExit()
        return process.terminationStatus
    }

    struct Late: Error, CustomStringConvertible {
        var description: String
    }

    /// Waits until something holds; for a long time, since the machine may be
    /// busy with other tests.
    func wait(_ what: String, until isTrue: () throws -> Bool) throws {
        let end = ContinuousClock.now + .seconds(60)
        while try !isTrue() {
            guard ContinuousClock.now < end else {
                throw Late(description: "\(what) did not come; it said:\n\(errors)")
            }
            usleep(10_000)
        }
    }

    /// Waits until the output is just what a clean build of the same sources
    /// would leave.
    func expectExact(_ what: String) throws {
        let anew = site.root.deletingLastPathComponent().appending(
            path: "daybook-anew-\(UUID().uuidString)")
        // Nothing that is remembered helps it.
        let state = anew.appendingPathExtension("state")
        defer {
            try? FileManager.default.removeItem(at: anew)
            try? FileManager.default.removeItem(at: state)
        }
        try wait("\(what): the output of a clean build") {
            try? FileManager.default.removeItem(at: anew)
            try? FileManager.default.removeItem(at: state)
            try site.mustBuild(["--output", anew.path, "--state", state.path])
            return site.outputTree == site.tree(anew)
        }
        #expect(isRunning)
    }

    /// Runs a command of the shell in the content folder.
    func shell(_ command: String, in folder: String = "content") throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-ec", command]
        process.currentDirectoryURL = site.root.appending(path: folder)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(command)")
    }
}
