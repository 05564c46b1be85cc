import Bytes

/// The walk: what is written before and behind each node's children.
extension HTMLRenderer {
    /// Renders the nodes of a range, which is a run of whole subtrees.
    mutating func walk(_ range: Range<Int>) {
        let base = open.count
        var index = range.lowerBound
        while true {
            while open.count > base, let node = open.last, tree.nodes[node.node].end == index {
                exit(node)
                open.removeLast()
            }
            guard index < range.upperBound else { break }
            index = enter(index)
        }
    }

    /// Writes what stands before a node's children; the index to go on with.
    private mutating func enter(_ index: Int) -> Int {
        if found.hasBlockIDs, let id = blockIDs[index] { return enter(index, named: id) }
        return enterPlain(index)
    }

    /// Writes what stands before a node's children, without an id.
    mutating func enterPlain(_ index: Int) -> Int {
        let node = tree.nodes[index]
        switch node.kind {
        case .text:
            append(textOf: node)
            return index + 1
        case .softBreak:
            html.append(.ascii("\n"))
            text.append(.ascii("\n"))
            return index + 1
        case .lineBreak:
            html.append("<br />\n")
            text.append(.ascii("\n"))
            return index + 1
        case .code:
            html.append("<code>")
            let code = exactText(node.text)
            html.append(escaped: code.bytes, code.range)
            html.append("</code>")
            text.append(code.bytes, code.range)
            return index + 1
        case .htmlInline:
            append(rawHTML: node)
            return index + 1
        case .image:
            append(image: index)
            return Int(node.end)
        case .codeBlock:
            append(codeBlock: node)
            return index + 1
        case .htmlBlock:
            append(htmlBlock: node)
            return index + 1
        case .thematicBreak:
            hasContent = true
            startLine()
            html.append("<hr />\n")
            return index + 1
        case .paragraph:
            if appendSoleMark(paragraph: index)
                || found.hidesText && showsNothing(paragraph: index)
            {
                return Int(node.end)
            }
            if !isTight(index) {
                startLine()
                html.append("<p>")
            }
        case .heading:
            startLine()
            closeSections(deeperThan: open.count, level: node.number)
            headingCuts.removeAll(keepingCapacity: true)
        case .blockQuote:
            if let callout = callout(in: index) {
                return enter(callout: callout, container: index)
            }
            hasContent = true
            startLine()
            html.append("<blockquote>\n")
        case .list:
            if !itemKinds.isEmpty, itemKinds[index + 1] != nil {
                var opened = OpenNode(node: index, htmlStart: html.count, textStart: text.count)
                opened.ending = .none
                open.append(opened)
                return index + 1
            }
            hasContent = true
            startLine()
            if !node.isOrdered {
                html.append("<ul>\n")
            } else if node.number == 1 {
                html.append("<ol>\n")
            } else {
                html.append("<ol start=\"")
                html.append(decimal: Int(node.number))
                html.append("\">\n")
            }
        case .item:
            switch itemKinds.isEmpty ? nil : itemKinds[index] {
            case .definition?:
                // Its text is shown behind the body.
                for inner in index..<Int(node.end) where tree.nodes[inner].kind == .heading {
                    headingCount += 1
                }
                return Int(node.end)
            case .admonition?:
                if let callout = callout(in: index) {
                    return enter(callout: callout, container: index)
                }
            case nil: break
            }
            startLine()
            html.append("<li>")
            appendTaskBox(item: index)
        case .emphasis:
            html.append("<em>")
        case .strong:
            html.append("<strong>")
        case .link:
            open.append(OpenNode(node: index, htmlStart: html.count, textStart: text.count))
            startLink(node)
            return index + 1
        case .document:
            break
        }
        open.append(OpenNode(node: index, htmlStart: html.count, textStart: text.count))
        return index + 1
    }

    /// Writes what stands behind a node's children.
    private mutating func exit(_ opened: OpenNode) {
        exitPlain(opened)
        guard found.hasBlockIDs, let block = openBlocks.last, block.depth == open.count else {
            return
        }
        openBlocks.removeLast()
        if block.isWrapped { html.append("</div>\n") }
        end(block: block.number)
    }

    private mutating func exitPlain(_ opened: OpenNode) {
        let node = tree.nodes[opened.node]
        switch opened.ending {
        case .usual: break
        case .callout, .details: return exit(callout: opened)
        case .none: return
        }
        switch node.kind {
        case .paragraph:
            if !isTight(opened.node, depth: open.count - 1) { html.append("</p>\n") }
            finish(paragraph: opened)
        case .heading:
            finish(heading: opened, level: Int(node.number))
        case .blockQuote:
            closeSections(deeperThan: open.count - 1)
            startLine()
            html.append("</blockquote>\n")
        case .list:
            html.append(node.isOrdered ? "</ol>\n" : "</ul>\n")
        case .item:
            closeSections(deeperThan: open.count - 1)
            html.append("</li>\n")
        case .emphasis:
            html.append("</em>")
        case .strong:
            html.append("</strong>")
        case .link:
            endLink(opened)
        default:
            break
        }
    }

    /// Begins a new line unless one begins here.
    mutating func startLine() {
        // What fills a hole that stands here ends in no line feed.
        guard html.count > 0,
            html.last != .ascii("\n") || document.holes.last?.offset == html.count
        else { return }
        html.append(.ascii("\n"))
    }

    /// Leaves a hole where the HTML now ends.
    mutating func appendHole(_ kind: Hole.Kind) {
        document.holes.append(Hole(offset: html.count, kind: kind))
    }

    /// Whether a paragraph stands in a tight list, and so gets no tags.
    @inline(__always) func isTight(_ paragraph: Int, depth: Int? = nil) -> Bool {
        let depth = depth ?? open.count
        guard depth >= 3 else { return false }
        let list = tree.nodes[open[depth - 2].node]
        return list.kind == .list && list.isTight && open[depth - 2].ending == .usual
    }
}
