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
                    bytes.replaceSubrange(heading.range, with: line.utf8)
                }
                edit.title = .keep
            }
        }
        return try edit.applied(to: bytes)
    }
}

/// A level-1 heading that opens a body and so gives the title, written with `#`.
struct LeadingHeading {
    /// Its text.
    let text: String
    /// Where that stands in the file.
    let range: Range<Int>

    init?(in bytes: [UInt8], from start: Int) {
        var place = start
        while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) {
            place += 1
        }
        guard place + 1 < bytes.count, bytes[place] == UInt8(ascii: "#"),
            bytes[place + 1] == 0x20 || bytes[place + 1] == 0x09
        else { return nil }
        // Four blanks before it make it code.
        let line = bytes[..<place].lastIndex { $0 == 0x0A || $0 == 0x0D } ?? start - 1
        guard place - line <= 4 else { return nil }
        var first = place + 1
        var end = first
        while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
        while first < end, bytes[first] == 0x20 || bytes[first] == 0x09 { first += 1 }
        while end > first, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        // What else is in it (a closing `#`, an id) is left to who edits the body.
        let inner = bytes[first..<end]
        guard !inner.isEmpty, !inner.contains(where: { "#{}[]*_`<>&\\!^=~$".utf8.contains($0) })
        else { return nil }
        range = first..<end
        text = String(decoding: inner, as: UTF8.self)
    }
}
