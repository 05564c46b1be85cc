import Bytes
import Notes

/// The plan of the latest build, where the next one has the same.
struct KeptPlan {
    /// The site; notes that did not change are read when a page asks for them.
    let site: Site
    /// What the fields of all notes were.
    let fields: SavedFields
    /// The notes whose fields differ, with the fingerprints that they have now.
    private(set) var changed: [NoteID: SavedFields.Entry] = [:]

    /// The plan of `remembered`; nil where an input differs that it is made
    /// from.
    init?(_ inputs: BuildInputs, _ remembered: SavedBuild, _ source: SiteSource) {
        guard inputs.isPlanned(as: remembered), let fields = remembered.fields() else { return nil }
        let entries = inputs.changedNotes.map { inputs.notes.entries[$0] }
        // What was said of the plan points into files: places move with edits.
        let files = inputs.changedFiles(source)
        guard entries.allSatisfy({ $0.note != nil }),
            !remembered.summary.planMessages.contains(where: { !files.isDisjoint(with: $0.files) })
        else { return nil }
        let site = remembered.site(source.settings) { paths in
            var notes: [NoteID: Note] = [:]
            let ids = Dictionary(
                paths.enumerated().compactMap { number, path in
                    path.map { ($0, NoteID(rawValue: number)) }
                }, uniquingKeysWith: { first, _ in first })
            for entry in entries {
                if let id = ids[entry.file.path] { notes[id] = entry.note }
            }
            return NoteFiles(source, paths, read: notes)
        }
        guard let site else { return nil }
        self.site = site
        self.fields = fields
        for entry in entries {
            guard let note = entry.note, let id = site.store.id(ofPath: note.path),
                let before = fields[id]
            else { return nil }
            let now = SavedFields.entry(of: note, isAnchored: before.isAnchored)
            guard now.plan == before.plan else { return nil }
            for (field, (old, new)) in zip(NoteField.allCases, zip(before.fields, now.fields))
            where old != new {
                // Queries would have to compare all notes again.
                if remembered.summary.comparedKeys.contains(field.name) { return nil }
                if field == .body, before.isAnchored { return nil }
            }
            if now != before { changed[id] = now }
        }
    }
}
