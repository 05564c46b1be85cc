import Bytes
package import Diagnostics
import Notes
import Synchronization
import Templating

/// From the notes to the plan of the site, and to the pages that are stale.
extension Builder {
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
        let files = source.scan(workers)
        let notes = readNotes(files.notes, LatestBuild(), moment: 0)
        var said = source.messages + files.messages + notes.entries.flatMap { $0.messages ?? [] }
        var parsed = notes.entries.compactMap(\.note)
        if let shown, let text {
            var parser = source.makeParser()
            let (note, messages) = parser.parse(
                text, path: shown, file: source.file(ofNote: shown))
            if let note { parsed.append(note) }
            said += messages
        }
        let (site, messages, linkMessages) = plan(
            NoteStore(parsed), files, loader, showing: shown)
        return Plan(
            site: site, messages: (said + messages + linkMessages.map(\.message)).sorted())
    }

    func readNotes(_ paths: [String], _ latest: LatestBuild, moment: Int64) -> NoteInputs {
        NoteInputs(
            paths, remembered: latest.notes,
            believingStamps: latest.summary.history == source.history.fingerprint,
            source: source, workers: workers, moment: moment,
            progress: options.progress)
    }

    private func plan(
        _ store: NoteStore, _ files: SiteSource.Files, _ loader: TemplateLoader,
        showing shown: String? = nil
    ) -> (site: Site, messages: [Diagnostic], linkMessages: [LinkMessage]) {
        options.progress?(.planning)
        var planner = SitePlanner(settings: source.settings, workers: workers)
        planner.shown = shown
        let site = planner.plan(
            store, attachmentPaths: files.attachments, staticPaths: files.statics,
            assetPaths: loader.assets.map(\.path), templateNames: loader.names, now: options.now)
        return (site, planner.messages, planner.linkMessages)
    }

    /// The work on the plan of the latest build; nil where another plan is to be
    /// made.
    func keep(
        _ inputs: BuildInputs, _ edits: [NoteInputs.Entry], _ latest: LatestBuild,
        _ library: TemplateLibrary, _ found: OutputInspection
    ) -> BuildWork? {
        guard inputs.isPlanned(as: latest), let plan = KeptPlan(after: edits, latest, source) else {
            return nil
        }
        var work = BuildWork(
            plan.site, library, isPlanKept: true, files: found.files, summary: latest.summary)
        work.isListed = found.isListed
        keep(plan, edits, latest, templates: inputs.templates, &work)
        work.wakePagesWithoutFile()
        return work
    }

    /// Finds out which pages of a kept plan show what differs.
    func keep(
        _ plan: KeptPlan, _ edits: [NoteInputs.Entry], _ latest: LatestBuild,
        templates: [String: Fingerprint], _ work: inout BuildWork
    ) {
        for entry in edits {
            let messages = entry.messages ?? []
            work.summary.noteMessages[entry.file.path] = messages.isEmpty ? nil : messages
        }
        work.changed = plan.changed
        work.summary.linkMessages = plan.linkMessages
        work.take(
            StalePages(latest: latest, site: plan.site, templates: templates, workers: workers)
                .afterEdits(plan.words))
        work.recallMessages(
            of: plan.site.pages, latest,
            changed: Set(edits.map { source.file(ofNote: $0.file.path) }))
    }

    /// The work on a plan that is made anew, of all notes.
    mutating func replan(
        _ inputs: BuildInputs, _ latest: LatestBuild, _ library: TemplateLibrary,
        _ found: OutputInspection
    ) -> BuildWork {
        let source = self.source
        let entries = inputs.notes.entries
        // Another dialect reads the same bytes otherwise.
        let atHand =
            inputs.request == latest.summary.request ? latest.parts?.notesAtHand() ?? [:] : [:]
        var summary = BuildSummary()
        // Pages that are not rendered are answered as they were, by the same
        // queries.
        summary.comparedKeys = latest.summary.comparedKeys.union(
            source.settings.collections.flatMap(\.query.comparedKeys).map(\.stateName))
        var notes: [Note] = []
        notes.reserveCapacity(entries.count)
        var unread: [Int] = []
        for (place, entry) in entries.enumerated() {
            let path = entry.file.path
            if !entry.isSame {
                if let note = entry.note { notes.append(note) }
                if entry.messages?.isEmpty == false { summary.noteMessages[path] = entry.messages }
            } else if let note = atHand[ExactPath(path)] {
                notes.append(note)
                summary.noteMessages[path] = latest.summary.noteMessages[path]
            } else {
                unread.append(place)
            }
        }
        // Notes whose bytes are as they were are read again only here.
        let places = unread
        let isAsRead = Atomic(true)
        let again = workers.map(places.count, startingFrom: { source.makeParser() }) {
            (parser: inout NoteParser, index) -> (note: Note?, messages: [Diagnostic]) in
            let file = entries[places[index]].file
            let entry = NoteInputs.read(
                file.path, nil, try? source.content(), source, &parser, moment: 0)
            if entry.file.hash != file.hash { isAsRead.store(false, ordering: .relaxed) }
            return (entry.note, entry.messages ?? [])
        }
        report.notesRead += again.count
        for (place, read) in zip(places, again) {
            if let note = read.note { notes.append(note) }
            if !read.messages.isEmpty {
                summary.noteMessages[entries[place].file.path] = read.messages
            }
        }
        if !again.isEmpty { notes.sort { $0.path.precedes($1.path) } }
        let earlier = latest.parts?.site(showing: [], latest.notes, source)
        let (site, messages, linkMessages) = plan(
            NoteStore(notes, numberedAs: earlier?.store.paths ?? []), inputs.files, inputs.loader)
        summary.planMessages = messages
        summary.linkMessages = Dictionary(grouping: linkMessages, by: \.note)
        summary.hold(site, now: options.now)
        let encoded = OutputList.encodedPaths(of: site, in: source.settings.precompress)
        let list = OutputList(
            pages: site.pages.map(\.address.outputFile),
            copies: Array(site.copies.keys) + encoded)
        var work = BuildWork(
            site, library, isPlanKept: false, files: OutputFiles(list, from: found.files),
            summary: summary)
        work.isListed = found.isListed && list.paths.isExactly(found.files.list.paths)
        work.take(
            StalePages(latest: latest, site: site, templates: inputs.templates, workers: workers)
                .afterPlanning(earlier))
        work.recallMessages(
            of: earlier?.pages ?? BinaryRows([]), latest,
            changed: Set(inputs.edits.map { source.file(ofNote: $0.file.path) }))
        work.wakePagesWithoutFile()
        work.isAsRead = isAsRead.load(ordering: .relaxed)
        return work
    }
}

extension BuildSummary {
    /// Says what is not published, and from when to when that stays so.
    fileprivate mutating func hold(_ site: Site, now: Instant) {
        let zone = site.settings.zone
        var due: (instant: Instant, file: String)?
        for id in site.store.ids {
            guard let note = site.store[id], let publication = site.publications[id.rawValue] else {
                continue
            }
            if publication.state != .published {
                heldBack.append(.init(file: note.file, reason: publication.state))
            }
            if let instant = publication.changesAt, due.map({ instant < $0.instant }) ?? true {
                due = (instant, note.file)
            }
            for date in [note.date, note.frontMatter.expires] {
                guard let start = date?.start(in: zone) else { continue }
                if start <= now {
                    validFrom = max(validFrom, start.milliseconds)
                } else {
                    // Also where only the reason changes why a note is not shown.
                    validUntil = min(validUntil, start.milliseconds)
                }
            }
        }
        noteCount = site.store.count
        if let due {
            nextDue = NextDue(
                text: NoteDate.minuteText(due.instant, offset: zone.offset(at: due.instant)),
                note: due.file)
        }
    }
}
