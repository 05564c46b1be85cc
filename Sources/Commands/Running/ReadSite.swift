import Bytes
import Diagnostics
import Notes
import Publishing

/// A site that was read and planned for a command that shows or changes notes
/// and writes no pages.
struct ReadSite {
    let options: BuildOptions
    let builder: Builder
    let plan: Builder.Plan

    /// Reads the site that `options` name.
    init(_ options: BuildOptions, console: Console) throws(FileError) {
        var options = options
        options.isDryRun = true
        let progress = ProgressLine(console)
        if let progress { options.progress = { progress.show($0) } }
        self.options = options
        builder = try Builder(options)
        plan = builder.plan()
        progress?.clear()
    }

    /// What words messages about the site.
    var printer: DiagnosticPrinter { DiagnosticPrinter(style: Console.style, text: builder.text) }

    /// What is wrong with the site, less what is about its output: nothing is
    /// written there.
    var messages: [Diagnostic] { plan.messages.filter { $0.id != "output" } }

    /// The note that an argument names; nil where there is none such, and where it
    /// names several alike.
    ///
    /// A file, seen from the current folder, the site folder or the content
    /// folder; else an address of the site; else a note's name, as links have
    /// it, or its title.
    func path(ofNote argument: String) -> String? {
        let paths = paths(ofNote: argument)
        return paths.count == 1 ? paths[0] : nil
    }

    /// The notes that an argument names alike.
    private func paths(ofNote argument: String) -> [String] {
        let site = plan.site
        let content = site.settings.content ?? ""
        let root = FilePath.resolved(options.folder) ?? options.folder
        for place in [
            Console.absolute(argument), root + "/" + argument,
            root + "/" + NotePath.joined(content, argument),
        ] {
            let path = FilePath.resolved(place) ?? FilePath.normalized(place)
            let folder = FilePath.resolved(root + "/" + content) ?? root
            guard let inside = FilePath.relative(path, to: folder) else { continue }
            if site.store.id(ofPath: inside) != nil || isBroken(inside) { return [inside] }
        }
        if let page = page(at: argument), let note = page.note, let note = site.store[note] {
            return [note.path]
        }
        let notes = site.store.ids.compactMap { site.store[$0] }
            .sorted { key($0).utf8.lexicographicallyPrecedes(key($1).utf8) }
        let names = NameIndex(paths: notes.map(key)) { notes[$0].frontMatter.aliases }
        // A link means the nearest; who types a name is near none of them.
        let namesakes = notes.filter { $0.name.isExactly(argument) }
        if namesakes.count > 1 { return namesakes.map(\.path) }
        switch names.match(argument, from: "") {
        case .one(let index): return [notes[index].path]
        case .ambiguous(let found): return found.map { notes[$0].path }
        case .none: return notes.filter { site.title(of: $0) == argument }.map(\.path)
        }
    }

    private func key(_ note: Note) -> String { NotePath.withoutEnding(note.path) }

    /// Whether the file of a note is there but is no note for its faults.
    private func isBroken(_ path: String) -> Bool {
        let file = NotePath.joined(plan.site.settings.content ?? "", path)
        return messages.contains { $0.span?.file == file && $0.severity == .error }
    }

    /// The page at an address: a path of the site, with or without its base, or
    /// a whole address, of the site or of its preview.
    func page(at address: String) -> Page? {
        let settings = plan.site.settings
        var path = address.prefix { $0 != "#" && $0 != "?" }
        if let shown = Self.previewPath(path) {
            path = shown
        } else if let base = settings.baseURL, path.hasPrefix(base) || path + "/" == base {
            path = path.dropFirst(base.count)
        } else if path.hasPrefix("/") {
            let base = settings.basePath
            path = path.dropFirst(path.hasPrefix(base) || path + "/" == base ? base.count : 1)
        } else {
            return nil
        }
        let index = "index.html"
        if path == index || path.hasSuffix("/" + index) { path = path.dropLast(index.count) }
        let typed = path.hasSuffix("/") || path.isEmpty ? [path] : [path, path + "/"]
        return plan.site.pages.first { page in
            let own = page.address.path
            return typed.contains { $0 == own || $0 == AddressPath.encoded(own) }
        }
    }

    /// The path of an address of a preview on this computer, which stands at the root;
    /// nil where it is none.
    private static func previewPath(_ address: Substring) -> Substring? {
        for host in ["http://127.0.0.1:", "http://localhost:"] where address.hasPrefix(host) {
            let rest = address.dropFirst(host.count).drop { $0.isASCII && $0.isNumber }
            if rest.isEmpty || rest.hasPrefix("/") { return rest.dropFirst() }
        }
        return nil
    }

    /// The file of a note, as messages name it.
    func file(ofNote path: String) -> String {
        NotePath.joined(plan.site.settings.content ?? "", path)
    }

    /// Says that an argument names no note, or which notes it names alike.
    func complain(of argument: String, _ console: Console) {
        let site = plan.site
        let namesakes = paths(ofNote: argument)
        guard namesakes.isEmpty else {
            let files = namesakes.map { file(ofNote: $0) }.sorted { $0.precedes($1) }
            let list = files.prefix(5).map { "`\(DiagnosticPrinter.harmless($0))`" }
            return console.sayFault(
                "\(files.count) notes are called `\(argument)`: "
                    + list.joined(separator: ", ") + (files.count > 5 ? ", …" : "")
                    + "; name one by its path")
        }
        let names = site.store.ids.compactMap { site.store[$0] }.flatMap { [$0.file, $0.name] }
        let help =
            closestName(to: argument, among: names).map {
                "; did you mean `\(DiagnosticPrinter.harmless($0))`?"
            } ?? ""
        console.sayFault("there is no note `\(argument)`\(help)")
    }
}

extension Page {
    /// The note that it shows, or that introduces it.
    var note: NoteID? {
        switch kind {
        case .note(let id), .redirect(let id): id
        default: introduction
        }
    }
}
