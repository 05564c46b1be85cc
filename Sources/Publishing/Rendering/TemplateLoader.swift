package import Bytes
package import Diagnostics
import Notes
package import Templating

/// Brings together the built-in templates and those of the site.
///
/// A file of the site's `Templates/` stands instead of the built-in one of the
/// same path. The built-in ones also go by `default/…`, so that a file can
/// extend what it stands instead of.
package struct TemplateLoader {
    /// The templates to compile.
    package private(set) var sources: [TemplateSource] = []
    /// Files that are copied as they are, by their output paths.
    package private(set) var assets: [(path: String, bytes: [UInt8])] = []
    /// What is to be said.
    package private(set) var messages: [Diagnostic] = []

    /// What the names of the built-in templates begin with.
    private static let builtInPrefix = "default/"
    /// The endings of files that are templates.
    private static let endings = ["html", "xml", "json", "txt"]

    /// Loads the built-in look and, over it, those of `paths` in `folder` that
    /// are templates or assets.
    package init(
        overriddenBy paths: [String] = [], of folder: Folder? = nil,
        saying messages: [Diagnostic] = []
    ) {
        self.messages = messages
        var files: [String: (file: String, bytes: [UInt8])] = [:]
        for (path, text) in BuiltInTheme.files {
            let bytes = text.withUTF8Buffer { Array($0) }
            files[path] = ("Templates/" + path + " (built in)", bytes)
            if Self.isTemplate(path) {
                sources.append(
                    TemplateSource(
                        name: Self.builtInPrefix + path, file: "Templates/" + path + " (built in)",
                        bytes: bytes))
            }
        }
        if let folder { load(paths, of: folder, into: &files) }
        for path in files.keys.sorted(by: { $0.precedes($1) }) {
            guard let (file, bytes) = files[path] else { continue }
            if Self.isTemplate(path) {
                sources.append(TemplateSource(name: path, file: file, bytes: bytes))
            } else if path.hasPrefix("assets/") {
                assets.append((path, bytes))
            }
        }
    }

    /// Compiles what was loaded, with the names and filters that pages offer.
    package func compile() -> (library: TemplateLibrary, messages: [Diagnostic]) {
        let (library, messages) = TemplateLibrary.compile(
            sources, symbols: Member.names, filters: TemplateFilters.all, functions: [:])
        return (library, messages)
    }

    /// The names that a page may be rendered by.
    package var names: [String] {
        sources.map(\.name).filter { !$0.hasPrefix(Self.builtInPrefix) }
    }

    private static func isTemplate(_ path: String) -> Bool {
        !path.hasPrefix("assets/") && endings.contains(NotePath.ending(of: path))
    }

    private mutating func load(
        _ paths: [String], of folder: Folder,
        into files: inout [String: (file: String, bytes: [UInt8])]
    ) {
        for path in paths where Self.isTemplate(path) || path.hasPrefix("assets/") {
            let file = "Templates/" + path
            if path.hasPrefix(Self.builtInPrefix) {
                let own = path.dropFirst(Self.builtInPrefix.count)
                messages.append(
                    Diagnostic(
                        .error, "template", "`default/` names the built-in look",
                        at: SourceSpan(file: file), help: "put the file at Templates/\(own)"))
                continue
            }
            do throws(FileError) {
                files[path] = (file, try folder.read(path))
            } catch {
                messages.append(
                    Diagnostic(
                        .error, "unreadable", "cannot read this: \(error.reason)",
                        at: SourceSpan(file: file)))
            }
        }
    }
}
