import Bytes
import Notes

/// Changes of a note that is there, as the editor's page asks for them: what it
/// opened, and what was typed since.
struct NoteSave: Sendable {
    /// What stands in the note's place by now, which whoever saves has seen and
    /// wants to be replaced.
    enum Other: Sendable, Equatable {
        /// Nothing: the note is gone.
        case nothing
        /// A file of this digest.
        case file(String)
    }

    /// The note's path in the content folder.
    var path: String
    /// The digest of the file that was opened.
    var revision: String
    /// Its bytes, where the page has them still.
    var opened: [UInt8]?
    /// What was typed since.
    var edit = NoteEdit()
    /// What may be overwritten besides the file that was opened.
    var overwrites: Other?
    /// Pictures that the text shows and that are not placed yet.
    var pictures: [NotePicture] = []

    /// The file as it will be, where `current` stands in the note's place: what was
    /// typed goes into what is there, which keeps all else.
    ///
    /// Where that cannot be, because nothing is there, or one of the two is edited by
    /// a form and the other as a text, it goes into what was opened, and that over
    /// what is there.
    func result(over current: [UInt8]?) throws(FrontMatterEditError) -> [UInt8] {
        guard let current else { return try edit.applied(to: opened ?? []) }
        if edit.text != nil { return try edit.applied(to: current) }
        do throws(FrontMatterEditError) {
            return try edit.applied(to: current)
        } catch {
            guard let opened, opened != current else { throw error }
            return try edit.applied(to: opened)
        }
    }
}
