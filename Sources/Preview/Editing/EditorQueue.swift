import Synchronization
import Watching

/// What the editor's pages asked for and nobody has answered yet.
///
/// Guarded by its lock. Put there by the serving thread, answered one by one by the
/// thread that builds, which so never works on files that a build reads.
final class EditorQueue: Sendable {
    private let interrupt: Interrupt
    private let waiting = Mutex<[(request: EditorRequest, promise: HTTPPromise)]>([])

    /// A queue whose filling wakes whoever waits by `interrupt`.
    init(_ interrupt: Interrupt) { self.interrupt = interrupt }

    func put(_ request: EditorRequest, _ promise: HTTPPromise) {
        waiting.withLock { $0.append((request, promise)) }
        interrupt.wake()
    }

    func take() -> [(request: EditorRequest, promise: HTTPPromise)] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
