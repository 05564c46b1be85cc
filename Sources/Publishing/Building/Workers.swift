import Dispatch
import Synchronization

/// Runs independent pieces of work on all processors.
enum Workers {
    /// How many threads work at once; set once at the start by `--jobs`.
    static let limit = Atomic<Int>(0)

    /// The results of `work` for 0 up to `count`, in order.
    ///
    /// Workers take pieces of the range as they become free, so the order in
    /// which `work` is called is not defined, and it must not depend on it.
    static func map<Result: Sendable>(
        _ count: Int, _ work: @Sendable (Int) -> Result
    ) -> [Result] {
        let parts = run(count) { (_: inout Void, index) in work(index) } start: {
        }
        return parts
    }

    /// Like ``map(_:_:)``, with a state of its own for each worker, made by
    /// `start` and used again from piece to piece.
    static func run<State: ~Copyable, Result: Sendable>(
        _ count: Int, _ work: @Sendable (inout State, Int) -> Result,
        start: @Sendable () -> State
    ) -> [Result] {
        guard count > 0 else { return [] }
        let set = limit.load(ordering: .relaxed)
        let threads = max(1, min(set > 0 ? set : activeProcessorCount, count))
        // Pieces large enough that taking one costs nothing, small enough that
        // both ends finish together.
        let size = max(1, min(64, count / (threads * 8)))
        let next = Atomic<Int>(0)
        let finished = Mutex<[(start: Int, results: [Result])]>([])
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            var state = start()
            var mine: [(start: Int, results: [Result])] = []
            while true {
                let first = next.wrappingAdd(size, ordering: .relaxed).oldValue
                if first >= count { break }
                var results: [Result] = []
                results.reserveCapacity(size)
                for index in first..<min(first + size, count) {
                    results.append(work(&state, index))
                }
                mine.append((first, results))
            }
            finished.withLock { $0 += mine }
        }
        return finished.withLock { $0 }.sorted { $0.start < $1.start }.flatMap(\.results)
    }

    private static let activeProcessorCount = max(1, processorCount())
}
