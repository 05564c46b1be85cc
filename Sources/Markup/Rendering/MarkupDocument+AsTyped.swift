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
        var copied = 0
        for hole in holes {
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
            case .tagStart, .tagEnd, .idPrefix:
                break
            }
        }
        output.append(html, copied..<html.count)
        return output.copy()
    }
}
