/// A Markdown destination, told apart into what a site resolves.
struct LinkTarget {
    /// The path, percent-decoded; empty for a place on the same page.
    var path: String
    /// What stands behind `#`, percent-decoded.
    var fragment: String?
    /// What stands behind `?`, raw.
    var query: String?

    /// Takes a destination without a scheme apart.
    init(_ destination: [UInt8]) {
        var end = destination.endIndex
        if let hash = destination.firstIndex(of: .ascii("#")) {
            fragment = Self.decoded(destination[(hash + 1)...])
            end = hash
        }
        if let mark = destination[..<end].firstIndex(of: .ascii("?")) {
            query = String(decoding: destination[(mark + 1)..<end], as: UTF8.self)
            end = mark
        }
        path = Self.decoded(destination[..<end])
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(.ascii("%")) else { return String(decoding: bytes, as: UTF8.self) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == .ascii("%"), index + 2 < bytes.endIndex,
                let high = hexadecimalValue(bytes[index + 1]),
                let low = hexadecimalValue(bytes[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Whether the address leads out of the site: it has a scheme, or names a
    /// host.
    static func isExternal(_ address: some Collection<UInt8>) -> Bool {
        if address.starts(with: "//".utf8) { return true }
        guard let first = address.first, first.isLetter else { return false }
        var length = 0
        for byte in address {
            // One letter before the colon is a drive or a plain name.
            if byte == .ascii(":") { return length > 1 }
            guard
                byte.isAlphanumeric || byte == .ascii("+") || byte == .ascii("-")
                    || byte == .ascii(".")
            else { return false }
            length += 1
        }
        return false
    }

    /// Whether a browser would run the address or open a local file with it:
    /// `javascript:`, `vbscript:`, `file:`, and `data:` other than pictures of
    /// the common kinds.
    static func isDangerous(_ address: some Collection<UInt8>) -> Bool {
        // Nearly every address is told by its first letter.
        if let first = address.first, first > 32 {
            switch first.lowercased {
            case .ascii("j"), .ascii("v"), .ascii("f"), .ascii("d"): break
            default: return false
            }
        }
        // Browsers drop blanks and controls before an address and line breaks
        // and tabs within it.
        let bytes = address.lazy.filter { $0 > 32 }.map(\.lowercased)
        func begins(_ prefix: StaticString) -> Bool {
            prefix.withUTF8Buffer { bytes.starts(with: $0) }
        }
        if begins("javascript:") || begins("vbscript:") || begins("file:") { return true }
        guard begins("data:") else { return false }
        return
            !(begins("data:image/png") || begins("data:image/gif")
            || begins("data:image/jpeg") || begins("data:image/webp"))
    }
}

/// The value of a hexadecimal digit, or nil of another byte.
func hexadecimalValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
}
