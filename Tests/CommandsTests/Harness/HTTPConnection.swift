import Foundation

/// A connection to a server on this machine, spoken to in bytes: what no ordinary
/// client sends can be sent.
final class HTTPConnection {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    struct Response {
        var status: Int
        var headers: [String: String]
        var body: Data
        var text: String { String(decoding: body, as: UTF8.self) }
    }

    private let descriptor: Int32
    private var unread = Data()
    let port: Int

    /// Connects; waits for answers for so many seconds at most.
    init(_ port: Int, patience: Int = 60) throws {
        self.port = port
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(description: "no connection: \(errno)") }
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Sends as much as the other side takes; how much that was.
    @discardableResult
    func send(_ data: Data) -> Int {
        var sent = 0
        while sent < data.count {
            let count = data.withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress.map { $0 + sent }, data.count - sent,
                    Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { break }
            sent += count
        }
        return sent
    }

    @discardableResult
    func send(_ text: String) -> Int { send(Data(text.utf8)) }

    /// Sends a request with the headers that every browser sends.
    func send(
        _ method: String, _ target: String, headers: [String: String] = [:], body: Data? = nil
    ) {
        var all = ["Host": "127.0.0.1:\(port)"]
        if let body { all["Content-Length"] = String(body.count) }
        all.merge(headers) { $1 }
        let lines = all.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }
        send(Data("\(method) \(target) HTTP/1.1\r\n\(lines.joined())\r\n".utf8) + (body ?? Data()))
    }

    /// Sends a request and reads the response.
    func ask(
        _ method: String, _ target: String, headers: [String: String] = [:], body: Data? = nil
    ) throws -> Response {
        send(method, target, headers: headers, body: body)
        return try response(hasBody: method != "HEAD")
    }

    private func more() throws {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else {
            throw Failure(description: count == 0 ? "closed" : "nothing came: \(errno)")
        }
        unread += buffer[..<count]
    }

    /// Whether the other side has closed the connection, once all is read.
    func isClosed() -> Bool {
        do { while true { try more() } } catch let failure as Failure {
            return failure.description == "closed" || failure.description.hasSuffix("\(ECONNRESET)")
        } catch { return false }
    }

    func line() throws -> String {
        while true {
            if let end = unread.range(of: Data("\n".utf8)) {
                let line = unread[..<end.lowerBound]
                unread = Data(unread[end.upperBound...])
                return String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines)
            }
            try more()
        }
    }

    private func bytes(_ count: Int) throws -> Data {
        while unread.count < count { try more() }
        let data = Data(unread.prefix(count))
        unread = Data(unread.dropFirst(count))
        return data
    }

    /// The head of a response.
    func head() throws -> (status: Int, headers: [String: String]) {
        let first = try line().split(separator: " ")
        guard first.count > 1, let status = Int(first[1]) else {
            throw Failure(description: "no response: \(first)")
        }
        var headers: [String: String] = [:]
        while true {
            let line = try line()
            if line.isEmpty { return (status, headers) }
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] =
                parts.count > 1
                ? parts[1].trimmingCharacters(in: .whitespaces) : ""
        }
    }

    func response(hasBody: Bool = true) throws -> Response {
        let (status, headers) = try head()
        var body = Data()
        if hasBody, headers["transfer-encoding"] == "chunked" {
            while let chunk = try chunk() { body += chunk }
        } else if hasBody, let length = headers["content-length"].flatMap({ Int($0) }) {
            body = try bytes(length)
        }
        return Response(status: status, headers: headers, body: body)
    }

    /// The next chunk of a body that comes in chunks; nil at its end.
    private func chunk() throws -> Data? {
        let count = Int(try line().prefix { $0 != ";" }, radix: 16) ?? 0
        let data = try bytes(count)
        _ = try line()
        return count == 0 ? nil : data
    }

    // MARK: Events

    private var events = ""

    /// The data of the next event that holds a text. Files are often saved in two
    /// steps, and either may be seen.
    func data(with text: String) throws -> String {
        while true {
            let data = try event().data
            if data.contains(text) { return data }
        }
    }

    /// The next event of a stream: its name and its data.
    func event() throws -> (name: String, data: String, id: String) {
        while true {
            if let end = events.range(of: "\n\n") {
                let lines = events[..<end.lowerBound].split(separator: "\n")
                events = String(events[end.upperBound...])
                func value(_ field: String) -> String {
                    lines.first { $0.hasPrefix(field + ": ") }.map {
                        String($0.dropFirst(field.count + 2))
                    } ?? ""
                }
                if lines.allSatisfy({ $0.hasPrefix(":") }) { continue }
                return (value("event"), value("data"), value("id"))
            }
            guard let chunk = try chunk() else { throw Failure(description: "the stream ended") }
            events += String(decoding: chunk, as: UTF8.self)
        }
    }
}
