import Foundation
import Testing

/// A site with a place to publish it to.
final class PublishedSite {
    let site: TestSite
    /// Beside the site, not there yet; its name is as odd as names are.
    let target: URL

    /// A site of dated notes that link to each other, each with an image, and of
    /// files whose names are odd.
    init(notes count: Int = 12, publish: (URL) -> String) throws {
        site = try TestSite()
        target = site.root.appending(path: "-tar'get \"é")
        try site.write("site/daybook.yml", "publish:\n" + publish(target) + "\n")
        for number in 0..<count { try write(number) }
        for name in ["-n", "--delete", "a b", "q'u\"o`t$e", "é ü", "#hash", ";x", "*", "\\back"] {
            try site.write("site/static/odd/\(name)", name)
        }
    }

    var root: URL { site.root.appending(path: "site") }
    var output: URL { root.appending(path: "public") }

    func write(_ number: Int, _ text: String = "") throws {
        let date = String(format: "20%02d-01-%02d", number / 28 % 50 + 10, number % 28 + 1)
        try site.write(
            "site/content/n\(number).md",
            "---\ntitle: Note \(number)\ndate: \(date)\n---\n![](i\(number).png)\n\n\(text)\n")
        try site.write("site/content/i\(number).png", "image \(number) \(text)")
    }

    func remove(_ number: Int) throws {
        try site.remove("site/content/n\(number).md")
        try site.remove("site/content/i\(number).png")
    }

    /// What a run said of what it sent.
    struct Sent {
        var run: Run
        var sent: [String]
        var removed: [String]
    }

    @discardableResult
    func publish(
        _ arguments: [String] = [], environment: [String: String] = [:], from root: URL? = nil
    ) throws -> Sent {
        let run = try Daybook.run(
            ["publish"] + arguments
                + ["--site", (root ?? self.root).path, "--json", "--verbose"]
                + ["--now", "2064-06-01T12:00Z"],
            environment: ["GIT_TERMINAL_PROMPT": "0"].merging(environment) { $1 })
        let report = try? JSONSerialization.jsonObject(with: Data(run.output.utf8))
        let fields = report as? [String: Any]
        return Sent(
            run: run, sent: fields?["sent"] as? [String] ?? [],
            removed: fields?["removed"] as? [String] ?? [])
    }

    /// Publishes and expects that to be good.
    @discardableResult
    func mustPublish(
        _ arguments: [String] = [], environment: [String: String] = [:], from root: URL? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Sent {
        let sent = try publish(arguments, environment: environment, from: root)
        #expect(sent.run.code == 0, "\(sent.run.errors)", sourceLocation: sourceLocation)
        return sent
    }

    /// Files by path, without folders.
    func files(_ folder: URL) -> [String: Data] {
        site.tree(folder).filter { !$0.key.hasSuffix("/") && !$0.key.hasPrefix(".git/") }
    }

    var builtFiles: [String: Data] { files(output) }
    var targetFiles: [String: Data] { files(target) }

    /// The paths of files that differ between two states, Daybook's own list
    /// left out: what should have been sent, and what removed.
    static func difference(
        _ old: [String: Data], _ new: [String: Data]
    ) -> (sent: [String], removed: [String]) {
        let sent = new.keys.filter { old[$0] != new[$0] && $0 != ".daybook-manifest" }
        let removed = old.keys.filter { new[$0] == nil }
        return (
            sent.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) },
            removed.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
        )
    }

    /// A program that stands before the real one in `PATH`: a script of the
    /// shell, in which `$real` is the real one and `$count` the number of the
    /// call, from 1 on.
    func shim(_ tool: String, _ script: String) throws -> [String: String] {
        let folder = site.root.appending(path: "shim")
        try? FileManager.default.removeItem(at: folder)
        try site.write(
            "shim/\(tool)",
            """
            #!/bin/sh
            real='\(try #require(Tool.path(tool)))'
            count=$(($(cat '\(folder.path)/count' 2>/dev/null || echo 0) + 1))
            echo $count > '\(folder.path)/count'
            \(script)

            """)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.appending(path: tool).path)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return ["PATH": folder.path + ":" + path]
    }
}

/// Follows the links of a site from its home page, as it lies in a folder.
enum Crawler {
    /// Links that lead to nothing: the page, and where the link leads. A page
    /// that changed while its links were followed is not held to them.
    static func deadLinks(in folder: URL) -> [String] {
        var dead: [String] = []
        var seen: Set<String> = ["index.html"]
        var waiting = ["index.html"]
        while let page = waiting.popLast() {
            guard let bytes = read(page, folder) else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            for link in text.values(of: "href") + text.values(of: "src") {
                guard let path = resolve(link, from: page) else { continue }
                guard read(path, folder) != nil else {
                    if read(page, folder) == bytes, read(path, folder) == nil {
                        dead.append("\(page) → \(link)")
                    }
                    continue
                }
                if path.hasSuffix(".html"), seen.insert(path).inserted { waiting.append(path) }
            }
        }
        return dead
    }

    private static func read(_ path: String, _ folder: URL) -> Data? {
        try? Data(contentsOf: folder.appending(path: path))
    }

    private static func resolve(_ link: String, from page: String) -> String? {
        guard let url = URL(string: link, relativeTo: URL(string: "http://site/" + page)),
            url.host() == "site"
        else { return nil }
        let path = String(url.path(percentEncoded: false).drop { $0 == "/" })
        return url.absoluteURL.path(percentEncoded: true).hasSuffix("/") || path.isEmpty
            ? (path.isEmpty || path.hasSuffix("/") ? path : path + "/") + "index.html" : path
    }
}

/// Follows links again and again until it is stopped.
final class BackgroundCrawl: @unchecked Sendable {
    // Written by its own thread, read after that has ended.
    private var dead: [String] = []
    private let lock = NSLock()
    private var isStopped = false
    private let done = DispatchSemaphore(value: 0)

    init(_ folder: URL) {
        Thread {
            while !self.lock.withLock({ self.isStopped }) {
                self.dead += Crawler.deadLinks(in: folder)
            }
            self.done.signal()
        }.start()
    }

    func stop() -> [String] {
        lock.withLock { isStopped = true }
        done.wait()
        return dead
    }
}
