package import Diagnostics
package import Bytes
import Notes
import Synchronization
import Templating

/// Builds a site: reads, plans, renders, writes.
///
/// There is one build, not two: a clean build is one that remembers nothing.
/// What is remembered spares work and decides nothing: a file whose stamp is as
/// it was is not read, a plan whose inputs are as they were is not made again,
/// a page whose reads are answered as they were is not rendered.
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
        let files = source.scan()
        let notes = readNotes(files.notes, SavedBuild(), moment: 0)
        var said = source.messages + files.messages + notes.entries.flatMap { $0.messages ?? [] }
        var parsed = notes.entries.compactMap(\.note)
        if let shown, let text {
            var parser = NoteParser(dialect: source.settings.dialect)
            let (note, messages) = parser.parse(
                text, path: shown, file: source.file(ofNote: shown))
            if let note { parsed.append(note) }
            said += messages
        }
        let (site, messages) = plan(NoteStore(parsed), files, loader, showing: shown)
        return Plan(site: site, messages: (said + messages).sorted())
    }

    private func readNotes(
        _ paths: [String], _ remembered: SavedBuild, moment: Int64
    ) -> NoteInputs {
        NoteInputs(
            paths, remembered: remembered.notes, source: source, workers: workers, moment: moment,
            step: Step(options.progress, paths.count))
    }

    private func plan(
        _ store: NoteStore, _ files: SiteSource.Files, _ loader: TemplateLoader,
        showing shown: String? = nil
    ) -> (site: Site, messages: [Diagnostic]) {
        options.progress?(.planning)
        var planner = SitePlanner(settings: source.settings, workers: workers)
        planner.shown = shown
        let site = planner.plan(
            store, attachmentPaths: files.attachments, staticPaths: files.statics,
            assetPaths: loader.assets.map(\.path), templateNames: loader.names, now: options.now)
        return (site, planner.messages)
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
        let keeper = StateKeeper(options, source)
        // Taken before the state is read: what another build does meanwhile would
        // make what is remembered of the output untrue.
        let output = options.state == nil || options.isDryRun ? nil : try? Folder(source.output)
        let isFree = output?.lock() ?? true
        let remembered = isFree ? keeper.open() : SavedBuild()
        let loader = source.templates()
        let files = source.scan(workers)
        report.messages += loader.messages + files.messages
        let inputs = BuildInputs(
            source, options, files: files, loader: loader,
            notes: readNotes(files.notes, remembered, moment: keeper.moment))
        let found = OutputInspection(remembered, at: source.output, workers)
        if inputs.isSame(as: remembered), found.isWhole, hasSameSources(remembered, keeper) {
            recall(remembered)
            keeper.refresh(remembered, inputs, found)
            return finish()
        }
        let (library, faults) = loader.compile()
        report.messages += faults
        var work = BuildWork(inputs: inputs, library: library, found: found)
        work.output = isFree ? output : nil
        work.summary.templateMessages = faults
        if let plan = KeptPlan(inputs, remembered, source) {
            work.keep(plan, remembered, source, workers)
        } else {
            replan(&work, remembered)
        }
        return make(work, remembered, keeper)
    }

    private func hasSameSources(_ remembered: SavedBuild, _ keeper: StateKeeper) -> Bool {
        remembered.sources.allSatisfy {
            $0.stamp != .unknown && source.stamp(of: $0.path, at: .max) == $0.stamp
        }
    }

    /// Reports what the latest build did not have to do again.
    private mutating func recall(_ remembered: SavedBuild) {
        let summary = remembered.summary
        report.notes = summary.noteCount
        report.planned = remembered.pages.map { remembered.outputs[$0].path }
        report.heldBack = summary.heldBack
        report.nextDue = summary.nextDue.map { ($0.text, $0.note) }
        report.messages +=
            summary.noteMessages.values.joined() + summary.planMessages + summary.templateMessages
            + summary.pageMessages.values.joined()
        if !hasFailed || options.keepsGoing { report.outcome = .published }
    }

    /// Plans the site anew, of all notes.
    private mutating func replan(_ work: inout BuildWork, _ remembered: SavedBuild) {
        let (inputs, source) = (work.inputs, self.source)
        let entries = inputs.notes.entries
        let dialect = source.settings.dialect
        // Notes whose bytes are as they were are read again only here.
        let same = entries.indices.filter { entries[$0].isSame }
        let again = workers.map(same.count, startingFrom: { NoteParser(dialect: dialect) }) {
            (parser: inout NoteParser, index) -> (note: Note?, messages: [Diagnostic]) in
            let path = entries[same[index]].file.path
            guard let bytes = try? source.content().read(path) else { return (nil, []) }
            return parser.parse(bytes, path: path, file: source.file(ofNote: path))
        }
        var notes = entries.compactMap(\.note) + again.compactMap(\.note)
        if !same.isEmpty { notes.sort { $0.path.precedes($1.path) } }
        for entry in entries where entry.messages?.isEmpty == false {
            work.summary.noteMessages[entry.file.path] = entry.messages
        }
        for (index, read) in zip(same, again) where !read.messages.isEmpty {
            work.summary.noteMessages[entries[index].file.path] = read.messages
        }
        let earlier = remembered.site(source.settings) { NoteFiles(source, $0, read: [:]) }
        let (site, messages) = plan(
            NoteStore(notes, numberedAs: earlier?.store.paths ?? []),
            inputs.files, inputs.loader)
        work.site = site
        work.summary.planMessages = messages
        hold(site, &work.summary)
        let (stale, records) = StalePages(
            remembered: remembered, site: site, templates: inputs.templates, workers: workers
        )
        .afterPlanning(earlier?.pages ?? [])
        work.stale = stale
        work.records = records
        work.recallMessages(of: earlier?.pages ?? [], remembered, source)
    }

    /// Renders, writes and saves.
    private mutating func make(
        _ work: BuildWork, _ remembered: SavedBuild, _ keeper: StateKeeper
    ) -> BuildReport {
        guard let site = work.site else { return finish() }
        var work = work
        // The process ends after its one build, and ending gives memory back
        // faster than freeing a hundred thousand values does.
        _ = Unmanaged.passRetained(site)
        let outputs = OutputList(pages: site.pages.map(\.address.outputFile), copies: site.copies)
        report.notes = work.summary.noteCount
        report.planned = outputs.pages.map { outputs.paths[$0] }
        report.heldBack = work.summary.heldBack
        report.nextDue = work.summary.nextDue.map { ($0.text, $0.note) }
        report.messages += work.summary.noteMessages.values.joined() + work.summary.planMessages
        // What is not as it was left is made again.
        let known = outputs.paths.map { work.found.known[$0] }
        for (page, place) in outputs.pages.enumerated() where known[place] == nil {
            work.stale.insert(page)
        }
        for page in work.stale { work.summary.pageMessages[page] = nil }
        report.messages += work.summary.pageMessages.values.joined()
        if options.isDryRun { report.survey = LinkSurvey(site) }
        // Going on is for broken notes and pages: with the settings or a whole
        // folder unread it would take the site apart.
        let isReadable = !(source.messages + work.inputs.files.messages).contains {
            $0.severity == .error
        }
        let canWrite = !options.isDryRun && isReadable && (!report.hasErrors || options.keepsGoing)
        var writer: OutputWriter?
        if canWrite {
            do throws(OutputFailure) {
                writer = try OutputWriter(
                    source.output, held: work.output, expecting: outputs.paths,
                    known: known.map { $0?.hash },
                    previous: work.found.manifest(remembered), writesAll: options.startsClean)
            } catch {
                report.messages += error.messages
                return finish()
            }
        }
        let stale = work.stale.sorted()
        let rendered = render(stale, of: site, work.library, outputs, to: writer)
        for (page, result) in zip(stale, rendered) where !result.messages.isEmpty {
            work.summary.pageMessages[page] = result.messages
        }
        guard let writer else { return finish() }
        for (page, place) in outputs.pages.enumerated() where !work.stale.contains(page) {
            writer.keep(place)
        }
        let sources = copy(outputs, work, remembered, known: known, keeper, to: writer)
        guard !hasFailed || options.keepsGoing else {
            writer.discard()
            return finish()
        }
        guard let outcome = place(writer), rendered.allSatisfy({ $0.failure == nil }) else {
            return finish()
        }
        var build = SavedBuild(next: remembered)
        build.summary = work.summary
        build.summary.manifest = outcome.manifest
        build.summary.request = work.inputs.request
        build.summary.names = work.inputs.names
        build.summary.templates = work.inputs.templates
        build.notes = work.inputs.notes.entries.map(\.file)
        build.pages = outputs.pages
        build.sources = sources
        for (place, path) in outputs.paths.enumerated() {
            // A copy that could not be read is no part of what is remembered.
            guard let hash = outcome.hashes[place] else { return finish() }
            build.outputs.append(
                SavedFile(
                    path: path,
                    stamp: outcome.stamps[place] ?? known[place]?.stamp ?? .unknown, hash: hash))
        }
        if let plan = work.plan {
            let reads = zip(stale, rendered).map { ($0, $1.reads) }
            keeper.save(
                build, over: remembered, plan, rendered: Dictionary(uniqueKeysWithValues: reads))
        } else {
            var reads: [PageReads] = work.records.map { $0.map(\.reads) ?? PageReads() }
            for (page, result) in zip(stale, rendered) { reads[page] = result.reads }
            keeper.save(build, site, reads, workers)
        }
        return finish()
    }

    /// One worker's memory while it renders.
    private struct RenderState: ~Copyable {
        let renderer: PageRenderer
        var buffer = ByteBuffer(capacity: 64 * 1024)
    }

    private mutating func render(
        _ numbers: [Int], of site: Site, _ library: TemplateLibrary, _ outputs: OutputList,
        to writer: OutputWriter?
    ) -> [RenderedPage] {
        let pages = site.pages
        let step = Step(options.progress, numbers.count)
        let keepsRecords = options.state != nil
        let rendered = workers.map(
            numbers.count,
            startingFrom: {
                RenderState(
                    renderer: PageRenderer(site, library: library, keepsRecords: keepsRecords))
            }
        ) { (state: inout RenderState, index) -> RenderedPage in
            step.advance { .rendering($0, of: $1) }
            state.buffer.clear()
            let number = numbers[index]
            var page = state.renderer.render(pages[number], into: &state.buffer)
            guard page.failure == nil, let writer else { return page }
            do throws(FileError) {
                try writer.add(outputs.pages[number], state.buffer)
            } catch {
                page.failure = Diagnostic(.error, "output", error.message)
            }
            return page
        }
        var said: Set<String> = []
        for (number, result) in zip(numbers, rendered) {
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
                report.rendered.append(report.planned[number])
            }
        }
        return rendered
    }

    /// Copies files whose source or copy is not as it was. What the system says
    /// of the sources.
    private mutating func copy(
        _ outputs: OutputList, _ work: BuildWork, _ remembered: SavedBuild, known: [SavedFile?],
        _ keeper: StateKeeper, to writer: OutputWriter
    ) -> [SavedBuild.SavedSource] {
        let copies = outputs.copies
        let source = self.source
        let assets = Dictionary(uniqueKeysWithValues: work.inputs.loader.assets)
        let stamps = Dictionary(
            remembered.sources.map { (remembered.outputs[$0.place].path, $0.stamp) },
            uniquingKeysWith: { first, _ in first })
        let results = workers.map(copies.count) {
            index -> (source: SavedBuild.SavedSource?, failure: Diagnostic?) in
            let (place, from) = copies[index]
            var saved: SavedBuild.SavedSource?
            if let path = source.path(of: from) {
                // Taken before the bytes are read: what changes meanwhile is
                // read again by the next build.
                let stamp = source.stamp(of: path, at: keeper.moment)
                saved = .init(place: place, path: path, stamp: stamp)
                if stamp != .unknown, known[place] != nil, stamps[outputs.paths[place]] == stamp {
                    writer.keep(place)
                    return (saved, nil)
                }
            }
            do throws(FileError) {
                try writer.add(place, try source.bytes(of: from, assets: assets))
                return (saved, nil)
            } catch {
                return (saved, Diagnostic(.error, "unreadable", error.message))
            }
        }
        report.messages += results.compactMap(\.failure)
        return results.compactMap(\.source)
    }

    private mutating func place(_ writer: OutputWriter) -> OutputWriter.Outcome? {
        options.progress?(.placing)
        do throws(FileError) {
            let outcome = try writer.place()
            report.written = outcome.written
            report.removed = outcome.removed
            report.outcome = .published
            return outcome
        } catch {
            report.outcome = .interrupted
            report.messages.append(
                Diagnostic(
                    .error, "output", error.message,
                    help: "mend that and build again: the next build completes this one"))
            return nil
        }
    }

    // MARK: The report

    /// Says what is not published, and from when to when that stays so.
    private func hold(_ site: Site, _ summary: inout SavedBuild.Summary) {
        let (zone, now) = (site.settings.zone, options.now)
        var due: (instant: Instant, file: String)?
        for id in site.store.ids {
            guard let note = site.store[id], let publication = site.publications[id.rawValue] else {
                continue
            }
            if publication.state != .published {
                summary.heldBack.append(.init(file: note.file, reason: publication.state))
            }
            if let instant = publication.changesAt, due.map({ instant < $0.instant }) ?? true {
                due = (instant, note.file)
            }
            for date in [note.date, note.frontMatter.expires] {
                guard let start = date?.start(in: zone) else { continue }
                if start <= now {
                    summary.validFrom = max(summary.validFrom, start.milliseconds)
                } else {
                    // Also where only the reason changes why a note is not shown.
                    summary.validUntil = min(summary.validUntil, start.milliseconds)
                }
            }
        }
        summary.noteCount = site.store.count
        if let due {
            summary.nextDue = .init(
                text: NoteDate.minuteText(due.instant, offset: zone.offset(at: due.instant)),
                note: due.file)
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
struct Step: ~Copyable, Sendable {
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
