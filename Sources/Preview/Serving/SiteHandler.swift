import Bytes
import Notes
import Publishing
import Synchronization

/// Answers on the site's own port: files of the output, and the events that open
/// pages listen to. Nothing here changes anything.
final class SiteHandler: HTTPHandler {
    /// What the preview's own files are below.
    static let own = ".daybook/"

    private let snapshot: @Sendable () -> PreviewSnapshot
    /// Whether the text in the editor shows the attachment of an output path.
    private let shows: @Sendable (String) -> Bool
    /// Called where the output is gone.
    private let lost: @Sendable () -> Void
    private let versions: PageVersions
    private let observers: Observers
    /// The ports, once they are known.
    private let ports = Mutex<(site: Int, editor: Int?)>((0, nil))

    /// Files of more bytes are not held in memory as a whole.
    private static let smallFile: Int64 = 1 << 20

    init(
        _ versions: PageVersions, _ observers: Observers,
        snapshot: @escaping @Sendable () -> PreviewSnapshot,
        shows: @escaping @Sendable (String) -> Bool, lost: @escaping @Sendable () -> Void
    ) {
        self.versions = versions
        self.observers = observers
        self.snapshot = snapshot
        self.shows = shows
        self.lost = lost
    }

    func listens(at site: Int, editor: Int?) { ports.withLock { $0 = (site, editor) } }

    func admit(_ request: HTTPRequest) -> HTTPAdmission {
        let origin = OriginGuard(port: ports.withLock { $0.site })
        if let refusal = origin.refusal(of: request, methods: ["GET", "HEAD"]) {
            return .refused(refusal)
        }
        return .admitted(bodyLimit: 0)
    }

    func answer(_ request: HTTPRequest) -> HTTPAnswer {
        guard let target = RequestTarget(request.target) else {
            return .now(.text(.badRequest, "That is no address of a page."))
        }
        if let name = FilePath.relative(target.path, to: Self.own) {
            return answer(name, target, request)
        }
        return .now(page(target, request))
    }

    // MARK: The preview's own

    private func answer(
        _ name: String, _ target: RequestTarget, _ request: HTTPRequest
    ) -> HTTPAnswer {
        if name == "events", !OriginGuard.isForeign(request) {
            guard request.method == "GET", let path = target["page"],
                let page = RequestTarget(Array(path.utf8)), let given = target["version"]
            else { return .now(.text(.badRequest, "Which page?")) }
            // After a break a browser says what it was told last.
            let version = request.header("last-event-id") ?? given
            let (isMissing, snapshot) = (target["missing"] != nil, snapshot)
            let observers = observers
            return .events { channel in
                observers.add(
                    channel, output: page.outputFile, version: version, isMissing: isMissing,
                    snapshot)
            } closed: { channel in
                observers.remove(channel)
            }
        }
        guard name == "page.js" else {
            return .now(.text(.notFound, "There is nothing here."))
        }
        return .now(PreviewPage.response(of: ["patch.js", "page.js"], to: request))
    }

    // MARK: Files of the output

    private func page(_ target: RequestTarget, _ request: HTTPRequest) -> HTTPResponse {
        let snapshot = snapshot()
        let reader = OutputReader(folder: snapshot.output)
        let path = target.outputFile
        if let file = reader.open(path) {
            return response(to: request, .ok, file, at: path, target, snapshot)
        }
        // The page of a folder has its address with a slash at the end.
        if !path.hasSuffix("/index.html"), reader.open(path + "/index.html") != nil {
            let address = "/" + AddressPath.encoded(path) + "/"
            var response = HTTPResponse.text(.permanentRedirect, "It is at \(address)")
            response.headers.append(("Location", address))
            return response
        }
        // What a text that is written shows may be in no page yet.
        if shows(path), let site = snapshot.site,
            let index = site.attachments.outputs.firstIndex(of: path)
        {
            let content = snapshot.folder + (snapshot.content.isEmpty ? "" : "/" + snapshot.content)
            let real = FilePath.resolved(content) ?? content
            if let file = OutputReader(folder: real).open(site.attachments.index.paths[index]) {
                return response(to: request, .ok, file, at: path, target, snapshot)
            }
        }
        if snapshot.site != nil, reader.isEmpty {
            lost()
            var response = HTTPResponse.text(
                .unavailable, "The site is being written again; load the page once more.")
            response.headers.append(("Retry-After", "1"))
            return response
        }
        guard let file = reader.open("404.html") else {
            return .text(.notFound, "There is no such page.")
        }
        return response(to: request, .notFound, file, at: path, target, snapshot)
    }

    private func response(
        to request: HTTPRequest, _ status: HTTPStatus, _ file: OpenFile, at path: String,
        _ target: RequestTarget, _ snapshot: PreviewSnapshot
    ) -> HTTPResponse {
        let type = status == .ok ? MediaType.of(path) : MediaType.html
        if type != MediaType.html, file.status.size > Self.smallFile {
            let tag = Self.tag(of: file.status)
            return FileResponse.make(request, status, type, tag: tag, size: file.status.size) {
                .file(file, from: $0.lowerBound, count: Int64($0.count))
            }
        }
        guard var bytes = file.bytes else {
            return .text(.internalError, "The file cannot be read.")
        }
        let tag: String
        if type == MediaType.html {
            let version = versions.keep(bytes)
            bytes = PageInjection.adding(
                to: bytes, version: version, isMissing: status != .ok,
                editor: ports.withLock { $0.editor }, note: snapshot.note(ofPage: path))
        }
        tag = bytes.withUnsafeBytes { ContentHash(of: $0) }.hexadecimal
        let all = bytes
        return FileResponse.make(request, status, type, tag: tag, size: Int64(all.count)) {
            .bytes(
                $0.count == all.count ? all : Array(all[Int($0.lowerBound)..<Int($0.upperBound)]))
        }
    }

    /// What stands for the bytes of a large file, which are not read for it: that
    /// would keep everybody else waiting. Whatever writes the file changes its
    /// stamp.
    private static func tag(of status: FileStatus) -> String {
        let stamp = [
            status.size, status.modified, status.changed, Int64(bitPattern: status.inode),
            Int64(bitPattern: status.device),
        ]
        return ContentHash(of: stamp.map { String($0) }.joined(separator: " ")).hexadecimal
    }
}
