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
    /// The trees of open pages, by their digests, as far as they were needed or there
    /// was time for them. The thread that builds alone changes them.
    private let trees = Mutex<[String: HTMLTree?]>([:])
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
        _ snapshot: () -> PreviewSnapshot
    ) {
        let count = observers.withLock { observers in
            // Compared while nobody else is told: a build that ends meanwhile finds
            // this page among the others.
            var observer = Observer(
                output: output, bytes: versions.page(version), version: version,
                isMissing: isMissing)
            var comparisons = Comparisons()
            tell(channel, &observer, snapshot(), changed: nil, &comparisons)
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
        // Of a build that broke off too: what it placed the next does not write again.
        let changed = Set(report.written).union(report.removed)
        observers.withLock { observers in
            var comparisons = Comparisons(trees: trees.withLock { $0 })
            for (channel, var observer) in observers {
                tell(channel, &observer, snapshot, changed: changed, &comparisons)
                observers[channel] = observer
            }
            let versions = Set(observers.values.map(\.version))
            trees.withLock { $0 = comparisons.trees.filter { versions.contains($0.key) } }
        }
    }

    /// The output files that open pages show.
    var outputs: Set<String> { Set(observers.withLock { $0.values.map(\.output) }) }

    /// Makes the tree of one page that is open and has none yet, for a change to come,
    /// and forgets those of pages that are not open any more; whether there may be more
    /// to make. Called by the thread that builds.
    func prepareTree() -> Bool {
        let open = observers.withLock { Array($0.values) }
        let versions = Set(open.map(\.version))
        let known = trees.withLock { trees in
            trees = trees.filter { versions.contains($0.key) }
            return trees
        }
        guard let next = open.first(where: { known[$0.version] == nil && $0.bytes != nil }),
            let bytes = next.bytes
        else { return false }
        let tree = HTMLTree(bytes)
        trees.withLock { $0[next.version] = .some(tree) }
        return true
    }

    /// Comparisons that were made already: many pages may show one file.
    private struct Comparisons {
        var known: [String: PageComparison] = [:]
        var files: [String: (bytes: [UInt8], version: String)?] = [:]
        /// Trees of pages, by the pages' digests.
        var trees: [String: HTMLTree?] = [:]

        /// What differs between what a page shows and what it is now.
        mutating func compare(
            _ observer: Observer, _ now: (bytes: [UInt8], version: String)
        ) -> PageComparison {
            guard let before = observer.bytes else { return .unknown }
            let key = observer.version + now.version
            if let known = known[key] { return known }
            let old = trees[observer.version] ?? HTMLTree(before)
            let found: PageComparison
            if let tree = trees[now.version] {
                found = PageComparison(from: old, to: tree)
            } else {
                let (comparison, tree) = PageComparison.compare(old, with: now.bytes)
                (found, trees[now.version]) = (comparison, .some(tree))
            }
            known[key] = found
            return found
        }
    }

    private func tell(
        _ channel: EventChannel, _ observer: inout Observer, _ snapshot: PreviewSnapshot,
        changed: Set<String>?, _ comparisons: inout Comparisons
    ) {
        var message: [(String, JSONValue)] = []
        // A page whose file no build has touched is not read again.
        let isTouched =
            changed.map {
                $0.contains(observer.output) || observer.isMissing && $0.contains("404.html")
            } ?? true
        if isTouched { message += changes(of: &observer, snapshot, &comparisons) }
        // A page whose note is gone says that, and nothing of other notes.
        let faults = snapshot.faults(onPage: observer.output, isThere: !observer.isMissing)
        if faults != observer.faults {
            message.append(("faults", .array(faults.map { .text($0) })))
            observer.faults = faults
        }
        let files = observer.shows(changed?.filter { !$0.hasSuffix(".html") } ?? [])
        if !files.isEmpty {
            // As addresses in a page have them.
            let addresses = files.map { JSONValue.text("/" + AddressPath.encoded($0)) }
            message.append(("files", .array(addresses)))
        }
        guard !message.isEmpty else { return }
        channel.send("page", JSONValue.object(message).line, id: observer.version)
    }

    /// What of a page's file is not as it is shown.
    private func changes(
        of observer: inout Observer, _ snapshot: PreviewSnapshot, _ comparisons: inout Comparisons
    ) -> [(String, JSONValue)] {
        var message: [(String, JSONValue)] = []
        let reader = OutputReader(folder: snapshot.output)
        let now = current(observer.output, reader, &comparisons)
        let isGone = now == nil && !observer.isMissing
        if isGone != observer.isGone { message.append(("gone", .boolean(isGone))) }
        observer.isGone = isGone
        let shown = now ?? (observer.isMissing ? current("404.html", reader, &comparisons) : nil)
        if now != nil { observer.isMissing = false }
        guard let shown, shown.version != observer.version else { return message }
        switch comparisons.compare(observer, shown) {
        case .patch(let patch): message.append(("patch", patch.json))
        case .scripts: message.append(("reload", .boolean(true)))
        case .unknown: message.append(("refresh", .boolean(true)))
        }
        observer.bytes = shown.bytes
        observer.version = shown.version
        return message
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
}

extension Observers.Observer {
    /// The files among `files` that the page refers to.
    fileprivate func shows(_ files: Set<String>) -> [String] {
        guard !files.isEmpty else { return [] }
        guard let bytes else { return files.sorted() }
        return files.filter { bytes.holds(Array(AddressPath.encoded($0).utf8)) }.sorted()
    }
}
