package import Bytes

extension ByteBuffer {
    /// Appends text with `& < > "` escaped as cmark escapes them.
    ///
    /// The bytes FE and FF, which no UTF-8 holds and which cmark makes of
    /// `&#xFFFE;` and `&#xFFFF;`, become U+FFFD.
    mutating func append(escaped bytes: [UInt8], _ range: Range<Int>) {
        // Raw memory: the loop touches every byte of every note.
        bytes.withUnsafeBufferPointer { bytes in
            var runStart = range.lowerBound
            var index = range.lowerBound
            while index < range.upperBound {
                let byte = bytes[index]
                guard byte < 64 ? Self.special >> UInt64(byte) & 1 != 0 : byte >= 0xFE else {
                    index += 1
                    continue
                }
                append(UnsafeBufferPointer(rebasing: bytes[runStart..<index]))
                switch byte {
                case .ascii("&"): append("&amp;")
                case .ascii("<"): append("&lt;")
                case .ascii(">"): append("&gt;")
                case .ascii("\""): append("&quot;")
                default: append("\u{FFFD}" as StaticString)
                }
                index += 1
                runStart = index
            }
            append(UnsafeBufferPointer(rebasing: bytes[runStart..<range.upperBound]))
        }
    }

    private static var special: UInt64 { 1 << 34 | 1 << 38 | 1 << 60 | 1 << 62 }

    /// Appends an address as typed, with all bytes percent-encoded that cmark
    /// encodes, for an attribute in double quotes.
    package mutating func append(address bytes: [UInt8], _ range: Range<Int>) {
        for index in range {
            let byte = bytes[index]
            switch byte {
            case .ascii("&"): append("&amp;")
            case .ascii("'"): append("&#x27;")
            case _ where byte.isAlphanumeric || addressPunctuation.contains(byte): append(byte)
            default:
                append(.ascii("%"))
                append(hexadecimalDigit(byte >> 4))
                append(hexadecimalDigit(byte & 15))
            }
        }
    }

    /// The last byte, or nil of an empty buffer.
    var last: UInt8? {
        withBytes { $0.last }
    }
}

private let addressPunctuation = ByteSet("-_.+!*(),%#@?=;:/$~")

private func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? 48 + value : 55 + value
}

extension [UInt8] {
    /// The first place of a byte in a range; the range's end where it has none.
    func index(of byte: UInt8, in range: Range<Int>) -> Int {
        // Raw memory: the loop touches every byte of every note.
        withUnsafeBufferPointer { bytes in
            var index = range.lowerBound
            while index < range.upperBound, bytes[index] != byte { index += 1 }
            return index
        }
    }

    /// Part of a text in UTF-8 with runs of blanks folded and the ends trimmed.
    func folded(_ range: Range<Int>) -> String {
        guard !range.isEmpty else { return "" }
        return withUnsafeBufferPointer { text in
            // Raw memory: the loop touches every byte of a text.
            String(unsafeUninitializedCapacity: range.count) { folded in
                var count = 0
                var needsBlank = false
                for index in range {
                    let byte = text[index]
                    if byte.isSpace {
                        needsBlank = count > 0
                        continue
                    }
                    if needsBlank {
                        folded[count] = 32
                        count += 1
                        needsBlank = false
                    }
                    folded[count] = byte
                    count += 1
                }
                return count
            }
        }
    }
}
