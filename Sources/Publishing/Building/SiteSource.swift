package import Bytes
package import Diagnostics
import Markup
import Notes
import YAML

/// A site's sources as they are read: settings, notes, templates, files.
package struct SiteSource: Sendable {
    /// The site folder, links resolved.
    package let path: String
    /// The settings.
    package private(set) var settings = SiteSettings()
    /// The content folder, from the site folder; empty for that itself.
    package private(set) var contentPath = ""
    /// Stands for what the settings file says.
    private(set) var settingsFingerprint = Fingerprint.absent
    /// The output folder, from the root.
    package private(set) var output = ""
    /// What is to be said so far.
    package private(set) var messages: [Diagnostic] = []

    /// What the history says of notes, where the settings ask for it.
    private(set) var history = GitHistory()

    private let folder: Folder

    /// Opens the site in `options.folder` and reads its settings.
    package init(_ options: BuildOptions) throws(FileError) {
        guard let path = FilePath.resolved(options.folder) else {
            throw FileError("cannot open", options.folder, code: 2)
        }
        self.path = path
        folder = try Folder(path)
        readSettings()
        if options.drafts { settings.drafts = true }
        if options.future { settings.future = true }
        if let url = options.baseURL { settings.baseURL = url }
        if options.standsAtRoot, settings.baseURL != nil {
            settings.baseURL = settings.origin + "/"
        }
        findContent()
        checkLinks()
        checkPlace()
        let wanted =
            options.output
            ?? (settings.output.hasPrefix("/") ? settings.output : path + "/" + settings.output)
        output = FilePath.resolvedAsFarAsItExists(wanted)
        checkOutput(isWritten: !options.isDryRun)
        readHistory(options)
    }

    /// A parser for the site's notes.
    func makeParser() -> NoteParser {
        NoteParser(dialect: settings.dialect, history: history.dates)
    }

    private mutating func readHistory(_ options: BuildOptions) {
        guard let range = settings.gitDates else { return }
        // Where nothing is to be written, nothing is kept either.
        history = GitHistory(
            of: NotePath.joined(path, contentPath), environment: options.environment,
            cache: options.isDryRun ? nil : options.state)
        guard let fault = history.fault else { return }
        messages.append(
            Diagnostic(
                .error, "git-dates", fault.message,
                at: SourceSpan(file: Self.settingsFile, range: range), help: fault.help))
    }

    // MARK: Settings and folders

    static let settingsFile = "daybook.yml"

    private mutating func readSettings() {
        guard folder.status(Self.settingsFile) != nil else {
            if folder.status("daybook.yaml") != nil {
                messages.append(
                    Diagnostic(
                        .warning, "settings",
                        "the settings are read from daybook.yml; this file is not",
                        at: SourceSpan(file: "daybook.yaml"), help: "rename it to daybook.yml"))
            }
            return
        }
        if let real = FilePath.resolved(path + "/" + Self.settingsFile),
            !FilePath.isInside(real, path)
        {
            messages.append(
                Diagnostic(
                    .error, "outside-link", "this file is a link that leads out of the site folder",
                    at: SourceSpan(file: Self.settingsFile), help: "put a copy here"))
            return
        }
        do throws(FileError) {
            let bytes = try folder.read(Self.settingsFile, limit: 1 << 24)
            settingsFingerprint = Fingerprint(of: bytes)
            do throws(YAMLError) {
                let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
                let root = try YAMLDocument(parsing: bytes, in: start..<bytes.count).root
                let reader = SettingsReader(root, file: Self.settingsFile, zone: ZoneFiles.rules)
                settings = reader.settings
                messages += reader.messages
            } catch {
                messages.append(error.diagnostic(in: Self.settingsFile))
            }
        } catch {
            messages.append(
                Diagnostic(
                    .error, "unreadable", "cannot read this: \(error.reason)",
                    at: SourceSpan(file: Self.settingsFile)))
        }
    }

    private mutating func findContent() {
        if let content = settings.content {
            contentPath = content
            if !content.isEmpty, folder.status(content, followingLinks: true)?.kind != .folder {
                messages.append(
                    Diagnostic(
                        .error, "setting", "there is no folder `\(content)` to read notes from",
                        at: SourceSpan(file: Self.settingsFile),
                        help: "make it, or correct `content:`"))
            }
        } else if folder.status("content", followingLinks: true)?.kind == .folder {
            contentPath = "content"
        }
        settings.content = contentPath
    }

    /// Says that the folder is the content of a site, whose settings and
    /// templates would then be left out.
    private mutating func checkPlace() {
        let site = NotePath.folder(of: path)
        guard NotePath.fileName(of: path) == "content", folder.status(Self.settingsFile) == nil,
            FilePath.status(site + "/" + Self.settingsFile)?.kind == .file
        else { return }
        messages.append(
            Diagnostic(
                .warning, "site-folder",
                "this folder is the content of a site, whose settings are in the folder above",
                help: "build the folder above"))
    }

    /// Refuses a content folder, `static/` or `Templates/` that is a link out of
    /// the site folder.
    private mutating func checkLinks() {
        for name in [contentPath, "static", "Templates"] where !name.isEmpty {
            guard let real = FilePath.resolved(path + "/" + name),
                !FilePath.isInside(real, path),
                !followed.contains(where: { FilePath.isInside(real, $0) })
            else { continue }
            messages.append(
                Diagnostic(
                    .error, "outside-link",
                    "this folder is a link that leads out of the site folder",
                    at: SourceSpan(file: name),
                    help: "name the place it leads to under `follow:` in daybook.yml"))
        }
    }

    /// Refuses an output that is, holds or lies in the sources; where it is
    /// written, also one that is somebody else's.
    private mutating func checkOutput(isWritten: Bool) {
        func refuse(_ reason: String, help: String) {
            messages.append(Diagnostic(.error, "output", reason, help: help))
        }
        let help = "name a folder of its own, such as public"
        if FilePath.isInside(path, output) {
            refuse("the output folder is, or holds, the site folder", help: help)
            return
        }
        for (name, source) in [
            (contentPath, "the notes"), ("Templates", "the templates"), ("static", "static files"),
        ]
        where !name.isEmpty {
            // What is not there yet may come later, and the output would be taken
            // for it.
            let real = FilePath.resolvedAsFarAsItExists(path + "/" + name)
            if FilePath.isInside(output, real) || FilePath.isInside(real, output) {
                refuse(
                    "the output folder is, holds or lies in `\(name)`, where \(source) are",
                    help: help)
                return
            }
        }
        // Where the site folder is the content, a folder inside it could be
        // somebody's notes.
        if isWritten, contentPath.isEmpty, let inside = FilePath.relative(output, to: path),
            let status = FilePath.status(output)
        {
            let entries = status.kind == .folder ? try? Folder(output).entries() : nil
            guard let entries,
                entries.isEmpty || entries.contains(where: { $0.name == OutputManifest.fileName })
            else {
                refuse(
                    "the output folder `\(inside)` is there already, and Daybook did not make it",
                    help: "empty or remove it, or name another by `output:` or --output")
                return
            }
        }
    }

    // MARK: Files

    /// Everything that is found by looking.
    package struct Files: Sendable {
        /// Notes, by path in the content folder.
        package var notes: [String] = []
        /// Other files beside them.
        package var attachments: [String] = []
        /// Files of `static/`.
        package var statics: [String] = []
        /// What is to be said.
        package var messages: [Diagnostic] = []
    }

    /// Looks for all files.
    package func scan(_ workers: Workers = Workers()) -> Files {
        var files = Files()
        do throws(FileError) {
            let content = contentPath.isEmpty ? folder : try Folder(path + "/" + contentPath)
            var scanner = scanner(content, prefix: contentPath)
            scanner.scan(workers)
            files.messages += scanner.messages
            for file in scanner.files {
                if NotePath.isNote(file) {
                    files.notes.append(file)
                } else {
                    files.attachments.append(file)
                }
            }
            if folder.status("static", followingLinks: true)?.kind == .folder {
                var scanner = ContentScanner(
                    try Folder(path + "/static"), site: path, prefix: "static", followed: followed,
                    honoursGitignore: false, takesHidden: true, leftOut: { _, _ in false })
                scanner.scan(workers)
                files.messages += scanner.messages
                files.statics = scanner.files
            }
        } catch {
            files.messages.append(Diagnostic(.error, "unreadable", error.message))
        }
        if files.notes.isEmpty, files.messages.isEmpty {
            let place = contentPath.isEmpty ? "the site folder" : contentPath + "/"
            files.messages.append(
                Diagnostic(
                    .warning, "no-notes", "there is no note in \(place)",
                    help: "write one: a file that ends in .md"))
        }
        return files
    }

    /// Whether a note at a path in the content folder would be left out: by a
    /// folder that holds no notes, by `ignore:` or by a `.gitignore`.
    package func leavesOut(_ note: String) -> Bool {
        guard let content = try? content() else { return false }
        return scanner(content, prefix: contentPath).leavesOut(note)
    }

    /// The real paths of the folders outside that links may lead into.
    var followed: [String] {
        settings.follow.compactMap { place in
            FilePath.resolved(place.hasPrefix("/") ? place : path + "/" + place)
        }
    }

    /// What of the content folder is no content.
    var leftOut: LeftOutPaths {
        LeftOutPaths(
            isSiteFolder: contentPath.isEmpty,
            output: contentPath.isEmpty ? FilePath.relative(output, to: path) : nil,
            ignored: IgnorePatterns(lines: settings.ignore.map { $0[...] }))
    }

    private func scanner(_ content: Folder, prefix: String) -> ContentScanner {
        let leftOut = leftOut
        return ContentScanner(
            content, site: path, prefix: prefix, followed: followed,
            honoursGitignore: contentPath.isEmpty
        ) {
            leftOut.holds($0, isFolder: $1)
        }
    }

    /// A note's path in the site folder.
    func file(ofNote path: String) -> String { NotePath.joined(contentPath, path) }

    /// The paths in the content folder of what is at `paths` from the root; nil
    /// where one lies elsewhere, or is no note.
    func notes(at paths: Set<String>) -> [String]? {
        let root = path + (contentPath.isEmpty ? "" : "/" + contentPath)
        var notes: [String] = []
        for path in paths {
            guard let note = FilePath.relative(path, to: root), NotePath.isNote(note) else {
                return nil
            }
            notes.append(note)
        }
        return notes
    }

    /// Opens the content folder.
    func content() throws(FileError) -> Folder {
        contentPath.isEmpty ? folder : try Folder(path + "/" + contentPath)
    }

    /// Reads a file of the site for showing a line of it in a message.
    package func text(of file: String) -> [UInt8]? {
        try? folder.read(file, limit: 1 << 26)
    }

    /// The bytes of a file that is copied as it is: a file of the site, open, or
    /// what the look has.
    func content(
        of source: SitePlanner.CopySource, assets: [String: [UInt8]]
    ) throws(FileError) -> CopyContent {
        switch source {
        case .staticFile, .attachment: .file(try folder.openFile(path(of: source) ?? ""))
        case .asset(let path): .bytes(assets[path] ?? [])
        case .styles(let path, let theme): .bytes((assets[path] ?? []) + Array(theme.utf8))
        }
    }

    /// What is copied as it is.
    enum CopyContent {
        case bytes([UInt8])
        case file(OpenFile)
    }

    /// The path in the site folder of a file that is copied as it is; nil where
    /// it comes from the look.
    func path(of source: SitePlanner.CopySource) -> String? {
        switch source {
        case .staticFile(let path): "static/" + path
        case .attachment(let path): file(ofNote: path)
        case .asset, .styles: nil
        }
    }

    /// What the system says of a file of the site; unknown where that cannot be
    /// trusted, because it changed at `moment` or later.
    func stamp(of path: String, at moment: Int64) -> FileStamp {
        guard let stamp = folder.status(path, followingLinks: true).map({ FileStamp($0) }),
            stamp.isSettled(at: moment)
        else { return .unknown }
        return stamp
    }

    /// Loads the templates.
    package func templates() -> TemplateLoader {
        guard folder.status("Templates", followingLinks: true)?.kind == .folder else {
            return TemplateLoader()
        }
        let own: Folder
        do throws(FileError) {
            own = try Folder(path + "/Templates")
        } catch {
            // Silently another look would be worse than none.
            return TemplateLoader(saying: [
                Diagnostic(
                    .error, "unreadable", "cannot read this folder: \(error.reason)",
                    at: SourceSpan(file: "Templates"))
            ])
        }
        var scanner = ContentScanner(
            own, site: path, prefix: "Templates", followed: followed, honoursGitignore: false,
            leftOut: { _, _ in false })
        scanner.scan()
        return TemplateLoader(overriddenBy: scanner.files, of: own, saying: scanner.messages)
    }
}

/// The time zones that the system knows.
enum ZoneFiles {
    private static let folders = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/etc/zoneinfo"]

    /// The rules of a zone by its name, or of a fixed offset; nil where there
    /// is none such.
    static func rules(_ name: String) -> ZoneRules? {
        if let fixed = ZoneRules(fixed: name) { return fixed }
        // What differs from machine to machine under one name is no zone.
        guard !name.isEmpty, !["localtime", "posixrules"].contains(name),
            name.split(separator: "/", omittingEmptySubsequences: false)
                .allSatisfy({ part in
                    part.first?.isLetter == true
                        && part.utf8.allSatisfy {
                            $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 >= 0x30 && $0 <= 0x39
                                || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
                                || $0 == UInt8(ascii: "+")
                        }
                })
        else { return nil }
        for path in folders {
            if let bytes = try? Folder(path).read(name, limit: 1 << 20),
                let rules = ZoneRules(name: name, tzif: bytes)
            {
                return rules
            }
        }
        return nil
    }
}
