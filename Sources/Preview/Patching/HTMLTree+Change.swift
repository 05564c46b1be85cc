import Bytes

extension HTMLTree {
    /// The tree of `page`, and the step that leads there, where nothing differs but
    /// words of one text; nil where more may.
    ///
    /// Costs a comparison of the bytes and a copy of the nodes, where to tell the
    /// tree anew and to compare the two takes ten times as long.
    func changed(to page: [UInt8]) -> (tree: HTMLTree, step: PagePatch.Step)? {
        guard page.count < Int32.max else { return nil }
        let start = bytes.commonPrefix(with: page)
        let tail = min(
            bytes.commonSuffix(with: page), min(bytes.count, page.count) - start)
        let change = start..<bytes.count - tail
        guard let (path, place, text) = find(change) else { return nil }
        let moved = Int32(page.count - bytes.count)
        let words = page[Int(nodes[text].start)..<Int(nodes[text].end + moved)]
        // What could be more than words, and what browsers leave out.
        guard !words.contains(UInt8(ascii: "<")), !words.contains(0), words.first != 0x0A,
            !HTMLTreeBuilder.isBlank(words), !HTMLTreeBuilder.isBlank(bytes(of: text))
        else { return nil }
        let step = PagePatch.Step.text(
            in: path.places, at: place, from: source(text),
            to: String(decoding: words, as: UTF8.self))
        var nodes = self.nodes
        for node in path.nodes + [text] { nodes[node].end += moved }
        for node in text + 1..<nodes.count {
            nodes[node].start += moved
            nodes[node].end += moved
            guard isElement(node) else { continue }
            nodes[node].nameEnd += moved
            nodes[node].attributesEnd += moved
        }
        return (HTMLTree(page, nodes), step)
    }

    /// The text that holds all of a range, its place among its parent's children, and
    /// the elements around it: their numbers, and the places, from `html` down, among
    /// their parents' elements.
    private func find(
        _ range: Range<Int>
    ) -> (path: (nodes: [Int], places: [Int]), place: Int, text: Int)? {
        var path: (nodes: [Int], places: [Int]) = ([root], [])
        while let parent = path.nodes.last {
            var inner: (node: Int, place: Int)?
            var elements = 0
            for (place, child) in children(of: parent).enumerated() {
                let node = nodes[child]
                if node.kind == .text, node.start <= range.lowerBound, range.upperBound <= node.end
                {
                    return (path, place, child)
                }
                if node.kind == .element, node.start < range.lowerBound,
                    range.upperBound < node.end
                {
                    inner = (child, elements)
                }
                if isElement(child) { elements += 1 }
                if node.start > range.upperBound { break }
            }
            guard let inner else { return nil }
            path.nodes.append(inner.node)
            path.places.append(inner.place)
        }
        return nil
    }
}
