/// Hides passwords that stand in addresses, which settings may hold and tools
/// repeat in what they say.
package enum Secrets {
    /// A text with `***` in the place of each password:
    /// `https://me:***@example.org/x.git`, `:webdav,user=me,pass=***:notes`.
    package static func masked(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var end = 0
        for range in ranges(in: bytes) {
            result += bytes[end..<range.lowerBound] + Array("***".utf8)
            end = range.upperBound
        }
        return end == 0 ? text : String(decoding: result + bytes[end...], as: UTF8.self)
    }

    /// A line in which each sign of a password is a `*`, so that everything stays
    /// in its column.
    static func covered(_ line: String) -> String {
        var bytes = Array(line.utf8)
        let ranges = ranges(in: bytes)
        if ranges.isEmpty { return line }
        for range in ranges.reversed() {
            let signs = bytes[range].count { $0 & 0xC0 != 0x80 }
            bytes.replaceSubrange(range, with: repeatElement(UInt8(ascii: "*"), count: signs))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Where passwords are, in their order.
    private static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
        var result: [Range<Int>] = []
        for place in bytes.indices {
            if place < result.last?.upperBound ?? 0 { continue }
            if let range = password(ofURL: bytes, at: place) ?? value(of: bytes, at: place) {
                result.append(range)
            }
        }
        return result
    }

    /// The password of a URL whose `://` begins at `place`. Where there is one
    /// word alone, it is a name with ssh, and may be a token with http.
    private static func password(ofURL bytes: [UInt8], at place: Int) -> Range<Int>? {
        guard bytes[place...].starts(with: "://".utf8) else { return nil }
        let start = place + 3
        let host = bytes[start...].prefix { $0 > 0x20 && !"/?#'\"<>`\\".utf8.contains($0) }
        guard let at = host.lastIndex(of: UInt8(ascii: "@")) else { return nil }
        if let colon = host[..<at].firstIndex(of: UInt8(ascii: ":")) {
            return colon + 1 < at ? colon + 1..<at : nil
        }
        let scheme = bytes[..<place]
        let isHTTP = scheme.ends(with: "http") || scheme.ends(with: "https")
        return isHTTP && start < at ? start..<at : nil
    }

    private static let secretNames = ["pass", "secret", "token", "key"]

    /// The value of a parameter of an rclone remote, `,pass=VALUE`, whose comma is
    /// at `place` and whose name is that of a secret.
    private static func value(of bytes: [UInt8], at place: Int) -> Range<Int>? {
        guard bytes[place] == UInt8(ascii: ",") else { return nil }
        let name = bytes[(place + 1)...].prefix {
            $0 == UInt8(ascii: "_") || 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 | 0x20
        }
        guard name.endIndex < bytes.count, bytes[name.endIndex] == UInt8(ascii: "=") else {
            return nil
        }
        let text = String(decoding: name, as: UTF8.self)
        guard secretNames.contains(where: { text.contains($0) }) else { return nil }
        let start = name.endIndex + 1
        guard start < bytes.count else { return nil }
        let quote = bytes[start]
        if quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") {
            let end = bytes[(start + 1)...].firstIndex(of: quote) ?? bytes.count
            return start + 1 < end ? start + 1..<end : nil
        }
        let value = bytes[start...].prefix {
            $0 > 0x20 && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ":")
        }
        return value.isEmpty ? nil : value.indices
    }
}

extension ArraySlice<UInt8> {
    fileprivate func ends(with text: String) -> Bool {
        suffix(text.utf8.count).elementsEqual(text.utf8)
    }
}
