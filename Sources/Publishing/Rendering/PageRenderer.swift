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
    package var dependencies: [PageDependency]
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
    private let keepsDependencies: Bool

    /// A renderer of pages of `site` by `library`. Lists of dependencies are
    /// made only where `keepsDependencies`: recording is cheap, keeping is not.
    package init(_ site: Site, library: TemplateLibrary, keepsDependencies: Bool = false) {
        self.library = library
        fingerprints = Dictionary(
            uniqueKeysWithValues: library.templates.map { id in
                let source = library.source(of: id)
                return (source.name, Fingerprint(of: source.bytes))
            })
        reader = SiteReader(site)
        scope = PageScope(reader)
        host = RenderHost(context: scope)
        self.site = SiteObject(scope)
        self.keepsDependencies = keepsDependencies
    }

    /// Renders a page into `output`, which holds part of it where it fails.
    package func render(_ page: Page, into output: inout ByteBuffer) -> RenderedPage {
        scope.start()
        guard let template = library.template(named: page.template) else {
            reader.noteUse(ofTemplate: page.template, .absent)
            return RenderedPage(
                failure: missingTemplate(of: page), messages: [],
                dependencies: keepsDependencies ? reader.dependencies : [])
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
        if page.template.hasSuffix(".xml") { keepWellFormed(&output, from: start) }
        for id in host.used {
            let source = library.source(of: id)
            reader.noteUse(ofTemplate: source.name, fingerprints[source.name] ?? .absent)
        }
        for name in host.missed.sorted() { reader.noteUse(ofTemplate: name, .absent) }
        return RenderedPage(
            failure: failure, messages: scope.messages,
            dependencies: keepsDependencies ? reader.dependencies : [])
    }

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
