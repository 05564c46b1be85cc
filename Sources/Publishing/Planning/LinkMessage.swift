import Diagnostics
import Markup
import Notes

/// What is to be said of a link: known by the link, since its place moves with
/// the words around it.
struct LinkMessage: Sendable, Equatable {
    /// The note that links.
    let note: NoteID
    /// Which of its links; indexes its body's links.
    let link: Int
    /// The last part of what it names, case folded away: a title may be meant.
    let name: String
    /// The note whose title it gives, which is said to be meant.
    var titled: NoteID?
    /// What is to be said.
    var message: Diagnostic

    /// The message at the place where the link stands in `note` now.
    func placed(in note: Note) -> LinkMessage {
        guard link < note.body.links.count else { return self }
        var result = self
        result.message.span = note.span(ofBody: note.body.links[link].span)
        return result
    }
}
