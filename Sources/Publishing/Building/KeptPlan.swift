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
    private(set) var linkMessages: [LinkMessage]

    /// The plan of `latest` after `edits`, where nothing else that it is made
    /// from differs; nil where the edits change it.
    init?(after edits: [NoteInputs.Entry], _ latest: LatestBuild, _ source: SiteSource) {
        // What was said of the plan points into files: places move with edits.
        let files = Set(edits.map { source.file(ofNote: $0.file.path) })
        guard let parts = latest.parts, edits.allSatisfy({ $0.note != nil }),
            !latest.summary.planMessages.contains(where: { !files.isDisjoint(with: $0.files) })
        else { return nil }
        let notes = edits.compactMap { entry in entry.note.map { (entry.file.path, $0) } }
        guard
            let site = parts.site(
                showing: Dictionary(notes, uniquingKeysWith: { first, _ in first }), source)
        else { return nil }
        self.site = site
        linkMessages = latest.summary.linkMessages
        var edited: [NoteID: Note] = [:]
        for (path, note) in notes {
            guard let id = site.store.id(ofPath: path), let before = parts.fields(of: id) else {
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
        for place in linkMessages.indices {
            guard let note = edited[linkMessages[place].note] else { continue }
            linkMessages[place] = linkMessages[place].placed(in: note)
        }
    }
}
