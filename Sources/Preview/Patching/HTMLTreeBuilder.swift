import Bytes

/// Builds the tree of a page in one pass over its bytes.
struct HTMLTreeBuilder {
    private let bytes: [UInt8]
    private(set) var nodes: [HTMLTree.Node] = []
    /// The elements that are open.
    private var open: [OpenElement] = []
    private var index = 0
    private var hasEnded = false

    private struct OpenElement {
        let node: Int
        let tag: HTMLTag
        /// How many children it has so far.
        var children = 0
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        nodes.reserveCapacity(bytes.count / 16)
    }

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
        let isBlank = Self.isBlank(bytes[start..<index])
        guard let parent = open.last else { return isBlank }
        let tag = parent.tag
        // Browsers leave out what is blank between the large parts.
        if isBlank, tag.key == HTMLTag.html { return true }
        if !isBlank, tag.rules.contains(.textless) { return false }
        let isDropped =
            parent.children == 0 && tag.key == HTMLTag.preformatted && bytes[start] == 0x0A
        if isDropped, index == start + 1 { return true }
        add(.text, isDropped ? start + 1 : start, index)
        return true
    }

    private mutating func readComment() -> Bool {
        guard bytes[index...].starts(with: "<!--".utf8), let parent = open.last,
            parent.tag.key != HTMLTag.html,
            // Forms that only a browser's rules tell the end of.
            !bytes[(index + 4)...].starts(with: ">".utf8),
            !bytes[(index + 4)...].starts(with: "->".utf8)
        else { return false }
        var end = index + 4
        while end + 2 < bytes.count {
            if bytes[end] == 0x2D, bytes[end + 1] == 0x2D {
                if bytes[end + 2] == UInt8(ascii: ">") {
                    add(.comment, index, end + 3)
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
        let start = Int(nodes[last.node].start) + 1
        guard start + name.count == Int(nodes[last.node].nameEnd),
            Self.equal(bytes[start..<start + name.count], name)
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
        nodes[last.node].end = Int32(index)
        nodes[last.node].next = Int32(nodes.count)
        if open.isEmpty { hasEnded = true }
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
        if tag.rules.contains(.void) {
            add(.element, start, index, attributes)
            return true
        }
        if tag.rules.contains(.opaque) {
            let nests = tag.rules.contains(.nesting)
            if isSelfClosing, nests {
                // Only foreign elements end themselves.
                guard !tag.rules.contains(.isolated) else { return false }
                add(.opaque, start, index, attributes)
                return true
            }
            guard let end = endOfOpaque(name, from: index, nests: nests) else { return false }
            let inner = index..<end - name.count - 3
            index = end
            // The words of a title can change in place.
            guard tag.key == HTMLTag.title, !inner.isEmpty, bytes[inner.upperBound] == 0x3C,
                !bytes[inner].contains(0x3C), !bytes[inner].contains(0)
            else {
                add(.opaque, start, end, attributes)
                return true
            }
            add(.element, start, end, attributes)
            open.append(OpenElement(node: nodes.count - 1, tag: tag))
            add(.text, inner.lowerBound, inner.upperBound)
            close()
            return true
        }
        add(.element, start, index, attributes)
        open.append(OpenElement(node: nodes.count - 1, tag: tag))
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
        let parent = last.tag
        let (rules, around) = (tag.rules, parent.rules)
        if parent.key == HTMLTag.html {
            let count = last.children
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
        return !rules.contains(.single) || !open.contains { $0.tag == tag }
    }

    /// Whether an element is open, as far as it could be closed from here.
    private func isOpen(
        _ isIt: (HTMLTag) -> Bool, within more: HTMLTag.Rules = []
    ) -> Bool {
        let scope = more.union(.scope)
        for element in open.reversed() {
            if isIt(element.tag) { return true }
            if !element.tag.rules.isDisjoint(with: scope) { return false }
        }
        return false
    }

    private mutating func add(
        _ kind: HTMLTree.Kind, _ start: Int, _ end: Int, _ attributes: Range<Int> = 0..<0
    ) {
        nodes.append(
            HTMLTree.Node(
                kind: kind, start: Int32(start), end: Int32(end),
                nameEnd: Int32(attributes.lowerBound), attributesEnd: Int32(attributes.upperBound),
                next: Int32(nodes.count + 1)))
        if !open.isEmpty { open[open.count - 1].children += 1 }
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

    /// Whether a browser may leave a text out.
    static func isBlank(_ text: ArraySlice<UInt8>) -> Bool { text.allSatisfy { isBlank($0) } }

    private static func equal(_ name: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
        name.count == other.count && zip(name, other).allSatisfy { lower($0) == lower($1) }
    }
}
