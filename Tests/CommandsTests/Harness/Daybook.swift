import Foundation

/// What one run of the real program came to.
struct Run {
    var code: Int32
    var output: String
    var errors: String
}

/// The real program, as it was built beside the tests.
enum Daybook {
    static let packageRoot = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// `DAYBOOK_BINARY`, else the program beside the test bundle.
    static let binary: URL = {
        if let path = ProcessInfo.processInfo.environment["DAYBOOK_BINARY"] {
            return URL(filePath: path)
        }
        for argument in CommandLine.arguments where argument.contains(".xctest") {
            var url = URL(filePath: argument)
            while url.pathComponents.count > 1, url.pathExtension != "xctest" {
                url.deleteLastPathComponent()
            }
            let program = url.deletingLastPathComponent().appending(path: "daybook")
            if FileManager.default.isExecutableFile(atPath: program.path) { return program }
        }
        return packageRoot.appending(path: ".build/debug/daybook")
    }()

    static func run(
        _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:]
    ) throws -> Run {
        let process = Process()
        process.executableURL = binary
        process.arguments = arguments
        process.currentDirectoryURL = folder
        var variables = ProcessInfo.processInfo.environment
        // What the tests themselves run in is nothing to the program.
        for name in [
            "SOURCE_DATE_EPOCH", "GITHUB_ACTIONS", "GITLAB_CI", "COLUMNS", "NO_COLOR", "VISUAL",
            "EDITOR", "GITHUB_STEP_SUMMARY", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL",
            "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "EMAIL",
        ] {
            variables[name] = nil
        }
        variables.merge(environment) { $1 }
        process.environment = variables
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        // Both pipes at once, or a full one would stop the program.
        let collected = Collected()
        let thread = Thread {
            collected.data = errors.fileHandleForReading.readDataToEndOfFile();
            collected.done.signal()
        }
        thread.start()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        collected.done.wait()
        process.waitUntilExit()
        return Run(
            code: process.terminationStatus, output: String(decoding: printed, as: UTF8.self),
            errors: String(decoding: collected.data, as: UTF8.self))
    }

    /// Written by one thread and read by another only after the signal.
    private final class Collected: @unchecked Sendable {
        var data = Data()
        let done = DispatchSemaphore(value: 0)
    }
}
