import Bytes
import Synchronization

/// Answers on the editor's port, an origin of its own: its page, and what that asks
/// for with the token that only it has.
final class EditorHandler: HTTPHandler {
    private let queue: EditorQueue
    private let readers: EditorReaders
    /// What the editor's page sends with everything that it asks for.
    private let token = EditorHandler.makeToken()
    /// The ports, once they are known.
    private let ports = Mutex<(own: Int, site: Int)>((0, 0))

    /// The most bytes of what is said of a note: that as it was opened and as it is
    /// now, as JSON has it.
    private static let textLimit = 24 << 20
    /// The most bytes of the pictures that come with it.
    private static let pictureLimit = 32 << 20

    init(_ queue: EditorQueue, _ readers: EditorReaders) {
        self.queue = queue
        self.readers = readers
    }

    func listens(at own: Int, site: Int) { ports.withLock { $0 = (own, site) } }

    private static func makeToken() -> String {
        var random = SystemRandomNumberGenerator()
        return ContentHash(high: random.next(), low: random.next()).hexadecimal
    }

    // MARK: Who may ask

    func admit(_ request: HTTPRequest) -> HTTPAdmission {
        let origin = OriginGuard(port: ports.withLock { $0.own })
        if let refusal = origin.refusal(of: request, methods: ["GET", "HEAD", "POST"]) {
            return .refused(refusal)
        }
        guard let target = RequestTarget(request.target) else {
            return .refused(.text(.badRequest, "That is no address of the editor."))
        }
        guard target.path.hasPrefix("api/") else {
            return request.method == "POST"
                ? .refused(.text(.methodNotAllowed, "That cannot be done here."))
                : .admitted(bodyLimit: 0)
        }
        guard hasToken(request) else {
            return .refused(.text(.forbidden, "The token of the editor's page is missing."))
        }
        let isReading = ["api/notes", "api/note", "api/events"].contains(target.path)
        guard request.method == (isReading ? "GET" : "POST") else {
            return .refused(.text(.methodNotAllowed, "That cannot be done so."))
        }
        let hasPictures = ["api/save", "api/create"].contains(target.path)
        let limit = Self.textLimit + (hasPictures ? Self.pictureLimit : 0)
        return .admitted(bodyLimit: isReading ? 0 : limit)
    }

    private func hasToken(_ request: HTTPRequest) -> Bool {
        guard !OriginGuard.isForeign(request), let given = request.header("daybook-token") else {
            return false
        }
        return Self.isSame(given, token)
    }

    /// Whether two tokens are the same, in a time that says nothing of where they
    /// differ.
    static func isSame(_ given: String, _ token: String) -> Bool {
        guard given.utf8.count == token.utf8.count else { return false }
        var difference: UInt8 = 0
        for (one, other) in zip(given.utf8, token.utf8) { difference |= one ^ other }
        return difference == 0
    }

    // MARK: Answers

    func answer(_ request: HTTPRequest) -> HTTPAnswer {
        guard let target = RequestTarget(request.target) else {
            return .now(.text(.badRequest, "That is no address of the editor."))
        }
        guard target.path.hasPrefix("api/") else { return .now(page(target.path, request)) }
        let name = String(target.path.dropFirst(4))
        if name == "events" {
            let readers = readers
            return .events {
                readers.add($0)
            } closed: {
                readers.remove($0)
            }
        }
        do throws(EditorRequestError) {
            let asked = try EditorRequest(name, target, request.body)
            let queue = queue
            return .later { queue.put(asked, $0) }
        } catch {
            return .now(.json(.badRequest, .object([("error", .text(error.message))])))
        }
    }

    private func page(_ path: String, _ request: HTTPRequest) -> HTTPResponse {
        switch path {
        case "": return shell(request)
        case "frame": return frame(request)
        case "editor.css", "editor.js", "frame.css":
            return PreviewPage.response(of: [path], to: request)
        case "frame.js": return PreviewPage.response(of: ["patch.js", path], to: request)
        case "icon.svg": return PreviewPage.response(of: [path], to: request)
        default: return .text(.notFound, "There is nothing here.")
        }
    }

    /// The editor's page. It alone holds the token, and only who goes there gets it.
    private func shell(_ request: HTTPRequest) -> HTTPResponse {
        guard !OriginGuard.isForeign(request) else {
            return .text(.forbidden, "Another page may not read the editor.")
        }
        let site = "http://127.0.0.1:\(ports.withLock { $0.site })"
        let html = PreviewPage.text("editor.html")
            .replacing("{{token}}", with: token).replacing("{{site}}", with: site)
            .replacing("{{pictures}}", with: String(Self.pictureLimit))
        let policy = """
            default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
            connect-src 'self'; frame-src 'self'; form-action 'none'; base-uri 'none'; \
            frame-ancestors 'none'
            """
        return document(html, policy, [("X-Frame-Options", "DENY")])
    }

    /// The page that shows a body. It runs no script but its own, and has no origin.
    private func frame(_ request: HTTPRequest) -> HTTPResponse {
        let (own, number) = ports.withLock { $0 }
        let site = "http://127.0.0.1:\(number)"
        let editor = "http://127.0.0.1:\(own)"
        let html = PreviewPage.text("frame.html")
            .replacing("{{editor}}", with: editor).replacing("{{site}}", with: site)
        let policy = """
            sandbox allow-scripts; default-src 'none'; script-src \(editor)/frame.js; \
            style-src \(site) \(editor)/frame.css 'unsafe-inline'; img-src \(site) data:; \
            media-src \(site); font-src \(site); base-uri \(site)/; form-action 'none'; \
            frame-ancestors \(editor) http://localhost:\(own)
            """
        return document(html, policy, [])
    }

    private func document(
        _ html: String, _ policy: String, _ more: [(name: String, value: String)]
    ) -> HTTPResponse {
        HTTPResponse(
            .ok,
            headers: [
                ("Content-Type", MediaType.html), ("Cache-Control", "no-store"),
                ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
                ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
                ("Cross-Origin-Opener-Policy", "same-origin"),
            ] + more, body: .bytes(Array(html.utf8)))
    }
}
