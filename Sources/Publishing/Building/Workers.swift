import Dispatch
import Synchronization

/// The threads that independent pieces of work run on.
package struct Workers: Sendable {
    /// How many work at once.
    package let count: Int

    /// `count` workers, at least one. How many processors there are is known
    /// to whoever asks for the build.
    package init(count: Int = 1) {
        self.count = max(1, count)
    }

    /// The results of `work` for 0 up to `count`, in order.
    ///
    /// Workers take pieces of the range, of at most `piece`, as they become free, so the order in
    /// which `work` is called is not defined, and it must not depend on it.
    func map<Result: Sendable>(
        _ count: Int, piece: Int = 64, _ work: @Sendable (Int) -> Result
    ) -> [Result] {
        map(count, piece: piece, startingFrom: { NoState() }) { _, index in work(index) }
    }

    /// Runs two pieces of work at once, and returns both results.
    func both<One: Sendable, Other: Sendable>(
        _ one: @Sendable () -> One, and other: @Sendable () -> Other
    ) -> (One, Other) {
        guard count > 1 else { return (one(), other()) }
        let results = Mutex<(One?, Other?)>((nil, nil))
        DispatchQueue.concurrentPerform(iterations: 2) { part in
            if part == 0 {
                let result = one()
                results.withLock { $0.0 = result }
            } else {
                let result = other()
                results.withLock { $0.1 = result }
            }
        }
        guard case (let first?, let second?) = results.withLock({ $0 }) else {
            preconditionFailure("both pieces of work have run")
        }
        return (first, second)
    }

    /// Hands the results of `work` for 0 up to `count` to `take`, which runs here,
    /// in the order in which they come to be.
    ///
    /// The other workers make results meanwhile; so does this one while there is
    /// none to take.
    func stream<Result: Sendable>(
        _ count: Int, _ work: @escaping @Sendable (Int) -> Result, take: (Result) -> Void
    ) {
        let line = ResultLine<Result>()
        for _ in 1..<max(1, min(self.count, count)) {
            DispatchQueue.global().async {
                while let index = line.next(below: count) { line.add(work(index)) }
            }
        }
        for _ in 0..<count {
            if let result = line.first() {
                take(result)
            } else if let index = line.next(below: count) {
                take(work(index))
            } else {
                take(line.waitForFirst())
            }
        }
    }

    /// Results that wait to be taken.
    private final class ResultLine<Result: Sendable>: Sendable {
        private let started = Atomic(0)
        private let results = Mutex<[Result]>([])
        private let isThere = DispatchSemaphore(value: 0)

        /// The number of a result that nobody makes yet.
        func next(below count: Int) -> Int? {
            let index = started.wrappingAdd(1, ordering: .relaxed).oldValue
            return index < count ? index : nil
        }

        func add(_ result: Result) {
            results.withLock { $0.append(result) }
            isThere.signal()
        }

        func first() -> Result? { results.withLock { $0.popLast() } }

        func waitForFirst() -> Result {
            while true {
                if let result = first() { return result }
                // Told of results that were taken already, too.
                isThere.wait()
            }
        }
    }

    /// Gives back the memory of a large value beside the work that follows, where
    /// there is somebody to do it.
    func free<Value: Sendable>(_ value: consuming sending Value) {
        guard count > 1 else { return }
        let holder = Mutex<Value?>(value)
        DispatchQueue.global().async { holder.withLock { $0 = nil } }
    }

    private struct NoState {}

    /// Like ``map(_:_:)``, with a state of its own for each worker, made by
    /// `start` and used again from piece to piece.
    func map<State: ~Copyable, Result: Sendable>(
        _ count: Int, piece: Int = 64, startingFrom start: @Sendable () -> State,
        _ work: @Sendable (inout State, Int) -> Result
    ) -> [Result] {
        guard count > 0 else { return [] }
        let threads = min(self.count, count)
        // Pieces large enough that taking one costs nothing, small enough that
        // all workers finish together.
        let size = max(1, min(piece, count / (threads * 8)))
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
                // The last first, so that taking them off the end gives them in
                // order: that moves them, where joining lists copies.
                for index in (first..<min(first + size, count)).reversed() {
                    results.append(work(&state, index))
                }
                mine.append((first, results))
            }
            finished.withLock { $0 += mine }
        }
        var pieces = finished.withLock { pieces in
            defer { pieces = [] }
            return pieces
        }
        pieces.sort { $0.start < $1.start }
        var all: [Result] = []
        all.reserveCapacity(count)
        for place in pieces.indices {
            while let result = pieces[place].results.popLast() { all.append(result) }
        }
        return all
    }
}
