import Bytes
import Diagnostics
import Notes
import Publishing

/// `daybook explain`.
enum ExplainCommand {
    static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitCode {
        let options = try BuildOptions(ofNoteCommand: arguments)
        let argument = arguments.argument ?? ""
        let isJSON = arguments.has("json")
        return console.attempt { () throws(FileError) in
            let site = try ReadSite(options, console: console)
            var printer = site.printer
            // An address of a page that lists notes explains the page.
            if let page = site.page(at: argument), page.note == nil {
                let explanation = PageExplanation(page, site)
                console.result(isJSON ? explanation.json.line + "\n" : explanation.words)
                return .good
            }
            guard let path = site.path(ofNote: argument) else {
                site.complain(of: argument, console)
                return .failed
            }
            guard let explanation = NoteExplanation(path, site, &printer) else {
                // The note is no note for its faults: these are all there is
                // to say.
                let file = site.file(ofNote: path)
                let faults = site.messages.filter { $0.span?.file == file }
                for message in faults { console.sayAlways(printer.print(message)) }
                return .failed
            }
            console.result(
                isJSON ? explanation.json(&printer).line + "\n" : explanation.words(&printer))
            return .good
        }
    }
}
