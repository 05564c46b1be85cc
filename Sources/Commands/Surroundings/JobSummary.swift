import Bytes
import Diagnostics
import Publishing

/// What a run came to, for the page that GitHub Actions shows of it.
enum JobSummary {
    /// Appends it to the file that the service names; nothing where it names
    /// none. Only GitHub itself does.
    static func publish(
        _ report: BuildReport, sent: Publisher.Report? = nil, to target: PublishTarget? = nil,
        _ console: Console
    ) {
        guard let path = Console.variable("GITHUB_STEP_SUMMARY") else { return }
        do throws(FileError) {
            try FilePath.append(
                Array(text(report, sent: sent, to: target).utf8), to: Console.absolute(path))
        } catch {
            console.sayFault(error.message)
        }
    }

    /// The summary, in Markdown.
    static func text(
        _ report: BuildReport, sent: Publisher.Report? = nil, to target: PublishTarget? = nil
    ) -> String {
        let errors = report.messages.count { $0.severity == .error }
        var rows = [
            ("notes", "\(report.notes)"),
            ("pages rendered", "\(report.rendered.count) of \(report.planned.count)"),
        ]
        if report.outcome != .checked {
            rows.append(("files written", "\(report.written.count)"))
            rows.append(("files removed", "\(report.removed.count)"))
        }
        if let target {
            let name = escaped("\(target.name) (\(target.shown))")
            if let sent {
                rows.append(("sent to \(name)", "\(sent.sent.count)"))
                rows.append(("removed there", "\(sent.removed.count)"))
            } else {
                rows.append(("sent to \(name)", "nothing: it is as it was, or lacks the rest"))
            }
        }
        rows.append(("held back", "\(report.heldBack.count)"))
        if let due = report.nextDue {
            rows.append(("next due", escaped("\(due.text) \(due.note)")))
        }
        rows.append(("errors", "\(errors)"))
        rows.append(("warnings", "\(report.messages.count - errors)"))
        let outcome =
            switch report.outcome {
            case .checked: "checked"
            case .untouched: "nothing was published"
            case .interrupted: "published in part"
            case .published: "built"
            }
        return "### Daybook: \(outcome)\n\n| | |\n| --- | --- |\n"
            + rows.map { "| \($0) | \($1) |\n" }.joined() + "\n"
    }

    /// A text that is no Markdown and no HTML, whatever a file is called.
    private static func escaped(_ text: String) -> String {
        DiagnosticPrinter.harmless(text).map { sign in
            switch sign {
            case "<": "&lt;"
            case "&": "&amp;"
            case "|", "*", "_", "`", "[", "]", "\\", "~", "!", "#", "@": "\\\(sign)"
            default: String(sign)
            }
        }.joined()
    }
}
