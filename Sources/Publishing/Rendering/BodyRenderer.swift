import Bytes
import Diagnostics
import Markup
import Notes

/// Fills the holes of a note's body for the page that shows it.
///
/// Belongs to one render. Everything of other notes comes through the reader.
struct BodyRenderer {
    let reader: SiteReader
    /// Whether addresses are written with scheme and host, as feeds need them.
    let isAbsolute: Bool
    /// The site's base: `/notes/`.
    let base: String
    /// `https://example.org`; empty where addresses stay on the site.
    let origin: String
    /// How the links that are open end, outermost first.
    private var closers: [StaticString] = []
    /// The footnotes of the text that is being written.
    private var footnotes = FootnoteList()
    /// Notes that are being embedded, outermost first.
    var chain: [NoteID] = []
    var embedCount = 0
    /// What is to be said of embeds.
    var messages: [Diagnostic] = []

    /// How deep embeds may lie in each other, and how many one page may hold:
    /// ten notes that embed each other twice already make a thousand.
    static let maximalDepth = 50
    static let maximalEmbeds = 2000

    init(reader: SiteReader, isAbsolute: Bool) {
        self.reader = reader
        self.isAbsolute = isAbsolute
        base = reader.text(.basePath)
        origin = isAbsolute ? reader.text(.origin) : ""
    }

    /// Appends the body of a note as its page shows it.
    mutating func append(bodyOf id: NoteID, to output: inout ByteBuffer) {
        guard let note = reader.note(id, reading: .body) else { return }
        chain = [id]
        append(note, id, note.shownHTML, idPrefix: "", to: &output)
        chain = []
    }

    /// Appends part of a note's body, and the footnotes that it refers to.
    mutating func append(
        _ note: Note, _ id: NoteID, _ range: Range<Int>, idPrefix: String,
        to output: inout ByteBuffer
    ) {
        let outer = footnotes
        footnotes = FootnoteList(of: note.body, in: range)
        fill(note, id, range, idPrefix: idPrefix, to: &output)
        let own = footnotes
        own.append(idPrefix: idPrefix, to: &output) { footnote, output in
            fill(note, id, note.body.footnotes[footnote], idPrefix: idPrefix, to: &output)
        }
        footnotes = outer
    }

    private mutating func fill(
        _ note: Note, _ id: NoteID, _ range: Range<Int>, idPrefix: String,
        to output: inout ByteBuffer
    ) {
        let body = note.body
        var position = range.lowerBound
        var index = body.holes.first(at: range.lowerBound)
        while index < body.holes.count {
            let hole = body.holes[index]
            // What closes at the end of the range still belongs to it.
            guard
                hole.offset < range.upperBound
                    || hole.offset == range.upperBound && hole.kind.closes
            else { break }
            output.append(body.html, position..<hole.offset)
            position = hole.offset
            if case .embed(let link, .paragraph) = hole.kind {
                position = embed(
                    inParagraphAt: position, link, of: note, id, limit: range.upperBound,
                    to: &output)
            } else {
                fill(hole.kind, of: note, id, idPrefix: idPrefix, to: &output)
            }
            index += 1
        }
        output.append(body.html, position..<range.upperBound)
    }

    private mutating func fill(
        _ kind: Hole.Kind, of note: Note, _ id: NoteID, idPrefix: String,
        to output: inout ByteBuffer
    ) {
        switch kind {
        case .linkStart(let index):
            let link = note.body.links[index]
            switch destination(of: link, index, in: id, idPrefix: idPrefix) {
            case .url(let url):
                output.append("<a href=\"")
                output.append(url, escaping: .markup)
                appendTitle(link.title, to: &output)
                output.append("\">")
                closers.append("</a>")
            case .asTyped(let text):
                output.append("<a href=\"")
                output.append(address: Array(text.utf8), 0..<text.utf8.count)
                appendTitle(link.title, to: &output)
                output.append("\">")
                closers.append("</a>")
            case .broken:
                output.append("<span class=\"broken-link\">")
                closers.append("</span>")
            case .hidden: closers.append("")
            }
        case .linkEnd:
            // A part that is embedded may begin inside a link: nothing is open.
            if let closer = closers.popLast() { output.append(closer) }
        case .address(let index):
            switch destination(of: note.body.links[index], index, in: id, idPrefix: idPrefix) {
            case .url(let url): output.append(url, escaping: .markup)
            case .asTyped(let text): output.append(address: Array(text.utf8), 0..<text.utf8.count)
            case .broken, .hidden: break
            }
        case .embed(let index, let place):
            embed(note.body.links[index], index, of: note, id, place, to: &output)
        case .footnoteReference(let reference):
            footnotes.append(
                reference: reference, of: note.body, page: ownPage(of: id), idPrefix: idPrefix,
                to: &output)
        case .footnoteBacklinks(let footnote, let isInParagraph):
            footnotes.append(
                backlinksOf: footnote, isInParagraph: isInParagraph, page: ownPage(of: id),
                idPrefix: idPrefix, to: &output)
        case .tagStart(let index):
            guard let tag = Tag(note.body.tags[index].name), let url = reader.tag(tag.key)?.url
            else { return closers.append("") }
            output.append("<a class=\"tag\" href=\"")
            output.append(origin)
            output.append(url, escaping: .markup)
            output.append("\">")
            closers.append("</a>")
        case .tagEnd:
            if let closer = closers.popLast() { output.append(closer) }
        case .idPrefix:
            if isAbsolute, output.withBytes({ $0.last }) == UInt8(ascii: "#") {
                // An address on the page itself: it needs the page's too.
                output.truncate(to: output.count - 1)
                output.append(ownPage(of: id))
                output.append("#")
            }
            output.append(idPrefix)
        }
    }

    private func appendTitle(_ title: String?, to output: inout ByteBuffer) {
        guard let title else { return }
        output.append("\" title=\"")
        output.append(title, escaping: .markup)
    }

    // MARK: Destinations

    private enum Destination {
        case url(String)
        /// An address that the site does not know, as the author typed it.
        case asTyped(String)
        case broken
        case hidden
    }

    private func destination(
        of link: Link, _ index: Int, in id: NoteID, idPrefix: String
    ) -> Destination {
        switch reader.target(ofLink: index, in: id) {
        case .note(let target, let anchor):
            // On its own page a link without a path stays as short as typed.
            if target == id, link.target.isEmpty, link.query == nil, !isAbsolute, chain.count <= 1 {
                return .url(
                    anchor.map { "#" + AddressPath.encoded($0) }
                        ?? (link.fragment == nil ? "" : "#"))
            }
            var url = origin + (reader.url(of: target) ?? base)
            if let query = link.query { url += "?" + query }
            if let anchor { url += "#" + AddressPath.encoded(anchor) }
            return .url(url)
        case .attachment(let file):
            return .url(origin + reader.url(ofAttachment: file) + suffix(of: link))
        case .address(let address):
            return .url(origin + address.url(base: base) + suffix(of: link))
        case .hidden: return .hidden
        case .nothing:
            if link.form == .wikilink || link.form == .embed { return .broken }
            // A path from the root is one from the site's root.
            if link.target.hasPrefix("/") {
                return .asTyped(origin + base + link.destination.dropFirst())
            }
            guard isAbsolute, let own = reader.url(of: id) else {
                return .asTyped(link.destination)
            }
            return .asTyped(origin + own + link.destination)
        }
    }

    private func suffix(of link: Link) -> String {
        var suffix = ""
        if let query = link.query { suffix += "?" + query }
        if let fragment = link.fragment { suffix += "#" + AddressPath.encoded(fragment) }
        return suffix
    }

    /// What stands before the `#` of an address on a note's own page: nothing,
    /// or the page's address where the text is read elsewhere. The page is that
    /// of the note which embeds all others.
    private func ownPage(of id: NoteID) -> String {
        isAbsolute ? origin + (reader.url(of: chain.first ?? id) ?? base) : ""
    }
}

extension Hole.Kind {
    /// Whether it ends something that began before it.
    fileprivate var closes: Bool {
        switch self {
        case .linkEnd, .tagEnd: true
        default: false
        }
    }
}
