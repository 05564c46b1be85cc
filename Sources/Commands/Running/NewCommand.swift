import Bytes
import Diagnostics
import Notes
import Publishing

/// `daybook new`.
enum NewCommand {
    static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitCode {
        let options = try BuildOptions(ofNoteCommand: arguments)
        let title = (arguments.argument ?? "").split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        guard !title.isEmpty else {
            throw .missingArgument("a title that is not blank", command: "new")
        }
        let named = try folder(arguments.options["folder"])
        let date = try date(arguments.options["date"])
        let tags = try tags(arguments.options["tags"])
        let editor = Console.variable("VISUAL") ?? Console.variable("EDITOR")
        if arguments.has("edit"), editor == nil {
            console.sayFault("no editor is named by the variables VISUAL and EDITOR")
            return .failed
        }
        return console.attempt { () throws(FileError) in
            // The addresses of drafts and of what is to come are spoken for.
            var planned = options
            planned.isDryRun = true
            planned.drafts = true
            planned.future = true
            let builder = try Builder(planned)
            let source = builder.source
            let errors = source.messages.filter { $0.severity == .error && $0.id != "output" }
            guard errors.isEmpty else {
                var printer = DiagnosticPrinter(style: Console.style, text: source.text)
                for message in errors { console.sayAlways(printer.print(message)) }
                return .failed
            }
            let folder = named ?? currentFolder(in: source)
            let draft = NoteDraft(
                title: title, date: date ?? today(options.now, source.settings.zone), tags: tags)
            let path = NotePath.joined(folder, draft.fileName)
            if let reason = obstacle(to: path, source) ?? collision(of: draft, at: path, builder) {
                console.sayFault(reason)
                return .failed
            }
            let content = NotePath.joined(source.path, source.contentPath)
            if !folder.isEmpty { try FilePath.makeFolders(content + "/" + folder) }
            try Folder(content).write(Array(draft.text.utf8), to: path, replacing: false)
            report(path, source, arguments, console)
            if arguments.has("edit"), let editor {
                Console.becomeEditor(editor, opening: content + "/" + path)
                console.sayFault("cannot start `\(editor)`")
                return .failed
            }
            return .good
        }
    }

    private static func report(
        _ path: String, _ source: SiteSource, _ arguments: Arguments, _ console: Console
    ) {
        let file = NotePath.joined(source.contentPath, path)
        if arguments.has("json") {
            let json = JSONValue.object([
                ("path", .text(file)), ("name", .text(NotePath.name(of: path))),
            ])
            console.result(json.line + "\n")
        } else {
            console.result(Console.shown(source.path + "/" + file) + "\n")
        }
    }

    // MARK: What was typed

    /// The current folder, where it is one of the notes' folders.
    private static func currentFolder(in source: SiteSource) -> String {
        let root = NotePath.joined(source.path, source.contentPath)
        let current = FilePath.resolved(Console.currentFolder()) ?? ""
        return FilePath.resolved(root).flatMap { FilePath.relative(current, to: $0) } ?? ""
    }

    private static func folder(_ text: String?) throws(UsageError) -> String? {
        guard let text else { return nil }
        guard let folder = NotePath.resolved(text, from: ""), !text.hasPrefix("/"),
            !folder.split(separator: "/").contains(where: { $0.hasPrefix(".") })
        else {
            throw .invalidValue(
                text, option: "folder", expected: "a folder of the notes, such as birds/river")
        }
        return folder
    }

    private static func date(_ text: String?) throws(UsageError) -> String? {
        guard let text else { return nil }
        guard let date = try? NoteDate(parsing: text) else {
            throw .invalidValue(
                text, option: "date", expected: "a date such as 2024-12-24 or 2024-12-24T08:00")
        }
        return date.text
    }

    private static func tags(_ text: String?) throws(UsageError) -> [String] {
        guard let text else { return [] }
        var tags: [String] = []
        for part in text.split(separator: ",") {
            let name = part.split(separator: " ").joined(separator: " ")
            if name.isEmpty { continue }
            guard let tag = Tag(name) else {
                throw .invalidValue(
                    name, option: "tags", expected: "tags such as river, place/weir")
            }
            tags.append(tag.name)
        }
        return tags
    }

    /// The day that it is in the site's zone.
    private static func today(_ now: Instant, _ zone: ZoneRules) -> String {
        String(NoteDate.rfc3339(now, offset: zone.offset(at: now)).prefix(10))
    }

    /// Why a note cannot be written at a path: something is there, the folder
    /// leads out of the site, or nothing in it is a note.
    private static func obstacle(to path: String, _ source: SiteSource) -> String? {
        let folder = NotePath.folder(of: path)
        let root = NotePath.joined(source.path, source.contentPath)
        let real = FilePath.resolvedAsFarAsItExists(NotePath.joined(root, folder))
        guard FilePath.isInside(real, FilePath.resolved(root) ?? root) else {
            return "the folder `\(folder)` leads out of the notes"
        }
        if source.leavesOut(path) {
            return "nothing in the folder `\(folder.isEmpty ? "." : folder)` is taken for a note: "
                + "it is left out by its name, by `ignore:` or by a .gitignore"
        }
        if (try? Folder(real))?.status(NotePath.fileName(of: path)) != nil {
            return "\(NotePath.joined(source.contentPath, path)) is there already"
        }
        return nil
    }

    /// What has the address that a note would have at a path, asked of a site
    /// that has the note.
    private static func collision(
        of draft: NoteDraft, at path: String, _ builder: Builder
    ) -> String? {
        let file = NotePath.joined(builder.source.contentPath, path)
        let plan = builder.plan(showing: path, text: Array(draft.text.utf8))
        for message in plan.messages where message.id == "address-taken" {
            let files = ([message.span] + message.notes.map(\.span)).map { $0?.file }
            guard files.contains(file) else { continue }
            guard let other = files.compactMap({ $0 }).first(where: { $0 != file }) else {
                return "\(message.message); choose another title"
            }
            return "\(other) has the address that this note would have; choose another title"
        }
        return nil
    }
}
