import Bytes
import Diagnostics
import Notes
import Publishing

/// `daybook remove`.
enum RemoveCommand {
    static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitCode {
        var options = try BuildOptions(ofNoteCommand: arguments)
        // The links of drafts are links too.
        options.drafts = true
        options.future = true
        let argument = arguments.argument ?? ""
        return console.attempt { () throws(FileError) in
            let site = try ReadSite(options, console: console)
            guard let path = site.path(ofNote: argument) else {
                site.complain(of: argument, console)
                return .failed
            }
            let file = site.file(ofNote: path)
            let root = FilePath.resolved(options.folder) ?? options.folder
            let place = try Trash(site.builder.source).take(note: path)
            let isJSON = arguments.has("json")
            // First of all: whatever comes now, the note is there.
            if !isJSON {
                console.result(
                    DiagnosticPrinter.harmless("\(file) → \(place)") + "\n")
            }
            // What links meant is asked again without the note: another of its
            // name may take them over.
            let after: ReadSite
            do throws(FileError) {
                after = try ReadSite(options, console: console)
            } catch {
                let json = JSONValue.object([("removed", .text(file)), ("trash", .text(place))])
                if isJSON { console.result(json.line + "\n") }
                throw error
            }
            let broken = placesToMend(before: site.messages, after: after.messages)
            let url = site.plan.site.store.id(ofPath: path).map {
                site.plan.site.url(of: $0)
            }
            var printer = after.printer
            if isJSON {
                var messages: [JSONValue] = []
                for message in broken { messages.append(ReportText.json(message, &printer)) }
                let json = JSONValue.object([
                    ("removed", .text(file)), ("trash", .text(place)),
                    ("url", .optional(url.flatMap { $0.isEmpty ? nil : $0 })),
                    ("messages", .array(messages)),
                ])
                console.result(json.line + "\n")
                return .good
            }
            for message in broken { console.sayAlways(printer.print(message)) }
            let count =
                broken.isEmpty ? "" : "\(ReportText.count(broken.count, "place")) to mend; "
            console.say(
                count
                    + "to undo: mv \(quoted(root + "/" + place)) \(quoted(root + "/" + file))\n")
            return .good
        }
    }

    /// The messages that are there because the note is gone.
    ///
    /// A link that led nowhere before does so still, whatever its help says by
    /// now; one that may mean fewer notes leads somewhere; and that no note is
    /// left is no place to mend.
    private static func placesToMend(before: [Diagnostic], after: [Diagnostic]) -> [Diagnostic] {
        /// What stays the same of a message while its words change.
        struct Fault: Hashable {
            let kind: String
            let message: String?
            let span: SourceSpan?

            init(_ message: Diagnostic) {
                let leadsNowhere = message.id == "broken-link" || message.id == "hidden-link"
                kind = leadsNowhere ? "broken-link" : message.id
                self.message = leadsNowhere ? nil : message.message
                span = message.span
            }
        }
        let known = Set(before.map(Fault.init))
        return after.filter {
            $0.id != "no-notes" && $0.id != "ambiguous-link" && !known.contains(Fault($0))
        }
    }

    /// A path as a word for a shell in the current folder.
    private static func quoted(_ path: String) -> String {
        let text = Console.shown(path)
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || (0x30...0x39).contains($0.value)
                || "/._-".unicodeScalars.contains($0)
        }
        return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
