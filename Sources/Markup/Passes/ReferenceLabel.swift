import Bytes

/// How labels of references are compared.
enum ReferenceLabel {
    /// The label with its case folded, blanks folded and trimmed.
    static func normalised(_ label: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(label.count)
        var isASCII = true
        var needsBlank = false
        for byte in label {
            if byte.isSpace {
                needsBlank = !result.isEmpty
                continue
            }
            if needsBlank { result.append(32) }
            needsBlank = false
            isASCII = isASCII && byte < 128
            result.append(byte.lowercased)
        }
        if isASCII { return result }
        return Array(UnicodeText.folded(String(decoding: result, as: UTF8.self)).utf8)
    }
}
