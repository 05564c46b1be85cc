import Bytes
import Diagnostics
import Foundation
import Notes
import Publishing

/// Random numbers from a seed that is printed where a test fails.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        // xorshift64*, as published by Vigna: good enough to pick edits.
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }
}

/// A site in a folder of its own that random edits change, built over what the
/// build before left, and anew beside it.
final class RandomSite {
    let root: URL
    var random: SeededGenerator
    private(set) var log: [String] = []
    private(set) var now = Instant(seconds: 1_780_000_000)
    private let program = Fingerprint(bits: 77)

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        root = FileManager.default.temporaryDirectory.appending(
            path: "daybook-random-\(seed)-\(UUID().uuidString)")
        try make("site/content")
        for name in Self.names.prefix(8) { try write("site/content/\(name).md", note()) }
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    // MARK: What is in it

    private static let names = [
        "a", "b", "c", "Note One", "index", "topic", "x/topic", "y/topic", "y/deep/n",
        "2024-01-05-trip", "x/index", "README", "z/_index", "tags", "archive", "404", "Ünï", "日本",
    ]

    private func one<Value>(of values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    private func chance(_ part: Double) -> Bool { Double.random(in: 0..<1, using: &random) < part }

    private func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    private func body() -> String {
        let name = one(of: Self.names)
        return (0..<number(5)).map { _ in
            one(of: [
                "text \(number(10))", "[[\(name)]]", "![[\(one(of: Self.names))]]",
                "[l](\(name.replacing(" ", with: "%20")).md)", "![](p\(number(3)).png)",
                "## H\(number(3))", "#t\(number(4))", "[[\(name)#H1]]", "![[\(name)#H1]]",
                "[r](/tags/)", "[[\(name)|text \(number(3))]]", "x[^1]\n\n[^1]: foot \(number(3))",
                "> [!note] T\(number(2))\n> in it", "%%hidden \(number(9))%%",
                "block ^b\(number(2))",
                "[[\(name)#^b1]]", "<a id=\"raw\(number(2))\"></a>", "[p](\(name).md#raw1)",
            ])
        }.joined(separator: "\n\n") + "\n"
    }

    private func title() -> String {
        chance(0.7)
            ? "T\(number(10))"
            : one(of: [
                "'A & <b>', \"it''s\"'", "\"\"", "日本 é", "'{{ x }} %}'", "a very long one, twice",
            ])
    }

    private func note() -> String {
        var lines: [String] = []
        if chance(0.6) { lines.append("title: \(title())") }
        if chance(0.6) {
            lines.append("date: 20\(20 + number(8))-0\(1 + number(9))-1\(number(10))")
        }
        if chance(0.4) {
            lines.append(
                "tags: [\(one(of: ["a", "b", "a/x", "C++"])), \(one(of: ["c", "A", "b"]))]")
        }
        if chance(0.2) { lines.append("aliases: [\(one(of: ["old", "/o/ld/", "al"]))]") }
        if chance(0.15) { lines.append("draft: true") }
        if chance(0.1) { lines.append("slug: s\(number(4))") }
        if chance(0.1) { lines.append("permalink: /p/\(number(4))/") }
        if chance(0.1) { lines.append("expires: 2026-0\(1 + number(9))-01") }
        if chance(0.1) { lines.append("weight: \(number(4))") }
        if chance(0.1) { lines.append("image: p\(number(3)).png") }
        if chance(0.1) { lines.append("rating: \(number(4))") }
        if chance(0.1) { lines.append("lang: \(one(of: ["de", "ar"]))") }
        if chance(0.1) { lines.append("summary: S\(number(4))") }
        return (lines.isEmpty ? "" : "---\n" + lines.joined(separator: "\n") + "\n---\n") + body()
    }

    private static let settings = [
        "title: X1\n", "base-url: https://e.org/n/\n", "paginate: 3\n", "timezone: Europe/Berlin\n",
        "opt-in: false\n", "markdown: gfm\n", "pages: { tags: false }\n",
        "permalink: /:year/:slug/\n", "feed: { limit: 2 }\n",
        "collections:\n  Best:\n    where: rating >= 2\n    sort: -rating\n    group: year\n",
        "extra:\n  colour: red\n", "precompress: [br, gzip]\n",
    ]

    private static let templates: [(String, String)] = [
        ("note.html", "{{ note.body }}\n"), ("note.html", "{% extends \"default/note.html\" %}\n"),
        (
            "note.html",
            "{{ note.title }}{% for n in site.notes | where(\"rating\", \">\", 1) %}{{ n.title }}{% endfor %}{% include \"part.html\" ignore missing %}"
        ),
        ("part.html", "part {{ site.extra.colour }}"), ("part.html", "{{ site.notes | length }}"),
        ("404.html", "{{ site.years | length }}{{ site.tags | length }}"),
        // Titles that are printed and nothing else, and titles that are not.
        (
            "404.html",
            "{% for n in site.notes %}<li>{{ n.title }}: {{ n.summary }}{% if loop.first %} {{ n.title | upper }}{% endif %}{% endfor %}"
        ),
        (
            "tag.html",
            "{% macro m(n) %}{{ n.title }}{% endmacro %}{% for n in page.notes %}{{ m(n) }}{% set t %}{{ n.title }}{% endset %}{% if n.title == \"T1\" %}!{% endif %}{% endfor %}"
        ),
        (
            "folder.html",
            "{% for n in page.notes %}{% autoescape false %}{{ n.title }}{% endautoescape %} {{ n.title }}{{ n.summary }}{% filter upper %}{{ n.older.title if n.older }}{% endfilter %}{% endfor %}"
        ),
    ]

    // MARK: Edits

    private func make(_ folder: String) throws {
        try FileManager.default.createDirectory(
            at: root.appending(path: folder), withIntermediateDirectories: true)
    }

    private func write(_ path: String, _ text: String) throws {
        let url = root.appending(path: path)
        try? FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private func files(_ folder: String) -> [String] {
        let found = FileManager.default.subpaths(atPath: root.appending(path: folder).path) ?? []
        return found.sorted().filter {
            var isFolder: ObjCBool = false
            let path = root.appending(path: "\(folder)/\($0)").path
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                && !isFolder.boolValue
        }
    }

    /// What was written, but for the list of it: that says what is ours, and
    /// without it nothing is.
    var outputs: [String] {
        files("site/public").filter { $0 != ".daybook-manifest" }
    }

    /// One random change of anything that a build depends on; of what a watch is
    /// told of where it is one `ofSources`.
    func edit(ofSources: Bool = false) throws {
        let content = files("site/content")
        switch number(ofSources ? 20 : 24) {
        case 0...8:
            let name = one(of: Self.names)
            log.append("write \(name)")
            try write("site/content/\(name).md", note())
        case 9, 10:
            guard let path = content.randomElement(using: &random) else { return }
            log.append("append to \(path)")
            let url = root.appending(path: "site/content/\(path)")
            try (try Data(contentsOf: url) + Data("more \(number(9))\n".utf8)).write(to: url)
        case 11:
            guard let path = content.randomElement(using: &random) else { return }
            log.append("remove \(path)")
            try FileManager.default.removeItem(at: root.appending(path: "site/content/\(path)"))
        case 12:
            guard let path = content.randomElement(using: &random) else { return }
            let target = one(of: Self.names) + ".md"
            log.append("move \(path) to \(target)")
            let text = try Data(contentsOf: root.appending(path: "site/content/\(path)"))
            try FileManager.default.removeItem(at: root.appending(path: "site/content/\(path)"))
            try write("site/content/\(target)", String(decoding: text, as: UTF8.self))
        case 13:
            log.append("move a folder")
            let (from, to) = one(of: [("x", "w"), ("w", "x"), ("y", "v/y"), ("v", "y2")])
            try? FileManager.default.moveItem(
                at: root.appending(path: "site/content/\(from)"),
                to: root.appending(path: "site/content/\(to)"))
        case 14:
            let name = "p\(number(3)).png"
            log.append("picture \(name)")
            try write("site/content/\(name)", String(repeating: "x", count: 1 + number(5)))
        case 15:
            let name = "f\(number(3)).txt"
            log.append("static \(name)")
            try write("site/static/\(name)", "\(number(100))")
        case 16:
            let (name, text) = one(of: Self.templates)
            log.append("template \(name)")
            try write("site/Templates/\(name)", text)
        case 17:
            log.append("no templates")
            try? FileManager.default.removeItem(at: root.appending(path: "site/Templates"))
        case 18:
            let lines = Self.settings.filter { _ in chance(0.35) }
            log.append("settings \(lines)")
            try write("site/daybook.yml", lines.joined())
        case 19:
            now = Instant(seconds: now.seconds + Int64(number(2_000_000) - 800_000) * 60)
            log.append("now \(now.seconds)")
        case 20:
            guard let path = outputs.randomElement(using: &random) else { return }
            log.append("tamper with \(path)")
            try write("site/public/\(path)", "tampered")
        case 21:
            guard let path = outputs.randomElement(using: &random) else { return }
            log.append("lose \(path)")
            try? FileManager.default.removeItem(at: root.appending(path: "site/public/\(path)"))
        case 22:
            log.append("touch everything")
            for path in content {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: Double(number(1_000_000_000)))],
                    ofItemAtPath: root.appending(path: "site/content/\(path)").path)
            }
        default: try harmState()
        }
    }

    /// A change of some words of a note, as people make most.
    func smallEdit() throws {
        guard
            let path = files("site/content").filter({ $0.hasSuffix(".md") })
                .randomElement(using: &random)
        else { return }
        let url = root.appending(path: "site/content/\(path)")
        var text = try String(contentsOf: url, encoding: .utf8)
        log.append("small edit of \(path)")
        switch number(4) {
        case 0: text += "\nmore \(number(9))\n"
        case 1: text = text.replacing("text \(number(10))", with: "text \(number(10))")
        case 2:
            let new = title()
            text.replace(/title: .*/, maxReplacements: 1) { _ in "title: \(new)" }
        default: text = text.replacing("rating: \(number(4))", with: "rating: \(number(4))")
        }
        try Data(text.utf8).write(to: url)
    }

    /// All files that a build reads, by their paths from the root.
    func sources() -> [String: Data] {
        var sources: [String: Data] = [:]
        for name in ["site/content", "site/static", "site/Templates"] {
            for path in files(name) {
                let url = root.appending(path: "\(name)/\(path)")
                sources[url.path] = (try? Data(contentsOf: url)) ?? Data()
            }
        }
        let settings = root.appending(path: "site/daybook.yml")
        sources[settings.path] = try? Data(contentsOf: settings)
        return sources
    }

    private func harmState() throws {
        let state = root.appending(path: "site/.daybook/state.db")
        guard var bytes = try? Data(contentsOf: state), !bytes.isEmpty else { return }
        switch number(4) {
        case 0:
            log.append("lose the state")
            try FileManager.default.removeItem(at: state)
        case 1:
            log.append("tear the state")
            try bytes.prefix(number(bytes.count)).write(to: state)
        case 2:
            log.append("flip a byte of the state")
            bytes[number(bytes.count)] ^= UInt8(1 + number(255))
            try bytes.write(to: state)
        default:
            log.append("lose the output")
            try? FileManager.default.removeItem(at: root.appending(path: "site/public"))
        }
    }

    // MARK: Builds

    struct Built {
        var report: BuildReport
        /// Bytes by path; folders end in `/` and have none.
        var tree: [String: Data]
    }

    /// Builds over what is there.
    func build(keepsGoing: Bool) throws -> Built {
        try build("site/public", state: nil, keepsGoing: keepsGoing)
    }

    /// Builds into an empty folder, remembering nothing.
    func buildAnew(keepsGoing: Bool) throws -> Built {
        for name in ["anew", "anew-state"] {
            try? FileManager.default.removeItem(at: root.appending(path: name))
        }
        return try build("anew", state: "anew-state", keepsGoing: keepsGoing)
    }

    /// A process that builds over what is there, again and again.
    func session(keepsGoing: Bool) -> BuildSession {
        var options = options("site/public", state: nil, keepsGoing: keepsGoing)
        // Small pages are corrected like large ones.
        options.leastPrints = 1
        return BuildSession(options)
    }

    private func build(_ output: String, state: String?, keepsGoing: Bool) throws -> Built {
        var builder = try Builder(options(output, state: state, keepsGoing: keepsGoing))
        let report = builder.build()
        return Built(report: report, tree: tree(output))
    }

    private func options(_ output: String, state: String?, keepsGoing: Bool) -> BuildOptions {
        var options = BuildOptions(folder: root.appending(path: "site").path, now: now)
        options.output = root.appending(path: output).path
        options.state = root.appending(path: state ?? "site/.daybook").path
        options.program = program
        options.keepsGoing = keepsGoing
        options.jobs = 2
        return options
    }

    func tree(_ folder: String) -> [String: Data] {
        let url = root.appending(path: folder)
        var tree: [String: Data] = [:]
        for path in FileManager.default.subpaths(atPath: url.path) ?? [] {
            var isFolder: ObjCBool = false
            let full = url.appending(path: path)
            guard FileManager.default.fileExists(atPath: full.path, isDirectory: &isFolder) else {
                continue
            }
            if isFolder.boolValue {
                tree[path + "/"] = Data()
            } else {
                tree[path] = (try? Data(contentsOf: full)) ?? Data()
            }
        }
        return tree
    }
}
