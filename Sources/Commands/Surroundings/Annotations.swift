import Bytes
import Diagnostics

/// Messages in the form that a continuous integration service shows beside the
/// lines they are about.
enum Annotations {
    /// The service that runs this program, as far as it has annotations.
    enum Service {
        /// Reads workflow commands from what a step prints.
        case github
        /// Reads a report of code quality that a job leaves behind.
        case gitlab
    }

    /// The service by the variables that it sets.
    static var service: Service? {
        if Console.variable("GITHUB_ACTIONS") == "true" { return .github }
        if Console.variable("GITLAB_CI") == "true" { return .gitlab }
        return nil
    }

    /// A message with its place worked out.
    struct Placed {
        var message: Diagnostic
        var line: Int?
        var column: Int?
    }

    /// The file that GitLab's job hands on as its report, in the project's
    /// folder.
    static let reportFile = "gl-code-quality-report.json"

    /// The files that ``publish(_:site:mayWrite:_:_:)`` writes here, from the root.
    static var writtenFiles: [String] {
        guard service == .gitlab else { return [] }
        return [(Console.variable("CI_PROJECT_DIR") ?? Console.currentFolder()) + "/" + reportFile]
    }

    /// Hands messages about the site in `folder` to the service, if there is
    /// one; by a file only where `mayWrite`.
    static func publish(
        _ messages: [Diagnostic], site folder: String, mayWrite: Bool,
        _ printer: inout DiagnosticPrinter,
        _ console: Console
    ) {
        guard let service, service != .gitlab || mayWrite else { return }
        var placed: [Placed] = []
        for message in messages {
            let position = message.span.flatMap { printer.position(of: $0) }
            placed.append(.init(message: message, line: position?.line, column: position?.column))
        }
        switch service {
        case .github:
            let root = Console.variable("GITHUB_WORKSPACE") ?? Console.currentFolder()
            console.sayAlways(
                placed.map { githubCommand($0, prefix: prefix(of: folder, in: root)) }.joined())
        case .gitlab:
            let root = Console.variable("CI_PROJECT_DIR") ?? Console.currentFolder()
            let report = gitlabReport(placed, prefix: prefix(of: folder, in: root))
            do throws(FileError) {
                let folder = try Folder(root)
                guard isOurs(folder) else {
                    console.sayFault("\(reportFile) is not Daybook's, and is left as it is")
                    return
                }
                try folder.write(Array((report.line + "\n").utf8), to: reportFile)
            } catch {
                console.sayFault(error.message)
            }
        }
    }

    /// Whether the report's place is free, or holds one that Daybook wrote.
    private static func isOurs(_ folder: Folder) -> Bool {
        guard folder.status(reportFile) != nil else { return true }
        guard let bytes = try? folder.read(reportFile) else { return false }
        let text = String(decoding: bytes, as: UTF8.self)
        return text == "[]\n" || text.contains("\"engine_name\": \"daybook\"")
    }

    /// What paths in the site begin with, seen from the project's root.
    private static func prefix(of folder: String, in root: String) -> String {
        let folder = FilePath.resolved(folder) ?? folder
        let root = FilePath.resolved(root) ?? root
        guard let inside = FilePath.relative(folder, to: root), !inside.isEmpty else { return "" }
        return inside + "/"
    }

    /// A workflow command of GitHub Actions, with its line break.
    static func githubCommand(_ placed: Placed, prefix: String) -> String {
        var properties: [String] = []
        if let span = placed.message.span {
            properties.append("file=\(escaped(prefix + span.file))")
        }
        if let line = placed.line { properties.append("line=\(line)") }
        if let column = placed.column { properties.append("col=\(column)") }
        properties.append("title=\(escaped(placed.message.id))")
        let word = placed.message.severity == .error ? "error" : "warning"
        return
            "::\(word) \(properties.joined(separator: ","))::\(escapedText(words(placed.message)))\n"
    }

    /// GitLab's report: a list of issues, in Code Climate's form.
    static func gitlabReport(_ placed: [Placed], prefix: String) -> JSONValue {
        var seen: [String: Int] = [:]
        return .array(
            placed.map { placed in
                let message = placed.message
                let path = message.span.map { prefix + $0.file } ?? "daybook.yml"
                // The same message twice in a file is told apart by its
                // number, not its line: an edit above changes no fingerprint.
                let key = "\(path)\n\(message.id)\n\(message.message)"
                seen[key, default: 0] += 1
                let fingerprint = ContentHash(of: "\(key)\n\(seen[key] ?? 1)")
                return .object([
                    ("description", .text(words(message))),
                    ("check_name", .text(message.id)),
                    ("engine_name", .text("daybook")),
                    ("fingerprint", .text(fingerprint.hexadecimal)),
                    ("severity", .text(message.severity == .error ? "major" : "minor")),
                    (
                        "location",
                        .object([
                            ("path", .text(path)),
                            ("lines", .object([("begin", .number(placed.line ?? 1))])),
                        ])
                    ),
                ])
            })
    }

    private static func words(_ message: Diagnostic) -> String {
        message.message + (message.help.map { "; help: \($0)" } ?? "")
    }

    // By code points: a carriage return and a line feed are one character to
    // Swift, and what passes as that begins a command of its own.
    private static func escapedText(_ text: String, _ more: Set<Unicode.Scalar> = []) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": result.append(contentsOf: "%25".unicodeScalars)
            case "\r": result.append(contentsOf: "%0D".unicodeScalars)
            case "\n": result.append(contentsOf: "%0A".unicodeScalars)
            case ":" where more.contains(":"): result.append(contentsOf: "%3A".unicodeScalars)
            case "," where more.contains(","): result.append(contentsOf: "%2C".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    private static func escaped(_ text: String) -> String { escapedText(text, [":", ","]) }
}
