import Bytes
import Notes
import Publishing

/// `daybook init`.
enum InitCommand {
    static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitCode {
        let options = try BuildOptions(arguments, folder: arguments.argument)
        let path = options.folder
        let service = try service(arguments)
        let site = StarterSite(
            name: path.split(separator: "/").last.map { String($0) } ?? "", now: options.now,
            publishesBranch: service == "github")
        if let service {
            let isNew = obstacle(to: site, in: path, at: options.now) == nil
            return try addWorkflow(of: service, to: isNew ? site : nil, options, arguments, console)
        }
        return console.attempt { () throws(FileError) in
            if let reason = obstacle(to: site, in: path, at: options.now) {
                console.sayFault(reason)
                return .failed
            }
            let (files, ignored) = try write(site.files, in: path)
            report(files, in: path, isJSON: arguments.has("json"), console)
            say(ignored, in: path, console)
            return .good
        }
    }

    /// Writes files of a site; their paths, and the lines that a `.gitignore`
    /// which was there lacks.
    private static func write(
        _ files: [(path: String, text: String)], in path: String
    ) throws(FileError) -> (files: [String], ignored: [String]) {
        try FilePath.makeFolders(path)
        let folder = try Folder(path)
        let ignored = missingLines(folder)
        let files = files.filter { ignored == nil || $0.path != StarterSite.ignoreFile }
        for (file, text) in files {
            try FilePath.makeFolders(path + "/" + NotePath.folder(of: file))
            try folder.write(Array(text.utf8), to: file, replacing: false)
        }
        return (files.map(\.path), ignored ?? [])
    }

    private static func say(_ ignored: [String], in path: String, _ console: Console) {
        guard !ignored.isEmpty else { return }
        console.say(
            "add to \(Console.shown(path + "/" + StarterSite.ignoreFile)): "
                + ignored.joined(separator: " ") + "\n")
    }

    // MARK: The workflow

    private static func service(_ arguments: Arguments) throws(UsageError) -> String? {
        guard let service = arguments.options["ci"] else { return nil }
        guard Workflow.services.contains(service) else {
            throw .invalidValue(
                service, option: "ci", expected: Workflow.services.joined(separator: " or "))
        }
        guard let release = arguments.options["release"] else { throw .needsRelease }
        let isURL = release.contains("://") && release.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard isURL else {
            throw .invalidValue(
                release, option: "release", expected: "the URL of a packed release")
        }
        return service
    }

    /// Writes the workflow, with a new site or beside one that is there.
    private static func addWorkflow(
        of service: String, to new: StarterSite?, _ options: BuildOptions, _ arguments: Arguments,
        _ console: Console
    ) throws(UsageError) -> ExitCode {
        let path = options.folder
        var settings = SiteSettings()
        if new == nil {
            var reading = options
            reading.isDryRun = true
            settings = (try? SiteSource(reading))?.settings ?? settings
        }
        let isGitHub = service == "github"
        guard let checksum = Console.programChecksum() else {
            console.sayFault("cannot read the program itself, to take its checksum")
            return .failed
        }
        let workflow = Workflow(
            service: service, release: arguments.options["release"] ?? "", checksum: checksum,
            targets: settings.targets, hasBaseURL: settings.baseURL != nil)
        var files = new?.files ?? []
        files.append((workflow.path, workflow.text))
        let site = (try? Folder(path)) as Folder?
        if isGitHub, site?.status("static/.nojekyll") == nil {
            // Without it GitHub leaves out files that begin with an underscore.
            files.append(("static/.nojekyll", ""))
        }
        return console.attempt { () throws(FileError) in
            if site?.status(workflow.path) != nil {
                let file = Console.shown(path + "/" + workflow.path)
                console.sayFault("there is a workflow already: \(file)")
                return .failed
            }
            let (written, ignored) = try write(files, in: path)
            report(written, in: path, isJSON: arguments.has("json"), console)
            say(ignored, in: path, console)
            if let target = workflow.target {
                console.say("it publishes to `\(target)`; name another in \(workflow.path)\n")
            }
            if isGitHub, new == nil, settings.targets.isEmpty {
                console.say(
                    "add to daybook.yml: publish: {pages: {git: {remote: origin, branch: gh-pages}}}\n"
                )
            }
            return .good
        }
    }

    /// The lines that a `.gitignore` which is there lacks; nil where there is
    /// none.
    private static func missingLines(_ folder: Folder) -> [String]? {
        guard folder.status(StarterSite.ignoreFile) != nil else { return nil }
        let bytes = (try? folder.read(StarterSite.ignoreFile, limit: 1 << 20)) ?? []
        let lines = Set(
            String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map { line in
                line.split(separator: "/").joined(separator: "/")
            })
        return StarterSite.ignored.filter { !lines.contains(String($0.dropLast())) }
    }

    private static func report(
        _ files: [String], in path: String, isJSON: Bool, _ console: Console
    ) {
        if isJSON {
            let json = JSONValue.object([
                ("folder", .text(path)), ("files", .array(files.map { .text($0) })),
            ])
            return console.result(json.line + "\n")
        }
        for file in files { console.result(Console.shown(path + "/" + file) + "\n") }
        let place =
            FilePath.normalized(Console.currentFolder()) == path ? "" : " \(Console.shown(path))"
        console.say("now: daybook serve\(place)\n")
    }

    /// Why the starter site cannot be written: nothing that is there may be
    /// changed, and notes that lie in the folder itself would no longer be read
    /// beside a `content/`.
    private static func obstacle(
        to site: StarterSite, in path: String, at now: Instant
    ) -> String? {
        guard let status = FilePath.status(path) else { return nil }
        guard status.kind == .folder else { return "\(path) is a file, expected a folder" }
        guard let folder = try? Folder(path), let entries = try? folder.entries() else {
            return "cannot read \(path)"
        }
        for (name, _) in entries where name == "content" || name == "daybook.yml" {
            return "there is a site already: \(Console.shown(path + "/" + name))"
        }
        // What would be a note of the folder as it is.
        var options = BuildOptions(folder: path, now: now)
        options.isDryRun = true
        let notes = (try? SiteSource(options))?.scan().notes ?? []
        for note in notes {
            // What a repository says of itself is no note.
            let word = NotePath.name(of: note).lowercased()
            if ["readme", "license", "contributing", "changelog"].contains(word) { continue }
            return "there are notes already, such as \(Console.shown(path + "/" + note)): "
                + "`daybook build` shows them as they are"
        }
        for (file, _) in site.files
        where file != StarterSite.ignoreFile && folder.status(file) != nil {
            return "\(Console.shown(path + "/" + file)) is there already"
        }
        return nil
    }
}
