/// Raw HTML as CommonMark 0.30 defines it, in one line or in a paragraph.
struct HTMLSyntax {
    let text: [UInt8]
    /// The index behind the last byte that may be read.
    let limit: Int

    @inline(__always) private func peek(_ index: Int) -> UInt8 {
        index < limit ? text[index] : 0
    }

    private func skippingSpaces(_ start: Int) -> Int {
        var index = start
        while index < limit, text[index].isSpace { index += 1 }
        return index
    }

    private func tagName(at start: Int) -> Int? {
        guard peek(start).isLetter else { return nil }
        var index = start + 1
        while peek(index).isAlphanumeric || peek(index) == .ascii("-") { index += 1 }
        return index
    }

    /// The index behind a closing tag that begins at `start`, or nil.
    func closingTag(at start: Int) -> Int? {
        guard peek(start + 1) == .ascii("/"), let name = tagName(at: start + 2) else {
            return nil
        }
        let end = skippingSpaces(name)
        return peek(end) == .ascii(">") ? end + 1 : nil
    }

    /// The index behind an opening tag that begins at `start`, or nil.
    func openingTag(at start: Int) -> Int? {
        guard var index = tagName(at: start + 1) else { return nil }
        while true {
            let next = skippingSpaces(index)
            switch peek(next) {
            case .ascii(">"): return next + 1
            case .ascii("/"): return peek(next + 1) == .ascii(">") ? next + 2 : nil
            default: break
            }
            guard next > index, let end = attribute(at: next) else { return nil }
            index = end
        }
    }

    private func attribute(at start: Int) -> Int? {
        let first = peek(start)
        guard first.isLetter || first == .ascii("_") || first == .ascii(":") else { return nil }
        var name = start + 1
        while peek(name).isAlphanumeric || Self.nameBytes.contains(peek(name)) { name += 1 }
        var index = skippingSpaces(name)
        guard peek(index) == .ascii("=") else { return name }
        index = skippingSpaces(index + 1)
        let quote = peek(index)
        if quote == .ascii("\"") || quote == .ascii("'") {
            index += 1
            while index < limit, text[index] != quote { index += 1 }
            return index < limit ? index + 1 : nil
        }
        let valueStart = index
        while index < limit, !text[index].isSpace, !Self.unquotedStops.contains(text[index]) {
            index += 1
        }
        return index > valueStart ? index : nil
    }

    private static let nameBytes = ByteSet(":._-")
    private static let unquotedStops = ByteSet("\"'=<>`")

    /// The index behind an absolute URI or a mail address in pointed brackets
    /// that begins at `start`, or nil.
    func autolink(at start: Int) -> Int? {
        var index = start + 1
        // A URI: a scheme of 2 to 32 characters and no blank or bracket.
        if peek(index).isLetter {
            index += 1
            while peek(index).isAlphanumeric || Self.schemeBytes.contains(peek(index)) {
                index += 1
            }
            if peek(index) == .ascii(":"), (2...32).contains(index - start - 1) {
                while index < limit, text[index] > 32, text[index] != .ascii("<"),
                    text[index] != .ascii(">")
                {
                    index += 1
                }
                if peek(index) == .ascii(">") { return index + 1 }
                return nil
            }
        }
        index = start + 1
        while peek(index).isAlphanumeric || Self.mailBytes.contains(peek(index)) { index += 1 }
        guard index > start + 1, peek(index) == .ascii("@") else { return nil }
        repeat {
            let label = index + 1
            index = label
            while peek(index).isAlphanumeric || peek(index) == .ascii("-") { index += 1 }
            guard (1...63).contains(index - label), text[label] != .ascii("-"),
                text[index - 1] != .ascii("-")
            else { return nil }
        } while peek(index) == .ascii(".")
        return peek(index) == .ascii(">") ? index + 1 : nil
    }

    private static let schemeBytes = ByteSet(".+-")
    private static let mailBytes = ByteSet(".!#$%&'*+/=?^_`{|}~-")
}
