package import Bytes
import Diagnostics
import Dispatch
import Notes
package import Publishing
import Synchronization
package import Watching

/// Shows a site while it is written: serves what the builds leave, and tells open
/// pages what changed.
///
/// One thread builds and calls ``take(_:of:)``; one thread of its own serves, from
/// a snapshot that is put in place as a whole. Neither waits while the other builds
/// or sends; a page that comes while others are told of a build waits until they
/// are.
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
    /// The output paths of attachments that the text in the editor shows; likewise.
    private let shownFiles: Shared<Set<String>>
    /// Whether somebody asked for a page and the output was gone.
    private let isLost: Shared<Bool>
    private let observers: Observers
    private let readers = EditorReaders()
    private let site: SiteHandler
    private let editor: EditorHandler
    private let queue: EditorQueue
    private let mailbox: HTTPMailbox
    private let ended = DispatchSemaphore(value: 0)

    /// A server that says by `observed` how many pages listen, whenever that
    /// differs, and wakes the thread that builds by `interrupt` then, and where its
    /// editor asks for something. Fails where the process may open no more files.
    package init(
        waking interrupt: Interrupt, observed: @escaping @Sendable (Int) -> Void
    ) throws(FileError) {
        let versions = PageVersions()
        let snapshot = Shared(PreviewSnapshot())
        self.snapshot = snapshot
        mailbox = try HTTPMailbox()
        observers = Observers(versions) { count in
            observed(count)
            // What a page shows that was opened can be made ready.
            interrupt.wake()
        }
        let isLost = Shared(false)
        self.isLost = isLost
        let shownFiles = Shared<Set<String>>([])
        self.shownFiles = shownFiles
        site = SiteHandler(versions, observers) {
            snapshot.value
        } shows: {
            shownFiles.value.contains($0)
        } lost: {
            isLost.value = true
            interrupt.wake()
        }
        queue = EditorQueue(interrupt)
        editor = EditorHandler(queue, readers)
    }

    /// Serves from now on: the site at `port`, or at the first free one of the
    /// `tries` from there on, and the editor at the next free one; nil where none
    /// is free.
    package func start(at port: UInt16, tries: Int, hasEditor: Bool) -> Ports? {
        let found = Shared<Ports?>(nil)
        let started = DispatchSemaphore(value: 0)
        DispatchQueue(label: "daybook.preview").async { [self] in
            let server = HTTPServer(mailbox)
            let ports = listen(server, at: port, tries: tries, hasEditor: hasEditor)
            found.value = ports
            started.signal()
            if ports != nil { server.run() }
            ended.signal()
        }
        started.wait()
        return found.value
    }

    private func listen(
        _ server: HTTPServer, at port: UInt16, tries: Int, hasEditor: Bool
    ) -> Ports? {
        guard let number = server.listen(from: port, tries: tries, site) else { return nil }
        var ports = Ports(site: number, editor: nil)
        if hasEditor {
            // Any free port is good enough where none of the next is.
            let next = port == 0 ? 0 : UInt16(truncatingIfNeeded: number + 1)
            ports.editor =
                server.listen(from: next, tries: 50, editor)
                ?? server.listen(from: 0, tries: 1, editor)
            if let own = ports.editor { editor.listens(at: own, site: number) }
        }
        site.listens(at: number, editor: ports.editor)
        return ports
    }

    /// Ends the serving thread, and every connection with it.
    package func stop() {
        mailbox.interrupt.stop()
        ended.wait()
    }

    /// Whether the output is to be written again, because somebody took it away;
    /// said once. Called by the thread that builds.
    package func takeLoss() -> Bool { isLost.exchange(with: false) }

    /// Prepares for changes of what open pages show: one step, which takes no longer than
    /// rendering one page; whether there may be more. Called by the thread that builds,
    /// when it has time.
    package func prepare(_ session: BuildSession) -> Bool {
        session.load(256) || observers.prepareTree() || session.preparePage(at: observers.outputs)
    }

    /// Answers what the editor asked for; the paths, from the root, of files that
    /// were written or taken away. Called by the thread that builds.
    package func answerEditor(_ session: inout BuildSession) -> Set<String> {
        let waiting = queue.take()
        guard !waiting.isEmpty else { return [] }
        do throws(FileError) {
            guard let source = session.source else {
                throw FileError("cannot open", "the site", code: 2)
            }
            var desk = try EditorDesk(source, snapshot.value)
            for (request, promise) in waiting {
                let answer = desk.answer(request, &session)
                // Before the page that asked looks for them.
                if !desk.shown.isEmpty { shownFiles.value = desk.shown }
                promise.fulfil(answer)
            }
            return desk.changed
        } catch {
            for (_, promise) in waiting {
                promise.fulfil(
                    .text(.unavailable, "The site folder cannot be read: \(error.reason)"))
            }
            return []
        }
    }

    /// Shows what a build of `session` left after `changes`, and tells pages of it.
    package func take(
        _ report: BuildReport, of session: BuildSession, after changes: BuildSession.Changes
    ) {
        var next = PreviewSnapshot()
        next.output = FilePath.resolved(report.output) ?? report.output
        next.site = session.site
        let place = session.source?.path ?? ""
        next.content = session.source?.contentPath ?? ""
        next.folder = place
        for held in report.heldBack { next.heldBack[held.file] = held.reason }
        var printer = DiagnosticPrinter(
            style: .drawn(colours: false, width: 100), text: session.text)
        for message in report.messages where message.severity == .error {
            // No page is told where the site stands on the disk.
            let text = printer.print(message).replacing(place + "/", with: "")
            if let file = message.span?.file, next.isNote(file) {
                next.faults[file, default: []].append(text)
            } else {
                next.general.append(text)
            }
        }
        snapshot.value = next
        observers.take(report, next)
        readers.take(changes, next)
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

    /// Replaces the value by another; what it was.
    func exchange(with new: Value) -> Value {
        guarded.withLock { value in
            defer { value = new }
            return value
        }
    }
}
