import Publishing
import Synchronization

/// One line on the terminal that says how far a long build is, drawn over and
/// over and taken away at the end. In a pipe, and where only errors are asked
/// for, there is none.
///
/// Told by all workers at once; what changes is behind its lock.
final class ProgressLine: Sendable {
    private let width: Int
    private let state: Mutex<State>

    private struct State {
        /// When something is drawn next: short builds draw nothing.
        var due: Int64
        var isDrawn = false
    }

    /// Work that takes longer than this shows progress, in milliseconds.
    private static let patience: Int64 = 400
    /// The time from one drawing to the next.
    private static let pause: Int64 = 80

    /// A line for a build that begins now; nil where none is to be drawn.
    init?(_ console: Console) {
        guard Console.talksToTerminal, !Console.isPlainTerminal, !console.isQuiet else {
            return nil
        }
        width = Console.width
        state = Mutex(State(due: Console.clock() + Self.patience))
    }

    /// Another build begins now.
    func start() { state.withLock { $0.due = Console.clock() + Self.patience } }

    /// Takes note of how far the build is.
    func show(_ progress: BuildProgress) {
        state.withLock { state in
            let now = Console.clock()
            guard now >= state.due else { return }
            state.due = now + Self.pause
            state.isDrawn = true
            // A line that fills the last column would wrap and stay.
            let text = Self.words(progress).prefix(max(0, width - 1))
            Console().sayAlways("\r\u{1B}[K\(text)")
        }
    }

    /// Takes the line away.
    func clear() {
        state.withLock { state in
            if state.isDrawn { Console().sayAlways("\r\u{1B}[K") }
            state.isDrawn = false
        }
    }

    static func words(_ progress: BuildProgress) -> String {
        switch progress {
        case .reading(let done, let count): "reading notes: \(done) of \(count)"
        case .planning: "planning the site"
        case .rendering(let done, let count): "rendering pages: \(done) of \(count)"
        case .placing: "placing files"
        }
    }
}
