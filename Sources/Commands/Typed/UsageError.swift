import Diagnostics
import Publishing

/// Why a command line is not understood.
enum UsageError: Error, Equatable {
    case unknownCommand(String)
    case unknownOption(String, command: String)
    case missingValue(option: String, value: String)
    case unexpectedValue(option: String)
    case unexpectedArgument(String, command: String)
    case missingArgument(String, command: String)
    case invalidArgument(String, command: String, expected: String, closest: String? = nil)
    case invalidValue(String, option: String, expected: String)
    case invalidVariable(String, name: String, expected: String)
    case needsBaseURL(option: String)
    case needsRelease
    case conflict(String, String)
    case needed(String, by: String)

    /// The message and the likely fix.
    var text: String {
        switch self {
        case .unknownCommand(let name):
            "there is no command `\(name)`" + Self.suggestion(name, Command.all.map(\.name))
        case .unknownOption(let word, let command):
            "`daybook \(command)` has no option `\(word)`"
                + Self.suggestion(
                    String(word.drop { $0 == "-" }),
                    (Command.named(command)?.options ?? []).map(\.name), prefix: "--")
        case .missingValue(let option, let value):
            "`--\(option)` needs a value: --\(option) \(value)"
        case .unexpectedValue(let option): "`--\(option)` takes no value"
        case .unexpectedArgument(let argument, let command):
            "`daybook \(command)` takes no further argument; found `\(argument)`"
        case .missingArgument(let argument, let command): "`daybook \(command)` needs \(argument)"
        case .invalidArgument(let argument, let command, let expected, let closest):
            "`daybook \(command)`: expected \(expected), found `\(argument)`"
                + Self.suggestion(
                    argument, closest.map { [$0] } ?? Command.named(command)?.choices ?? [])
        case .invalidValue(let value, let option, let expected):
            "`--\(option)`: expected \(expected), found `\(value)`"
        case .invalidVariable(let value, let name, let expected):
            "the variable \(name): expected \(expected), found `\(value)`"
        case .needed(let one, let other): "`--\(other)` needs `--\(one)`"
        case .needsBaseURL(let option):
            "`--\(option)` needs to know where the site stands: set `base-url` in daybook.yml, or give --base-url"
        case .needsRelease:
            "`--ci` needs to know where the workflow fetches this program from: "
                + "--release https://…/daybook-\(Product.version)-linux-x86_64.tar.gz"
        case .conflict(let one, let other): "`--\(one)` and `--\(other)` exclude each other"
        }
    }

    private static func suggestion(_ name: String, _ names: [String], prefix: String = "") -> String
    {
        closestName(to: name, among: names).map { "; did you mean `\(prefix)\($0)`?" } ?? ""
    }
}
