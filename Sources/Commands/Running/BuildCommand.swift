import Bytes
import Diagnostics
import Publishing
import Watching

/// `daybook build` and `daybook check`.
enum BuildCommand {
    static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitCode {
        var options = try BuildOptions(arguments, folder: arguments.argument)
        let isCheck = arguments.command == "check"
        options.isDryRun = isCheck
        options.isStrict = isCheck || options.isStrict
        if arguments.has("poll"), !arguments.has("watch") { throw .needed("watch", by: "poll") }
        if arguments.has("watch") {
            return console.attempt { () throws(FileError) in
                _ = try changeList(arguments)
                var loop = try WatchLoop(arguments, options, console)
                return try loop.run(try Interrupt()) { true }
            }
        }
        let progress = ProgressLine(console)
        if let progress { options.progress = { progress.show($0) } }
        return console.attempt { () throws(FileError) in
            let list = try changeList(arguments)
            var builder = try Builder(options)
            let report = builder.build()
            progress?.clear()
            var printer = DiagnosticPrinter(style: Console.style, text: builder.text)
            say(report.messages, options, &printer, console)
            JobSummary.publish(report, console)
            let isVerbose = arguments.has("verbose")
            if arguments.has("json") {
                console.result(ReportText.json(report, isVerbose: isVerbose, &printer).line + "\n")
            } else {
                console.say(ReportText.words(report, isVerbose: isVerbose, &printer))
            }
            Console.keepUntilTheEnd((builder, report))
            try list?.write(ReportText.changes(report))
            return report.hasFailed ? .failed : .good
        }
    }

    /// Where the outputs are listed that a build changes; nil where that was not
    /// asked for.
    private static func changeList(_ arguments: Arguments) throws(FileError) -> ReportFile? {
        guard let path = arguments.options["changed"] else { return nil }
        return try ReportFile(at: path)
    }

    /// Prints messages, and hands them to the service that runs the program.
    static func say(
        _ messages: [Diagnostic], _ options: BuildOptions, _ printer: inout DiagnosticPrinter,
        _ console: Console
    ) {
        for message in messages where message.severity == .error || !console.isQuiet {
            console.sayAlways(printer.print(message))
        }
        Annotations.publish(
            messages, site: options.folder, mayWrite: !options.isDryRun, &printer, console)
    }
}
