/// What XML 1.0 lets a document hold.
package enum XMLText {
    /// The bytes without those that stand for characters XML 1.0 forbids
    /// (section 2.2): controls other than tab and line ends, U+FFFE, U+FFFF.
    ///
    /// `bytes` is valid UTF-8. Returns the same array where there is nothing to
    /// drop, which is nearly always.
    package static func allowed(_ bytes: [UInt8]) -> [UInt8] {
        guard let first = bytes.indices.first(where: { length(ofForbiddenAt: $0, in: bytes) > 0 })
        else {
            return bytes
        }
        var result = Array(bytes[..<first])
        var index = first
        while index < bytes.count {
            let length = length(ofForbiddenAt: index, in: bytes)
            if length == 0 { result.append(bytes[index]) }
            index += max(length, 1)
        }
        return result
    }

    private static func length(ofForbiddenAt index: Int, in bytes: [UInt8]) -> Int {
        let byte = bytes[index]
        if byte < 0x20 { return byte == 9 || byte == 10 || byte == 13 ? 0 : 1 }
        guard byte == 0xEF, index + 2 < bytes.count, bytes[index + 1] == 0xBF,
            bytes[index + 2] >= 0xBE
        else { return 0 }
        return 3
    }
}
