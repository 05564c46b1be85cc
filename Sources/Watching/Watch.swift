/// Waits for changes of files.
///
/// Owned and asked by one thread, which alternates between waiting here and
/// working on what changed: so no two pieces of work overlap, and what happens
/// during one is kept (by the system, then by the ``Coalescer``) and told as one
/// batch afterwards. Other threads reach it through its ``Interrupt`` alone.
///
///     let interrupt = try Interrupt()
///     // On a thread of its own:
///     var watch = Watch(places, interrupt: interrupt, clock: clock)
///     rebuild(.everything)
///     loop: while true {
///         switch watch.next() {
///         case .changed(let paths): rebuild(paths)
///         case .woken, .elapsed: continue
///         case .stopped: break loop
///         }
///     }
///     // Anywhere:
///     interrupt.stop()
///
/// Make it before the first look at the files: what changes after that look is
/// then told.
package struct Watch: ~Copyable {
    /// Why ``next(within:)`` returned.
    package enum Outcome: Sendable, Equatable {
        /// Files may have changed.
        case changed(ChangedPaths)
        /// ``Interrupt/wake()`` was called.
        case woken
        /// The time went by.
        case elapsed
        /// ``Interrupt/stop()`` was called; the watch is of no more use.
        case stopped
    }

    private var source: EventSource
    private var coalescer = Coalescer()
    private let interrupt: Interrupt
    private let clock: () -> Int64
    private let polls: Bool
    private let limit: Int
    private let mounts: MountTable

    /// Watches `places` from now on; by looking again and again where `polls`
    /// says so, or where nothing else can be relied on.
    ///
    /// `clock` gives the milliseconds from any start and never goes back.
    package init(
        _ places: WatchedPlaces, polls: Bool = false, interrupt: Interrupt,
        clock: @escaping () -> Int64
    ) {
        self.init(places, polls: polls, interrupt: interrupt, limit: .max, clock: clock)
    }

    /// Likewise, with a limit of watches and a table of mounts in the system's
    /// stead.
    init(
        _ places: WatchedPlaces, polls: Bool = false, interrupt: Interrupt, limit: Int = .max,
        mounts: MountTable = .current(), clock: @escaping () -> Int64
    ) {
        self.interrupt = interrupt
        self.clock = clock
        self.polls = polls
        self.limit = limit
        self.mounts = mounts
        source = EventSource(places, polls: polls, limit: limit, mounts: mounts)
    }

    /// Why it polls; nil where it is told of changes. May change from nil, when
    /// the system has no more watches to give.
    package var pollingReason: PollingReason? { source.pollingReason }

    /// Watches other places from now on. What happened meanwhile may be lost, so
    /// the next call of ``next(within:)`` says that everything may have changed.
    package mutating func follow(_ places: WatchedPlaces) {
        source = EventSource(places, polls: polls, limit: limit, mounts: mounts)
        coalescer.receive([.lost], at: clock())
    }

    /// Waits for the next batch of changes, for so many milliseconds at most.
    package mutating func next(within limit: Int64? = nil) -> Outcome {
        let end = limit.map { clock() + $0 }
        while true {
            switch interrupt.received() {
            case .stop: return .stopped
            case .wake: return .woken
            case nil: break
            }
            let events = source.read(clock: clock)
            let now = clock()
            if !events.isEmpty { coalescer.receive(events, at: now) }
            if let batch = coalescer.take(at: now) { return .changed(batch) }
            if let end, now >= end { return .elapsed }
            let due = [coalescer.due, source.due, end].compactMap { $0 }.min()
            interrupt.wait(besides: source.descriptor, within: due.map { $0 - now })
        }
    }
}
