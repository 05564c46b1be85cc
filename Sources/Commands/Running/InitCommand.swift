import Bytes
import Notes
import Publishing

/// `daybook init`.
enum InitCommand {
    static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitCode {
        let options = try BuildOptions(arguments, folder: arguments.argument)
        let path = options.folder
        let site = StarterSite(
            name: path.split(separator: "/").last.map { String($0) } ?? "", now: options.now)
        return console.attempt { () throws(FileError) in
            if let reason = obstacle(to: site, in: path) {
                console.sayAlways("daybook: \(reason)\n")
                return .failed
            }
            try FilePath.makeFolders(path)
            let folder = try Folder(path)
            for (file, text) in site.files {
                try FilePath.makeFolders(path + "/" + NotePath.folder(of: file))
                try folder.write(Array(text.utf8), to: file, replacing: false)
            }
            report(site, in: path, isJSON: arguments.has("json"), console)
            return .good
        }
    }

    private static func report(
        _ site: StarterSite, in path: String, isJSON: Bool, _ console: Console
    ) {
        let files = site.files.map(\.path)
        if isJSON {
            let json = JSONValue.object([
                ("folder", .text(path)), ("files", .array(files.map { .text($0) })),
            ])
            return console.result(json.line + "\n")
        }
        for file in files { console.result(Console.shown(path + "/" + file) + "\n") }
        let place =
            FilePath.normalized(Console.currentFolder()) == path ? "" : " \(Console.shown(path))"
        console.say("now: daybook build\(place)\n")
    }

    /// Why the starter site cannot be written: nothing that is there may be
    /// changed, and notes that lie in the folder itself would no longer be read
    /// beside a `content/`.
    private static func obstacle(to site: StarterSite, in path: String) -> String? {
        guard let status = FilePath.status(path) else { return nil }
        guard status.kind == .folder else { return "\(path) is a file, expected a folder" }
        guard let folder = try? Folder(path), let entries = try? folder.entries() else {
            return "cannot read \(path)"
        }
        for (name, _) in entries where name == "content" || name == "daybook.yml" {
            return "there is a site already: \(Console.shown(path + "/" + name))"
        }
        for (name, kind) in entries where kind != .folder && NotePath.isNote(name) {
            // What a repository says of itself is no note.
            let word = NotePath.name(of: name).lowercased()
            if ["readme", "license", "contributing", "changelog"].contains(word) { continue }
            return "there are notes already, such as \(Console.shown(path + "/" + name)): "
                + "`daybook build` shows them as they are"
        }
        for (file, _) in site.files where folder.status(file) != nil {
            return "\(Console.shown(path + "/" + file)) is there already"
        }
        return nil
    }
}
