import Bytes
import Notes
import Publishing
import Synchronization

/// The open pages that listen, each with what it shows.
///
/// Guarded by its lock: pages come and go on the serving thread, and are told of
/// changes by the one that builds.
final class Observers: Sendable {
    /// One open page.
    fileprivate struct Observer {
        /// The output file that it shows, there or not.
        var output: String
        /// Its bytes as it shows them; nil where nobody knows them any more.
        var bytes: [UInt8]?
        /// Their digest.
        var version: String
        /// What is laid over it.
        var faults: [String] = []
        /// Whether it shows a page that is no longer there.
        var isGone = false
        /// Whether it shows that there is no page.
        var isMissing = false
    }

    private let observers = Mutex<[EventChannel: Observer]>([:])
    private let versions: PageVersions
    private let changed: @Sendable (Int) -> Void

    /// `changed` is told how many there are whenever that differs.
    init(_ versions: PageVersions, changed: @escaping @Sendable (Int) -> Void) {
        self.versions = versions
        self.changed = changed
    }

    /// How many pages listen.
    var count: Int { observers.withLock { $0.count } }

    /// Listens for a page, which is told at once what it does not show.
    func add(
        _ channel: EventChannel, output: String, version: String, isMissing: Bool,
        _ snapshot: PreviewSnapshot
    ) {
        var observer = Observer(
            output: output, bytes: versions.page(version), version: version, isMissing: isMissing)
        var comparisons = Comparisons()
        tell(channel, &observer, snapshot, styles: [], &comparisons)
        let count = observers.withLock { observers in
            observers[channel] = observer
            return observers.count
        }
        changed(count)
    }

    /// Forgets a page that was closed.
    func remove(_ channel: EventChannel) {
        let count = observers.withLock { observers in
            observers[channel] = nil
            return observers.count
        }
        changed(count)
    }

    /// Tells pages what a build changed of what they show.
    func take(_ report: BuildReport, _ snapshot: PreviewSnapshot) {
        let changed = Set(report.written).union(report.removed)
        let files = changed.filter { !$0.hasSuffix(".html") }
        observers.withLock { observers in
            var comparisons = Comparisons()
            for (channel, var observer) in observers {
                let shown = files.isEmpty ? [] : observer.shows(files)
                tell(channel, &observer, snapshot, styles: shown, &comparisons)
                observers[channel] = observer
            }
        }
    }

    /// Comparisons that were made already: many pages may show one file.
    private struct Comparisons {
        var known: [String: PageComparison] = [:]
        var files: [String: (bytes: [UInt8], version: String)?] = [:]
    }

    private func tell(
        _ channel: EventChannel, _ observer: inout Observer, _ snapshot: PreviewSnapshot,
        styles: [String], _ comparisons: inout Comparisons
    ) {
        var message: [(String, JSONValue)] = []
        let reader = OutputReader(folder: snapshot.output)
        let now = current(observer.output, reader, &comparisons)
        let isGone = now == nil && !observer.isMissing
        if isGone != observer.isGone { message.append(("gone", .boolean(isGone))) }
        let shown = now ?? (observer.isMissing ? current("404.html", reader, &comparisons) : nil)
        if let shown, shown.version != observer.version {
            let change = compare(observer, shown, &comparisons)
            switch change {
            case .patch(let patch): message.append(("patch", patch.json))
            case .scripts: message.append(("reload", .boolean(true)))
            case .unknown: message.append(("refresh", .boolean(true)))
            }
            observer.bytes = shown.bytes
            observer.version = shown.version
            if now != nil { observer.isMissing = false }
        }
        observer.isGone = isGone
        let faults = snapshot.faults(onPage: observer.output, isThere: now != nil)
        if faults != observer.faults {
            message.append(("faults", .array(faults.map { .text($0) })))
            observer.faults = faults
        }
        if !styles.isEmpty { message.append(("files", .array(styles.map { .text("/" + $0) }))) }
        guard !message.isEmpty else { return }
        channel.send("page", JSONValue.object(message).line, id: observer.version)
    }

    private func current(
        _ output: String, _ reader: OutputReader, _ comparisons: inout Comparisons
    ) -> (bytes: [UInt8], version: String)? {
        if let known = comparisons.files[output] { return known }
        let bytes = reader.open(output)?.bytes
        let found = bytes.map { (bytes: $0, version: versions.keep($0)) }
        comparisons.files[output] = .some(found)
        return found
    }

    private func compare(
        _ observer: Observer, _ now: (bytes: [UInt8], version: String),
        _ comparisons: inout Comparisons
    ) -> PageComparison {
        guard let before = observer.bytes else { return .unknown }
        let key = observer.version + now.version
        if let known = comparisons.known[key] { return known }
        let found = PageComparison(from: before, to: now.bytes)
        comparisons.known[key] = found
        return found
    }
}

extension Observers.Observer {
    /// The files among `files` that the page refers to.
    fileprivate func shows(_ files: Set<String>) -> [String] {
        guard let bytes else { return files.sorted() }
        return files.filter { bytes.holds(Array(AddressPath.encoded($0).utf8)) }.sorted()
    }
}
