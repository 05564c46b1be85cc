import Bytes
import Publishing

/// The program: what was typed → what it means → run → words.
package enum Program {
    /// Runs a command line (without the program's name); returns the exit code.
    package static func run(_ words: [String]) -> Int32 {
        let console = Console()
        do throws(UsageError) {
            let code = try run(Arguments(words), console)
            guard let failure = console.failure else { return code.rawValue }
            console.sayFault(failure.message)
            return (code == .good ? .failed : code).rawValue
        } catch {
            console.sayFault(error.text)
            let command = words.first.flatMap { Command.named($0) }
            console.sayAlways("see `daybook \(command.map { $0.name + " " } ?? "")--help`\n")
            return ExitCode.usage.rawValue
        }
    }

    private static func run(_ arguments: Arguments, _ console: Console) throws(UsageError)
        -> ExitCode
    {
        var console = console
        console.isQuiet = arguments.has("quiet")
        if arguments.has("quiet"), arguments.has("verbose") { throw .conflict("quiet", "verbose") }
        switch arguments.command {
        case "help":
            guard let name = arguments.argument else {
                console.result(HelpText.overview(width: Console.width))
                return .good
            }
            guard let command = Command.named(name) else { throw .unknownCommand(name) }
            console.result(HelpText.of(command, width: Console.width))
            return .good
        case "version":
            console.result("daybook \(Product.version)\n")
            return .good
        default: break
        }
        guard let command = Command.named(arguments.command) else {
            throw .unknownCommand(arguments.command)
        }
        if arguments.asksForHelp {
            console.result(HelpText.of(command, width: Console.width))
            return .good
        }
        if let needs = command.needs, arguments.argument == nil {
            throw .missingArgument(needs, command: command.name)
        }
        guard Console.hasCurrentFolder() else {
            console.sayFault("the current folder is not there any more")
            return .failed
        }
        return try command.run(arguments, console)
    }
}
