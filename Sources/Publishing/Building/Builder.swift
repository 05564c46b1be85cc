import Diagnostics
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

    var options: BuildOptions
    let workers: Workers
    let keeper: StateKeeper
    var report = BuildReport()
    /// What is to be said of links. Put into the report at its end, since there may
    /// be many, and pages do not wait for words.
    var linkMessages: [NoteID: [LinkMessage]] = [:]
    /// What the latest build left, once this process built.
    private var latest: LatestBuild?
    /// Whether it saw all that there is: one that published nothing saw files that
    /// it could not take over.
    private var isLatestWhole = true
    /// What was said of folders and templates when they were looked for.
    private var foundMessages: [Diagnostic] = []
    /// The templates that it used.
    private(set) var library: TemplateLibrary?

    /// A builder of the site that `options` name.
    ///
    /// Fails where there is no such folder.
    package init(_ options: BuildOptions) throws(FileError) {
        self.options = options
        source = try SiteSource(options)
        workers = Workers(count: options.jobs)
        keeper = StateKeeper(options, source)
    }

    /// A builder for the same site as `earlier`, which goes on from what that
    /// left. Settings are read anew.
    init(_ options: BuildOptions, after earlier: Builder) throws(FileError) {
        try self.init(options)
        let isSamePlace =
            source.path == earlier.source.path && source.output == earlier.source.output
        latest = isSamePlace ? earlier.latest : nil
    }

    /// The text of a source file, for showing a line of it in a message.
    package func text(of file: String) -> [UInt8]? { source.text(of: file) }

    // MARK: Building

    /// Builds the site. Never throws: what goes wrong is in the report's
    /// messages, and where one is an error nothing was written, unless the
    /// build was asked to keep going.
    package mutating func build() -> BuildReport {
        rememberedSite?.store.startAnew()
        begin()
        // An output that was refused is not even looked at.
        if !options.isDryRun, report.messages.contains(where: { $0.id == "output" }) {
            return finish()
        }
        let moment = keeper.moment()
        // Taken before the state is read: what another build does meanwhile would
        // make what is remembered of the output untrue.
        let output = keeper.isKept || latest != nil ? try? Folder(source.output) : nil
        let isFree = output?.lock() ?? true
        let earlier = latest
        // Where nothing of the output is there, all is made, and nothing that is
        // remembered would spare that.
        let isThere = output?.status(OutputManifest.fileName) != nil
        let remembered =
            isFree && isThere ? earlier ?? keeper.open(workers) : LatestBuild()
        latest = nil
        let loader = source.templates()
        let files = source.scan(workers)
        foundMessages = loader.messages + files.messages
        report.messages += foundMessages
        var notes = readNotes(files.notes, remembered, moment: moment)
        keepLastGood(&notes.entries, remembered)
        let inputs = BuildInputs(
            source, options, files: files, loader: loader, notes: notes)
        report.notesRead = inputs.notes.entries.count { $0.isRead }
        let found = OutputInspection(remembered, at: source.output, workers)
        if inputs.isSame(as: remembered), found.isWhole, hasSameSources(remembered) {
            recall(remembered)
            latest = keeper.refresh(remembered, inputs, found)
            isLatestWhole = report.outcome == .published
            return finish()
        }
        let (library, faults) = loader.compile()
        self.library = library
        report.messages += faults
        let edits = inputs.edits
        var work =
            keep(inputs, edits, remembered, library, found)
            ?? replan(inputs, remembered, library, found)
        work.summary.templateMessages = faults
        work.summary.request = inputs.request
        work.summary.names = inputs.names
        work.summary.history = source.history.fingerprint
        work.summary.templates = inputs.templates
        // Going on is for broken notes and pages: with the settings or a whole
        // folder unread it would take the site apart.
        let isReadable = !(source.messages + files.messages).contains { $0.severity == .error }
        let target = OutputTarget(
            held: isFree ? output : nil, listed: found.isListed ? remembered.outputs : nil,
            isReadable: isReadable)
        var next = remembered
        next.notes = inputs.notes.entries.map(\.file)
        make(work, next, before: remembered.notes, to: target, loader, moment: moment)
        isLatestWhole = latest != nil && report.outcome == .published
        // What was there before is known still: what of the output a build that
        // failed has changed, the next one sees.
        if latest == nil, options.goesOn { latest = isFree ? remembered : earlier }
        return finish()
    }

    /// Builds again where nothing but some notes may have changed, whose paths
    /// are given; nil where more has to be looked at.
    ///
    /// Reads nothing else, and takes the output for what the latest build left as
    /// long as the list of what was written is the one that it left. Beyond what
    /// the edits cost, it writes that list anew.
    mutating func rebuild(notes paths: [String]) -> BuildReport? {
        rememberedSite?.store.startAnew()
        guard isLatestWhole, var build = latest, let library, let parts = keptParts(build),
            options.now.milliseconds >= build.summary.validFrom,
            options.now.milliseconds < build.summary.validUntil,
            let edits = edits(at: paths, build.notes)
        else { return nil }
        // Taken before it is believed: the list of what was written tells whether
        // another build was here, or the folder is another.
        guard let output = try? Folder(source.output), output.lock(),
            output.status(OutputManifest.fileName).map({ FileStamp($0) }) == build.summary.manifest
        else { return nil }
        build.parts = parts
        latest?.parts = parts
        var changed = edits.filter { !$0.entry.isSame }.map(\.entry)
        keepLastGood(&changed, build)
        guard let plan = KeptPlan(after: changed, build, source) else { return nil }
        latest = nil
        begin()
        report.notesRead = edits.count
        var work = BuildWork(
            plan.site, library, isPlanKept: true, files: build.outputs, summary: build.summary)
        work.isListed = true
        work.copiesFiles = false
        keep(plan, changed, build, templates: build.summary.templates, &work)
        report.messages += foundMessages + build.summary.templateMessages
        let target = OutputTarget(held: output, listed: nil, isWhole: true, isReadable: true)
        let before = edits.map { build.notes[$0.place] }
        for edit in edits { build.notes[edit.place] = edit.entry.file }
        make(work, build, before: [], to: target, nil, moment: 0)
        // What was there before is there still.
        if latest == nil {
            for (edit, file) in zip(edits, before) { build.notes[edit.place] = file }
            latest = build
            isLatestWhole = false
        }
        return finish()
    }

    /// What the latest build left as it is kept in memory.
    private func keptParts(_ latest: LatestBuild) -> KeptParts? {
        if let parts = latest.parts as? KeptParts { return parts }
        return (latest.parts as? SavedParts).flatMap {
            KeptParts($0, latest.notes, source, workers)
        }
    }

    /// The notes at `paths` as they are now, with their places among `notes`;
    /// nil where one of them is no note that was there.
    private func edits(
        at paths: [String], _ notes: [SavedFile]
    ) -> [(place: Int, entry: NoteInputs.Entry)]? {
        guard let content = try? source.content() else { return nil }
        let moment = keeper.moment()
        var parser = source.makeParser()
        var result: [(place: Int, entry: NoteInputs.Entry)] = []
        for path in Set(paths) {
            let place = notes.firstPlace(of: path)
            guard place < notes.count, notes[place].path.isExactly(path),
                content.status(path)?.kind == .file
            else { return nil }
            let entry = NoteInputs.read(
                path, notes[place], content, source, &parser, moment: moment)
            result.append((place, entry))
        }
        return result.sorted { $0.place < $1.place }
    }

    /// Lets broken notes say what they said last, where that is asked for and in
    /// memory.
    private func keepLastGood(_ entries: inout [NoteInputs.Entry], _ remembered: LatestBuild) {
        guard options.keepsLastGood, let store = (remembered.parts as? KeptParts)?.site.store
        else { return }
        for place in entries.indices where entries[place].isBroken {
            entries[place].note = store.id(ofPath: entries[place].file.path).flatMap { store[$0] }
        }
    }

    /// The site that is remembered, where it is in memory.
    var rememberedSite: Site? { kept?.site }

    /// What the latest build left in memory and in the output, where that is what the
    /// sources say.
    var latestPages: (parts: KeptParts, files: OutputFiles, library: TemplateLibrary)? {
        guard isLatestWhole, let latest, let parts = kept, let library else { return nil }
        return (parts, latest.outputs, library)
    }

    /// Brings up to `count` notes into memory; whether there are more.
    func loadNotes(_ count: Int) -> Bool { kept?.load(count) ?? false }

    private var kept: KeptParts? { latest?.parts as? KeptParts }

    private mutating func begin() {
        report = BuildReport()
        report.output = source.output
        if options.isDryRun { report.outcome = .checked }
        report.messages = source.messages
    }

    private func hasSameSources(_ remembered: LatestBuild) -> Bool {
        remembered.sources.allSatisfy {
            $0.stamp != .unknown && source.stamp(of: $0.path, at: .max) == $0.stamp
        }
    }

    /// Reports what the latest build did not have to do again.
    private mutating func recall(_ remembered: LatestBuild) {
        let summary = remembered.summary
        report.notes = summary.noteCount
        report.planned = remembered.outputs.list.pagePaths
        report.heldBack = summary.heldBack
        report.nextDue = summary.nextDue.map { ($0.text, $0.note) }
        report.changesAt = summary.changesAt
        report.messages +=
            summary.noteMessages.allValues.joined() + summary.planMessages
            + summary.templateMessages
            + summary.pageMessages.values.joined()
        linkMessages = summary.linkMessages
        if !hasFailed || options.keepsGoing { report.outcome = .published }
    }

    /// Whether nothing is to be published.
    var hasFailed: Bool {
        report.hasErrors || options.isStrict && !(report.messages.isEmpty && linkMessages.isEmpty)
    }

    /// Takes what an earlier process saved into memory, for builds to come.
    mutating func settle() {
        if let latest, let parts = keptParts(latest) { self.latest?.parts = parts }
        if latest != nil, library == nil { library = source.templates().compile().library }
    }

    /// Takes over what a build left.
    mutating func remember(_ build: LatestBuild?) { latest = build }

    /// Saves what the latest build left, where a state is kept.
    func save() {
        if let latest { keeper.save(latest, workers) }
    }

    private mutating func finish() -> BuildReport {
        report.messages += linkMessages.values.joined().map(\.message)
        linkMessages = [:]
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
