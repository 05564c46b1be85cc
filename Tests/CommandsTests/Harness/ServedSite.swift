import Foundation
import Testing

/// The real program, serving a site; ended when the last reference goes.
final class ServedSite {
    let watched: WatchedSite
    var site: TestSite { watched.site }
    let port: Int
    let editor: Int

    init(
        _ site: TestSite, _ arguments: [String] = [], now: [String] = WatchedSite.now,
        wrapper: [String] = [], environment: [String: String] = [:]
    ) throws {
        let watched = try WatchedSite(
            site, ["--port", "0"] + arguments, now: now, wrapper: wrapper,
            environment: environment, isServed: true)
        self.watched = watched
        func port(after words: String) -> Int? {
            watched.output.pieces(between: words + " is at http://127.0.0.1:", and: "/").first
                .flatMap { Int($0) }
        }
        let hasEditor = !arguments.contains("--no-editor")
        try watched.wait("the address") {
            watched.output.count(of: "\n") > (hasEditor ? 1 : 0) || !watched.isRunning
        }
        self.port = try #require(port(after: "the site"), "\(watched.errors)")
        editor = port(after: "the editor") ?? 0
    }

    /// A site of notes.
    convenience init(
        notes: [String: String], settings: String? = nil, _ arguments: [String] = []
    ) throws {
        try self.init(TestSite(notes: notes, settings: settings), arguments)
    }

    /// Asks for a page by a connection of its own.
    func get(_ path: String, headers: [String: String] = [:]) throws -> HTTPConnection.Response {
        try HTTPConnection(port).ask("GET", path, headers: headers)
    }

    /// Sends the words of a target as they are.
    func status(ofTarget target: String) throws -> HTTPConnection.Response {
        try HTTPConnection(port).ask("GET", target)
    }

    /// Listens for a page as its script does.
    func listen(to path: String) throws -> HTTPConnection {
        let page = try get(path).text
        let version = try #require(page.values(of: "data-daybook").first)
        let missing = page.contains(" data-missing") ? "&missing" : ""
        let connection = try HTTPConnection(port)
        connection.send("GET", "/.daybook/events?page=\(path)&version=\(version)\(missing)")
        #expect(try connection.head().status == 200)
        return connection
    }

    /// The number of listening pages, as it was said last.
    var observers: Int {
        let lines = watched.errors.split(separator: "\n")
        return lines.last { $0.hasSuffix(" listening") }
            .flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
    }
}
