/// `daybook completions`.
enum CompletionsCommand {
    static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitCode {
        let shell = arguments.argument ?? ""
        guard let script = Completions.script(for: shell) else {
            throw .invalidArgument(
                shell, command: "completions",
                expected: "one of \(Completions.shells.joined(separator: ", "))")
        }
        console.result(script)
        return .good
    }
}
