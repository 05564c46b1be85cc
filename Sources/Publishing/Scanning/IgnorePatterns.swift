/// The patterns of a `.gitignore` file or of the `ignore:` setting
/// (gitignore(5), "Pattern format").
struct IgnorePatterns: Sendable, Equatable {
    private struct Pattern: Equatable {
        /// The path's parts to match; `**` matches any number of them.
        var parts: [[UInt8]]
        var isNegated: Bool
        var foldersOnly: Bool
        /// Whether it holds from the folder of its file on, not at any depth.
        var isAnchored: Bool
    }

    private var patterns: [Pattern] = []

    /// Whether there is nothing to match.
    var isEmpty: Bool { patterns.isEmpty }

    /// Reads patterns, one a line.
    init(lines: some Sequence<Substring>) {
        for line in lines { add(line) }
    }

    private mutating func add(_ line: Substring) {
        var text = line
        if text.hasSuffix("\r") { text.removeLast() }
        while text.hasSuffix(" "), !text.hasSuffix("\\ ") { text.removeLast() }
        if text.isEmpty || text.hasPrefix("#") { return }
        let isNegated = text.hasPrefix("!")
        if isNegated { text.removeFirst() }
        let foldersOnly = text.hasSuffix("/")
        if foldersOnly { text.removeLast() }
        let isAnchored = text.contains("/")
        let parts = text.split(separator: "/").map { Array($0.utf8) }
        if parts.isEmpty { return }
        patterns.append(
            Pattern(
                parts: parts, isNegated: isNegated, foldersOnly: foldersOnly, isAnchored: isAnchored
            ))
    }

    /// Whether the path (relative to the patterns' folder) is left out, kept
    /// in against an earlier pattern, or not spoken of (nil). The last pattern
    /// that matches decides.
    func decision(for path: String, isFolder: Bool) -> Bool? {
        if isEmpty { return nil }
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { Array($0) }
        guard let name = parts.last else { return nil }
        for pattern in patterns.reversed() where isFolder || !pattern.foldersOnly {
            let matches =
                pattern.isAnchored
                ? Self.matches(pattern.parts, parts)
                : Self.matches(glob: pattern.parts[0], name)
            if matches { return !pattern.isNegated }
        }
        return nil
    }

    /// Matches parts, of which `**` stands for any number; at the end for one at
    /// least, since it means what is below and not the folder itself. Steps back
    /// to the latest `**` only, like the match of one part below.
    private static func matches(_ pattern: [[UInt8]], _ parts: [[UInt8]]) -> Bool {
        var p = 0
        var n = 0
        var run: (pattern: Int, part: Int)?
        while n < parts.count {
            if p < pattern.count, pattern[p].elementsEqual("**".utf8) {
                if p == pattern.count - 1 { return true }
                run = (p + 1, n)
                p += 1
                continue
            }
            if p < pattern.count, matches(glob: pattern[p], parts[n]) {
                p += 1
                n += 1
                continue
            }
            guard let last = run else { return false }
            p = last.pattern
            n = last.part + 1
            run = (last.pattern, n)
        }
        return p == pattern.count
    }

    /// Matches one part with `*`, `?`, `[a-z]` and backslash escapes. Steps
    /// back to the latest `*` only, so it takes at most the product of the
    /// lengths.
    private static func matches(glob: [UInt8], _ name: [UInt8]) -> Bool {
        var p = 0
        var n = 0
        var star: (pattern: Int, name: Int)?
        while n < name.count {
            if p < glob.count, glob[p] == UInt8(ascii: "*") {
                star = (p + 1, n)
                p += 1
                continue
            }
            if p < glob.count, let next = step(glob, p, name[n]) {
                p = next
                n += 1
                continue
            }
            guard let last = star else { return false }
            p = last.pattern
            n = last.name + 1
            star = (last.pattern, n)
        }
        return glob[p...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    /// The index behind what matches `byte` at `index`, or nil.
    private static func step(_ glob: [UInt8], _ index: Int, _ byte: UInt8) -> Int? {
        switch glob[index] {
        case UInt8(ascii: "?"): return index + 1
        case UInt8(ascii: "\\") where index + 1 < glob.count:
            return glob[index + 1] == byte ? index + 2 : nil
        case UInt8(ascii: "["):
            var next = index + 1
            let isNegated =
                next < glob.count
                && (glob[next] == UInt8(ascii: "!") || glob[next] == UInt8(ascii: "^"))
            if isNegated { next += 1 }
            var found = false
            var isFirst = true
            while next < glob.count, isFirst || glob[next] != UInt8(ascii: "]") {
                isFirst = false
                if next + 2 < glob.count, glob[next + 1] == UInt8(ascii: "-"),
                    glob[next + 2] != UInt8(ascii: "]")
                {
                    if glob[next] <= byte, byte <= glob[next + 2] { found = true }
                    next += 3
                } else {
                    if glob[next] == byte { found = true }
                    next += 1
                }
            }
            guard next < glob.count else { return glob[index] == byte ? index + 1 : nil }
            return found != isNegated ? next + 1 : nil
        default: return glob[index] == byte ? index + 1 : nil
        }
    }
}
