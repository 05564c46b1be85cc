import Diagnostics

/// Why a command line is not understood.
enum UsageError: Error, Equatable {
    case unknownCommand(String)
    case unknownOption(String, command: String)
    case missingValue(option: String, value: String)
    case unexpectedValue(option: String)
    case unexpectedArgument(String, command: String)
    case missingArgument(String, command: String)
    case invalidValue(String, option: String, expected: String)
    case conflict(String, String)

    /// The message and the likely fix.
    var text: String {
        switch self {
        case .unknownCommand(let name):
            "there is no command `\(name)`" + Self.suggestion(name, Command.all.map(\.name))
        case .unknownOption(let name, let command):
            "`daybook \(command)` has no option `--\(name)`"
                + Self.suggestion(
                    name, (Command.named(command)?.options ?? []).map(\.name), prefix: "--")
        case .missingValue(let option, let value):
            "`--\(option)` needs a value: --\(option) \(value)"
        case .unexpectedValue(let option): "`--\(option)` takes no value"
        case .unexpectedArgument(let argument, let command):
            "`daybook \(command)` takes no further argument; found `\(argument)`"
        case .missingArgument(let argument, let command): "`daybook \(command)` needs \(argument)"
        case .invalidValue(let value, let option, let expected):
            "`--\(option)`: expected \(expected), found `\(value)`"
        case .conflict(let one, let other): "`--\(one)` and `--\(other)` exclude each other"
        }
    }

    private static func suggestion(_ name: String, _ names: [String], prefix: String = "") -> String
    {
        closestName(to: name, among: names).map { "; did you mean `\(prefix)\($0)`?" } ?? ""
    }
}

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
        let text = word.drop { $0 == "-" }
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts.first ?? "")
        guard word.hasPrefix("--"), let option = known.options.first(where: { $0.name == name })
        else {
            throw .unknownOption(name, command: command)
        }
        let inline = parts.count > 1 ? String(parts[1]) : nil
        guard let value = option.value else {
            guard inline == nil else { throw .unexpectedValue(option: name) }
            options[name] = ""
            return
        }
        guard let given = inline ?? words.popFirst(), !given.isEmpty else {
            throw .missingValue(option: name, value: value)
        }
        options[name] = given
    }

    func has(_ option: String) -> Bool { options[option] != nil }
}
