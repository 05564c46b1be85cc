import Bytes
import Synchronization
import Watching

/// What other threads have for the one that serves.
///
/// Guarded by its lock; taking wakes nobody, putting wakes the serving thread.
final class HTTPMailbox: Sendable {
    /// Something for one exchange, by its number.
    enum Message: Sendable {
        case response(Int, HTTPResponse)
        case event(Int, [UInt8])
        case end(Int)
    }

    let interrupt: Interrupt
    private let messages = Mutex<[Message]>([])

    init() throws(FileError) { interrupt = try Interrupt() }

    func put(_ message: Message) {
        messages.withLock { $0.append(message) }
        interrupt.wake()
    }

    func take() -> [Message] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}

/// The duty to answer one request, which any thread may fulfil, once.
package struct HTTPPromise: Sendable {
    let number: Int
    let mailbox: HTTPMailbox

    /// Answers.
    package func fulfil(_ response: HTTPResponse) { mailbox.put(.response(number, response)) }
}

/// The sending end of a stream of events (the HTML standard, section 9.2), which
/// any thread may use. What is sent once the reader is gone is dropped.
package struct EventChannel: Sendable, Hashable {
    let number: Int
    let mailbox: HTTPMailbox

    package static func == (one: EventChannel, other: EventChannel) -> Bool {
        one.number == other.number && one.mailbox === other.mailbox
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(number) }

    /// Sends an event whose data is one line; `id` comes back when the reader
    /// connects again.
    package func send(_ name: String, _ data: String, id: String? = nil) {
        let head = (id.map { "id: \($0)\n" } ?? "") + "event: \(name)\n"
        mailbox.put(.event(number, Array((head + "data: \(data)\n\n").utf8)))
    }

    /// Ends the stream.
    package func end() { mailbox.put(.end(number)) }
}
