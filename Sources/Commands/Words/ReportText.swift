import Bytes
import Diagnostics
import Publishing

/// Words and JSON for what a build did.
enum ReportText {
    static func words(
        _ report: BuildReport, isVerbose: Bool, _ printer: inout DiagnosticPrinter
    ) -> String {
        var lines: [String] = []
        let errors = report.messages.count { $0.severity == .error }
        let warnings = report.messages.count - errors
        switch report.outcome {
        case .checked:
            lines.append(
                "checked \(count(report.notes, "note")), \(count(report.planned.count, "page"))")
        case .untouched:
            let output = Console.shown(report.output)
            lines.append(
                report.isOutputThere
                    ? "nothing was published: \(output) is as it was"
                    : "nothing was published: there is no \(output) yet")
        case .interrupted:
            lines.append("published in part: \(Console.shown(report.output))")
        case .published:
            lines.append(
                "\(count(report.notes, "note")), \(count(report.rendered.count, "page")) rendered, "
                    + "\(count(report.written.count, "file")) written, \(report.removed.count) removed → \(Console.shown(report.output))"
            )
        }
        if !report.heldBack.isEmpty {
            let reasons = [Publication.State.draft, .scheduled, .expired, .notOptedIn].compactMap {
                reason in
                let number = report.heldBack.count { $0.reason == reason }
                return number == 0 ? nil : "\(number) \(reason.word)"
            }
            lines.append(
                "held back: \(count(report.heldBack.count, "note")) (\(reasons.joined(separator: ", ")))"
            )
            if isVerbose {
                for held in report.heldBack { lines.append("  \(held.file): \(held.reason.word)") }
            }
        }
        if let survey = report.survey { lines += words(survey, &printer) }
        if let due = report.nextDue { lines.append("next due: \(due.text) \(due.note)") }
        if isVerbose {
            for path in report.written { lines.append("  wrote \(path)") }
            for path in report.removed { lines.append("  removed \(path)") }
        }
        if errors + warnings > 0 {
            lines.append(
                "\(count(errors, "error")), \(count(warnings, "warning"))"
                    + (report.couldGoOn ? "; --keep-going publishes the rest" : ""))
        }
        return lines.map { DiagnosticPrinter.harmless($0) + "\n" }.joined()
    }

    private static func words(
        _ survey: LinkSurvey, _ printer: inout DiagnosticPrinter
    ) -> [String] {
        var lines = survey.orphans.map { "no other note links to \(Console.shown($0))" }
        for leak in survey.leaks {
            let place = printer.position(of: leak).map { ":\($0.line):\($0.column)" } ?? ""
            lines.append("\(Console.shown(leak.file))\(place) links to a note that is held back")
        }
        return lines
    }

    private static func json(
        _ survey: LinkSurvey, isVerbose: Bool, _ printer: inout DiagnosticPrinter
    ) -> [(String, JSONValue)] {
        var leaks: [JSONValue] = []
        for leak in survey.leaks {
            let position = printer.position(of: leak)
            leaks.append(
                .object([
                    ("file", .text(leak.file)),
                    ("line", position.map { .number($0.line) } ?? .null),
                    ("column", position.map { .number($0.column) } ?? .null),
                ]))
        }
        return [
            ("orphans", .array(survey.orphans.map { .text($0) })),
            ("leaks", .array(leaks)),
            (
                "links",
                isVerbose
                    ? .array(
                        survey.links.map {
                            .object([("from", .text($0.source)), ("to", .text($0.target))])
                        }) : .number(survey.links.count)
            ),
        ]
    }

    static func json(_ report: BuildReport, isVerbose: Bool, _ printer: inout DiagnosticPrinter)
        -> JSONValue
    {
        func list(_ paths: [String]) -> JSONValue {
            isVerbose ? .array(paths.map { .text($0) }) : .number(paths.count)
        }
        var messages: [JSONValue] = []
        for message in report.messages { messages.append(json(message, &printer)) }
        let survey = report.survey.map { json($0, isVerbose: isVerbose, &printer) } ?? []
        return .object(
            [
                ("notes", .number(report.notes)),
                ("notesRead", .number(report.notesRead)),
                ("planned", list(report.planned)),
                ("rendered", list(report.rendered)),
                ("corrected", list(report.corrected)),
                ("why", why(report, isVerbose: isVerbose)),
                ("written", list(report.written)),
                ("removed", list(report.removed)),
                (
                    "heldBack",
                    isVerbose
                        ? .array(
                            report.heldBack.map {
                                .object([
                                    ("file", .text($0.file)), ("reason", .text($0.reason.word)),
                                ])
                            }) : .number(report.heldBack.count)
                ),
                ("messages", .array(messages)),
                (
                    "nextDue",
                    report.nextDue.map {
                        .object([("time", .text($0.text)), ("file", .text($0.note))])
                    } ?? .null
                ),
            ] + survey)
    }

    /// The files that were written and removed, a line each.
    static func changes(_ report: BuildReport) -> String {
        (report.written.map { "+ " + $0 } + report.removed.map { "- " + $0 })
            .map { $0 + "\n" }.joined()
    }

    /// Why pages were rendered: each with its reason, or how many for reasons of
    /// each kind.
    private static func why(_ report: BuildReport, isVerbose: Bool) -> JSONValue {
        guard isVerbose else {
            let kinds = Dictionary(grouping: report.wakes, by: \.kind)
            return .object(kinds.sorted { $0.key < $1.key }.map { ($0, .number($1.count)) })
        }
        guard let site = report.site else { return .array([]) }
        return .array(
            zip(report.rendered, report.wakes).map { page, wake in
                .object([("page", .text(page)), ("because", .text(wake.words(in: site)))])
            })
    }

    /// A message with its place, its help and its further places.
    static func json(_ message: Diagnostic, _ printer: inout DiagnosticPrinter) -> JSONValue {
        var notes: [JSONValue] = []
        for note in message.notes {
            notes.append(
                .object([("message", .text(note.message))] + place(note.span, &printer)))
        }
        return .object(
            [
                ("severity", .text(message.severity == .error ? "error" : "warning")),
                ("id", .text(message.id)),
            ] + place(message.span, &printer) + [
                ("message", .text(message.message)),
                ("help", .optional(message.help)),
                ("notes", .array(notes)),
            ])
    }

    private static func place(
        _ span: SourceSpan?, _ printer: inout DiagnosticPrinter
    ) -> [(String, JSONValue)] {
        let position = span.flatMap { printer.position(of: $0) }
        return [
            ("file", .optional(span?.file)),
            ("line", position.map { .number($0.line) } ?? .null),
            ("column", position.map { .number($0.column) } ?? .null),
        ]
    }

    /// A number with its word: `1 note`, `2 notes`.
    static func count(_ number: Int, _ word: String) -> String {
        "\(number) \(word)\(number == 1 ? "" : "s")"
    }
}

extension Publication.State {
    /// The reason in a word or two.
    var word: String {
        switch self {
        case .published: "published"
        case .draft: "draft"
        case .notOptedIn: "without publish: true"
        case .scheduled: "scheduled"
        case .expired: "expired"
        }
    }
}
