import Bytes
import Preview
import Publishing
import Watching

/// `daybook serve`.
enum ServeCommand {
    /// The port where none is named, and how many are tried from there on.
    private static let usualPort: UInt16 = 8080
    private static let tries = 50

    static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitCode {
        let port = try port(arguments.options["port"])
        let options = try options(arguments)
        return console.attempt { () throws(FileError) in
            let isVerbose = arguments.has("verbose")
            let interrupt = try Interrupt()
            let preview = try PreviewServer(waking: interrupt) { count in
                if isVerbose { console.say(words(observers: count)) }
            }
            Console.raiseFileLimit()
            var loop = try WatchLoop(arguments, options, console, shownBy: preview)
            let code = try loop.run(interrupt) {
                begin(preview, at: port, arguments, console)
            }
            preview.stop()
            return code
        }
    }

    /// The build's options: an output and a state of its own, so that drafts and
    /// the addresses of a preview never get into what is published.
    private static func options(_ arguments: Arguments) throws(UsageError) -> BuildOptions {
        var options = try BuildOptions(arguments, folder: arguments.argument)
        let own = options.folder + "/.daybook/preview"
        if !arguments.has("state") { options.state = own }
        options.output = options.output ?? own + "/public"
        options.standsAtRoot = true
        options.keepsGoing = true
        options.keepsLastGood = true
        return options
    }

    private static func begin(
        _ preview: PreviewServer, at port: UInt16?, _ arguments: Arguments, _ console: Console
    ) -> Bool {
        let hasEditor = !arguments.has("no-editor")
        let tries = port == nil ? tries : 1
        guard let ports = preview.start(at: port ?? usualPort, tries: tries, hasEditor: hasEditor)
        else {
            let reason =
                port.map { "port \($0) is taken" } ?? "no port from \(usualPort) on is free"
            console.sayFault("\(reason); name another by --port")
            return false
        }
        let site = "http://127.0.0.1:\(ports.site)/"
        let editor = ports.editor.map { "http://127.0.0.1:\($0)/" }
        if arguments.has("json") {
            let json = JSONValue.object([("site", .text(site)), ("editor", .optional(editor))])
            console.result(json.line + "\n")
        } else {
            console.result("the site is at \(site)\n")
            if let editor { console.result("the editor is at \(editor)\n") }
        }
        if arguments.has("open") { Console.openInBrowser(site) }
        return true
    }

    private static func port(_ text: String?) throws(UsageError) -> UInt16? {
        guard let text else { return nil }
        guard let port = UInt16(text) else {
            throw .invalidValue(
                text, option: "port", expected: "a number from 0 to 65535; 0 takes any free port")
        }
        return port
    }

    private static func words(observers count: Int) -> String {
        count == 1 ? "1 page is listening\n" : "\(count) pages are listening\n"
    }
}
