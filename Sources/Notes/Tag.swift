/// A tag as a note writes it.
package struct Tag: Hashable, Sendable {
    /// The text without `#`; parts of a nested tag are separated by `/`.
    package let name: String
    /// What makes it the same tag as another: the slugs of its parts, joined
    /// by `/`. Also the last part of its page's address.
    package let key: String

    /// The tag written as `name`; nil where nothing is left of it.
    package init?(_ name: String) {
        if name.isPlainWord {
            self.name = name
            key = Slug.make(from: name)
            return
        }
        var name = Substring(name)
        while let first = name.first, first == "#" || first.isWhitespace { name.removeFirst() }
        while let last = name.last, last.isWhitespace { name.removeLast() }
        var parts = name.split(separator: "/", omittingEmptySubsequences: true)
            .filter { $0.contains { !$0.isWhitespace } }
            .map { String($0) }
        guard !parts.isEmpty else { return nil }
        if parts.count > Self.maximalDepth {
            let rest = parts[(Self.maximalDepth - 1)...].joined(separator: "-")
            parts = parts.prefix(Self.maximalDepth - 1) + [rest]
        }
        self.name = parts.joined(separator: "/")
        key = parts.map { Slug.make(from: $0) }.joined(separator: "/")
    }

    /// How deep tags nest; what lies deeper counts as one name. Every level is
    /// a page, and no reader finds the tenth.
    private static let maximalDepth = 16

    /// The key of the tag that a nested one lies in, and so on upwards:
    /// `a/b/c` gives `a/b` and `a`.
    package static func ancestors(ofKey key: String) -> [String] {
        var result: [String] = []
        var rest = Substring(key)
        while let slash = rest.lastIndex(of: "/") {
            rest = rest[..<slash]
            result.append(String(rest))
        }
        return result
    }
}

extension String {
    /// Whether it is letters, digits and hyphens of ASCII, with blanks inside
    /// at most: what most tags and titles are, and what needs no Unicode rules.
    var isPlainWord: Bool {
        guard let first = utf8.first, first != 0x20, utf8.last != 0x20 else { return false }
        return utf8.allSatisfy {
            $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 >= 0x30 && $0 <= 0x39
                || $0 == 0x2D || $0 == 0x20
        }
    }
}
