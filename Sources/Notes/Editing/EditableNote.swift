/// A note's file as a form shows it.
package struct EditableNote: Sendable {
    /// Why there is no form and the file is edited as a whole; nil where there is
    /// one.
    package var reason: FrontMatterEditError?
    /// The title that the front matter, or a heading that opens the body, gives;
    /// nil where the file's name does.
    package var title: String?
    /// The date of the front matter.
    package var date: NoteDate?
    /// The tags of the front matter, as written.
    package var tags: [String] = []
    /// Whether the front matter says that it is a draft.
    package var isDraft = false
    /// The body, or the whole file where there is no form; lines end in LF.
    package var body = ""

    /// Reads a file.
    package init(_ bytes: [UInt8]) {
        do throws(FrontMatterEditError) {
            let text = try FrontMatterText(bytes)
            let found = text.frontMatter
            title = found.title
            date = found.date
            tags = found.tags.map(\.name)
            isDraft = found.isDraft
            body = BodyText.normalized(bytes[text.bodyStart...])
            if title == nil, let heading = LeadingHeading(in: bytes, from: text.bodyStart) {
                title = heading.text
            }
        } catch {
            reason = error
            body = BodyText.normalized(bytes[...])
        }
    }

    /// The whole text of a file; lines end in LF.
    package static func text(of bytes: [UInt8]) -> String { BodyText.normalized(bytes[...]) }
}
