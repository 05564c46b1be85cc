import Bytes
import Diagnostics
import Publishing

/// Words and JSON for what is remembered of a page.
enum HistoryText {
    /// Why the page was rendered and what it read, a line each.
    static func words(_ history: PageHistory?) -> String {
        guard let history else {
            return "\nrendered\n  nothing is remembered of the page: build the site first\n"
        }
        var text =
            "\nrendered\n  the latest time because \(DiagnosticPrinter.harmless(history.reason))\n"
        text += "\nread\n"
        for read in history.reads {
            let source = read.file.map { "  ← \($0)" } ?? ""
            let line = "  \(read.words)\(read.isAbsent ? ": none" : "")\(source)"
            text += DiagnosticPrinter.harmless(line) + "\n"
        }
        return text
    }

    /// The same as members of an object.
    static func json(_ history: PageHistory?) -> [(String, JSONValue)] {
        let reads = history?.reads.map { read -> JSONValue in
            .object([
                ("what", .text(read.words)), ("file", .optional(read.file)),
                ("absent", .boolean(read.isAbsent)),
            ])
        }
        return [
            ("renderedBecause", .optional(history?.reason)),
            ("reads", reads.map { .array($0) } ?? .null),
        ]
    }
}
