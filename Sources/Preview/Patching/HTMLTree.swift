import Bytes

/// A page's HTML as the tree of nodes that a browser makes of it.
///
/// Only of pages of which that can be told without the many rules by which
/// browsers mend faults: where a tag would close another by itself, or text would
/// be moved out of a table, there is no tree, and such a page is taken as a whole.
struct HTMLTree {
    /// What a node is.
    enum Kind: UInt8 {
        /// An element whose children are nodes.
        case element
        /// An element that is compared as a whole: what is in it is text to a
        /// browser, or follows rules of its own.
        case opaque
        case text
        case comment
    }

    /// A node, with its places in the bytes.
    struct Node {
        var kind: Kind
        /// All of it.
        var range: Range<Int>
        /// An element's name.
        var tag = HTMLTag([])
        /// An element's attributes as written.
        var attributes: Range<Int> = 0..<0
        /// The places of its children among the tree's nodes.
        var children: [Int] = []
    }

    /// The page.
    let bytes: [UInt8]
    /// All nodes.
    private(set) var nodes: [Node] = []
    /// The places of `html` and its two children among the nodes.
    private(set) var root = 0

    /// The tree of a page; nil where it cannot be told.
    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        nodes.reserveCapacity(bytes.count / 16)
        var builder = HTMLTreeBuilder(bytes)
        guard builder.build() else { return nil }
        nodes = builder.nodes
        root = builder.root
    }

    /// The bytes of a range.
    subscript(range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

    /// The text of a node's source.
    func source(_ node: Int) -> String {
        String(decoding: bytes[nodes[node].range], as: UTF8.self)
    }
}

/// Builds the tree in one pass over the bytes.
private struct HTMLTreeBuilder {
    let bytes: [UInt8]
    var nodes: [HTMLTree.Node] = []
    var root = 0
    /// The open elements' places among the nodes.
    private var open: [Int] = []
    private var index = 0
    private var hasEnded = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func build() -> Bool {
        guard skipDoctype() else { return false }
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "<"), index + 1 < bytes.count {
                let next = bytes[index + 1]
                if next == UInt8(ascii: "/") {
                    guard readEndTag() else { return false }
                    continue
                } else if next == UInt8(ascii: "!") {
                    guard readComment() else { return false }
                    continue
                } else if Self.isLetter(next) {
                    guard readStartTag() else { return false }
                    continue
                } else if next == UInt8(ascii: "?") {
                    return false
                }
            }
            guard readText() else { return false }
        }
        return open.isEmpty && hasEnded
    }

    // MARK: Pieces

    private mutating func skipDoctype() -> Bool {
        skipBlanks()
        let mark = Array("<!doctype html>".utf8)
        guard bytes.count - index > mark.count,
            zip(bytes[index...], mark).allSatisfy({ Self.lower($0) == $1 })
        else { return false }
        index += mark.count
        return true
    }

    private mutating func skipBlanks() {
        while index < bytes.count, Self.isBlank(bytes[index]) { index += 1 }
    }

    private mutating func readText() -> Bool {
        let start = index
        index += 1
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "<"), index + 1 < bytes.count {
                let next = bytes[index + 1]
                if next == UInt8(ascii: "/") || next == UInt8(ascii: "!") || Self.isLetter(next)
                    || next == UInt8(ascii: "?")
                {
                    break
                }
            }
            if bytes[index] == 0 { return false }
            index += 1
        }
        var range = start..<index
        let isBlank = bytes[range].allSatisfy { Self.isBlank($0) }
        guard let parent = open.last else { return isBlank }
        let tag = nodes[parent].tag
        // Browsers leave out what is blank between the large parts.
        if isBlank, tag.key == HTMLTag.html { return true }
        if !isBlank, tag.rules.contains(.textless) { return false }
        if nodes[parent].children.isEmpty, tag.key == HTMLTag.preformatted, bytes[start] == 0x0A {
            range = start + 1..<index
            if range.isEmpty { return true }
        }
        add(HTMLTree.Node(kind: .text, range: range))
        return true
    }

    private mutating func readComment() -> Bool {
        guard bytes[index...].starts(with: "<!--".utf8), let parent = open.last,
            nodes[parent].tag.key != HTMLTag.html,
            // Forms that only a browser's rules tell the end of.
            !bytes[(index + 4)...].starts(with: ">".utf8),
            !bytes[(index + 4)...].starts(with: "->".utf8)
        else { return false }
        var end = index + 4
        while end + 2 < bytes.count {
            if bytes[end] == 0x2D, bytes[end + 1] == 0x2D {
                if bytes[end + 2] == UInt8(ascii: ">") {
                    add(HTMLTree.Node(kind: .comment, range: index..<end + 3))
                    index = end + 3
                    return true
                }
                if bytes[end + 2] == UInt8(ascii: "!") { return false }
            }
            end += 1
        }
        return false
    }

    private mutating func readEndTag() -> Bool {
        let name = readName(from: index + 2)
        guard !name.isEmpty, let last = open.last else { return false }
        let start = nodes[last].range.lowerBound + 1
        guard Self.equal(bytes[start..<start + name.count], name),
            start + name.count == nodes[last].attributes.lowerBound
        else { return false }
        var end = name.endIndex
        while end < bytes.count, Self.isBlank(bytes[end]) { end += 1 }
        guard end < bytes.count, bytes[end] == UInt8(ascii: ">") else { return false }
        index = end + 1
        close()
        return true
    }

    private mutating func close() {
        guard let last = open.popLast() else { return }
        nodes[last].range = nodes[last].range.lowerBound..<index
        if open.isEmpty {
            root = last
            hasEnded = true
        }
    }

    private mutating func readStartTag() -> Bool {
        let start = index
        let name = readName(from: index + 1)
        guard let tagEnd = endOfTag(from: name.endIndex) else { return false }
        let isSelfClosing = bytes[tagEnd - 1] == UInt8(ascii: "/")
        let attributes = name.endIndex..<(isSelfClosing ? tagEnd - 1 : tagEnd)
        index = tagEnd + 1
        let tag = HTMLTag(name)
        guard !hasEnded, isAllowed(tag) else { return false }
        var node = HTMLTree.Node(
            kind: .element, range: start..<index, tag: tag, attributes: attributes)
        if tag.rules.contains(.void) {
            add(node)
            return true
        }
        if tag.rules.contains(.opaque) {
            let nests = tag.rules.contains(.nesting)
            if isSelfClosing, nests {
                // Only foreign elements end themselves.
                guard !tag.rules.contains(.isolated) else { return false }
                node.kind = .opaque
                add(node)
                return true
            }
            guard let end = endOfOpaque(name, from: index, nests: nests) else { return false }
            node.range = start..<end
            let inner = index..<end - name.count - 3
            index = end
            // The words of a title can change in place.
            guard tag.key == HTMLTag.title, !inner.isEmpty, bytes[inner.upperBound] == 0x3C,
                !bytes[inner].contains(0x3C), !bytes[inner].contains(0)
            else {
                node.kind = .opaque
                add(node)
                return true
            }
            add(node)
            nodes.append(HTMLTree.Node(kind: .text, range: inner))
            nodes[nodes.count - 2].children = [nodes.count - 1]
            return true
        }
        add(node)
        open.append(nodes.count - 1)
        return true
    }

    /// The index behind the end tag of an element that is compared as a whole.
    private func endOfOpaque(_ name: ArraySlice<UInt8>, from start: Int, nests: Bool) -> Int? {
        var depth = 1
        var place = start
        while place < bytes.count {
            guard bytes[place] == UInt8(ascii: "<"), place + 1 < bytes.count else {
                place += 1
                continue
            }
            let isEnd = bytes[place + 1] == UInt8(ascii: "/")
            let found = readName(from: place + (isEnd ? 2 : 1))
            guard !found.isEmpty, Self.equal(found, name) else {
                // What hides tags in these could hide the end.
                if bytes[place...].starts(with: "<!--".utf8) { return nil }
                place += 1
                continue
            }
            guard let end = endOfTag(from: found.endIndex) else { return nil }
            if isEnd {
                depth -= 1
                if depth == 0 { return end + 1 }
            } else if nests, bytes[end - 1] != UInt8(ascii: "/") {
                depth += 1
            }
            place = end + 1
        }
        return nil
    }

    private func readName(from start: Int) -> ArraySlice<UInt8> {
        var end = start
        guard end < bytes.count, Self.isLetter(bytes[end]) else { return bytes[end..<end] }
        while end < bytes.count, !Self.isBlank(bytes[end]), bytes[end] != UInt8(ascii: ">"),
            bytes[end] != UInt8(ascii: "/")
        {
            end += 1
        }
        return bytes[start..<end]
    }

    /// The place of the `>` that ends a tag; quotes may hold others.
    private func endOfTag(from start: Int) -> Int? {
        var place = start
        var quote: UInt8?
        var previous: UInt8 = 0
        while place < bytes.count {
            let byte = bytes[place]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: ">") {
                return place
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                // Elsewhere a quote is part of a name or a value.
                guard previous == UInt8(ascii: "=") else { return nil }
                quote = byte
            }
            if !Self.isBlank(byte) { previous = byte }
            place += 1
        }
        return nil
    }

    // MARK: Rules

    /// Whether an element may begin here without a browser closing another, or
    /// putting it elsewhere.
    private func isAllowed(_ tag: HTMLTag) -> Bool {
        guard let last = open.last else { return tag.key == HTMLTag.html && nodes.isEmpty }
        let parent = nodes[last].tag
        let (rules, around) = (tag.rules, parent.rules)
        if parent.key == HTMLTag.html {
            let count = nodes[last].children.count
            return count == 0 ? tag.key == HTMLTag.head : count == 1 && tag.key == HTMLTag.body
        }
        if rules.contains(.refused) { return false }
        if parent.key == HTMLTag.head { return rules.contains(.inHead) }
        if parent.key == HTMLTag.table { return rules.contains(.inTable) }
        if around.contains(.rowGroup) { return tag.key == HTMLTag.row }
        if parent.key == HTMLTag.row { return rules.contains(.cell) }
        if parent.key == HTMLTag.columns { return tag.key == HTMLTag.column }
        if rules.contains(.onlyInTables) { return false }
        if rules.contains(.closesParagraph), isOpen({ $0.key == HTMLTag.paragraph }) {
            return false
        }
        if tag.key == HTMLTag.item, isOpen({ $0.key == HTMLTag.item }, within: .list) {
            return false
        }
        if rules.contains(.term), isOpen({ $0.rules.contains(.term) }, within: .list) {
            return false
        }
        if rules.contains(.heading), around.contains(.heading) { return false }
        return !rules.contains(.single) || !open.contains { nodes[$0].tag == tag }
    }

    /// Whether an element is open, as far as it could be closed from here.
    private func isOpen(
        _ isIt: (HTMLTag) -> Bool, within more: HTMLTag.Rules = []
    ) -> Bool {
        let scope = more.union(.scope)
        for node in open.reversed() {
            if isIt(nodes[node].tag) { return true }
            if !nodes[node].tag.rules.isDisjoint(with: scope) { return false }
        }
        return false
    }

    private mutating func add(_ node: HTMLTree.Node) {
        nodes.append(node)
        if let parent = open.last { nodes[parent].children.append(nodes.count - 1) }
    }

    // MARK: Bytes

    private static func lower(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D || byte == 0x0C
    }

    private static func equal(_ name: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
        name.count == other.count && zip(name, other).allSatisfy { lower($0) == lower($1) }
    }
}
