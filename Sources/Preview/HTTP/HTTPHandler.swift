/// What a server does with requests. Called by the serving thread, which serves
/// nobody else meanwhile.
package protocol HTTPHandler: Sendable {
    /// Looks at a request whose body is not there yet: the response that refuses
    /// it, or the most bytes that its body may have.
    func admit(_ request: HTTPRequest) -> HTTPAdmission

    /// Answers a request that was admitted.
    func answer(_ request: HTTPRequest) -> HTTPAnswer
}

/// What comes of a request's head.
package enum HTTPAdmission: Sendable {
    /// It is answered at once, and its body not read.
    case refused(HTTPResponse)
    /// Its body may have so many bytes.
    case admitted(bodyLimit: Int)
}

/// How much a server takes on.
package struct HTTPLimits: Sendable {
    /// Connections that the system is asked for.
    package var connections = 4096
    /// Connections from which on the one that has been silent for longest makes
    /// room for the next.
    package var comfortable = 768
    /// Seconds without a byte after which a connection is closed.
    package var silence: UInt32 = 20
    /// Bytes of a request's head.
    package var head = 16 * 1024
    /// Streams of events.
    package var streams = 512
    /// Bytes that wait for a reader of events who is too slow.
    package var backlog = 4 << 20

    /// The usual limits.
    package init() {}
}
