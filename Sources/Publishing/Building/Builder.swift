package import Diagnostics
package import Bytes
import Notes
import Synchronization
import Templating

/// Builds a site: reads, plans, renders, writes.
///
/// There is one build, not two: one that remembers nothing.
package struct Builder {
    /// The site's sources.
    package let source: SiteSource

    private let options: BuildOptions
    private let workers: Workers
    private var report = BuildReport()

    /// A builder of the site that `options` name.
    ///
    /// Fails where there is no such folder.
    package init(_ options: BuildOptions) throws(FileError) {
        self.options = options
        source = try SiteSource(options)
        workers = Workers(count: options.jobs)
    }

    /// The text of a source file, for showing a line of it in a message.
    package func text(of file: String) -> [UInt8]? { source.text(of: file) }

    /// What was read and planned, for commands that show notes.
    package struct Plan: Sendable {
        /// The site.
        package var site: Site
        /// What is to be said of it.
        package var messages: [Diagnostic]
    }

    /// Reads all notes and plans the site, without templates.
    ///
    /// The note at `shown` is planned as if it were published, whatever it
    /// says: so that the address it will have can be told. Where `text` is
    /// given, it is that of the note, whose file need not be there.
    package func plan(showing shown: String? = nil, text: [UInt8]? = nil) -> Plan {
        let loader = source.templates()
        let (site, _, messages) = read(source.scan(), loader, showing: shown, text: text)
        return Plan(site: site, messages: (source.messages + messages).sorted())
    }

    private func read(
        _ files: SiteSource.Files, _ loader: TemplateLoader, showing shown: String? = nil,
        text: [UInt8]? = nil
    ) -> (site: Site, copies: [String: SitePlanner.CopySource], messages: [Diagnostic]) {
        var messages = files.messages
        var notes: [Note] = []
        let source = self.source
        let dialect = source.settings.dialect
        let content = try? source.content()
        let step = Step(options.progress, files.notes.count)
        let parsed = workers.map(files.notes.count, startingFrom: { NoteParser(dialect: dialect) })
        {
            (parser: inout NoteParser, index) -> (Note?, [Diagnostic]) in
            step.advance { .reading($0, of: $1) }
            let path = files.notes[index]
            let file = source.file(ofNote: path)
            do throws(FileError) {
                guard let content else { return (nil, []) }
                return parser.parse(try content.read(path), path: path, file: file)
            } catch {
                return (
                    nil,
                    [
                        Diagnostic(
                            .error, "unreadable", "cannot read this: \(error.reason)",
                            at: SourceSpan(file: file))
                    ]
                )
            }
        }
        for (note, said) in parsed {
            if let note { notes.append(note) }
            messages += said
        }
        if let shown, let text {
            var parser = NoteParser(dialect: dialect)
            let (note, said) = parser.parse(text, path: shown, file: source.file(ofNote: shown))
            if let note { notes.append(note) }
            messages += said
        }
        options.progress?(.planning)
        var planner = SitePlanner(settings: source.settings, workers: workers)
        planner.shown = shown
        let site = planner.plan(
            NoteStore(notes), attachmentPaths: files.attachments,
            staticPaths: files.statics, assetPaths: loader.assets.map(\.path),
            templateNames: loader.names, now: options.now)
        return (site, planner.copies, messages + planner.messages)
    }

    // MARK: Building

    /// Builds the site. Never throws: what goes wrong is in the report's
    /// messages, and where one is an error nothing was written, unless the
    /// build was asked to keep going.
    package mutating func build() -> BuildReport {
        report.output = source.output
        if options.isDryRun { report.outcome = .checked }
        report.messages = source.messages
        // An output that was refused is not even looked at.
        if !options.isDryRun, report.messages.contains(where: { $0.id == "output" }) {
            return finish()
        }
        let loader = source.templates()
        report.messages += loader.messages
        let source = self.source
        let ((library, faults), files) = workers.both {
            loader.compile()
        } and: {
            source.scan()
        }
        report.messages += faults
        let (site, copies, messages) = read(files, loader)
        // The process ends after its one build, and ending gives memory back
        // faster than freeing a hundred thousand values does.
        _ = Unmanaged.passRetained(site)
        report.messages += messages
        report.notes = site.store.count
        report.planned = site.pages.map(\.address.outputFile)
        holdBack(site)
        if options.isDryRun { report.survey = LinkSurvey(site) }
        // Going on is for broken notes and pages: with the settings or a whole
        // folder unread it would take the site apart.
        let isReadable = !(source.messages + files.messages).contains { $0.severity == .error }
        let canWrite =
            !options.isDryRun && isReadable && (!report.hasErrors || options.keepsGoing)
        let outputs = OutputList(pages: report.planned, copies: copies)
        var writer: OutputWriter?
        if canWrite {
            do throws(OutputFailure) {
                writer = try OutputWriter(
                    source.output, expecting: outputs.paths, writesAll: options.startsClean)
            } catch {
                report.messages += error.messages
                return finish()
            }
        }
        render(site, library, outputs, to: writer)
        if let writer {
            copy(outputs, assets: Dictionary(uniqueKeysWithValues: loader.assets), to: writer)
            if !hasFailed || options.keepsGoing { place(writer) } else { writer.discard() }
        }
        return finish()
    }

    /// One worker's memory while it renders.
    private struct RenderState: ~Copyable {
        let renderer: PageRenderer
        var buffer = ByteBuffer(capacity: 64 * 1024)
    }

    private mutating func render(
        _ site: Site, _ library: TemplateLibrary, _ outputs: OutputList, to writer: OutputWriter?
    ) {
        let pages = site.pages
        let step = Step(options.progress, pages.count)
        let rendered = workers.map(
            pages.count,
            startingFrom: { RenderState(renderer: PageRenderer(site, library: library)) }
        ) { (state: inout RenderState, index) -> RenderedPage in
            step.advance { .rendering($0, of: $1) }
            state.buffer.clear()
            var page = state.renderer.render(pages[index], into: &state.buffer)
            guard page.failure == nil, let writer else { return page }
            do throws(FileError) {
                try writer.add(outputs.pages[index], state.buffer)
            } catch {
                page.failure = Diagnostic(.error, "output", error.message)
            }
            return page
        }
        var said: Set<String> = []
        for (path, result) in zip(report.planned, rendered) {
            report.messages += result.messages
            // What is wrong with a template was said when it was compiled.
            if let failure = result.failure, failure.id == "template-unsound" { continue }
            if let failure = result.failure {
                // A fault of a template shows on every page that uses it: say
                // it once, with the first of the pages.
                let key = "\(failure.id) \(failure.message) \(String(describing: failure.span))"
                if said.insert(key).inserted {
                    report.messages.append(failure)
                }
            } else {
                report.rendered.append(path)
            }
        }
    }

    private mutating func copy(
        _ outputs: OutputList, assets: [String: [UInt8]], to writer: OutputWriter
    ) {
        let copies = outputs.copies
        let source = self.source
        let failures = workers.map(copies.count) { index -> Diagnostic? in
            do throws(FileError) {
                try writer.add(
                    copies[index].place, try source.bytes(of: copies[index].source, assets: assets))
                return nil
            } catch {
                return Diagnostic(.error, "unreadable", error.message)
            }
        }
        report.messages += failures.compactMap { $0 }
    }

    private mutating func place(_ writer: OutputWriter) {
        options.progress?(.placing)
        do throws(FileError) {
            let outcome = try writer.place()
            report.written = outcome.written
            report.removed = outcome.removed
            report.outcome = .published
        } catch {
            report.outcome = .interrupted
            report.messages.append(
                Diagnostic(
                    .error, "output", error.message,
                    help: "mend that and build again: the next build completes this one"))
        }
    }

    // MARK: The report

    private mutating func holdBack(_ site: Site) {
        var due: (instant: Instant, file: String)?
        for id in site.store.ids {
            guard let note = site.store[id], let publication = site.publications[id.rawValue] else {
                continue
            }
            if publication.state != .published {
                report.heldBack.append(.init(file: note.file, reason: publication.state))
            }
            if let instant = publication.changesAt, due.map({ instant < $0.instant }) ?? true {
                due = (instant, note.file)
            }
        }
        if let due {
            let zone = site.settings.zone
            report.nextDue = (
                NoteDate.minuteText(due.instant, offset: zone.offset(at: due.instant)), due.file
            )
        }
    }

    private var hasFailed: Bool {
        report.hasErrors || options.isStrict && !report.messages.isEmpty
    }

    private mutating func finish() -> BuildReport {
        var seen: Set<String> = []
        report.messages = report.messages.sorted().filter { message in
            // Each page of a cycle of embeds says the same.
            message.id != "embed-cycle" || seen.insert(message.message).inserted
        }
        // The same fault found by two pages is one fault.
        var unique: [Diagnostic] = []
        for message in report.messages where unique.last != message { unique.append(message) }
        report.messages = unique
        report.hasFailed = hasFailed
        return report
    }
}

/// Counts the pieces of a long piece of work for whoever wants to know.
private struct Step: ~Copyable, Sendable {
    private let progress: (@Sendable (BuildProgress) -> Void)?
    private let count: Int
    private let done = Atomic(0)

    init(_ progress: (@Sendable (BuildProgress) -> Void)?, _ count: Int) {
        self.progress = progress
        self.count = count
    }

    /// Another piece is done. Told in steps, so that nobody waits for words.
    func advance(_ event: (Int, Int) -> BuildProgress) {
        guard let progress else { return }
        let done = done.add(1, ordering: .relaxed).newValue
        if done % 16 == 0 || done == count { progress(event(done, count)) }
    }
}
