import Bytes
import Diagnostics
import Markup
import Notes

/// What embeds come to: whole notes, sections, blocks and files.
extension BodyRenderer {
    /// Writes an embed among the inlines of a paragraph; where to go on in the
    /// body's HTML.
    ///
    /// The text of a note is made of blocks, which no paragraph can hold: the
    /// paragraph ends before it, and begins again where more of it follows.
    mutating func embed(
        inParagraphAt offset: Int, _ index: Int, of note: Note, _ id: NoteID, limit: Int,
        to output: inout ByteBuffer
    ) -> Int {
        let link = note.body.links[index]
        guard case .note = reader.target(ofLink: index, in: id) else {
            embed(link, index, of: note, id, .paragraph, to: &output)
            return offset
        }
        let opening = Array("<p>".utf8)
        let tail = output.withBytes { bytes in
            var end = bytes.count
            while end > 0, bytes[end - 1] == 10 || bytes[end - 1] == 32 { end -= 1 }
            let isOpened = end >= 3 && bytes[(end - 3)..<end].elementsEqual(opening)
            return isOpened ? end - 3 : nil
        }
        if let tail { output.truncate(to: tail) } else { output.append("</p>\n") }
        embed(link, index, of: note, id, .block, to: &output)
        output.append("\n")
        let html = note.body.html
        var next = offset
        while next < limit, html[next] == 10 || html[next] == 32 { next += 1 }
        let isAtEnd = html[next..<limit].starts(with: "</p>\n".utf8)
        // The hole itself is the last at its offset unless more follows.
        let holes = note.body.holes
        let following = holes.first(at: next + 1) - 1
        let holdsHole = following >= 0 && holes[following].kind != .embed(index, .paragraph)
        if isAtEnd, !holdsHole { return next + 5 }
        output.append("<p>")
        return offset
    }

    mutating func embed(
        _ link: Link, _ index: Int, of note: Note, _ id: NoteID, _ place: Hole.Place,
        to output: inout ByteBuffer
    ) {
        let isBlock = place == .block
        switch reader.target(ofLink: index, in: id) {
        case .attachment(let file):
            embed(
                file: origin + reader.url(ofAttachment: file), link, isBlock: isBlock, to: &output)
        case .note(let target, let anchor):
            if place == .phrase {
                // No block may stand here: the embed becomes a link.
                var url = origin + (reader.url(of: target) ?? base)
                if let anchor { url += "#" + AddressPath.encoded(anchor) }
                output.append("<a class=\"embed-title\" href=\"")
                output.append(url, escaping: .markup)
                output.append("\">")
                output.append(
                    link.hasText && !link.text.isEmpty ? link.text : reader.title(of: target),
                    escaping: .markup)
                output.append("</a>")
            } else {
                embed(target, anchor: anchor, link, of: note, isBlock: isBlock, to: &output)
            }
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
        let prefix = "e\(embedCount)-"
        // An item on its own is a list of one.
        let isItem = embedded.body.html[range].starts(with: "<li".utf8)
        if isItem { output.append("<ul>\n") }
        append(embedded, target, range, idPrefix: prefix, to: &output)
        if isItem { output.append("</ul>\n") }
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
