import Bytes
import Notes

/// The plan of the latest build, where the next one has the same.
struct KeptPlan {
    /// The site over the notes as they are now.
    let site: Site
    /// The notes whose fields differ, with the fingerprints that they have now.
    private(set) var changed: [NoteID: NoteFingerprints] = [:]
    /// The fields of theirs that do.
    private(set) var words: [WordRead] = []

    /// What is to be said of links, at the places where they stand now.
    private(set) var linkMessages: [NoteID: [LinkMessage]]

    /// The plan of `latest` after `edits`, where nothing else that it is made
    /// from differs; nil where the edits change it.
    init?(after edits: [NoteInputs.Entry], _ latest: LatestBuild, _ source: SiteSource) {
        // What was said of the plan points into files: places move with edits.
        let files = Set(edits.map { source.file(ofNote: $0.file.path) })
        guard let parts = latest.parts, edits.allSatisfy({ $0.note != nil }),
            !latest.summary.planMessages.contains(where: { !files.isDisjoint(with: $0.files) })
        else { return nil }
        let notes = edits.compactMap(\.note)
        guard let site = parts.site(showing: notes, latest.notes, source) else { return nil }
        self.site = site
        // Looking for a few among all is cheaper than an index of all.
        let store = notes.count > 8 ? site.store.indexed() : site.store
        linkMessages = latest.summary.linkMessages
        var edited: [NoteID: Note] = [:]
        for note in notes {
            guard let id = store.id(ofPath: note.path), let before = parts.fields(of: id) else {
                return nil
            }
            edited[id] = note
            let now = NoteFingerprints(of: note, isAnchored: before.isAnchored)
            guard now.plan == before.plan else { return nil }
            var fields: NoteFields = []
            for (field, (old, new)) in zip(NoteField.allCases, zip(before.fields, now.fields))
            where old != new {
                // Queries would have to compare all notes again.
                if latest.summary.comparedKeys.contains(field.name) { return nil }
                if field == .body, before.isAnchored { return nil }
                fields.formUnion(NoteFields(field))
            }
            guard PlanCheck(site, linkMessages).holds(after: fields, of: note, id) else {
                return nil
            }
            if now != before { changed[id] = now }
            if !fields.isEmpty { words.append(WordRead(note: id, fields: fields)) }
        }
        for (id, note) in edited {
            if let said = linkMessages[id] { linkMessages[id] = said.map { $0.placed(in: note) } }
        }
    }
}
