/// What is learnt of the tree before the walk.
extension HTMLRenderer {
    /// Learns what the dialect's blocks have become in the tree.
    mutating func prepareDialect(behind first: Int) {
        document.messages = found.messages
        if !found.syntheticItems.isEmpty { findSyntheticItems(from: first) }
        if found.hasBlockIDs { findBlockIDs() }
        anchors.avoidsFootnotes = !found.footnotes.isEmpty
    }

    /// Finds the items that are none of the author's, by their number.
    private mutating func findSyntheticItems(from first: Int) {
        var next = 0
        var items = 0
        var headings = 0
        for index in first..<tree.nodes.count {
            switch tree.nodes[index].kind {
            case .heading: headings += 1
            case .item:
                if next < found.syntheticItems.count, found.syntheticItems[next].number == items {
                    itemKinds[index] = found.syntheticItems[next].kind
                    if case .definition(let number) = found.syntheticItems[next].kind {
                        definitionNodes[number] = DefinitionNode(
                            index: index, headingCount: headings)
                    }
                    next += 1
                }
                items += 1
            default: break
            }
        }
    }
}
