import Bytes
import Diagnostics
import Publishing
import Watching

extension ReportText {
    /// One line for a build of a watch:
    /// `content/a.md and 2 more: 4 pages rendered, 3 files written, 12 ms`.
    static func line(
        _ report: BuildReport, _ cause: WatchLoop.Cause, in site: String, milliseconds: Int
    ) -> String {
        var parts: [String] = []
        if report.outcome == .published {
            parts.append("\(count(report.rendered.count, "page")) rendered")
            parts.append("\(count(report.written.count, "file")) written")
            if !report.removed.isEmpty { parts.append("\(report.removed.count) removed") }
        } else {
            parts.append(
                report.outcome == .interrupted ? "published in part" : "nothing was published")
        }
        let errors = report.messages.count { $0.severity == .error }
        let warnings = report.messages.count - errors
        if errors > 0 { parts.append(count(errors, "error")) }
        if warnings > 0 { parts.append(count(warnings, "warning")) }
        parts.append("\(milliseconds) ms")
        let line = "\(words(cause, in: site)): \(parts.joined(separator: ", "))"
        return DiagnosticPrinter.harmless(line) + "\n"
    }

    private static func words(_ cause: WatchLoop.Cause, in site: String) -> String {
        switch cause {
        case .start: return "start"
        case .clock: return "a note is due"
        case .output: return "the output is free"
        case .loss: return "the output is gone"
        case .changed(.everything): return "everything"
        case .changed(.paths(let paths)):
            let paths = shown(paths, in: site)
            guard let first = paths.first else { return "nothing" }
            return paths.count == 1 ? first : "\(first) and \(paths.count - 1) more"
        }
    }

    /// The object that ``json(_:isVerbose:_:)`` makes, with what made the build
    /// necessary and how long it took.
    static func json(
        _ report: BuildReport, isVerbose: Bool, _ printer: inout DiagnosticPrinter,
        _ cause: WatchLoop.Cause, in site: String, milliseconds: Int
    ) -> JSONValue {
        let changed: JSONValue =
            switch cause.changes {
            case .everything: .null
            case .paths(let paths): .array(shown(paths, in: site).map { .text($0) })
            }
        return json(report, isVerbose: isVerbose, &printer).adding([
            ("changed", changed), ("milliseconds", .number(milliseconds)),
        ])
    }

    /// Paths as seen from the site folder, sorted.
    private static func shown(_ paths: Set<String>, in site: String) -> [String] {
        paths.map { FilePath.relative($0, to: site) ?? $0 }.sorted()
    }
}
