/// An option as the table describes it: the one source of what is parsed, of
/// `--help`, of the completions and of the guide's test.
struct Option: Sendable {
    /// The name without its hyphens.
    var name: String
    /// What stands for the value in help texts; nil where there is none.
    var value: String?
    /// What it does, in a line.
    var help: String
    /// Values that completions offer.
    var choices: [String] = []
}

/// A command as the table describes it.
struct Command: Sendable {
    /// What runs it.
    typealias Run = @Sendable (Arguments, Console) throws(UsageError) -> ExitCode

    /// What is typed.
    var name: String
    /// What it does, in a line.
    var summary: String
    /// What stands for the argument in help texts; nil where there is none.
    var argument: String?
    /// What the argument is called where it is missing; nil where it may be.
    var needs: String?
    /// Arguments that completions offer; folders and files where there are
    /// none.
    var choices: [String] = []
    /// The options.
    var options: [Option]
    /// More words for `--help`, in whole sentences.
    var details: String
    /// Does it.
    var run: Run
}

/// How a run ended, as the shell is told.
enum ExitCode: Int32 {
    /// All is good; there may be warnings.
    case good = 0
    /// The content or the work failed.
    case failed = 1
    /// The command line was wrong.
    case usage = 64
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
    private static let folder = Option(
        name: "site", value: "DIR", help: "the site folder (the one that the current folder is in)")
    private static let now = Option(
        name: "now", value: "TIME",
        help: "as of TIME, such as 2024-12-24T08:00 (SOURCE_DATE_EPOCH, else the clock)")
    private static let baseURL = Option(
        name: "base-url", value: "URL", help: "where the site will stand")
    private static let site: [Option] = [
        Option(name: "drafts", help: "take in drafts too"),
        Option(name: "future", help: "take in notes dated later than now too"),
        now,
    ]
    private static let talk: [Option] = [
        Option(name: "quiet", help: "say nothing but errors"),
        Option(name: "verbose", help: "say more: the notes held back, the files written"),
    ]

    /// All commands, in the order of the help.
    static let all: [Command] = [
        Command(
            name: "init", summary: "start a site in DIR", argument: "DIR",
            options: [
                Option(
                    name: "ci", value: "SERVICE",
                    help: "write the workflow that publishes the site: github or gitlab",
                    choices: Workflow.services),
                Option(
                    name: "release", value: "URL",
                    help: "where the workflow fetches this program from: a packed release"),
                now, json,
            ],
            details: """
                Writes settings, a home page, and three notes that show what can be done. DIR is \
                made where it is not there. Nothing that is there is changed: a folder that has \
                notes or settings already is refused, since `daybook build` shows it as it is; \
                with --ci it gets the workflow alone.
                """, run: InitCommand.run),
        Command(
            name: "build", summary: "build the site in DIR", argument: "DIR",
            options: [
                Option(name: "output", value: "DIR", help: "write the site to DIR (public)"),
                baseURL,
            ] + site + [
                Option(
                    name: "strict", help: "let warnings fail the build too: nothing is published"),
                Option(name: "keep-going", help: "publish what is good, leave out what is broken"),
                Option(name: "clean", help: "write every file anew, whatever earlier builds left"),
                Option(
                    name: "state", value: "DIR",
                    help: "keep what is remembered from build to build in DIR instead of .daybook"),
                Option(
                    name: "changed", value: "FILE",
                    help: "list in FILE which outputs were written and which removed"),
                Option(name: "watch", help: "stay, and build again whenever a source changes"),
                Option(name: "poll", help: "with --watch: look at all files again and again"),
                jobs, json,
            ] + talk,
            details: """
                DIR is the site folder, the current one where none is named. Notes are read from its \
                content/ folder, or from DIR itself where there is none. Files in the output that \
                Daybook did not write stay. Where anything is broken, all of it is reported and the \
                output stays as it was. With --watch, Ctrl-C ends it.
                """, run: BuildCommand.run),
        Command(
            name: "serve", summary: "show the site in DIR while it is written", argument: "DIR",
            options: [
                Option(name: "port", value: "N", help: "listen at port N (8080, or the next free)"),
                Option(name: "open", help: "open the site in the browser"),
                Option(name: "no-editor", help: "offer no editor"),
                Option(name: "poll", help: "look at all files again and again"),
                Option(
                    name: "output", value: "DIR",
                    help: "write the site to DIR (.daybook/preview/public)"),
                Option(
                    name: "state", value: "DIR",
                    help: "keep what is remembered in DIR instead of .daybook/preview"),
            ] + site + [
                Option(name: "clean", help: "write every file anew, whatever earlier builds left"),
                jobs, json,
            ] + talk,
            details: """
                Builds the site into a folder of its own, shows it at 127.0.0.1, and keeps open \
                pages true while files change: what differs is changed in place. A broken note \
                keeps its last good page, with the message over it. The editor stands at the next \
                free port. No other machine is answered. Ctrl-C ends it.
                """, run: ServeCommand.run),
        Command(
            name: "check", summary: "say everything that build --strict would say, write nothing",
            argument: "DIR", options: [baseURL] + site + [jobs, json] + talk,
            details:
                "Exits with 1 where anything is said, so that it can guard a commit or a pull request.",
            run: BuildCommand.run),
        Command(
            name: "publish", summary: "build the site and send what changed to TARGET",
            argument: "TARGET",
            options: [
                Option(name: "dry-run", help: "say what would be sent, send nothing"),
                Option(
                    name: "purge-list", value: "FILE",
                    help: "write the URLs of what changed or went to FILE, for a CDN; not with "
                        + "--dry-run, which sends nothing"),
                folder,
                Option(name: "output", value: "DIR", help: "write the site to DIR (public)"),
                baseURL,
            ] + site + [
                Option(name: "strict", help: "let warnings stop it too"),
                Option(name: "clean", help: "write and send every file anew"),
                Option(
                    name: "state", value: "DIR",
                    help: "keep what is remembered from build to build in DIR instead of .daybook"),
                jobs, json,
            ] + talk,
            details: """
                TARGET is a name under publish: in daybook.yml, and may be left out where there is \
                only one. The target keeps a list of what Daybook put there, so that only \
                differences are sent, from whichever machine; other files there stay. Where \
                anything is broken nothing is sent.
                """, run: PublishCommand.run),
        Command(
            name: "new", summary: "write a new note with today's date", argument: "TITLE",
            needs: "a title: daybook new \"First frost\"",
            options: [
                Option(
                    name: "folder", value: "DIR",
                    help: "in this folder of the notes; made if absent"),
                Option(name: "date", value: "DATE", help: "with this date instead of today's"),
                Option(name: "tags", value: "TAGS", help: "with these tags, separated by commas"),
                Option(name: "edit", help: "open it in the editor that VISUAL or EDITOR names"),
                folder, now, json,
            ],
            details: """
                Prints the path of the note. The file is named for the title; one that is there \
                already is never overwritten.
                """, run: NewCommand.run),
        Command(
            name: "list", summary: "list the notes in DIR", argument: "DIR",
            options: [
                Option(
                    name: "sort", value: "KEYS",
                    help: "by these fields, largest first with a hyphen before them (-date)"),
                Option(
                    name: "group", value: "BY",
                    help: "under headings: year, month, tag, folder or any field",
                    choices: ["year", "month", "tag", "folder"]),
                Option(
                    name: "tag", value: "TAG", help: "only notes with TAG or a tag nested in it"),
            ] + site + [jobs, json],
            details:
                "Prints the published notes: date, title, path. With --drafts the drafts as well, marked.",
            run: ListCommand.run),
        Command(
            name: "explain", summary: "say all that is known of a note and its address",
            argument: "NOTE", needs: "a note, by its path, its name or its address",
            options: [
                folder, baseURL,
                Option(name: "output", value: "DIR", help: "the output that was built (public)"),
                Option(
                    name: "state", value: "DIR", help: "the folder of the state (.daybook)"),
            ] + site + [jobs, json],
            details: """
                NOTE is a file, a note's name, or an address of the site. Says which key set which \
                field and which key was passed over, whether and why the note is published, where \
                it stands and what it collides with; and of its page, or of the page at an address, \
                why it was last rendered and all that it read.
                """, run: ExplainCommand.run),
        Command(
            name: "remove", summary: "move a note to .trash/", argument: "NOTE",
            needs: "a note, by its path, its name or its address",
            options: [folder, jobs, json],
            details: """
                NOTE is a file, a note's name, or an address of the site. Prints where the note \
                went, and every link that leads to nothing without it.
                """, run: RemoveCommand.run),
        Command(
            name: "completions", summary: "print completions for a shell", argument: "SHELL",
            needs: "the name of a shell: \(Completions.shells.joined(separator: ", "))",
            choices: Completions.shells, options: [],
            details: "SHELL is bash, zsh or fish. For bash: source <(daybook completions bash)",
            run: CompletionsCommand.run),
    ]

    /// The command of a name.
    static func named(_ name: String) -> Command? {
        all.first { $0.name == name }
    }
}
