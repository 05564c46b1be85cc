// The wall around libmicrohttpd: no other file imports it, and no pointer leaves
// this one. Its functions are called by the serving thread alone.
import Bytes
import CMicroHTTPD
import Synchronization
import Watching

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Serves HTTP on the loopback interface, by one thread.
///
/// That thread makes it, calls ``run()`` and nothing else; others reach it by its
/// mailbox alone (through ``HTTPPromise`` and ``EventChannel``).
final class HTTPServer {
    private var daemons: [Daemon] = []
    private let mailbox: HTTPMailbox
    private let limits: HTTPLimits
    /// Exchanges that wait for something of other threads, by their numbers.
    private var waiting: [Int: Exchange] = [:]
    private var lastNumber = 0
    /// Connections without a request under way, by their sockets: when they came
    /// to be so, as a number that grows.
    private var idle: [Int32: Int] = [:]
    private var connectionCount = 0
    private var idleClock = 0

    /// One port with what answers there.
    private final class Daemon {
        let handler: any HTTPHandler
        unowned let server: HTTPServer
        var daemon: OpaquePointer?

        init(_ handler: any HTTPHandler, _ server: HTTPServer) {
            self.handler = handler
            self.server = server
        }

        static func from(_ context: UnsafeMutableRawPointer?) -> Daemon? {
            context.map { Unmanaged<Daemon>.fromOpaque($0).takeUnretainedValue() }
        }
    }

    /// One request with its answer.
    private final class Exchange {
        let target: [UInt8]
        let connection: OpaquePointer
        let socket: Int32
        let daemon: Daemon
        var request: HTTPRequest?
        var bodyLimit = 0
        var number: Int?
        var response: HTTPResponse?
        var isSuspended = false
        // Of a stream of events:
        var closed: (@Sendable (EventChannel) -> Void)?
        var queue: [UInt8] = []
        var hasEnded = false

        init(_ target: [UInt8], _ connection: OpaquePointer, _ daemon: Daemon) {
            self.target = target
            self.connection = connection
            self.daemon = daemon
            socket = daybook_socket(connection)
        }

        var isStream: Bool { closed != nil }
    }

    init(_ mailbox: HTTPMailbox, limits: HTTPLimits = HTTPLimits()) {
        self.mailbox = mailbox
        self.limits = limits
    }

    deinit {
        // Those that were never run; the others are stopped by whoever ran them,
        // since stopping calls what is here.
        for daemon in daemons { if let running = daemon.daemon { MHD_stop_daemon(running) } }
    }

    /// Serves at the first free port from `port` on, of so many; zero stands for
    /// any free one. The port; nil where none of them is free.
    func listen(from port: UInt16, tries: Int, _ handler: any HTTPHandler) -> Int? {
        let daemon = Daemon(handler, self)
        let context = Unmanaged.passUnretained(daemon).toOpaque()
        var calls = daybook_callbacks(
            handle: { context, connection, _, method, _, data, size, box in
                HTTPServer.handle(context, connection, method, data, size, box)
            },
            complete: { context, _, box, _ in HTTPServer.complete(context, box) },
            notify: { context, connection, _, code in
                HTTPServer.notify(context, connection, code == .CONNECTION_NOTIFY_STARTED)
            },
            begin: { context, uri, connection in HTTPServer.begin(context, uri, connection) },
            // Left as sent: what it means is worked out in one place.
            unescape: { _, _, text in text.map { strlen($0) } ?? 0 })
        for offset in 0..<max(1, tries) {
            let (number, isBeyond) = port.addingReportingOverflow(
                UInt16(truncatingIfNeeded: offset))
            if isBeyond { break }
            daemon.daemon = daybook_start(
                number, &calls, context, UInt32(limits.connections), limits.silence, limits.head)
            if let running = daemon.daemon {
                daemons.append(daemon)
                return Int(daybook_port(running))
            }
        }
        return nil
    }

    // MARK: The loop

    /// Serves until the mailbox's interrupt is told to stop.
    func run() {
        while true {
            var files = [
                pollfd(fd: mailbox.interrupt.waitingDescriptor, events: Int16(POLLIN), revents: 0)
            ]
            for daemon in daemons {
                let descriptor = daemon.daemon.map { daybook_epoll($0) } ?? -1
                files.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
            }
            // libmicrohttpd does not look at connections that wait; whether their
            // readers are still there is seen here.
            let held = waiting.values.filter(\.isSuspended)
            for exchange in held {
                files.append(
                    pollfd(fd: exchange.socket, events: Int16(daybook_hung_up), revents: 0))
            }
            poll(&files, nfds_t(files.count), timeout)
            if files[0].revents != 0, mailbox.interrupt.received() == .stop { return end() }
            deliver()
            for (exchange, file) in zip(held, files.dropFirst(1 + daemons.count))
            where file.revents != 0 {
                exchange.hasEnded = true
                resume(exchange)
            }
            for daemon in daemons { if let running = daemon.daemon { MHD_run(running) } }
        }
    }

    /// Stops. The connections that wait are let go of first: libmicrohttpd ends
    /// with none of them.
    private func end() {
        for _ in 0..<100 where !waiting.isEmpty {
            for exchange in waiting.values {
                exchange.hasEnded = true
                resume(exchange)
            }
            for daemon in daemons { if let running = daemon.daemon { MHD_run(running) } }
        }
        for daemon in daemons {
            if let running = daemon.daemon { MHD_stop_daemon(running) }
            daemon.daemon = nil
        }
    }

    /// How long to wait, in milliseconds, before libmicrohttpd wants to look at
    /// its connections; -1 for as long as it takes.
    private var timeout: Int32 {
        var result: Int32 = -1
        for daemon in daemons {
            var milliseconds: UInt64 = 0
            guard let running = daemon.daemon, MHD_get_timeout(running, &milliseconds) == .YES
            else { continue }
            let wait = Int32(clamping: milliseconds)
            result = result < 0 ? wait : min(result, wait)
        }
        return result
    }

    private func deliver() {
        for message in mailbox.take() {
            switch message {
            case .response(let number, let response):
                guard let exchange = waiting[number] else { continue }
                exchange.response = response
                resume(exchange)
            case .event(let number, let bytes):
                guard let exchange = waiting[number] else { continue }
                if exchange.queue.count + bytes.count > limits.backlog {
                    // It comes back, and is told what it missed.
                    exchange.hasEnded = true
                } else {
                    exchange.queue += bytes
                }
                resume(exchange)
            case .end(let number):
                guard let exchange = waiting[number] else { continue }
                exchange.hasEnded = true
                resume(exchange)
            }
        }
    }

    private func resume(_ exchange: Exchange) {
        guard exchange.isSuspended else { return }
        exchange.isSuspended = false
        MHD_resume_connection(exchange.connection)
    }

    private func suspend(_ exchange: Exchange) {
        exchange.isSuspended = true
        MHD_suspend_connection(exchange.connection)
    }

    // MARK: What libmicrohttpd calls

    private static func notify(
        _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ isNew: Bool
    ) {
        guard let server = Daemon.from(context)?.server, let connection else { return }
        let socket = daybook_socket(connection)
        if isNew {
            server.connectionCount += 1
            server.becameIdle(socket)
            server.makeRoom()
        } else {
            server.connectionCount -= 1
            server.idle[socket] = nil
        }
    }

    private func becameIdle(_ socket: Int32) {
        idleClock += 1
        idle[socket] = idleClock
    }

    /// Closes the connection that has been without a request for longest, where
    /// there are many: who opens a thousand and says nothing keeps nobody out.
    private func makeRoom() {
        guard connectionCount > limits.comfortable,
            let oldest = idle.min(by: { $0.value < $1.value })?.key
        else { return }
        idle[oldest] = nil
        shutdown(oldest, Int32(SHUT_RDWR))
    }

    private static func begin(
        _ context: UnsafeMutableRawPointer?, _ uri: UnsafePointer<CChar>?,
        _ connection: OpaquePointer?
    ) -> UnsafeMutableRawPointer? {
        guard let daemon = Daemon.from(context), let uri, let connection else { return nil }
        let target = UnsafeRawBufferPointer(start: uri, count: strlen(uri))
        let exchange = Exchange(Array(target), connection, daemon)
        return Unmanaged.passRetained(exchange).toOpaque()
    }

    private static func complete(
        _ context: UnsafeMutableRawPointer?,
        _ box: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) {
        guard let opaque = box?.pointee else { return }
        box?.pointee = nil
        let exchange = Unmanaged<Exchange>.fromOpaque(opaque).takeRetainedValue()
        let server = exchange.daemon.server
        server.becameIdle(exchange.socket)
        guard let number = exchange.number else { return }
        server.waiting[number] = nil
        exchange.closed?(EventChannel(number: number, mailbox: server.mailbox))
    }

    private static func handle(
        _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
        _ method: UnsafePointer<CChar>?, _ data: UnsafePointer<CChar>?,
        _ size: UnsafeMutablePointer<Int>?,
        _ box: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> MHD_Result {
        guard let opaque = box?.pointee, let method, let size else { return .NO }
        let exchange = Unmanaged<Exchange>.fromOpaque(opaque).takeUnretainedValue()
        let server = exchange.daemon.server
        guard exchange.request != nil else {
            return server.begin(exchange, method: String(cString: method))
        }
        if size.pointee > 0 {
            let bytes = UnsafeRawBufferPointer(start: data, count: size.pointee)
            // Never more than was announced, and so admitted.
            guard (exchange.request?.body.count ?? 0) + bytes.count <= exchange.bodyLimit else {
                return .NO
            }
            exchange.request?.body.append(contentsOf: bytes)
            size.pointee = 0
            return .YES
        }
        return server.answer(exchange)
    }

    /// Looks at the head of a request. Its body is refused before it is read, or
    /// read up to what its handler allows.
    private func begin(_ exchange: Exchange, method: String) -> MHD_Result {
        idle[exchange.socket] = nil
        var request = HTTPRequest(method, "", headers: Self.headers(of: exchange.connection))
        request.target = exchange.target
        exchange.request = request
        switch exchange.daemon.handler.admit(request) {
        case .refused(let response): return send(response, to: exchange)
        case .admitted(let limit):
            guard let length = request.announcedLength else {
                return send(
                    .text(.lengthRequired, "The length of the body is missing."), to: exchange)
            }
            guard length <= limit else {
                return send(.text(.contentTooLarge, "That is too large."), to: exchange)
            }
            exchange.bodyLimit = limit
            // Answered by the next call: a reply to the first closes the
            // connection.
            return .YES
        }
    }

    private static func headers(of connection: OpaquePointer) -> [(name: String, value: String)] {
        final class List { var headers: [(name: String, value: String)] = [] }
        let list = List()
        MHD_get_connection_values(
            connection, .HEADER_KIND,
            { context, _, name, value in
                guard let context, let name else { return .YES }
                let list = Unmanaged<List>.fromOpaque(context).takeUnretainedValue()
                list.headers.append(
                    (String(cString: name).lowercased(), value.map { String(cString: $0) } ?? ""))
                return .YES
            }, Unmanaged.passUnretained(list).toOpaque())
        return list.headers
    }

    private func answer(_ exchange: Exchange) -> MHD_Result {
        if let response = exchange.response { return send(response, to: exchange) }
        // Its connection is closed where nobody is left to read the answer.
        if exchange.hasEnded { return .NO }
        guard let request = exchange.request else { return .NO }
        switch exchange.daemon.handler.answer(request) {
        case .now(let response): return send(response, to: exchange)
        case .later(let start):
            let number = hold(exchange)
            suspend(exchange)
            start(HTTPPromise(number: number, mailbox: mailbox))
            return .YES
        case .events(let open, let closed):
            guard waiting.values.count(where: \.isStream) < limits.streams else {
                return send(.text(.unavailable, "Too many pages are listening."), to: exchange)
            }
            let number = hold(exchange)
            exchange.closed = closed
            // Something at once, so that the reader knows that it is heard.
            exchange.queue = Array(":\n\n".utf8)
            let result = sendEvents(to: exchange)
            open(EventChannel(number: number, mailbox: mailbox))
            return result
        }
    }

    private func hold(_ exchange: Exchange) -> Int {
        lastNumber += 1
        exchange.number = lastNumber
        waiting[lastNumber] = exchange
        return lastNumber
    }

    // MARK: Responses

    /// What a response is read from, piece by piece.
    private final class FilePart {
        let file: OpenFile
        let start: Int64

        init(_ file: OpenFile, _ start: Int64) {
            self.file = file
            self.start = start
        }
    }

    private func send(_ response: HTTPResponse, to exchange: Exchange) -> MHD_Result {
        let made: OpaquePointer?
        switch response.body {
        case .bytes(var bytes):
            made = bytes.withUnsafeMutableBytes {
                MHD_create_response_from_buffer(
                    $0.count, $0.baseAddress, .RESPMEM_MUST_COPY)
            }
        case .file(let file, let start, let count):
            let part = Unmanaged.passRetained(FilePart(file, start)).toOpaque()
            made = MHD_create_response_from_callback(
                UInt64(count), 256 * 1024,
                { context, position, buffer, size in
                    guard let context, let buffer else { return -1 }
                    let part = Unmanaged<FilePart>.fromOpaque(context).takeUnretainedValue()
                    let target = UnsafeMutableRawBufferPointer(start: buffer, count: size)
                    let read = part.file.read(at: part.start + Int64(position), into: target)
                    // A file that became shorter cannot be what was promised.
                    return read > 0 ? read : -2
                }, part,
                { context in
                    if let context { Unmanaged<FilePart>.fromOpaque(context).release() }
                })
            if made == nil { Unmanaged<FilePart>.fromOpaque(part).release() }
        }
        return queue(made, response.status, response.headers, exchange)
    }

    private func sendEvents(to exchange: Exchange) -> MHD_Result {
        let context = Unmanaged.passRetained(exchange).toOpaque()
        let made = MHD_create_response_from_callback(
            .max, 64 * 1024,
            { context, _, buffer, size in
                guard let context, let buffer else { return -1 }
                let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
                return HTTPServer.events(
                    of: exchange, into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
            }, context,
            { context in
                if let context { Unmanaged<Exchange>.fromOpaque(context).release() }
            })
        if made == nil { Unmanaged<Exchange>.fromOpaque(context).release() }
        return queue(
            made, .ok,
            [
                ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
                ("X-Content-Type-Options", "nosniff"),
                ("Cross-Origin-Resource-Policy", "same-origin"),
            ], exchange)
    }

    /// The next events of a stream; the connection waits where there are none.
    private static func events(
        of exchange: Exchange, into buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
        // MHD's signs for the end and for nothing yet.
        if exchange.hasEnded { return -1 }
        let count = min(buffer.count, exchange.queue.count)
        guard count > 0 else {
            exchange.daemon.server.suspend(exchange)
            return 0
        }
        buffer.copyBytes(from: exchange.queue[..<count])
        exchange.queue.removeFirst(count)
        return count
    }

    private func queue(
        _ made: OpaquePointer?, _ status: HTTPStatus, _ headers: [(name: String, value: String)],
        _ exchange: Exchange
    ) -> MHD_Result {
        guard let made else { return .NO }
        defer { MHD_destroy_response(made) }
        for (name, value) in headers { MHD_add_response_header(made, name, value) }
        return MHD_queue_response(exchange.connection, UInt32(status.rawValue), made)
    }
}
