package import Bytes
import Diagnostics
import Dispatch
import Notes
package import Publishing
import Synchronization
import Watching

/// Shows a site while it is written: serves what the builds leave, and tells open
/// pages what changed.
///
/// One thread builds and calls ``take(_:of:)``; one thread of its own serves, from
/// a snapshot that is put in place as a whole. Neither waits for the other.
package final class PreviewServer: Sendable {
    /// Where it listens.
    package struct Ports: Sendable, Equatable {
        /// The site's port.
        package var site: Int
        /// The editor's, where there is one.
        package var editor: Int?
    }

    /// Guarded by its lock; replaced by the thread that builds.
    private let snapshot: Shared<PreviewSnapshot>
    private let observers: Observers
    private let site: SiteHandler
    private let mailbox: HTTPMailbox
    private let ended = DispatchSemaphore(value: 0)

    /// A server that says by `observed` how many pages listen, whenever that
    /// differs. Fails where the process may open no more files.
    package init(observed: @escaping @Sendable (Int) -> Void) throws(FileError) {
        let versions = PageVersions()
        let snapshot = Shared(PreviewSnapshot())
        self.snapshot = snapshot
        mailbox = try HTTPMailbox()
        observers = Observers(versions, changed: observed)
        site = SiteHandler(versions, observers) { snapshot.value }
    }

    /// Serves from now on: the site at `port`, or at the first free one of the
    /// `tries` from there on; nil where none is free.
    package func start(at port: UInt16, tries: Int, hasEditor: Bool) -> Ports? {
        let found = Shared<Ports?>(nil)
        let started = DispatchSemaphore(value: 0)
        DispatchQueue(label: "daybook.preview").async { [self] in
            let server = HTTPServer(mailbox)
            let number = server.listen(from: port, tries: tries, site)
            if let number {
                site.listens(at: number, editor: nil)
                found.value = Ports(site: number, editor: nil)
            }
            started.signal()
            if number != nil { server.run() }
            ended.signal()
        }
        started.wait()
        return found.value
    }

    /// Ends the serving thread, and every connection with it.
    package func stop() {
        mailbox.interrupt.stop()
        ended.wait()
    }

    /// Shows what a build of `session` left, and tells pages of it.
    package func take(_ report: BuildReport, of session: BuildSession) {
        var next = PreviewSnapshot()
        next.output = FilePath.resolved(report.output) ?? report.output
        next.site = session.site
        let place = session.source?.path ?? ""
        var printer = DiagnosticPrinter(
            style: .drawn(colours: false, width: 100), text: session.text)
        for message in report.messages where message.severity == .error {
            // No page is told where the site stands on the disk.
            let text = printer.print(message).replacing(place + "/", with: "")
            if let file = message.span?.file,
                next.site?.settings.content.map({
                    file.hasPrefix($0.isEmpty ? "" : $0 + "/") && NotePath.isNote(file)
                }) ?? false
            {
                next.faults[file, default: []].append(text)
            } else {
                next.general.append(text)
            }
        }
        snapshot.value = next
        observers.take(report, next)
    }
}

/// A value that threads share; each takes or replaces it as a whole.
final class Shared<Value: Sendable>: Sendable {
    private let guarded: Mutex<Value>

    init(_ value: Value) { guarded = Mutex(value) }

    var value: Value {
        get { guarded.withLock { $0 } }
        set { guarded.withLock { $0 = newValue } }
    }
}
