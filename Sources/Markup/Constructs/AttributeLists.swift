import Bytes

/// Kramdown's `{: #id .class key="value"}`.
enum AttributeList {
    /// What spans end with that attributes may follow.
    static let closers = ByteSet(")]*_`>")

    /// The index behind a list at `start`, or nil. It stands on one line.
    static func end(in text: [UInt8], at start: Int, limit: Int) -> Int? {
        guard start + 2 < limit, text[start] == .ascii("{"), text[start + 1] == .ascii(":") else {
            return nil
        }
        var index = start + 2
        while index < limit, text[index] != 10, text[index] != .ascii("{"),
            index - start < longest
        {
            if text[index] == .ascii("}") { return index + 1 }
            index += 1
        }
        return nil
    }

    private static var longest: Int { 500 }

    /// The id that a list gives, or nil.
    static func id(in list: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        for word in list.dropFirst(2).dropLast().split(whereSeparator: \.isSpace)
        where word.first == .ascii("#") && word.count > 1 {
            let name = word.dropFirst()
            let isName = name.allSatisfy {
                $0.isAlphanumeric || $0 == .ascii("-") || $0 == .ascii("_") || $0 == .ascii(".")
                    || $0 == .ascii(":") || $0 >= 128
            }
            if isName { return name }
        }
        return nil
    }
}

extension LinePass {
    /// Takes a line that is nothing but an attribute list as a block.
    mutating func openAttributeList() -> Bool {
        guard
            let end = AttributeList.end(
                in: reader.text, at: firstNonspace, limit: reader.limit),
            reader.text[end..<reader.limit].allSatisfy(\.isBlank)
        else { return false }
        let start = firstNonspace
        beginBlock(.htmlBlock)
        found.attributeLists.append(start..<end)
        leaf = .none
        return true
    }
}

extension InlinePass {
    /// Puts a mark in an attribute list's place.
    mutating func rewrite(attributeList number: Int) {
        placeholder(.attributes, number: number, replacing: found.attributeLists[number])
    }
}

extension HTMLRenderer {
    /// Writes the anchor that an attribute list gives what stands before it.
    mutating func append(attributes mark: Mark) {
        guard let id = AttributeList.id(in: marks.bytes[mark.text]) else { return }
        startLine()
        html.append("<a id=\"")
        appendHole(.idPrefix)
        let bytes = Array(id)
        html.append(escaped: bytes, 0..<bytes.count)
        html.append("\"></a>\n")
    }
}
