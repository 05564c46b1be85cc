package import Bytes

/// What is answered.
package struct HTTPResponse: Sendable {
    /// The bytes that follow the headers.
    package enum Body: Sendable {
        /// At hand.
        case bytes([UInt8])
        /// So many bytes of an open file, from a place on.
        case file(OpenFile, from: Int64, count: Int64)
    }

    /// The number, such as 200.
    package var status: HTTPStatus
    /// Headers in their order.
    package var headers: [(name: String, value: String)]
    /// What follows them.
    package var body: Body

    /// A response.
    package init(
        _ status: HTTPStatus, headers: [(name: String, value: String)] = [],
        body: Body = .bytes([])
    ) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A response of one sentence of plain text.
    package static func text(_ status: HTTPStatus, _ text: String) -> HTTPResponse {
        HTTPResponse(
            status,
            headers: [
                ("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store"),
                ("X-Content-Type-Options", "nosniff"),
            ], body: .bytes(Array((text + "\n").utf8)))
    }

    /// A response of a JSON value.
    package static func json(_ status: HTTPStatus, _ value: JSONValue) -> HTTPResponse {
        HTTPResponse(
            status,
            headers: [
                ("Content-Type", "application/json"), ("Cache-Control", "no-store"),
                ("X-Content-Type-Options", "nosniff"),
                ("Cross-Origin-Resource-Policy", "same-origin"),
            ], body: .bytes(Array(value.line.utf8)))
    }
}

/// The number of a response.
package enum HTTPStatus: Int, Sendable {
    /// Here it is.
    case ok = 200
    /// It was made.
    case created = 201
    /// Here is the part that was asked for.
    case partialContent = 206
    /// It is elsewhere, for good.
    case permanentRedirect = 308
    /// It is as it was.
    case notModified = 304
    /// Not understood.
    case badRequest = 400
    /// Not from there, or without a token.
    case forbidden = 403
    /// Nothing is there.
    case notFound = 404
    /// Not by this method.
    case methodNotAllowed = 405
    /// Something is there that was not known.
    case conflict = 409
    /// The length must be said first.
    case lengthRequired = 411
    /// It is not as was said.
    case preconditionFailed = 412
    /// Too much.
    case contentTooLarge = 413
    /// No such part.
    case rangeNotSatisfiable = 416
    /// Understood, and impossible.
    case unprocessable = 422
    /// It failed here.
    case internalError = 500
    /// Too much at once.
    case unavailable = 503
}

/// How a request is answered.
package enum HTTPAnswer: Sendable {
    /// At once.
    case now(HTTPResponse)
    /// By whoever keeps the promise that the closure is given; the connection
    /// waits.
    case later(@Sendable (HTTPPromise) -> Void)
    /// By a stream of events that stays open; the closure is given its sending
    /// end, and the other is called once the stream is closed.
    case events(open: @Sendable (EventChannel) -> Void, closed: @Sendable (EventChannel) -> Void)
}
