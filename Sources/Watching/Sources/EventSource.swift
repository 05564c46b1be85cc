import Bytes

/// What tells of changes: inotify where it can be relied on, else polling. It
/// changes over by itself when the system's limit is reached.
struct EventSource: ~Copyable {
    /// Why it polls; nil where it is told.
    private(set) var pollingReason: PollingReason?

    /// What poll(2) waits for; -1 where there is nothing.
    private(set) var descriptor: Int32 = -1

    #if os(Linux)
        private var inotify: InotifySource?
    #endif
    private var polling: PollingSource?
    private let places: WatchedPlaces
    /// When polling looks again.
    private var nextLook: Int64 = 0

    /// The pause between two looks, in milliseconds; a look at many files is
    /// followed by a longer one.
    private static let pause: Int64 = 300
    private static let share: Int64 = 20

    /// A source for `places`; one that polls where `polls` says so. `limit`
    /// stands in for the system's limit in tests.
    init(_ places: WatchedPlaces, polls: Bool, limit: Int, mounts: MountTable) {
        self.places = places
        pollingReason = polls ? .asked : Self.remote(places, mounts)
        #if os(Linux)
            inotify = nil
            if pollingReason == nil {
                do throws(WatchLimit) {
                    inotify = try InotifySource.make(places, limit: limit)
                    descriptor = inotify?.number ?? -1
                } catch {
                    pollingReason = .limit(folders: error.folders)
                }
            }
        #else
            if pollingReason == nil { pollingReason = .missing }
        #endif
        if pollingReason != nil { polling = PollingSource(places) }
    }

    private static func remote(_ places: WatchedPlaces, _ mounts: MountTable) -> PollingReason? {
        for path in places.folders + places.reach + [places.anchor] {
            guard let real = FilePath.resolved(path), let type = mounts.type(of: real),
                MountTable.isRemote(type)
            else { continue }
            return .remote(path: path, type: type)
        }
        return nil
    }

    /// When ``read(clock:)`` may have something to tell without the descriptor
    /// saying so.
    var due: Int64? { polling == nil ? nil : nextLook }

    /// What happened since the last call.
    mutating func read(clock: () -> Int64) -> [FileEvent] {
        #if os(Linux)
            if inotify != nil {
                do throws(WatchLimit) {
                    let events = try inotify?.read() ?? []
                    descriptor = inotify?.number ?? -1
                    return events
                } catch {
                    inotify = nil
                    descriptor = -1
                    pollingReason = .limit(folders: error.folders)
                    polling = PollingSource(places)
                    return [.lost]
                }
            }
        #endif
        let start = clock()
        guard polling != nil, start >= nextLook else { return [] }
        let events = polling?.read() ?? []
        let end = clock()
        nextLook = end + max(Self.pause, (end - start) * Self.share)
        return events
    }
}
