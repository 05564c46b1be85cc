package import Bytes
package import Diagnostics

/// Why a site could not be published, or not to its end.
package struct PublishFailure: Error {
    /// What went wrong.
    enum Reason: Sendable {
        case noTargets
        case missingTool(String, package: String)
        case tool(String, ExternalProgram.Outcome)
        case file(FileError)
        case busy
        case overtaken
        case foreign([String])
        case unnameable(String)
        case insideSite(String)
        case busyHere
        case noManifest
        case changed([String])
    }

    let reason: Reason
    private let target: PublishTarget?

    /// There is nowhere to publish to.
    package static let noTargets = PublishFailure(.noTargets)

    /// Something is wrong with files on the way to `target`.
    package init(_ error: FileError, _ target: PublishTarget) {
        self.init(.file(error), target)
    }

    init(_ reason: Reason, _ target: PublishTarget? = nil) {
        self.reason = reason
        self.target = target
    }

    /// The message, at the target's place in the settings.
    package var message: Diagnostic {
        let span = target.map { SourceSpan(file: "daybook.yml", range: $0.range) }
        let (text, help) = words
        // A tool repeats the address that it was given, with the password in it.
        return Diagnostic(
            .error, id, Secrets.masked(text), at: span, help: help.map { Secrets.masked($0) },
            notes: (toolWords?.notes ?? []).map { Diagnostic.Note(Secrets.masked($0)) })
    }

    private var id: String {
        if case .foreign = reason { return "foreign-file" }
        return "publish"
    }

    private var name: String { target.map { "`\($0.name)` (\($0.shown))" } ?? "the target" }

    private var words: (text: String, help: String?) {
        switch reason {
        case .noTargets:
            (
                "the settings name no place to publish to",
                "add one to daybook.yml, such as: publish: {web: {rsync: \"user@host:folder\"}}"
            )
        case .missingTool(let tool, let package):
            (
                "publishing to \(name) needs the program `\(tool)`, which is not here",
                "install Debian's package \(package): apt-get install \(package)"
            )
        case .tool(let tool, let outcome):
            (
                "publishing to \(name) failed: \(tool) ended with \(outcome.code)"
                    + (toolWords?.cause.map { ": \($0)" } ?? ""),
                "mend that and publish again: only what is missing is sent"
            )
        case .file(let error): ("publishing to \(name) failed: \(error.message)", nil)
        case .busy:
            ("somebody else is publishing to \(name)", "wait until that is done and publish again")
        case .overtaken:
            (
                "somebody else published to \(name) at the same time",
                "publish again: what they did not send is sent then"
            )
        case .foreign(let paths):
            (
                "\(paths.count == 1 ? "a file" : "\(paths.count) files") at \(name) that Daybook did "
                    + "not put there \(paths.count == 1 ? "stands" : "stand") where the site's belong: "
                    + Self.list(paths),
                "move them away there, or begin with an empty place"
            )
        case .unnameable(let path):
            (
                "rclone takes lists of names by lines, and this name has a line break: "
                    + path.debugDescription, "rename the file"
            )
        case .insideSite(let path):
            (
                "\(name) is, holds or lies in the site's own folder \(path)",
                "name a folder outside the site"
            )
        case .busyHere:
            ("a build is writing to the output", "wait until it is done and publish again")
        case .changed(let paths):
            (
                "\(paths.count == 1 ? "a file" : "\(paths.count) files") of the output "
                    + "\(paths.count == 1 ? "is" : "are") not as the build left "
                    + "\(paths.count == 1 ? "it" : "them"): " + Self.list(paths),
                "publish again: the build before it makes them anew"
            )
        case .noManifest:
            ("the output has no list of what was built", "build again with --clean")
        }
    }

    private static func list(_ paths: [String]) -> String {
        paths.prefix(3).joined(separator: ", ") + (paths.count > 3 ? ", …" : "")
    }

    /// What a tool said; nil where none failed.
    private var toolWords: ToolWords? {
        guard case .tool(let tool, let outcome) = reason else { return nil }
        return ToolWords(tool, outcome)
    }
}
