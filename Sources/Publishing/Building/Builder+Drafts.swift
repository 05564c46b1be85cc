import Bytes
package import Diagnostics
import Markup
import Notes
import Templating

/// A note as it would be shown.
package struct NoteDraftPage: Sendable {
    /// The page's HTML; nil where it cannot be rendered.
    package var html: [UInt8]?
    /// What is wrong with the note or its page.
    package var messages: [Diagnostic] = []
    /// The output paths of the attachments that it leads to or shows.
    package var attachments: [String] = []
}

/// What links mean on a site; made once for each of its states.
struct DraftResolver {
    let site: Site
    let resolver: LinkResolver

    init(_ site: Site) {
        self.site = site
        resolver = LinkResolver(
            store: site.store, attachments: site.attachments, addresses: Array(site.addresses),
            pageAddresses: Site.made(site.pages, site.copies), folders: site.folders,
            names: NoteNames(site.published, in: site.store))
    }
}

extension Builder {
    /// See ``BuildSession/draft(ofNote:text:)``.
    func draft(
        ofNote path: String, text: [UInt8], _ resolver: inout DraftResolver?
    ) -> NoteDraftPage {
        var parser = source.makeParser()
        let (note, messages) = parser.parse(text, path: path, file: source.file(ofNote: path))
        var draft = NoteDraftPage(html: nil, messages: messages)
        guard let note, let library else { return draft }
        guard let site = rememberedSite, let place = place(for: path, on: site) else {
            return firstDraft(note, text, library, draft)
        }
        var links = Array(site.links)
        let known = site.store.id(ofPath: path) == place.note ? site.store[place.note] : nil
        links[place.note.rawValue] = note.body.links.map { link in
            // Most links of a note that is edited are as they were.
            let before = known?.body.links.firstIndex {
                $0.form == link.form && $0.destination == link.destination
                    && $0.target == link.target && $0.text == link.text
            }
            if let before, before < site.links[place.note.rawValue].count {
                return site.links[place.note.rawValue][before]
            }
            if resolver?.site !== site { resolver = DraftResolver(site) }
            return resolver?.resolver.resolve(link, of: note, id: place.note).0 ?? .nothing
        }
        let shown = Site(
            site, showing: site.store.showing([place.note: note]), links: BinaryRows(links))
        render(place, of: shown, library, &draft)
        return draft
    }

    /// The page on which a note is shown: its own, else that of any other note.
    private func place(for path: String, on site: Site) -> (note: NoteID, page: Page)? {
        let own = site.store.id(ofPath: path)
        let stand = site.published.first { !site.introductions.contains($0) }
        for id in [own, stand].compactMap({ $0 }) {
            guard let output = site.addresses[id.rawValue]?.outputFile,
                let page = site.page(at: output)
            else { continue }
            return (id, page)
        }
        return nil
    }

    /// A draft on a site that has no note to show it in the place of: the site is
    /// planned with it.
    private func firstDraft(
        _ note: Note, _ text: [UInt8], _ library: TemplateLibrary, _ draft: NoteDraftPage
    ) -> NoteDraftPage {
        var draft = draft
        let site = plan(showing: note.path, text: text).site
        guard let place = place(for: note.path, on: site) else { return draft }
        render(place, of: site, library, &draft)
        return draft
    }

    private func render(
        _ place: (note: NoteID, page: Page), of site: Site, _ library: TemplateLibrary,
        _ draft: inout NoteDraftPage
    ) {
        for case .attachment(let index) in site.links[place.note.rawValue] {
            draft.attachments.append(site.attachments.outputs[index])
        }
        var buffer = ByteBuffer(capacity: 64 * 1024)
        let rendered = PageRenderer(site, library: library).render(place.page, into: &buffer)
        draft.messages += rendered.messages + [rendered.failure].compactMap { $0 }
        if rendered.failure == nil { draft.html = buffer.copy() }
    }
}
