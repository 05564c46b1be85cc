#if os(Linux)
    import Glibc

    /// An event as the system hands it over; see inotify(7).
    struct InotifyEvent: Equatable {
        /// The watch that it is about; -1 where events were lost.
        var watch: Int32
        var mask: UInt32
        /// Ties the two halves of a move together.
        var cookie: UInt32 = 0
        /// The name in the watched folder; empty where it is about the folder.
        var name = ""

        func has(_ flag: some BinaryInteger) -> Bool { mask & UInt32(flag) != 0 }

        static let lost = InotifyEvent(watch: -1, mask: UInt32(IN_Q_OVERFLOW))
    }

    /// The system has no more watches to give.
    struct WatchLimit: Error, Equatable {
        /// How many folders were watched by then.
        var folders: Int
    }

    /// An instance of inotify, closed when its owner goes. The one place that
    /// reads the system's bytes.
    struct InotifyDescriptor: ~Copyable {
        /// What poll(2) waits for.
        let number: Int32
        /// How many watches may be taken; less than the system's in tests.
        private let limit: Int
        private var watches: Set<Int32> = []

        private static let mask =
            UInt32(IN_CLOSE_WRITE) | UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_ATTRIB)
            | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO) | UInt32(IN_ONLYDIR)

        init(limit: Int = .max) throws(WatchLimit) {
            self.limit = limit
            number = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            guard number >= 0 else { throw WatchLimit(folders: 0) }
        }

        deinit {
            if number >= 0 { close(number) }
        }

        /// Watches a folder; nil where there is none that may be read. The same
        /// folder by another path has the same number.
        mutating func add(_ path: String) throws(WatchLimit) -> Int32? {
            guard watches.count < limit else { throw WatchLimit(folders: watches.count) }
            let watch = inotify_add_watch(number, path, Self.mask)
            if watch >= 0 {
                watches.insert(watch)
                return watch
            }
            guard errno != ENOSPC, errno != ENOMEM else {
                throw WatchLimit(folders: watches.count)
            }
            return nil
        }

        /// Ends a watch; one that the system ended already is no error.
        mutating func remove(_ watch: Int32) {
            if watches.remove(watch) != nil { inotify_rm_watch(number, watch) }
        }

        /// All events that are there, without waiting for one.
        borrowing func read() -> [InotifyEvent] {
            var events: [InotifyEvent] = []
            // Room for some thousand events; one takes 272 bytes at most.
            withUnsafeTemporaryAllocation(byteCount: 64 * 1024, alignment: 8) { buffer in
                while true {
                    let count = Glibc.read(number, buffer.baseAddress, buffer.count)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { return }
                    Self.parse(UnsafeRawBufferPointer(rebasing: buffer[..<count]), into: &events)
                    // Whatever fills half of the buffer may not be all.
                    if count < buffer.count / 2 { return }
                }
            }
            return events
        }

        /// The kernel's layout: a fixed head, then a name padded with zeros.
        private static func parse(
            _ bytes: UnsafeRawBufferPointer, into events: inout [InotifyEvent]
        ) {
            let head = MemoryLayout<inotify_event>.size
            var place = 0
            while place + head <= bytes.count {
                let event = bytes.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
                let end = min(place + head + Int(event.len), bytes.count)
                let name = bytes[(place + head)..<end].prefix { $0 != 0 }
                events.append(
                    InotifyEvent(
                        watch: event.wd, mask: event.mask, cookie: event.cookie,
                        name: String(decoding: name, as: UTF8.self)))
                place = end
            }
        }
    }
#endif
