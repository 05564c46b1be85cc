import Bytes

/// Turns the addresses in escaped text into links.
struct URLLinker {
    let limit: Int?
    let relation: String
    let target: String?
    var schemes: [String] = []

    init(limit: Int?, relation: String, target: String?) {
        self.limit = limit
        self.relation = relation
        self.target = target
    }

    /// `mailto:`, `git://`: what further addresses may start with.
    static func isScheme(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":") else { return false }
        let name = text[..<colon].unicodeScalars
        let tail = text[text.index(after: colon)...]
        return name.count >= 2
            && name.allSatisfy { $0.isWordCharacter || ".+-".unicodeScalars.contains($0) }
            && ["", "/", "//"].contains(tail)
    }

    /// Links each word that is an address; blanks stay as they are.
    func link(_ text: String) -> String {
        var result = ""
        var word = ""
        for scalar in text.unicodeScalars {
            if scalar.isPythonBlank {
                result += linked(word: word)
                word = ""
                result.unicodeScalars.append(scalar)
            } else {
                word.unicodeScalars.append(scalar)
            }
        }
        return result + linked(word: word)
    }

    private static let leads = ["(", "<", "&lt;"]
    private static let trails = [")", ">", ".", ",", "\n", "&gt;"]

    private func linked(word: String) -> String {
        var head = ""
        var middle = word
        while let lead = Self.leads.first(where: { middle.hasPrefix($0) }) {
            head += lead
            middle.removeFirst(lead.count)
        }
        var tail = ""
        while let trail = Self.trails.first(where: { middle.hasSuffix($0) }) {
            tail = trail + tail
            middle.removeLast(trail.count)
        }
        balance(&middle, &tail)
        return head + link(address: middle) + tail
    }

    /// Brackets that the address opens belong to it.
    private func balance(_ middle: inout String, _ tail: inout String) {
        for (open, close) in [("(", ")"), ("<", ">"), ("&lt;", "&gt;")] {
            let opened = middle.occurrences(of: open).count
            guard opened > middle.occurrences(of: close).count else { continue }
            for _ in 0..<min(opened, tail.occurrences(of: close).count) {
                guard let place = tail.occurrences(of: close).first else { break }
                let bytes = Array(tail.utf8)
                let end = place + close.utf8.count
                middle += String(decoding: bytes[..<end], as: UTF8.self)
                tail = String(decoding: bytes[end...], as: UTF8.self)
            }
        }
    }

    private func link(address: String) -> String {
        if WebAddress.matches(address) {
            let hasScheme = address.hasPrefix("https://") || address.hasPrefix("http://")
            let href = hasScheme ? address : "https://" + address
            return "<a href=\"\(href)\"\(attributes)>\(shortened(address))</a>"
        }
        if address.hasPrefix("mailto:"), WebAddress.isMail(address.dropFirst(7)) {
            return "<a href=\"\(address)\">\(address.dropFirst(7))</a>"
        }
        if address.contains("@"), !address.hasPrefix("www."), !address.hasPrefix("@"),
            !address.contains(":"), WebAddress.isMail(address[...])
        {
            return "<a href=\"mailto:\(address)\">\(address)</a>"
        }
        var result = address
        for scheme in schemes where result != scheme && result.hasPrefix(scheme) {
            result = "<a href=\"\(result)\"\(attributes)>\(result)</a>"
        }
        return result
    }

    private var attributes: String {
        let relation = relation.isEmpty ? "" : " rel=\"\(Self.escaped(relation))\""
        guard let target, !target.isEmpty else { return relation }
        return relation + " target=\"\(Self.escaped(target))\""
    }

    private func shortened(_ address: String) -> String {
        guard let limit, address.unicodeScalars.count > limit else { return address }
        return String(address.unicodeScalars.prefix(max(limit, 0))) + "..."
    }

    private static func escaped(_ text: String) -> String {
        var buffer = ByteBuffer()
        buffer.append(text, escaping: .template)
        return buffer.text()
    }
}
