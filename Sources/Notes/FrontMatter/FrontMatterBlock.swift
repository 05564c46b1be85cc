import Bytes

/// Where a file's front matter and body stand.
struct FrontMatterBlock: Equatable {
    enum Finding: Equatable {
        /// No front matter: all of the file is body.
        case none
        /// YAML stands at the range, between its markers.
        case yaml(Range<Int>)
        /// Opens with a key and never closes.
        case unclosed
        /// TOML between `+++` lines.
        case toml
        /// A JSON object.
        case json
    }

    var finding: Finding
    /// Where the body begins.
    var bodyStart: Int
    /// Whether the block opens like a mapping, so that what is wrong in it is
    /// an error and not prose between two rules.
    var opensWithKey = false

    /// Looks for front matter in a file's bytes. Costs a scan of the block.
    init(in bytes: [UInt8]) {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        finding = .none
        bodyStart = start
        let first = Self.line(at: start, in: bytes)
        if Self.isMarker(first.text, "+", in: bytes) {
            var next = first.next
            while next < bytes.count {
                let line = Self.line(at: next, in: bytes)
                next = line.next
                if Self.isMarker(line.text, "+", in: bytes) {
                    finding = .toml
                    bodyStart = next
                    return
                }
            }
            return
        }
        if first.text.count >= 1, bytes[first.text.lowerBound] == UInt8(ascii: "{") {
            let rest = bytes[(first.text.lowerBound + 1)...].drop { $0 <= 0x20 }
            if rest.first == UInt8(ascii: "\"") { finding = .json }
            return
        }
        guard Self.isMarker(first.text, "-", in: bytes) else { return }
        var next = first.next
        var sawContent = false
        while next < bytes.count {
            let line = Self.line(at: next, in: bytes)
            if Self.isMarker(line.text, "-", in: bytes) || Self.isMarker(line.text, ".", in: bytes)
            {
                finding = .yaml(first.next..<next)
                bodyStart = line.next
                return
            }
            if !sawContent, let key = Self.startsWithKey(line.text, in: bytes) {
                sawContent = true
                opensWithKey = key
            }
            next = line.next
        }
        if opensWithKey { finding = .unclosed }
    }

    private static func line(
        at start: Int, in bytes: [UInt8]
    ) -> (text: Range<Int>, next: Int) {
        var end = start
        while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
        var next = end
        if next < bytes.count {
            next += bytes[next] == 0x0D && next + 1 < bytes.count && bytes[next + 1] == 0x0A ? 2 : 1
        }
        return (start..<end, next)
    }

    /// Whether a line is three times `mark`, with nothing but blanks behind.
    private static func isMarker(
        _ line: Range<Int>, _ mark: Unicode.Scalar, in bytes: [UInt8]
    ) -> Bool {
        guard line.count >= 3 else { return false }
        let start = line.lowerBound
        return bytes[start..<start + 3].allSatisfy { $0 == UInt8(ascii: mark) }
            && bytes[start + 3..<line.upperBound].allSatisfy { $0 == 0x20 || $0 == 0x09 }
    }

    /// Whether a line opens like `key: value`; nil for blank lines and
    /// comments, which decide nothing.
    private static func startsWithKey(_ line: Range<Int>, in bytes: [UInt8]) -> Bool? {
        let text = bytes[line].drop { $0 == 0x20 || $0 == 0x09 }
        guard let first = text.first, first != UInt8(ascii: "#") else { return nil }
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let after = colon + 1
        guard after == text.endIndex || bytes[after] == 0x20 || bytes[after] == 0x09 else {
            return false
        }
        // A key is one word, or a few at most (`date created`); prose with a
        // colon in it has more.
        let blanks = text[text.startIndex..<colon].count { $0 == 0x20 }
        let isQuoted = first == UInt8(ascii: "\"") || first == UInt8(ascii: "'")
        let isWord =
            first >= 0x80 || first == UInt8(ascii: "_") || first >= 0x30 && first <= 0x39
            || first | 0x20 >= 0x61 && first | 0x20 <= 0x7A
        return isQuoted || isWord && blanks <= 2
    }
}
