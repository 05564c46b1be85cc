package import Bytes

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Wakes a thread that waits in ``Watch/next(within:)``, from any other thread
/// or from a signal's handler.
///
/// A pipe: the system calls that wait for files wait for it too. It holds
/// nothing that changes, so any thread may use it.
package final class Interrupt: Sendable {
    private let readEnd: Int32
    private let writeEnd: Int32

    /// What wakes: a byte of the pipe.
    package enum Reason: UInt8, Sendable {
        /// There is something else to look at.
        case wake = 119
        /// The waiting is over.
        case stop = 115
    }

    /// The byte that ends a watch, for handlers of signals, which may do little
    /// more than write it to ``descriptor``.
    package static let stopByte = Reason.stop.rawValue

    /// A new interrupt. Fails where the process may open no more files.
    package init() throws(FileError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw FileError("cannot open", "a pipe", code: errno) }
        (readEnd, writeEnd) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            // Whoever wakes never waits, and who is woken reads what is there.
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// What can be read once something was sent, for a thread that waits for
    /// more than files; it asks ``received()`` then.
    package var waitingDescriptor: Int32 { readEnd }

    /// Where ``stopByte`` is written.
    package var descriptor: Int32 { writeEnd }

    /// Ends the watch: its next wait, or the one that is under way.
    package func stop() { send(.stop) }

    /// Ends one wait, so that the waiting thread can look at something else.
    package func wake() { send(.wake) }

    private func send(_ reason: Reason) {
        var byte = reason.rawValue
        // A full pipe wakes as well.
        while write(writeEnd, &byte, 1) < 0, errno == EINTR {}
    }

    /// What was sent since the last call: to stop counts for more.
    package func received() -> Reason? {
        var bytes = [UInt8](repeating: 0, count: 64)
        var result: Reason?
        while true {
            let count = read(readEnd, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return result }
            result = bytes[..<count].contains(Self.stopByte) ? .stop : result ?? .wake
        }
    }

    /// Waits until this or `other` (unless negative) can be read, or until so
    /// many milliseconds have gone by; for ever where nil.
    func wait(besides other: Int32, within limit: Int64?) {
        var files = [
            pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0),
            pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        let timeout = limit.map { Int32(clamping: max(0, $0)) } ?? -1
        // A signal ends the wait early, which harms nothing.
        poll(&files, nfds_t(files.count), timeout)
    }
}
