/// Keeps out requests that no page of ours made.
///
/// Any page of the web can have a browser send requests to 127.0.0.1. A name that
/// was made to lead there shows in `Host`, another page in `Origin`.
struct OriginGuard: Sendable {
    /// The port that is listened at.
    let port: Int

    private var hosts: [String] {
        ["127.0.0.1:\(port)", "localhost:\(port)"]
            + (port == 80 ? ["127.0.0.1", "localhost"] : [])
    }

    /// Why a request is refused; nil where nothing speaks against it.
    func refusal(of request: HTTPRequest, methods: [String]) -> HTTPResponse? {
        let named = request.headers.filter { $0.name == "host" }
        guard named.count == 1, let host = named.first?.value.lowercased(), hosts.contains(host)
        else { return .text(.forbidden, "This server answers to 127.0.0.1 and localhost only.") }
        for header in request.headers where header.name == "origin" {
            // The editor's frame has no origin, and shows the site's pictures.
            if header.value == "null", Self.isShown(request) { continue }
            guard header.value.lowercased() == "http://\(host)" else {
                return .text(.forbidden, "Another site may not ask for this.")
            }
        }
        // A worker that a note leaves behind would answer for whatever is served at
        // this port another day, an editor for one.
        guard request.header("service-worker") == nil else {
            return .text(.forbidden, "No service worker is served here.")
        }
        guard methods.contains(request.method) else {
            var response = HTTPResponse.text(.methodNotAllowed, "That cannot be done here.")
            response.headers.append(("Allow", methods.joined(separator: ", ")))
            return response
        }
        return nil
    }

    /// Whether a browser asks for something that its page can show, and not read.
    private static func isShown(_ request: HTTPRequest) -> Bool {
        request.header("sec-fetch-mode") == "no-cors"
            && ["style", "image", "audio", "video", "script"]
                .contains(request.header("sec-fetch-dest") ?? "")
    }

    /// Whether a browser says that a page of another origin asks, other than by a
    /// link that was followed.
    static func isForeign(_ request: HTTPRequest) -> Bool {
        guard let site = request.header("sec-fetch-site"),
            !["same-origin", "none"].contains(site)
        else { return false }
        return request.header("sec-fetch-mode") != "navigate"
            || request.header("sec-fetch-dest") != "document"
    }
}
