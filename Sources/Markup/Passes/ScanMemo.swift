/// What repeated searches in one text have found to be missing.
struct ScanMemo {
    /// Longer runs of backticks never make a code span, as in cmark.
    static let longestRun = 80

    /// The last place where a run of so many backticks stands; empty until
    /// one is looked for, since most texts hold no code.
    var runs: [Int] = []
    /// Whether the text was searched to its end for runs.
    var hasSeenAllRuns = false

    /// Whether nothing further on ends a Liquid comment.
    var lacksCommentEnd = false

    /// What raw HTML may wait for.
    enum Waiting: UInt8 { case instruction = 1, cdata = 2, greater = 4 }
    private var missing: UInt8 = 0

    /// The index behind what closes `kind` at or behind `start`, or nil.
    mutating func end(of kind: Waiting, in text: [UInt8], from start: Int) -> Int? {
        guard missing & kind.rawValue == 0 else { return nil }
        // cmark reads what may end them in bites: of `]]]>` it takes `]]]`
        // first, and then `>` ends nothing. So does this.
        var index = start
        scan: while index < text.count {
            let next = index + 1 < text.count ? text[index + 1] : 0
            switch (kind, text[index]) {
            case (.greater, .ascii(">")): return index + 1
            case (.instruction, .ascii("?")):
                if next == .ascii(">") { return index + 2 }
                index += 2
            case (.cdata, .ascii("]")) where next == .ascii("]"):
                guard index + 2 < text.count else { break scan }
                if text[index + 2] == .ascii(">") { return index + 3 }
                index += 3
            case (.cdata, .ascii("]")): index += 2
            default: index += 1
            }
        }
        missing |= kind.rawValue
        return nil
    }

    /// The index behind a comment, a declaration or CDATA that begins at
    /// `start`, or nil.
    mutating func declarationEnd(in text: [UInt8], at start: Int) -> Int? {
        let rest = text[(start + 2)...]
        if rest.starts(with: "--".utf8) {
            let inner = rest.dropFirst(2)
            if inner.starts(with: ">".utf8) || inner.starts(with: "->".utf8) { return nil }
            var index = inner.startIndex
            while index + 2 < text.count {
                if text[index] == .ascii("-"), text[index + 1] == .ascii("-") {
                    return text[index + 2] == .ascii(">") ? index + 3 : nil
                }
                index += 1
            }
            return nil
        }
        if rest.starts(with: "[CDATA[".utf8) { return end(of: .cdata, in: text, from: start + 9) }
        let name = rest.prefix { $0 &- 65 < 26 }
        guard !name.isEmpty, name.endIndex < text.count, text[name.endIndex].isSpace else {
            return nil
        }
        return end(of: .greater, in: text, from: name.endIndex)
    }
}
