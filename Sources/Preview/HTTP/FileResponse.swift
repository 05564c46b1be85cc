/// Answers a request for a file: whole, in part, or not at all where the browser
/// has it (RFC 9110, sections 13 and 14).
enum FileResponse {
    /// The response for a file; `tag` stands for its bytes, and is another when they
    /// are. `body` gives a part of it.
    static func make(
        _ request: HTTPRequest, _ status: HTTPStatus, _ type: String, tag: String, size: Int64,
        body: (Range<Int64>) -> HTTPResponse.Body
    ) -> HTTPResponse {
        let quoted = "\"\(tag)\""
        var headers = [
            ("Content-Type", type), ("ETag", quoted), ("Cache-Control", "no-cache"),
            ("X-Content-Type-Options", "nosniff"),
        ]
        // Words of notes are nobody else's: pages may show each other, and be
        // followed to, but no other site may read or frame them.
        if type.hasPrefix("text/html") || type.hasPrefix("application/") {
            headers.append(("Cross-Origin-Resource-Policy", "same-origin"))
            headers.append(("Content-Security-Policy", "frame-ancestors 'self'"))
        }
        guard status == .ok else {
            return HTTPResponse(status, headers: headers, body: body(0..<size))
        }
        if let wanted = request.header("if-match"), !names(wanted, quoted) {
            return HTTPResponse(.preconditionFailed, headers: headers)
        }
        if let known = request.header("if-none-match"), names(known, quoted) {
            return HTTPResponse(.notModified, headers: headers.filter { $0.0 != "Content-Type" })
        }
        headers.append(("Accept-Ranges", "bytes"))
        let condition = request.header("if-range")
        let wanted = condition == nil || condition == quoted ? request.header("range") : nil
        switch ByteRange(wanted, of: size) {
        case .whole: return HTTPResponse(.ok, headers: headers, body: body(0..<size))
        case .part(let range):
            headers.append(
                ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"))
            return HTTPResponse(.partialContent, headers: headers, body: body(range))
        case .unsatisfiable:
            headers.append(("Content-Range", "bytes */\(size)"))
            return HTTPResponse(.rangeNotSatisfiable, headers: headers)
        }
    }

    /// Whether a list of digests names this one; a weak one is as good here.
    private static func names(_ list: String, _ tag: String) -> Bool {
        list.split(separator: ",").contains { part in
            let text = part.drop { $0 == " " }
            let bare = text.hasPrefix("W/") ? text.dropFirst(2) : text
            return bare == "*" || bare.prefix { $0 != " " } == tag
        }
    }
}
