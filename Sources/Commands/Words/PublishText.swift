import Bytes
import Diagnostics
import Publishing

/// Words and JSON for what was sent to a target.
enum PublishText {
    static func words(
        _ report: Publisher.Report?, _ target: PublishTarget, isDryRun: Bool, isVerbose: Bool
    ) -> String {
        let name = "\(target.name) (\(target.shown))"
        guard let report else {
            return DiagnosticPrinter.harmless("not published to \(name)") + "\n"
        }
        var lines: [String] = []
        if report.sent.isEmpty, report.removed.isEmpty {
            lines.append("nothing to send: \(name) has everything")
        } else {
            lines.append(
                "\(ReportText.count(report.sent.count, "file")) \(isDryRun ? "to send" : "sent"), "
                    + "\(report.removed.count) \(isDryRun ? "to remove" : "removed") → \(name)")
        }
        // A rehearsal is for its list.
        if isVerbose || isDryRun {
            for path in report.sent { lines.append("  \(isDryRun ? "send" : "sent") \(path)") }
            for path in report.removed {
                lines.append("  \(isDryRun ? "remove" : "removed") \(path)")
            }
        }
        return lines.map { DiagnosticPrinter.harmless($0) + "\n" }.joined()
    }

    /// `build` is what the build before it gives.
    static func json(
        _ report: Publisher.Report?, _ target: PublishTarget?, _ build: JSONValue, isVerbose: Bool
    ) -> JSONValue {
        func list(_ paths: [String]?) -> JSONValue {
            guard let paths else { return .null }
            return isVerbose ? .array(paths.map { .text($0) }) : .number(paths.count)
        }
        return .object([
            ("target", .optional(target?.name)),
            ("sent", list(report?.sent)),
            ("removed", list(report?.removed)),
            ("build", build),
        ])
    }
}
