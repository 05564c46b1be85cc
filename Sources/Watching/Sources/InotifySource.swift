#if os(Linux)
    import Bytes
    import Glibc

    /// Tells what happens in watched places, by inotify.
    ///
    /// The system watches single folders and tells names in them. This type
    /// makes trees of them: it watches a folder before it lists it, so that
    /// nothing falls between, and knows each folder by every name it has: one
    /// that a link leads to has several.
    struct InotifySource: ~Copyable {
        private var descriptor: InotifyDescriptor
        private let places: WatchedPlaces
        private let limit: Int
        private var folders: [Int32: WatchedFolder] = [:]
        /// The watches by the paths of the folders.
        private var watches: [String: Int32] = [:]

        /// One folder that the system watches.
        private struct WatchedFolder {
            /// Its paths, where all below it is watched.
            var paths: Set<String> = []
            /// Names in it that matter by themselves.
            var parts: [String: Set<Part>] = [:]

            var isNeeded: Bool { !paths.isEmpty || !parts.isEmpty }
        }

        /// What a name in a folder is.
        private enum Part: Hashable {
            /// It is seen at this path: a place itself, or what a link leads to.
            case seen(String)
            /// What a place is found through: a folder above it, or a link on the
            /// way to it.
            case above
        }

        /// A source that watches `places`. `limit` stands in for the system's in
        /// tests.
        static func make(_ places: WatchedPlaces, limit: Int = .max) throws(WatchLimit) -> Self {
            var source = Self(try InotifyDescriptor(limit: limit), places, limit)
            try source.watchAll()
            return source
        }

        private init(
            _ descriptor: consuming InotifyDescriptor, _ places: WatchedPlaces, _ limit: Int
        ) {
            self.descriptor = descriptor
            self.places = places
            self.limit = limit
        }

        /// What poll(2) waits for.
        var number: Int32 { descriptor.number }

        /// All that happened since the last call, without waiting.
        mutating func read() throws(WatchLimit) -> [FileEvent] {
            try tell(descriptor.read())
        }

        /// What the system's events mean.
        mutating func tell(_ events: [InotifyEvent]) throws(WatchLimit) -> [FileEvent] {
            var told: [FileEvent] = []
            var index = 0
            while index < events.count {
                let event = events[index]
                index += 1
                if event.has(IN_Q_OVERFLOW) {
                    // Folders may have come meanwhile.
                    try startAgain()
                    return [.lost]
                }
                if event.has(IN_IGNORED) {
                    forget(event.watch)
                    continue
                }
                guard let old = paths(of: event) else {
                    try startAgain()
                    return [.lost]
                }
                if event.has(IN_MOVED_FROM), index < events.count, events[index].has(IN_MOVED_TO),
                    events[index].cookie == event.cookie
                {
                    guard let new = paths(of: events[index]) else { continue }
                    try tellMove(event, from: old, to: new, &told)
                    index += 1
                } else {
                    for path in old { try tell(event, at: path, &told) }
                }
            }
            return told
        }

        /// The paths that an event is about; nil where it is about what a place is
        /// found through: then nothing that is watched need be what it was.
        private func paths(of event: InotifyEvent) -> [String]? {
            guard let folder = folders[event.watch], !event.name.isEmpty else { return [] }
            var paths = folder.paths.map { $0 + "/" + event.name }.filter {
                !places.ignores($0, event.has(IN_ISDIR))
            }
            for part in folder.parts[event.name] ?? [] {
                switch part {
                case .seen(let path): if !paths.contains(path) { paths.append(path) }
                case .above: if !event.has(IN_ATTRIB) { return nil }
                }
            }
            return paths
        }

        private mutating func tellMove(
            _ event: InotifyEvent, from old: [String], to new: [String], _ told: inout [FileEvent]
        ) throws(WatchLimit) {
            for path in old {
                let isFolder = drop(path) || event.has(IN_ISDIR)
                let mark = isFolder ? "/" : ""
                // Moved to where it is passed over, it is only gone.
                told.append(
                    new.first.map { .moved(from: path + mark, to: $0 + mark) }
                        ?? .vanished(path + mark))
            }
            var arrival = event
            arrival.mask = UInt32(IN_MOVED_TO) | event.mask & UInt32(IN_ISDIR)
            for path in new { try tell(arrival, at: path, &told) }
        }

        private mutating func tell(
            _ event: InotifyEvent, at path: String, _ told: inout [FileEvent]
        ) throws(WatchLimit) {
            if event.has(IN_DELETE) || event.has(IN_MOVED_FROM) {
                let isFolder = drop(path) || event.has(IN_ISDIR)
                told.append(.vanished(isFolder ? path + "/" : path))
            } else if event.has(IN_CLOSE_WRITE) {
                told.append(.written(path))
            } else if event.has(IN_ISDIR) {
                // A folder that could not be read may be readable now.
                if event.has(IN_ATTRIB) { told.append(.touched(path + "/")) }
                if event.has(IN_ATTRIB), watches[path] != nil { return }
                told.append(.appeared(path + "/"))
                try watch(path, &told)
            } else if event.has(IN_ATTRIB) {
                told.append(.touched(path))
            } else {
                try tellArrival(path, isMoved: event.has(IN_MOVED_TO), &told)
            }
        }

        /// A file came, or a link: whole at once where it was moved or is a link,
        /// or has another name still; else it is being written, or was linked
        /// here and lost its other name.
        private mutating func tellArrival(
            _ path: String, isMoved: Bool, _ told: inout [FileEvent]
        ) throws(WatchLimit) {
            var status = stat()
            guard lstat(path, &status) == 0 else {
                // That it is gone again is told by an event of its own.
                told.append(.appeared(path))
                return
            }
            let isLink = status.st_mode & S_IFMT == S_IFLNK
            if isLink, try follow(path), FilePath.status(path)?.kind == .folder {
                guard !places.ignores(path, true) else { return }
                told.append(.appeared(path + "/"))
                try watch(path, &told)
                return
            }
            told.append(isMoved || isLink || status.st_nlink > 1 ? .written(path) : .appeared(path))
        }

        // MARK: Links

        /// Watches what a link leads to, there or not yet, and what that is found
        /// through; whether it is there and may be followed.
        @discardableResult
        private mutating func follow(_ path: String) throws(WatchLimit) -> Bool {
            guard let way = LinkWay(from: path), places.reaches(way.target) else { return false }
            try watchParts(of: way.target, as: .seen(path))
            // Beyond where links may lead stands what leads to the site itself.
            for link in way.links where places.reaches(link) {
                try watchParts(of: link, as: .above)
            }
            return FilePath.resolved(path) != nil
        }

        // MARK: Watches

        private mutating func startAgain() throws(WatchLimit) {
            descriptor = try InotifyDescriptor(limit: limit)
            folders = [:]
            watches = [:]
            try watchAll()
        }

        private mutating func watchAll() throws(WatchLimit) {
            var nothing: [FileEvent] = []
            for place in places.folders + places.files {
                try watchParts(of: place, as: .seen(place))
            }
            for folder in places.folders { try watch(folder, &nothing) }
            for file in places.files where FilePath.resolved(file) != file { try follow(file) }
        }

        /// Watches for a place itself and for the folders above it, up to one that
        /// all places hang from, or the first above that which is there.
        private mutating func watchParts(of place: String, as part: Part) throws(WatchLimit) {
            let tops = [places.anchor] + places.reach
            var path = place
            var part = part
            while path != "/" {
                let isThere = try add(part, at: path)
                if isThere, tops.contains(where: { FilePath.isInside($0, path) }) { return }
                part = .above
                path = FilePath.folder(of: path)
            }
        }

        /// Watches for one name; whether the folder that holds it is there.
        private mutating func add(_ part: Part, at path: String) throws(WatchLimit) -> Bool {
            guard let watch = try descriptor.add(FilePath.folder(of: path)) else { return false }
            let name = FilePath.name(of: path)
            folders[watch, default: WatchedFolder()].parts[name, default: []].insert(part)
            return true
        }

        /// Watches a folder and all below it, and tells the files that are there.
        private mutating func watch(_ path: String, _ told: inout [FileEvent]) throws(WatchLimit) {
            let walk = FolderWalk(places: places)
            try walk.visit(path) { (step) throws(WatchLimit) in
                switch step {
                case .folder(let path):
                    guard let watch = try descriptor.add(path) else { return }
                    folders[watch, default: WatchedFolder()].paths.insert(path)
                    watches[path] = watch
                case .link(let path, _):
                    try follow(path)
                case .deadLink(let path):
                    try follow(path)
                    told.append(.written(path))
                case .file(let path, let target):
                    if target != nil { try follow(path) }
                    told.append(.written(path))
                }
            }
        }

        /// Ends the watches at and below a path; whether a folder was watched
        /// there.
        private mutating func drop(_ path: String) -> Bool {
            guard watches[path] != nil else { return false }
            for (below, watch) in watches where FilePath.isInside(below, path) {
                watches[below] = nil
                folders[watch]?.paths.remove(below)
                if folders[watch]?.isNeeded == false {
                    folders[watch] = nil
                    descriptor.remove(watch)
                }
            }
            return true
        }

        /// The system ended a watch by itself: the folder is no more.
        private mutating func forget(_ watch: Int32) {
            guard let folder = folders.removeValue(forKey: watch) else { return }
            for path in folder.paths where watches[path] == watch { watches[path] = nil }
            descriptor.remove(watch)
        }
    }
#endif
