import Bytes

extension MarkupDocument {
    /// The HTML with every hole filled by what the author typed, without
    /// knowledge of a site.
    ///
    /// Links and pictures of Markdown's own lead where they say, so that with
    /// ``Dialect/commonmark`` these are cmark's own bytes. Wikilinks and tags
    /// are their text, embeds their source.
    package func htmlAsTyped() -> [UInt8] {
        var output = ByteBuffer(capacity: html.count + holes.count * 64)
        let footnotes = FootnoteList(of: self, in: 0..<bodyEnd)
        appendAsTyped(0..<bodyEnd, footnotes, to: &output)
        footnotes.append(idPrefix: "", to: &output) { footnote, output in
            appendAsTyped(self.footnotes[footnote], footnotes, to: &output)
        }
        return output.copy()
    }

    private func appendAsTyped(
        _ range: Range<Int>, _ footnotes: FootnoteList, to output: inout ByteBuffer
    ) {
        var copied = range.lowerBound
        for hole in holes[holes.first(at: range.lowerBound)...] {
            guard hole.offset <= range.upperBound else { break }
            output.append(html, copied..<hole.offset)
            copied = hole.offset
            switch hole.kind {
            case .linkStart(let number):
                let link = links[number]
                guard link.form == .link else { continue }
                output.append("<a href=\"")
                let address = Array(link.destination.utf8)
                output.append(address: address, 0..<address.count)
                output.append(.ascii("\""))
                if let title = link.title {
                    output.append(" title=\"")
                    output.append(title, escaping: .markup)
                    output.append(.ascii("\""))
                }
                output.append(.ascii(">"))
            case .linkEnd(let number):
                if links[number].form == .link { output.append("</a>") }
            case .address(let number):
                let address = Array(links[number].destination.utf8)
                output.append(address: address, 0..<address.count)
            case .embed(let number, _):
                output.append("![[")
                output.append(links[number].destination, escaping: .markup)
                output.append("]]")
            case .footnoteReference(let number):
                footnotes.append(
                    reference: number, of: self, page: "", idPrefix: "", to: &output)
            case .footnoteBacklinks(let number, let isInParagraph):
                footnotes.append(
                    backlinksOf: number, isInParagraph: isInParagraph, page: "", idPrefix: "",
                    to: &output)
            case .tagStart, .tagEnd, .idPrefix:
                break
            }
        }
        output.append(html, copied..<range.upperBound)
    }
}
