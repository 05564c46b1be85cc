import Bytes
import Diagnostics
import Notes
import Publishing

/// What the serving thread knows of the site: constant, put in place as a whole
/// by the thread that builds.
struct PreviewSnapshot: Sendable {
    /// The output folder, links resolved.
    var output = ""
    /// The site that the output shows; nil before the first build.
    var site: Site?
    /// What is wrong with files, as drawn, by the files' paths in the site folder.
    var faults: [String: [String]] = [:]
    /// What is wrong with everything: settings, templates, the output.
    var general: [String] = []
    /// Why notes are not published, by the paths of their files in the site folder.
    var heldBack: [String: Publication.State] = [:]
    /// The site folder, links resolved.
    var folder = ""
    /// The content folder, from there; empty for that itself.
    var content = ""

    /// Whether a file of the site is a note.
    func isNote(_ file: String) -> Bool {
        NotePath.isNote(file) && FilePath.relative(file, to: content) != nil
    }

    /// The notes, by path, that the latest build could not read.
    var brokenNotes: Set<String> {
        Set(faults.keys.compactMap { FilePath.relative($0, to: content) })
    }

    /// The path of the note that the page of an output file shows.
    func note(ofPage output: String) -> String? {
        guard let site, let page = site.page(at: output) else { return nil }
        var note = page.introduction
        if case .note(let id) = page.kind { note = id }
        return note.flatMap { site.store.paths[$0.rawValue] }
    }

    /// What is to be laid over a page: what is wrong with its note and with
    /// everything; on a page that is not there whatever is wrong at all.
    func faults(onPage output: String, isThere: Bool) -> [String] {
        if !isThere { return general + faults.sorted { $0.key.precedes($1.key) }.flatMap(\.value) }
        if faults.isEmpty { return general }
        let note = note(ofPage: output).map { NotePath.joined(content, $0) }
        return general + (note.flatMap { faults[$0] } ?? [])
    }
}
