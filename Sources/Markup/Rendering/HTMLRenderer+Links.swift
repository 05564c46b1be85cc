import Bytes

/// CommonMark's links and pictures.
extension HTMLRenderer {
    /// Writes the start of a Markdown link: its tag where it leads out of the
    /// site, else a hole.
    mutating func startLink(_ node: MarkdownTree.Node) {
        linkDepth += 1
        let span = takeLinkPosition()
        let address = exactText(node.text)
        let bytes = address.bytes[address.range]
        if isWrittenDirectly(bytes) {
            let start = html.count
            html.append("<a href=\"")
            appendDirect(address: address.bytes, address.range)
            html.append(.ascii("\""))
            appendTitle(of: node)
            html.append(.ascii(">"))
            headingCuts.append(start..<html.count)
            return
        }
        open[open.count - 1].link = document.links.count
        appendHole(.linkStart(document.links.count))
        document.links.append(makeLink(.link, node, destination: Array(bytes), span: span))
    }

    /// Writes the end of a Markdown link.
    mutating func endLink(_ opened: OpenNode) {
        linkDepth -= 1
        guard opened.link >= 0 else {
            let start = html.count
            html.append("</a>")
            headingCuts.append(start..<html.count)
            return
        }
        appendHole(.linkEnd(opened.link))
        let range = opened.textStart..<text.count
        document.links[opened.link].text = foldedText(range)
        linksInBlock.append((opened.link, range))
    }

    /// Writes a picture; its children are its alternative text.
    mutating func append(image index: Int) {
        let node = tree.nodes[index]
        let span = takeLinkPosition()
        scratch.removeAll(keepingCapacity: true)
        for child in (index + 1)..<Int(node.end) {
            let inner = tree.nodes[child]
            switch inner.kind {
            case .text:
                let shown = shownText(inner.text)
                scratch.append(shown.bytes, shown.range)
            case .code, .htmlInline:
                let exact = exactText(inner.text)
                scratch.append(exact.bytes, exact.range)
            case .softBreak, .lineBreak:
                scratch.append(32)
            case .link, .image:
                // Positions inside belong to links that are only text here.
                _ = takeLinkPosition()
            default:
                break
            }
        }
        linkPosition = nil
        let size = dialect.contains(.imageSizes) ? takePictureSize() : nil
        let start = html.count
        let textStart = text.count
        text.append(contentsOf: scratch)
        html.append("<img src=\"")
        let address = exactText(node.text)
        let bytes = address.bytes[address.range]
        if isWrittenDirectly(bytes) {
            appendDirect(address: address.bytes, address.range)
        } else {
            appendHole(.address(document.links.count))
            var link = makeLink(.image, node, destination: Array(bytes), span: span)
            link.text = foldedText(textStart..<text.count)
            link.size = size
            linksInBlock.append((document.links.count, textStart..<text.count))
            document.links.append(link)
        }
        html.append("\" alt=\"")
        html.append(escaped: scratch, 0..<scratch.count)
        html.append(.ascii("\""))
        appendTitle(of: node)
        if let size { append(size) }
        html.append(" />")
        headingCuts.append(start..<html.count)
    }

    private mutating func appendTitle(of node: MarkdownTree.Node) {
        guard node.hasTitle else { return }
        let title = exactText(node.title)
        html.append(" title=\"")
        html.append(escaped: title.bytes, title.range)
        html.append(.ascii("\""))
    }

    private func isWrittenDirectly(_ address: ArraySlice<UInt8>) -> Bool {
        LinkTarget.isExternal(address)
            || dialect != .commonmark && LinkTarget.isDangerous(address)
    }

    /// Writes an address that leads out of the site, or none where it would
    /// run a script.
    mutating func appendDirect(address bytes: [UInt8], _ range: Range<Int>) {
        if dialect != .commonmark, LinkTarget.isDangerous(bytes[range]) { return }
        html.append(address: bytes, range)
    }

    private func makeLink(
        _ form: Link.Form, _ node: MarkdownTree.Node, destination: [UInt8], span: Range<Int>
    ) -> Link {
        let target = LinkTarget(destination)
        let title = exactText(node.title)
        return Link(
            form: form, target: target.path, fragment: target.fragment, query: target.query,
            destination: String(decoding: destination, as: UTF8.self), text: "", hasText: true,
            title: node.hasTitle
                ? String(decoding: title.bytes[title.range], as: UTF8.self) : nil,
            span: span)
    }
}
