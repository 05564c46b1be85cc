import Synchronization

/// Counts the pieces of a long piece of work for whoever wants to know.
struct Step: ~Copyable, Sendable {
    private let progress: (@Sendable (BuildProgress) -> Void)?
    private let count: Int
    private let done = Atomic(0)

    init(_ progress: (@Sendable (BuildProgress) -> Void)?, _ count: Int) {
        self.progress = progress
        self.count = count
    }

    /// Another piece is done. Told in steps, so that nobody waits for words.
    func advance(_ event: (Int, Int) -> BuildProgress) {
        guard let progress else { return }
        let done = done.add(1, ordering: .relaxed).newValue
        if done % 16 == 0 || done == count { progress(event(done, count)) }
    }
}
