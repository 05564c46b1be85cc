import Bytes
import Diagnostics
import Markup
import Notes

/// Whether the plan of a site stays as it is though a note has another title,
/// other headings or other block ids, which a plan is made from too.
///
/// Looks at the few notes that could make a difference: those beside it in its
/// folder's order, and those that link to it.
struct PlanCheck {
    private let site: Site
    private let linkMessages: [NoteID: [LinkMessage]]

    /// How many linking notes are looked at, before planning anew is no dearer.
    private static let maximalSources = 64

    /// A check against the plan of `site`, whose store has the notes as they are
    /// now.
    init(_ site: Site, _ linkMessages: [NoteID: [LinkMessage]]) {
        self.site = site
        self.linkMessages = linkMessages
    }

    /// Whether the plan stays where just `fields` of a note differ, of those that
    /// no plan is made from and of these.
    func holds(after fields: NoteFields, of note: Note, _ id: NoteID) -> Bool {
        if fields.contains(NoteFields(.title)), !holds(afterTitleOf: note, id) { return false }
        let anchors: NoteFields = [NoteFields(.headings), NoteFields(.blocks)]
        return fields.isDisjoint(with: anchors) || !isLinkedInside(note, id)
    }

    // MARK: Titles

    private func holds(afterTitleOf note: Note, _ id: NoteID) -> Bool {
        // Addresses may be made from titles, and the site's title from one.
        let patterns = [site.settings.permalink, note.frontMatter.permalink].compactMap { $0 }
        if patterns.contains(where: { $0.contains(":title") }) { return false }
        if site.folders.first?.introduction == id { return false }
        // Which name a broken link may have meant is looked for among titles too.
        let title = note.title.map { UnicodeText.folded($0) }
        let isMeant = linkMessages.values.joined().contains {
            $0.titled == id || $0.message.id == "broken-link" && $0.name == title
        }
        return !isMeant && keepsItsPlace(note, id)
    }

    /// Whether the note still stands between the same two in its folder's order,
    /// which ends in titles.
    private func keepsItsPlace(_ note: Note, _ id: NoteID) -> Bool {
        guard let index = site.folderIndexes[note.folder] else { return true }
        let ids = site.folders[index].ids
        guard let place = ids.firstIndex(of: id) else { return true }
        let around = Array(ids[max(0, place - 1)...min(ids.count - 1, place + 1)])
        let now = FolderGroups.order.results(
            among: around, in: site.store, zone: site.settings.zone)
        return now.ids == around
    }

    // MARK: Headings and blocks

    /// Whether a link leads to a place inside the note.
    private func isLinkedInside(_ note: Note, _ id: NoteID) -> Bool {
        let sources = site.backlinks[id.rawValue].map(\.source)
        guard sources.count <= Self.maximalSources else { return true }
        return ([id] + sources).contains { source in
            guard let links = site.store[source]?.body.links else { return true }
            return links.indices.contains { place in
                guard links[place].fragment?.isEmpty == false,
                    case .note(id, _) = site.target(ofLink: place, in: source)
                else { return false }
                return true
            }
        }
    }
}
