/// A command line as it was typed: the command's name, its options, its
/// argument. What they mean is worked out by each command.
struct Arguments: Equatable {
    var command: String
    var options: [String: String] = [:]
    var argument: String?
    var asksForHelp = false

    /// Reads what stands behind the program's name. Options may stand before
    /// and behind the argument; `--` ends them; values may follow `=`.
    init(_ words: [String]) throws(UsageError) {
        var words = words[...]
        guard let first = words.popFirst() else {
            command = "help"
            return
        }
        switch first {
        case "--help", "-h", "help":
            command = "help"
            argument = words.first
            return
        case "--version", "version":
            command = "version"
            return
        default: command = first
        }
        guard let known = Command.named(command) else { throw .unknownCommand(command) }
        var onlyArguments = false
        while let word = words.popFirst() {
            if onlyArguments || !word.hasPrefix("-") || word == "-" {
                guard known.argument != nil, argument == nil else {
                    throw .unexpectedArgument(word, command: command)
                }
                argument = word
                continue
            }
            if word == "--" {
                onlyArguments = true
                continue
            }
            if word == "--help" || word == "-h" {
                asksForHelp = true
                continue
            }
            try readOption(word, of: known, &words)
        }
    }

    private mutating func readOption(
        _ word: String, of known: Command, _ words: inout ArraySlice<String>
    ) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let typed = String(parts.first ?? "")
        guard word.hasPrefix("--"),
            let option = known.options.first(where: { $0.name == typed.dropFirst(2) })
        else {
            throw .unknownOption(typed, command: command)
        }
        let inline = parts.count > 1 ? String(parts[1]) : nil
        guard let value = option.value else {
            guard inline == nil else { throw .unexpectedValue(option: option.name) }
            options[option.name] = ""
            return
        }
        // A value that looks like an option is one whose own value was
        // forgotten; `--output=--odd` still takes it. One hyphen is the sign of
        // a falling order.
        let next = inline ?? (words.first?.hasPrefix("--") == true ? nil : words.popFirst())
        guard let given = next, !given.isEmpty else {
            throw .missingValue(option: option.name, value: value)
        }
        options[option.name] = given
    }

    func has(_ option: String) -> Bool { options[option] != nil }
}
