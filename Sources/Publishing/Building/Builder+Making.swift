import Bytes
import Diagnostics
import Notes
import Templating

/// Where a build puts its files.
struct OutputTarget {
    /// The output folder, where the build holds it already.
    var held: Folder?
    /// The files that the list of what was written names, where that is known
    /// without reading it.
    var listed: OutputFiles?
    /// Whether all files of the output are known and none is copied.
    var isWhole = false
    /// Whether all folders and the settings could be read.
    var isReadable: Bool
}

/// From the pages that are stale to the output and to what is remembered of it.
extension Builder {
    /// Renders, writes, remembers and saves. `next` is what the latest build left,
    /// but for the notes, which are as they were read now; `before` are those
    /// that it left.
    mutating func make(
        _ work: BuildWork, _ next: consuming LatestBuild, before: [SavedFile],
        to target: OutputTarget, _ loader: TemplateLoader?, moment: Int64
    ) {
        let (site, list) = (work.site, work.files.list)
        var summary = work.summary
        report.notes = summary.noteCount
        report.site = site
        report.planned = list.pagePaths
        report.heldBack = summary.heldBack
        report.nextDue = summary.nextDue.map { ($0.text, $0.note) }
        report.changesAt = summary.changesAt
        if !summary.pageMessages.isEmpty {
            for page in work.stale { summary.pageMessages[page] = nil }
        }
        report.messages +=
            summary.noteMessages.allValues.joined() + summary.planMessages
            + summary.pageMessages.values.joined()
        linkMessages = summary.linkMessages
        if options.isDryRun { report.survey = LinkSurvey(site) }
        let canWrite =
            !options.isDryRun && target.isReadable && (!report.hasErrors || options.keepsGoing)
        var writer: OutputWriter?
        if canWrite {
            do throws(OutputFailure) {
                writer = try OutputWriter(
                    source.output, held: target.held, work.files, isListed: work.isListed,
                    isWhole: target.isWhole,
                    listed: target.listed.map { OutputManifest($0.list.paths, hashes: $0.hashes) },
                    writesAll: options.startsClean)
            } catch {
                report.messages += error.messages
                report.foundOutputTaken = error.isTaken
                return
            }
        }
        let stale = work.stale.sorted()
        let rendered = render(stale, work, over: target.held, to: writer)
        for (page, result) in zip(stale, rendered) where !result.messages.isEmpty {
            summary.pageMessages[page] = result.messages
        }
        guard let writer else {
            report.couldGoOn = !options.isDryRun && target.isReadable
            return
        }
        if work.copiesFiles, let loader {
            next.sources = copy(work, next, loader, moment: moment, to: writer)
        }
        guard !hasFailed || options.keepsGoing else {
            writer.discard()
            report.couldGoOn = report.hasErrors
            return
        }
        guard let outcome = place(writer), rendered.allSatisfy({ $0.failure == nil }),
            // Pages that were made from files which changed meanwhile are made again.
            work.isAsRead, site.store.isAsRead,
            // A copy that could not be read is no part of what is remembered.
            target.isWhole || outcome.hashes.allSatisfy({ $0 != nil })
        else { return }
        summary.manifest = outcome.manifest
        next.summary = summary
        let earlier = next.outputs
        next.outputs = OutputFiles(list, hashes: outcome.hashes, stamps: work.files.stamps)
        for (place, stamp) in outcome.stamps { next.outputs.stamps[place] = stamp }
        remember(work, stale, rendered, next, before: before, earlier)
    }

    /// Takes over what was built, and saves it unless more builds follow.
    private mutating func remember(
        _ work: BuildWork, _ stale: [Int], _ rendered: [RenderedPage],
        _ build: consuming LatestBuild, before: [SavedFile], _ outputs: OutputFiles
    ) {
        guard keeper.isKept || options.goesOn else { return }
        assert(work.isPlanKept || rendered.allSatisfy { !$0.isCorrected })
        let pages = zip(stale, rendered).map {
            (page: $0, reads: $1.reads, wake: work.wakes[$0] ?? .first)
        }
        for page in pages { build.summary.comparedKeys.formUnion(page.reads.keys) }
        switch build.parts {
        case let parts as KeptParts where work.isPlanKept:
            parts.update(work.site, changed: work.changed, pages)
        case let saved as SavedParts where work.isPlanKept && !options.goesOn:
            remember(
                keeper.save(
                    build, notes: before, outputs: outputs, saved, work.changed, pages))
            return
        case let saved as SavedParts where work.isPlanKept:
            guard let parts = KeptParts(saved, build.notes, source, workers) else { return }
            parts.update(work.site, changed: work.changed, pages)
            build.parts = parts
        default:
            let hasSamePages = outputs.list.pagePaths.isExactly(build.outputs.list.pagePaths)
            build.parts = KeptParts(
                work.site, kept: work.kept, pages,
                after: hasSamePages ? build.parts as? KeptParts : nil, workers)
        }
        remember(build)
        if !options.goesOn { save() }
    }

    /// One worker's memory while it renders.
    private struct RenderState: ~Copyable {
        let renderer: PageRenderer
        var buffer = ByteBuffer(capacity: 64 * 1024)
    }

    /// Renders pages, or corrects them where that is known to be enough and the
    /// output holds them as they were left.
    private mutating func render(
        _ numbers: [Int], _ work: BuildWork, over output: Folder?, to writer: OutputWriter?
    ) -> [RenderedPage] {
        let (site, library, places) = (work.site, work.library, work.files.list.pages)
        let pages = site.pages
        let leastPrints = options.goesOn ? options.leastPrints : nil
        let step = Step(options.progress, numbers.count)
        let keepsRecords = keeper.isKept || options.goesOn
        let rendered = workers.map(
            numbers.count,
            startingFrom: {
                RenderState(
                    renderer: PageRenderer(
                        site, library: library, keepsRecords: keepsRecords, leastPrints: leastPrints
                    ))
            }
        ) { (state: inout RenderState, index) -> RenderedPage in
            step.advance { .rendering($0, of: $1) }
            state.buffer.clear()
            let number = numbers[index]
            var page: RenderedPage
            if let correction = work.corrections[number],
                let old = work.files.bytes(places[number], in: output),
                let corrected = state.renderer.correct(correction, old, into: &state.buffer)
            {
                page = corrected
            } else {
                state.buffer.clear()
                page = state.renderer.render(pages[number], into: &state.buffer)
            }
            guard page.failure == nil, let writer else { return page }
            do throws(FileError) {
                try writer.add(places[number], state.buffer)
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
                if result.isCorrected { report.corrected.append(report.planned[number]) }
                report.wakes.append(work.wakes[number] ?? .first)
            }
        }
        return rendered
    }

    /// Copies files whose source or copy is not as it was. What the system says
    /// of the sources.
    private mutating func copy(
        _ work: BuildWork, _ latest: LatestBuild, _ loader: TemplateLoader, moment: Int64,
        to writer: OutputWriter
    ) -> [LatestBuild.SavedSource] {
        let (files, source) = (work.files, self.source)
        let copies = files.list.copies.compactMap { place in
            work.site.copies[files.list.paths[place]].map { (place: place, source: $0) }
        }
        let assets = Dictionary(uniqueKeysWithValues: loader.assets)
        var known = PathTable<FileStamp>()
        for source in latest.sources {
            known[latest.outputs.list.paths[source.place]] = source.stamp
        }
        let stamps = known
        let results = workers.map(copies.count) {
            index -> (source: LatestBuild.SavedSource?, failure: Diagnostic?) in
            let (place, from) = copies[index]
            var saved: LatestBuild.SavedSource?
            if let path = source.path(of: from) {
                // Taken before the bytes are read: what changes meanwhile is
                // read again by the next build.
                let stamp = source.stamp(of: path, at: moment)
                saved = .init(place: place, path: path, stamp: stamp)
                if stamp != .unknown, files.isKnown(place),
                    stamps[files.list.paths[place]] == stamp
                {
                    return (saved, nil)
                }
            }
            do throws(FileError) {
                switch try source.content(of: from, assets: assets) {
                case .bytes(let bytes): try writer.add(place, bytes)
                case .file(let file): try writer.add(place, file)
                }
                return (saved, nil)
            } catch {
                writer.drop(place)
                return (saved, Diagnostic(.error, "unreadable", error.message))
            }
        }
        report.messages += results.compactMap(\.failure)
        return results.compactMap(\.source)
    }

    private mutating func place(_ writer: OutputWriter) -> OutputWriter.Outcome? {
        options.progress?(.placing)
        do throws(OutputWriter.BrokenOff) {
            let outcome = try writer.place()
            report.written = outcome.written
            report.removed = outcome.removed
            report.outcome = .published
            return outcome
        } catch {
            // Told nevertheless: the next build finds these as they should be.
            report.written = error.written
            report.removed = error.removed
            report.outcome = .interrupted
            report.messages.append(
                Diagnostic(
                    .error, "output", error.error.message,
                    help: "mend that and build again: the next build completes this one"))
            return nil
        }
    }
}
