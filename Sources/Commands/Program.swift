import Bytes
import Diagnostics
import Notes
import Publishing

/// The program: what was typed → what it means → run → words.
package enum Program {
    /// Exit codes.
    private enum Exit {
        static let good: Int32 = 0
        static let failed: Int32 = 1
        static let usage: Int32 = 64
    }

    /// Runs a command line (without the program's name); returns the exit code.
    package static func run(_ words: [String]) -> Int32 {
        let console = Console()
        do throws(UsageError) {
            return try run(Arguments(words), console)
        } catch {
            console.sayAlways("daybook: \(error.text)\n")
            let command = words.first.flatMap { Command.named($0) }
            console.sayAlways("see `daybook \(command.map { $0.name + " " } ?? "")--help`\n")
            return Exit.usage
        }
    }

    private static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> Int32
    {
        var console = console
        console.isQuiet = arguments.has("quiet")
        if arguments.has("quiet"), arguments.has("verbose") { throw .conflict("quiet", "verbose") }
        if arguments.asksForHelp, let command = Command.named(arguments.command) {
            console.result(HelpText.of(command))
            return Exit.good
        }
        switch arguments.command {
        case "help":
            guard let name = arguments.argument else {
                console.result(HelpText.overview)
                return Exit.good
            }
            guard let command = Command.named(name) else { throw .unknownCommand(name) }
            console.result(HelpText.of(command))
            return Exit.good
        case "version":
            console.result("daybook \(Product.version)\n")
            return Exit.good
        case "build", "check": return try build(arguments, console)
        case "list": return try list(arguments, console)
        case "completions":
            guard let shell = arguments.argument else {
                throw .missingArgument(
                    "the name of a shell: \(Completions.shells.joined(separator: ", "))",
                    command: "completions")
            }
            guard let script = Completions.script(for: shell) else {
                throw .unexpectedArgument(shell, command: "completions")
            }
            console.result(script)
            return Exit.good
        default: throw .unknownCommand(arguments.command)
        }
    }

    // MARK: build, check

    private static func build(_ arguments: Arguments, _ console: Console) throws(UsageError)
        -> Int32
    {
        var options = try BuildOptions(arguments)
        let isCheck = arguments.command == "check"
        options.isDryRun = isCheck
        do throws(FileError) {
            var builder = try Builder(options)
            let report = builder.build()
            var printer = DiagnosticPrinter(style: Console.style, text: builder.text)
            for message in report.messages where message.severity == .error || !console.isQuiet {
                console.sayAlways(printer.print(message))
            }
            let isStrict = isCheck || arguments.has("strict")
            let failed = report.hasErrors || isStrict && !report.messages.isEmpty
            if arguments.has("json") {
                console.result(
                    ReportText.json(report, isVerbose: arguments.has("verbose"), &printer).line
                        + "\n")
            } else {
                console.say(
                    ReportText.words(report, isCheck: isCheck, isVerbose: arguments.has("verbose")))
            }
            return failed ? Exit.failed : Exit.good
        } catch {
            console.sayAlways("daybook: \(error.message)\n")
            return Exit.failed
        }
    }

    // MARK: list

    private static func list(_ arguments: Arguments, _ console: Console) throws(UsageError) -> Int32
    {
        let options = try BuildOptions(arguments)
        do throws(FileError) {
            let builder = try Builder(options)
            let plan = builder.plan()
            var printer = DiagnosticPrinter(style: Console.style, text: builder.text)
            let errors = plan.messages.filter { $0.severity == .error }
            for message in errors { console.sayAlways(printer.print(message)) }
            let listing = NoteListing(plan.site, arguments)
            console.result(arguments.has("json") ? listing.json.line + "\n" : listing.words)
            return errors.isEmpty ? Exit.good : Exit.failed
        } catch {
            console.sayAlways("daybook: \(error.message)\n")
            return Exit.failed
        }
    }
}
