package import Bytes
package import Diagnostics
package import Templating
import Notes

/// A page as it was rendered: its messages and what it read.
package struct RenderedPage: Sendable {
    /// Why it could not be rendered; nil where it could.
    package var failure: Diagnostic?
    /// What is to be said of it beyond that.
    package var messages: [Diagnostic]
    /// What it read of the site.
    package var reads: PageReads
    /// Whether it is the page as it was with other words in places.
    package var isCorrected = false
}

/// Renders pages by their templates.
///
/// One for each worker. Sees the site through its reader alone.
package final class PageRenderer {
    private let library: TemplateLibrary
    private let reader: SiteReader
    private let scope: PageScope
    private let host: RenderHost
    private let site: SiteObject
    private let fingerprints: [String: Fingerprint]
    private let keepsRecords: Bool
    private let leastPrints: Int

    /// A renderer of pages of `site` by `library`. Records of reads are kept only
    /// where `keepsRecords`: recording is cheap, keeping is not. Where fields are printed
    /// is kept of pages with at least `leastPrints` prints; nil: of none.
    package init(
        _ site: Site, library: TemplateLibrary, keepsRecords: Bool = false,
        leastPrints: Int? = nil
    ) {
        self.library = library
        fingerprints = Dictionary(
            uniqueKeysWithValues: library.templates.map { id in
                let source = library.source(of: id)
                return (source.name, Fingerprint(of: source.bytes))
            })
        reader = SiteReader(site)
        scope = PageScope(reader)
        host = RenderHost(context: scope)
        host.isRecordingPrints = leastPrints != nil
        reader.recorder.isRecordingPrints = leastPrints != nil
        self.leastPrints = leastPrints ?? 0
        self.site = SiteObject(scope)
        self.keepsRecords = keepsRecords
    }

    /// Renders a page into `output`, which holds part of it where it fails.
    package func render(_ page: Page, into output: inout ByteBuffer) -> RenderedPage {
        scope.start()
        guard let template = library.template(named: page.template) else {
            reader.noteUse(ofTemplate: page.template, .absent)
            return RenderedPage(
                failure: missingTemplate(of: page), messages: [],
                reads: reads)
        }
        var globals: [(Symbol, TemplateValue)] = [
            (Member.site.symbol, .object(site)),
            (Member.page.symbol, .object(PageObject(scope, page))),
        ]
        if case .note(let id) = page.kind { globals.append((Member.note.symbol, scope.note(id))) }
        var failure: Diagnostic?
        let start = output.count
        do throws(TemplateFailure) {
            try library.render(template, with: globals, host: host, into: &output)
        } catch {
            failure = error.diagnostic
            failure?.notes.append(.init("while rendering /\(page.address.path)"))
        }
        let isXML = page.template.hasSuffix(".xml")
        if isXML { keepWellFormed(&output, from: start) }
        for id in host.used {
            let source = library.source(of: id)
            reader.noteUse(ofTemplate: source.name, fingerprints[source.name] ?? .absent)
        }
        for name in host.missed.sorted() { reader.noteUse(ofTemplate: name, .absent) }
        var result = RenderedPage(failure: failure, messages: scope.messages, reads: reads)
        // What is said of a page comes from rendering it.
        if host.isRecordingPrints {
            let isKnown =
                !isXML && failure == nil && result.messages.isEmpty
                && host.prints.count >= leastPrints
            result.reads.printed =
                isKnown
                ? reader.recorder.printedFields(
                    host.prints, taken: host.takenPrints, takenPeak: max(0, host.takenPeak - start),
                    pageStart: start)
                : PrintedFields.none
        }
        return result
    }

    /// Puts into `output`, which is empty, the page of `old` bytes as it is with the
    /// fields that differ now; nil where it has to be rendered after all, to say why or
    /// because a text comes from elsewhere now.
    ///
    /// Costs a copy of the page, and of the record of what it read. Whose words it
    /// reads is as it was, so the result does not say that again.
    func correct(
        _ correction: PageCorrection, _ old: [UInt8], into output: inout ByteBuffer
    ) -> RenderedPage? {
        scope.start()
        var (printed, record) = (correction.printed, correction.record)
        var texts: [String] = []
        for number in correction.numbers {
            let place = printed.places[number]
            guard place.range.upperBound <= old.count,
                let text = reader.printed(place.field, of: NoteID(rawValue: Int(place.note)))?.text
            else { return nil }
            texts.append(text)
            if let offset = place.recordOffset {
                record.replace(at: Int(offset), by: reader.recorder.latest)
            }
        }
        guard
            printed.replace(
                correction.numbers, by: texts, in: old, limit: host.limits.outputSize,
                into: &output)
        else { return nil }
        return RenderedPage(
            messages: [], reads: PageReads(record: record, printed: printed), isCorrected: true)
    }

    private var reads: PageReads { keepsRecords ? reader.reads : PageReads() }

    /// Takes out what XML forbids in any text: a title may hold it.
    private func keepWellFormed(_ output: inout ByteBuffer, from start: Int) {
        let bytes = output.copy(from: start)
        let allowed = XMLText.allowed(bytes)
        guard allowed.count != bytes.count else { return }
        output.truncate(to: start)
        output.append(allowed)
    }

    private func missingTemplate(of page: Page) -> Diagnostic {
        let names = library.templates.map { library.source(of: $0).name }.filter {
            !$0.hasPrefix("default/")
        }
        return Diagnostic(
            .error, "template", "there is no template `\(page.template)`",
            help: closestName(to: page.template, among: names).map { "did you mean `\($0)`?" }
                ?? "make a file Templates/\(page.template)",
            notes: [.init("while rendering /\(page.address.path)")])
    }
}
