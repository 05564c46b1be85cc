import Foundation
import Testing

/// A site in a fresh folder: sources in, output by path.
final class TestSite {
    let root: URL
    var output: URL { root.appending(path: "public") }

    /// A site whose files are given by path. Notes stand in `content/`.
    init(_ files: [String: String] = [:], order: [String]? = nil) throws {
        root = FileManager.default.temporaryDirectory.appending(
            path: "daybook-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        for path in order ?? files.keys.sorted() { try write(path, files[path] ?? "") }
    }

    /// A site of notes in `content/`, by their paths there.
    convenience init(notes: [String: String], settings: String? = nil, order: [String]? = nil)
        throws
    {
        var files = Dictionary(uniqueKeysWithValues: notes.map { ("content/" + $0, $1) })
        if let settings { files["daybook.yml"] = settings }
        try self.init(
            files,
            order: order.map {
                $0.map { "content/" + $0 } + (settings == nil ? [] : ["daybook.yml"])
            })
    }

    deinit {
        try? FileManager.default.removeItem(at: root)
    }

    func write(_ path: String, _ text: String) throws { try write(path, Data(text.utf8)) }

    func write(_ path: String, _ data: Data) throws {
        let url = root.appending(path: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
    }

    func remove(_ path: String) throws {
        try FileManager.default.removeItem(at: root.appending(path: path))
    }

    /// Builds; the moment is fixed unless the arguments name another.
    @discardableResult
    func build(_ arguments: [String] = [], environment: [String: String] = [:]) throws -> Run {
        let now = arguments.contains("--now") ? [] : ["--now", "2026-06-01T12:00Z"]
        return try Daybook.run(["build", root.path] + now + arguments, environment: environment)
    }

    /// Builds and expects that to be good.
    @discardableResult
    func mustBuild(
        _ arguments: [String] = [], environment: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Run {
        let run = try build(arguments, environment: environment)
        #expect(run.code == 0, "\(run.errors)", sourceLocation: sourceLocation)
        return run
    }

    /// The text of an output file; empty where it is not there.
    func page(_ path: String) -> String {
        let path = path.isEmpty || path.hasSuffix("/") ? path + "index.html" : path
        return (try? String(contentsOf: output.appending(path: path), encoding: .utf8)) ?? ""
    }

    func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: output.appending(path: path).path)
    }

    /// The paths of all output files, sorted; Daybook's own list left out.
    var paths: [String] {
        tree(output).keys.filter { $0 != ".daybook-manifest" && !$0.hasSuffix("/") }.sorted()
    }

    /// Everything below a folder: files with their bytes, folders with a
    /// trailing `/`.
    func tree(_ folder: URL) -> [String: Data] {
        var tree: [String: Data] = [:]
        let base = folder.standardizedFileURL.path + "/"
        let walk = FileManager.default.enumerator(
            at: folder, includingPropertiesForKeys: [.isDirectoryKey])
        while let url = walk?.nextObject() as? URL {
            let path = String(url.standardizedFileURL.path.dropFirst(base.count))
            // What is remembered is a cache, not part of what a build leaves.
            if path.split(separator: "/").contains(".daybook") { continue }
            let isFolder =
                (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
            tree[isFolder ? path + "/" : path] =
                isFolder ? Data() : (try? Data(contentsOf: url)) ?? Data()
        }
        return tree
    }

    var outputTree: [String: Data] { tree(output) }

    /// Whether any output file holds a text; the style sheet and the script
    /// are left out.
    func outputHolds(_ text: String) -> Bool {
        let bytes = Data(text.utf8)
        return outputTree.contains { path, data in
            !path.hasPrefix("assets/") && (data.range(of: bytes) != nil || path.contains(text))
        }
    }
}

extension String {
    /// How often a text occurs.
    func count(of text: String) -> Int { components(separatedBy: text).count - 1 }

    /// The texts between every `start` and the next `end`.
    func pieces(between start: String, and end: String) -> [String] {
        components(separatedBy: start).dropFirst().compactMap {
            $0.components(separatedBy: end).first
        }
    }

    /// The values of an attribute, entities resolved.
    func values(of attribute: String) -> [String] {
        pieces(between: " \(attribute)=\"", and: "\"").map(\.htmlText)
    }

    /// HTML text with its entities resolved.
    var htmlText: String {
        replacingOccurrences(of: "&lt;", with: "<").replacingOccurrences(of: "&gt;", with: ">")
            .replacingOccurrences(of: "&quot;", with: "\"").replacingOccurrences(
                of: "&#34;", with: "\""
            )
            .replacingOccurrences(of: "&#39;", with: "'").replacingOccurrences(
                of: "&#x27;", with: "'"
            )
            .replacingOccurrences(of: "&amp;", with: "&")
    }

    /// HTML without its tags, entities resolved.
    var withoutTags: String {
        replacing(/<[^>]*>/, with: "").htmlText
    }

    /// The part between `<main` and `</main>`.
    var mainPart: String { pieces(between: "<main", and: "</main>").first ?? "" }

    /// The note's own body.
    var bodyPart: String { pieces(between: "<div class=\"body\"", and: "</article>").first ?? "" }
}
