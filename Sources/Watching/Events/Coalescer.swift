/// Makes batches of events: says what is to be looked at, and when.
///
/// A value without a clock: each call is told the time, in milliseconds from
/// any start. A lone save is ready at once. A burst (a checkout, a copied tree)
/// is ready when it has been quiet for a moment, or has gone on for long enough.
/// A disappearance waits: most are one half of a save. So does what may be on its
/// way still: a file that came and was not closed, or one that is called like
/// those which editors make for a moment. What is not taken, since
/// whoever takes is busy, stays and becomes part of one batch.
package struct Coalescer: Sendable {
    /// How long a burst must have been quiet, in milliseconds.
    static let quiet: Int64 = 25
    /// The longest that a burst is waited for.
    static let patience: Int64 = 250
    /// How long a path must have been gone to be gone.
    static let grace: Int64 = 100
    /// How long a file that came may take to be written and closed: one that was
    /// linked there whole never is.
    static let arrival: Int64 = 250
    /// How long a file with a name of editors' own is waited for to go again.
    static let transience: Int64 = 1000
    /// More paths than this at once are a burst.
    static let fewPaths = 3

    private var ready: Set<String> = []
    private var hasLostEvents = false
    /// When each path that is gone is believed to be.
    private var vanished: [String: Int64] = [:]
    /// When each path is looked at that need not be whole, or not for long.
    private var touched: [String: Int64] = [:]
    /// Those of them with names of editors' own that nobody can have seen yet:
    /// where they go again they never were.
    private var newcomers: Set<String> = []
    /// When paths were written last, as far as that is not long ago.
    private var written: [String: Int64] = [:]
    /// When something last became ready.
    private var latest: Int64?
    /// When the burst began that is being waited for.
    private var burst: Int64?

    package init() {}

    /// Takes in what was read of the source in one go.
    package mutating func receive(_ events: some Sequence<FileEvent>, at now: Int64) {
        let count = ready.count
        // Nothing that only comes is taken, and it would pile up here.
        written = written.filter { now - $0.value < Self.grace }
        for event in events { receive(event, at: now) }
        guard hasLostEvents || ready.count > count else {
            // The same path once more: the burst, if it is one, goes on.
            if burst != nil { latest = now }
            return
        }
        let followsAnother = latest.map { now - $0 < Self.quiet } ?? false
        if burst == nil, hasLostEvents || followsAnother || ready.count > Self.fewPaths {
            burst = now
        }
        latest = now
    }

    private mutating func receive(_ event: FileEvent, at now: Int64) {
        switch event {
        case .written(let path):
            guard !TransientName.matches(path) else { return wait(for: path, Self.transience, now) }
            vanished[path] = nil
            touched[path] = nil
            written[path] = now
            ready.insert(path)
        case .appeared(let path):
            written[path] = now
            // A folder that returns need not hold what it held; its files are told
            // one by one.
            if path.hasSuffix("/") { return }
            if TransientName.matches(path) { return receive(newcomer: path, at: now) }
            vanished[path] = nil
            wait(for: path, Self.arrival, now)
        case .touched(let path):
            guard !TransientName.matches(path) else { return wait(for: path, Self.transience, now) }
            // Editors set the permissions of what they have just written.
            if let time = written[path], now - time < Self.grace { return }
            wait(for: path, Self.grace, now)
        case .vanished(let path):
            if newcomers.remove(path) != nil {
                touched[path] = nil
            } else {
                vanished[path] = vanished[path] ?? now + Self.grace
            }
        case .moved(let old, let new):
            guard !TransientName.matches(old) else { return receive(.vanished(old), at: now) }
            // A backup: the editor is about to write the file anew.
            if TransientName.matches(new) {
                receive(newcomer: new, at: now)
                return receive(.vanished(old), at: now)
            }
            vanished[old] = nil
            ready.insert(old)
        case .lost:
            hasLostEvents = true
        }
    }

    private mutating func receive(newcomer path: String, at now: Int64) {
        if touched[path] == nil { newcomers.insert(path) }
        wait(for: path, Self.transience, now)
    }

    private mutating func wait(for path: String, _ time: Int64, _ now: Int64) {
        touched[path] = touched[path] ?? now + time
    }

    /// When ``take(at:)`` has something to give, as far as is known; nil where
    /// there is nothing to wait for.
    package var due: Int64? {
        var due = vanished.values.min()
        if let time = touched.values.min() { due = min(due ?? time, time) }
        guard hasLostEvents || !ready.isEmpty, let latest else { return due }
        let time = burst.map { min(latest + Self.quiet, $0 + Self.patience) } ?? latest
        return min(due ?? time, time)
    }

    /// Takes the batch that is ready; nil where none is.
    package mutating func take(at now: Int64) -> ChangedPaths? {
        guard let due, due <= now else { return nil }
        // What waited is not waited for again by a burst that is under way.
        let gone = Set(vanished.filter { $0.value <= now }.keys)
        let marked = Set(touched.filter { $0.value <= now }.keys)
        let batch = ready.union(gone).union(marked)
        defer {
            ready = []
            hasLostEvents = false
            burst = nil
            for path in gone { vanished[path] = nil }
            for path in batch { touched[path] = nil }
            // Whoever looks now may see them.
            newcomers = []
        }
        return hasLostEvents ? .everything : .paths(batch)
    }
}
