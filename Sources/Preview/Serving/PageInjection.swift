import Bytes
import Notes

/// The one line that the server adds to the pages it shows: a script that
/// listens. Published pages have none of it.
enum PageInjection {
    /// A page with the line in it, at the end of its head.
    ///
    /// The script finds what it has to know in its own attributes: the digest of
    /// the page, whether there is such a page, the port of the editor and the note
    /// to edit.
    static func adding(
        to page: [UInt8], version: String, isMissing: Bool, editor: Int?, note: String?
    ) -> [UInt8] {
        var line = ByteBuffer(capacity: 256)
        line.append("<script src=\"/.daybook/page.js\" data-daybook=\"")
        line.append(version)
        line.append("\"")
        if isMissing { line.append(" data-missing") }
        if let editor {
            line.append(" data-editor=\"")
            line.append(decimal: editor)
            line.append("\"")
        }
        if let note {
            line.append(" data-note=\"")
            line.append(note, escaping: .template)
            line.append("\"")
        }
        line.append(" defer></script>")
        let place = endOfHead(in: page) ?? page.count
        return Array(page[..<place]) + line.copy() + page[place...]
    }

    /// Where the head ends; nil where no tag says so.
    private static func endOfHead(in page: [UInt8]) -> Int? {
        let mark = Array("</head>".utf8)
        var index = 0
        while index + mark.count <= page.count {
            if page[index] == mark[0],
                zip(page[index...], mark).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 })
            {
                return index
            }
            index += 1
        }
        return nil
    }
}
