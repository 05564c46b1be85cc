/// Changes of a note's file as a form asks for them; what is not changed keeps its
/// bytes.
package struct NoteEdit: Sendable, Equatable {
    /// Changes of the front matter. A new title of a note whose heading gives it
    /// changes the heading.
    package var frontMatter = FrontMatterEdit()
    /// The new body, lines ended by LF; nil where it stays.
    package var body: String?
    /// The new text of the whole file, likewise, instead of all else.
    package var text: String?

    /// An edit that changes nothing.
    package init() {}

    /// A note's file after the edit.
    package func applied(to bytes: [UInt8]) throws(FrontMatterEditError) -> [UInt8] {
        if let text { return BodyText.replacing(bytes[...], with: text) }
        var bytes = bytes
        if let body {
            let start = try FrontMatterText(bytes).bodyStart
            bytes = bytes[..<start] + BodyText.replacing(bytes[start...], with: body)
        }
        var edit = frontMatter
        if case .set(let title) = edit.title {
            let text = try FrontMatterText(bytes)
            if text.frontMatter.title == nil,
                let heading = LeadingHeading(in: bytes, from: text.bodyStart)
            {
                let line = title.split(whereSeparator: \.isNewline).joined(separator: " ")
                if heading.text != line {
                    let written = heading.isPlain ? HeadingText.written(line) : line
                    bytes.replaceSubrange(heading.range, with: written.utf8)
                }
                edit.title = .keep
            }
        }
        return try edit.applied(to: bytes)
    }
}
