/// How text is written so that HTML reads the same characters back.
package enum Escaping {
    /// `&amp; &lt; &gt; &quot;`, as libcmark writes them.
    case markup
    /// `&amp; &lt; &gt; &#34; &#39;`, as Jinja's autoescape writes them: safe
    /// in text and in attributes of either quote.
    case template
    /// As `template`, and control characters that XML 1.0 forbids are dropped.
    case xml
}

extension ByteBuffer {
    /// Appends text with the characters that HTML gives a meaning escaped.
    ///
    /// Copies whole runs between special bytes, so ordinary prose costs about
    /// as much as a plain copy.
    package mutating func append(_ text: String, escaping: Escaping) {
        var text = text
        text.withUTF8 { append($0, escaping: escaping) }
    }

    /// Appends bytes of UTF-8 with the characters that HTML gives a meaning
    /// escaped.
    package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, escaping: Escaping) {
        var runStart = 0
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            guard byte < 0x3F, let replacement = escaping.replacement(of: byte) else {
                index += 1
                continue
            }
            append(UnsafeBufferPointer(rebasing: bytes[runStart..<index]))
            append(replacement)
            index += 1
            runStart = index
        }
        append(UnsafeBufferPointer(rebasing: bytes[runStart..<bytes.count]))
    }
}

extension Escaping {
    fileprivate func replacement(of byte: UInt8) -> StaticString? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): self == .markup ? "&quot;" : "&#34;"
        case UInt8(ascii: "'"): self == .markup ? nil : "&#39;"
        case 0..<0x20 where self == .xml && byte != 9 && byte != 10 && byte != 13: ""
        default: nil
        }
    }
}
