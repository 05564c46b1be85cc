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
    private let base: String
    /// `https://example.org`; empty where addresses stay on the site.
    private let origin: String
    private let linksTags: Bool
    /// How the links that are open end, outermost first.
    private var closers: [StaticString] = []
    /// Notes that are being embedded, outermost first.
    private var chain: [NoteID] = []
    private var embedCount = 0
    /// What is to be said of embeds.
    private(set) var messages: [Diagnostic] = []

    /// How deep embeds may lie in each other, and how many one page may hold:
    /// ten notes that embed each other twice already make a thousand.
    private static let maximalDepth = 50
    private static let maximalEmbeds = 2000

    init(reader: SiteReader, isAbsolute: Bool) {
        self.reader = reader
        self.isAbsolute = isAbsolute
        base = reader.text(.basePath)
        origin = isAbsolute ? reader.text(.origin) : ""
        linksTags = reader.hasTagPages
    }

    /// Appends the body of a note as its page shows it.
    mutating func append(bodyOf id: NoteID, to output: inout ByteBuffer) {
        guard let note = reader.note(id, reading: .body) else { return }
        chain = [id]
        append(note, id, note.shownHTML, idPrefix: "", to: &output)
        chain = []
    }

    private mutating func append(
        _ note: Note, _ id: NoteID, _ range: Range<Int>, idPrefix: String,
        to output: inout ByteBuffer
    ) {
        let body = note.body
        var position = range.lowerBound
        var index = body.holes.firstIndex(atOrAfter: range.lowerBound)
        while index < body.holes.count {
            let hole = body.holes[index]
            // What closes at the end of the range still belongs to it.
            guard
                hole.offset < range.upperBound
                    || hole.offset == range.upperBound && hole.kind.closes
            else { break }
            output.append(body.html, position..<hole.offset)
            position = hole.offset
            fill(hole.kind, of: note, id, idPrefix: idPrefix, to: &output)
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
        case .embed(let index, let isBlock):
            embed(note.body.links[index], index, of: note, id, isBlock: isBlock, to: &output)
        case .tagStart(let index):
            guard linksTags, let tag = Tag(note.body.tags[index].name) else { return }
            output.append("<a class=\"tag\" href=\"")
            output.append(origin)
            output.append(
                AddressPath(wellFormed: "tags/\(tag.key)/").url(base: base), escaping: .markup)
            output.append("\">")
        case .tagEnd(let index):
            if linksTags, Tag(note.body.tags[index].name) != nil { output.append("</a>") }
        case .idPrefix:
            if isAbsolute, output.withBytes({ $0.last }) == UInt8(ascii: "#") {
                // An address on the page itself: it needs the page's too.
                output.truncate(to: output.count - 1)
                output.append(origin)
                output.append(reader.url(of: id) ?? base)
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

    // MARK: Embeds

    private mutating func embed(
        _ link: Link, _ index: Int, of note: Note, _ id: NoteID, isBlock: Bool,
        to output: inout ByteBuffer
    ) {
        switch reader.target(ofLink: index, in: id) {
        case .attachment(let file):
            embed(
                file: origin + reader.url(ofAttachment: file), link, isBlock: isBlock, to: &output)
        case .note(let target, let anchor):
            embed(target, anchor: anchor, link, of: note, isBlock: isBlock, to: &output)
        case .address(let address):
            output.append("<a href=\"")
            output.append(origin + address.url(base: base), escaping: .markup)
            output.append("\">")
            output.append(link.text.isEmpty ? link.target : link.text, escaping: .markup)
            output.append("</a>")
        case .nothing, .hidden:
            placeholder(isBlock, link, url: nil, to: &output)
        }
    }

    private func placeholder(
        _ isBlock: Bool, _ link: Link, url: String?, to output: inout ByteBuffer
    ) {
        output.append(
            isBlock ? "<div class=\"embed-placeholder\">" : "<span class=\"embed-placeholder\">")
        if let url {
            output.append("<a href=\"")
            output.append(url, escaping: .markup)
            output.append("\">")
        }
        output.append(link.destination, escaping: .markup)
        if url != nil { output.append("</a>") }
        output.append(isBlock ? "</div>" : "</span>")
    }

    private func embed(
        file url: String, _ link: Link, isBlock: Bool, to output: inout ByteBuffer
    ) {
        let name = NotePath.fileName(of: link.target)
        func open(_ tag: StaticString) {
            output.append(tag)
            output.append(url, escaping: .markup)
            output.append("\"")
        }
        if isBlock { output.append("<p>") }
        switch NotePath.ending(of: name) {
        case "png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "bmp", "ico":
            open("<img src=\"")
            output.append(" alt=\"")
            output.append(link.size == nil && link.hasText ? link.text : name, escaping: .markup)
            output.append("\"")
            if let size = link.size {
                output.append(" width=\"")
                output.append(decimal: size.width)
                output.append("\"")
                if let height = size.height {
                    output.append(" height=\"")
                    output.append(decimal: height)
                    output.append("\"")
                }
            }
            output.append(" />")
        case "mp3", "wav", "m4a", "ogg", "3gp", "flac", "opus":
            open("<audio controls preload=\"metadata\" src=\"")
            output.append("></audio>")
        case "mp4", "webm", "ogv", "mov", "mkv":
            open("<video controls preload=\"metadata\" src=\"")
            output.append("></video>")
        case "pdf":
            open("<object class=\"embed-pdf\" type=\"application/pdf\" data=\"")
            output.append(">")
            open("<a href=\"")
            output.append(">")
            output.append(name, escaping: .markup)
            output.append("</a></object>")
        default:
            open("<a href=\"")
            output.append(">")
            output.append(link.hasText ? link.text : name, escaping: .markup)
            output.append("</a>")
        }
        if isBlock { output.append("</p>") }
    }

    private mutating func embed(
        _ target: NoteID, anchor: String?, _ link: Link, of note: Note, isBlock: Bool,
        to output: inout ByteBuffer
    ) {
        var url = origin + (reader.url(of: target) ?? base)
        if let anchor { url += "#" + AddressPath.encoded(anchor) }
        // A fragment that names nothing embeds nothing: showing the whole note
        // would be more than was asked for.
        if link.fragment.map({ !$0.isEmpty }) == true, anchor == nil {
            return placeholder(isBlock, link, url: url, to: &output)
        }
        guard let (embedded, range) = part(anchor, of: target) else {
            return placeholder(isBlock, link, url: url, to: &output)
        }
        if chain.contains(target), Self.overlaps(anchor, chain: chain, target: target) {
            messages.append(cycleMessage(of: target, link, in: note))
            return placeholder(isBlock, link, url: url, to: &output)
        }
        embedCount += 1
        guard chain.count < Self.maximalDepth, embedCount <= Self.maximalEmbeds else {
            if embedCount == Self.maximalEmbeds + 1 || chain.count == Self.maximalDepth {
                messages.append(
                    Diagnostic(
                        .warning, "embed-limit",
                        "a page may hold \(Self.maximalEmbeds) embeds, \(Self.maximalDepth) deep; this one is left out",
                        at: note.span(ofBody: link.span)))
            }
            return placeholder(isBlock, link, url: url, to: &output)
        }
        chain.append(target)
        output.append("<div class=\"embed\"><a class=\"embed-title\" href=\"")
        output.append(url, escaping: .markup)
        output.append("\">")
        output.append(
            link.hasText && !link.text.isEmpty ? link.text : reader.title(of: target),
            escaping: .markup)
        output.append("</a>\n")
        append(embedded, target, range, idPrefix: "e\(embedCount)-", to: &output)
        output.append("</div>")
        chain.removeLast()
    }

    /// Names the cycle from its first note by path on, so that all of its pages
    /// say the same.
    private func cycleMessage(of target: NoteID, _ link: Link, in note: Note) -> Diagnostic {
        let start = chain.firstIndex(of: target) ?? 0
        let paths = chain[start...].map { reader.path(of: $0) }
        let first =
            paths.indices.min { paths[$0].precedes(paths[$1]) } ?? 0
        let cycle = paths[first...] + paths[..<first] + [paths[first]]
        return Diagnostic(
            .warning, "embed-cycle", "notes embed each other: \(cycle.joined(separator: " → "))",
            at: note.span(ofBody: link.span), help: "remove one of these embeds, or make it a link")
    }

    /// Whether an embed of `target` while it is being embedded goes round.
    /// Another section of a note that is open is shown once more; what truly
    /// goes round then meets itself.
    private static func overlaps(_ anchor: String?, chain: [NoteID], target: NoteID) -> Bool {
        anchor == nil || chain.count { $0 == target } > 1
    }

    /// What an embed shows: the whole body, the section of a heading, a block.
    private func part(_ anchor: String?, of id: NoteID) -> (Note, Range<Int>)? {
        if let anchor { return reader.note(id, readingPart: anchor) }
        return reader.note(id, reading: .body).map { ($0, $0.shownHTML) }
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

extension [Hole] {
    /// The first hole at or behind an offset.
    fileprivate func firstIndex(atOrAfter offset: Int) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle].offset < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
