/// An option as the table describes it: the one source of what is parsed, of
/// `--help`, of the completions and of the guide's test.
struct Option: Sendable {
    /// The name without its hyphens.
    var name: String
    /// What stands for the value in help texts; nil where there is none.
    var value: String?
    /// What it does, in a line.
    var help: String
}

/// A command as the table describes it.
struct Command: Sendable {
    /// What is typed.
    var name: String
    /// What it does, in a line.
    var summary: String
    /// What stands for the argument in help texts; nil where there is none.
    var argument: String?
    /// The options.
    var options: [Option]
    /// More words for `--help`, in whole sentences.
    var details: String
}

/// What the commands are, for those who document them.
package enum CommandList {
    /// The options of each command, without their hyphens, by the command's
    /// name.
    package static let options: [String: [String]] = Dictionary(
        uniqueKeysWithValues: Command.all.map { ($0.name, $0.options.map(\.name)) })
}

extension Command {
    private static let json = Option(name: "json", help: "print one JSON object instead of words")
    private static let jobs = Option(name: "jobs", value: "N", help: "work on N processors (all)")
    private static let site: [Option] = [
        Option(name: "drafts", help: "publish drafts too"),
        Option(name: "future", help: "publish notes dated later than now too"),
        Option(
            name: "now", value: "TIME",
            help: "build as of TIME, such as 2024-12-24T08:00 (SOURCE_DATE_EPOCH, else the clock)"),
    ]
    private static let talk: [Option] = [
        Option(name: "quiet", help: "say nothing but errors"),
        Option(name: "verbose", help: "say more: the notes held back, the files written"),
    ]

    /// All commands, in the order of the help.
    static let all: [Command] = [
        Command(
            name: "build", summary: "build the site in DIR", argument: "DIR",
            options: [
                Option(name: "output", value: "DIR", help: "write the site to DIR (public)"),
                Option(name: "base-url", value: "URL", help: "where the site will stand"),
            ] + site + [
                Option(
                    name: "strict", help: "let warnings fail the build too: nothing is published"),
                Option(name: "keep-going", help: "publish what is good, leave out what is broken"),
                Option(name: "clean", help: "write every file anew, whatever earlier builds left"),
                jobs, json,
            ] + talk,
            details: """
                DIR is the site folder, the current one where none is named. Notes are read from its \
                content/ folder, or from DIR itself where there is none. Files in the output that \
                Daybook did not write stay. Where anything is broken, all of it is reported and the \
                output stays as it was.
                """),
        Command(
            name: "check", summary: "say everything that build --strict would say, write nothing",
            argument: "DIR",
            options: [Option(name: "base-url", value: "URL", help: "where the site will stand")]
                + site + [jobs, json]
                + talk,
            details:
                "Exits with 1 where anything is said, so that it can guard a commit or a pull request."
        ),
        Command(
            name: "list", summary: "list the notes in DIR", argument: "DIR",
            options: [
                Option(
                    name: "sort", value: "KEYS",
                    help: "by these fields, largest first with a hyphen before them (-date)"),
                Option(
                    name: "group", value: "BY",
                    help: "under headings: year, month, tag, folder or any field"),
                Option(
                    name: "tag", value: "TAG", help: "only notes with TAG or a tag nested in it"),
            ] + site + [jobs, json],
            details:
                "Prints the published notes: date, title, path. With --drafts the drafts as well, marked."
        ),
        Command(
            name: "completions", summary: "print completions for a shell", argument: "SHELL",
            options: [],
            details: "SHELL is bash, zsh or fish. For bash: source <(daybook completions bash)"),
    ]

    /// The command of a name.
    static func named(_ name: String) -> Command? {
        all.first { $0.name == name }
    }
}
