/// The anchors of a document's headings, as GitHub makes them.
///
/// Lower case; letters, marks and digits of every script, `_` and `-` stay,
/// blanks become `-`, all else goes. A second `setup` becomes `setup-1`, also
/// where a heading that reads `Setup 1` stands before or behind it. A heading
/// without any such character is named by its code points: `u1f331`.
struct HeadingAnchors {
    private var used: Set<String> = []
    /// The number last given to a repeated anchor, so that a thousand equal
    /// headings cost a thousand steps.
    private var repeats: [String: Int] = [:]

    /// Whether the names that footnotes have (`fn1`, `fnref1`) are taken.
    var avoidsFootnotes = false

    /// Forgets all anchors.
    mutating func clear() {
        used.removeAll(keepingCapacity: true)
        repeats.removeAll(keepingCapacity: true)
    }

    /// The anchor of a heading with this text; no anchor is given twice.
    mutating func anchor(of text: ArraySlice<UInt8>) -> String {
        var base = Self.base(of: text)
        if avoidsFootnotes, base.hasPrefix("fn") { base = "section-" + base }
        if used.insert(base).inserted { return base }
        var number = repeats[base] ?? 0
        var anchor: String
        repeat {
            number += 1
            anchor = "\(base)-\(number)"
        } while !used.insert(anchor).inserted
        repeats[base] = number
        return anchor
    }

    private static func base(of text: ArraySlice<UInt8>) -> String {
        let start = text.firstIndex { !$0.isSpace } ?? text.endIndex
        let end = text.lastIndex { !$0.isSpace }.map { $0 + 1 } ?? start
        let text = text[start..<end]
        var anchor: [UInt8] = []
        anchor.reserveCapacity(text.count)
        if text.allSatisfy({ $0 < 128 }) {
            for byte in text {
                if byte.isAlphanumeric || byte == .ascii("-") || byte == .ascii("_") {
                    anchor.append(byte.lowercased)
                } else if byte.isSpace {
                    anchor.append(.ascii("-"))
                }
            }
            if anchor.contains(where: { $0 != .ascii("-") }) {
                return String(decoding: anchor, as: UTF8.self)
            }
        }
        let lower = String(decoding: text, as: UTF8.self).lowercased()
        var kept = String.UnicodeScalarView()
        for scalar in lower.unicodeScalars {
            if isWord(scalar) {
                kept.append(scalar)
            } else if scalar.properties.isWhitespace, scalar.isASCII {
                kept.append("-")
            }
        }
        if kept.contains(where: { $0 != "-" }) { return String(kept) }
        let codes = lower.unicodeScalars.lazy.filter { !$0.properties.isWhitespace }
            .prefix(longestByCode).map { "u" + String($0.value, radix: 16) }
        return codes.isEmpty ? "section" : codes.joined(separator: "-")
    }

    /// So many code points name a heading without letters.
    private static var longestByCode: Int { 16 }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "-" || scalar == "_" { return true }
        switch scalar.properties.generalCategory {
        case .decimalNumber, .nonspacingMark, .spacingMark, .enclosingMark,
            .connectorPunctuation:
            return true
        default:
            return scalar.properties.isAlphabetic
        }
    }
}
