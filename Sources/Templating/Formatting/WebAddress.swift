/// Whether a word is an address on the web, by the look of it.
enum WebAddress {
    private static let commonDomains: Set<String> = [
        "com", "net", "int", "edu", "gov", "org", "info", "mil",
    ]

    /// `https://` or `www.` and a host, or a host in one of the common
    /// domains; then a port, then a path.
    static func matches(_ word: String) -> Bool {
        let lowered = word.lowercased()
        var rest = lowered[...]
        var hasScheme = false
        for lead in ["https://", "http://", "www."] where rest.hasPrefix(lead) {
            rest = rest.dropFirst(lead.count)
            hasScheme = true
            break
        }
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        var host = rest[..<end]
        let isPlainScheme = hasScheme && !lowered.hasPrefix("www.")
        if isPlainScheme, host.hasPrefix("["), let close = host.lastIndex(of: "]") {
            return isIPv6(host[host.index(after: host.startIndex)..<close])
                && isPort(host[host.index(after: close)...])
        }
        if let colon = host.firstIndex(of: ":") {
            guard isPort(host[colon...]) else { return false }
            host = host[..<colon]
        }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard let last = labels.last else { return false }
        let areLabels = labels.dropLast().allSatisfy { label in
            !label.isEmpty && label.unicodeScalars.allSatisfy(isLabelCharacter)
        }
        guard areLabels else { return false }
        if hasScheme {
            return isTopLevel(last) || (isPlainScheme && isIPv4(labels))
        }
        return labels.count >= 2 && commonDomains.contains(String(last))
            && labels.dropLast().allSatisfy { (2...63).contains($0.unicodeScalars.count) }
    }

    private static func isLabelCharacter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isWordCharacter || scalar == "%" || scalar == "-"
    }

    private static func isTopLevel(_ label: Substring) -> Bool {
        if (2...63).contains(label.utf8.count),
            label.utf8.allSatisfy({ (0x61...0x7A).contains($0) })
        {
            return true
        }
        guard label.hasPrefix("xn--") else { return false }
        let tail = label.dropFirst(4).unicodeScalars
        return (2...59).contains(tail.count)
            && tail.allSatisfy { $0.isWordCharacter || $0 == "%" }
    }

    private static func isIPv4(_ labels: [Substring]) -> Bool {
        labels.count == 4
            && labels.allSatisfy { label in
                (1...3).contains(label.utf8.count) && label.utf8.allSatisfy(Ascii.isDigit)
            }
    }

    private static func isIPv6(_ text: Substring) -> Bool {
        let groups = text.split(separator: ":", omittingEmptySubsequences: false)
        return (3...9).contains(groups.count)
            && groups.allSatisfy { $0.utf8.count <= 4 && $0.allSatisfy(\.isHexDigit) }
    }

    private static func isPort(_ text: Substring) -> Bool {
        if text.isEmpty { return true }
        let digits = text.dropFirst()
        return text.first == ":" && (1...5).contains(digits.utf8.count)
            && digits.utf8.allSatisfy(Ascii.isDigit)
    }

    /// `name@host.domain`.
    static func isMail(_ word: Substring) -> Bool {
        guard let at = word.lastIndex(of: "@"), at > word.startIndex else { return false }
        let host = word[word.index(after: at)...]
        guard let first = host.unicodeScalars.first, first.isWordCharacter,
            let dot = host.lastIndex(of: "."), dot > host.startIndex
        else { return false }
        let domain = host[host.index(after: dot)...].unicodeScalars
        return !domain.isEmpty && domain.allSatisfy(\.isWordCharacter)
            && host.unicodeScalars.allSatisfy { $0.isWordCharacter || $0 == "." || $0 == "-" }
    }
}
