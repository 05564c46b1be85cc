import Bytes
import Diagnostics
import Publishing

/// `daybook list`.
enum ListCommand {
    static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitCode {
        let options = try BuildOptions(arguments, folder: arguments.argument)
        return console.attempt { () throws(FileError) in
            let site = try ReadSite(options, console: console)
            var printer = site.printer
            let errors = site.messages.filter { $0.severity == .error }
            for message in errors { console.sayAlways(printer.print(message)) }
            let listing = NoteListing(site.plan.site, arguments)
            for text in listing.complaints { console.sayFault(text) }
            console.result(arguments.has("json") ? listing.json.line + "\n" : listing.words)
            return errors.isEmpty ? .good : .failed
        }
    }
}
