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
        /// TOML stands at the range, between its `+++` lines.
        case toml(Range<Int>)
        /// A JSON object stands at the range, braces included.
        case json(Range<Int>)
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
                    finding = .toml(first.next..<line.text.lowerBound)
                    bodyStart = next
                    return
                }
            }
            let second = Self.line(at: first.next, in: bytes).text
            if first.next < bytes.count, Self.opensLikeTOML(bytes[second]) { finding = .unclosed }
            return
        }
        if first.text.count >= 1, bytes[first.text.lowerBound] == UInt8(ascii: "{") {
            let rest = bytes[(first.text.lowerBound + 1)...].drop { $0 <= 0x20 }
            guard rest.first == UInt8(ascii: "\"") else { return }
            guard let end = Self.objectEnd(in: bytes, from: first.text.lowerBound) else {
                finding = .unclosed
                return
            }
            // Nothing but blanks may stand behind it on its line.
            let line = Self.line(at: end, in: bytes)
            guard bytes[line.text].allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return }
            finding = .json(first.text.lowerBound..<end)
            bodyStart = line.next
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

    /// Whether a line is a table's name or `key =`, so that a block which
    /// nothing closes is no prose.
    private static func opensLikeTOML(_ line: ArraySlice<UInt8>) -> Bool {
        guard let first = line.first else { return false }
        if first == UInt8(ascii: "[") { return line.contains(UInt8(ascii: "]")) }
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")), equals > line.startIndex else {
            return false
        }
        return line[..<equals].allSatisfy { byte in
            byte == 0x20 || byte == 0x5F || byte == 0x2D || byte >= 0x30 && byte <= 0x39
                || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
        }
    }

    /// The index behind the brace that closes the object at `start`, or nil.
    private static func objectEnd(in bytes: [UInt8], from start: Int) -> Int? {
        var depth = 0
        var isInText = false
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\\") where isInText: index += 1
            case UInt8(ascii: "\""): isInText.toggle()
            case UInt8(ascii: "{") where !isInText, UInt8(ascii: "[") where !isInText: depth += 1
            case UInt8(ascii: "}") where !isInText, UInt8(ascii: "]") where !isInText:
                depth -= 1
                if depth == 0 { return index + 1 }
            default: break
            }
            index += 1
        }
        return nil
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
