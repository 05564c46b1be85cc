import Synchronization
import Watching

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The signals that ask a program to end: of the keyboard, of `kill`, of a
/// terminal that is closed.
enum StopSignals {
    /// Where the handler writes. One handler serves the process, so there is one.
    private static let descriptor = Atomic<Int32>(-1)

    /// From now on the first such signal stops `interrupt`, so that work under
    /// way is completed; a second one ends the program as it always does.
    ///
    /// The interrupt must outlive the program's waiting.
    static func stop(_ interrupt: Interrupt) {
        descriptor.store(interrupt.descriptor, ordering: .sequentiallyConsistent)
        // Whoever started the program may have held them back, as Foundation does.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // No more than a handler may: what it calls is named in
            // signal-safety(7).
            signal(number) { number in
                let saved = errno
                var byte = Interrupt.stopByte
                _ = write(StopSignals.descriptor.load(ordering: .relaxed), &byte, 1)
                signal(number, SIG_DFL)
                errno = saved
            }
            sigaddset(&signals, number)
        }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
}
