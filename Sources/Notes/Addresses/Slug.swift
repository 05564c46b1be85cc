import Bytes

/// Makes the parts of addresses.
package enum Slug {
    /// The longest part of an address, in bytes: what file systems take.
    static let maximalLength = 255

    /// The slug of a title or a file's name without its ending.
    ///
    /// NFC, lower case, letters, marks and digits of every script kept, `+`
    /// and `#` spelt out as `plus` and `sharp`, everything else to single
    /// hyphens. Where nothing is left the code points stand for themselves
    /// (`🌱` gives `u1f331`), so a slug of a text that is not empty is never
    /// empty. Longer ones are cut and end in a digest of the whole.
    package static func make(from text: String) -> String {
        if let plain = plainASCII(text) { return plain }
        var slug = String.UnicodeScalarView()
        var needsHyphen = false
        func add(_ scalars: some Sequence<Unicode.Scalar>) {
            if needsHyphen, !slug.isEmpty { slug.append("-") }
            needsHyphen = false
            slug.append(contentsOf: scalars)
        }
        let composed = UnicodeText.composed(UnicodeText.composed(text).lowercased())
        for scalar in composed.unicodeScalars {
            switch scalar {
            case "+", "#":
                needsHyphen = true
                add(scalar == "+" ? "plus".unicodeScalars : "sharp".unicodeScalars)
                needsHyphen = true
            case _ where scalar.properties.isVariationSelector: continue
            default:
                switch UnicodeText.scalarClass(scalar) {
                case .letter, .number: add(CollectionOfOne(scalar))
                case .connector, .other: needsHyphen = true
                }
            }
        }
        if slug.isEmpty {
            for scalar in composed.unicodeScalars {
                needsHyphen = true
                add("u\(String(scalar.value, radix: 16))".unicodeScalars)
            }
        }
        // Whatever happens, an address has no empty part.
        return slug.isEmpty ? "untitled" : shortened(String(slug))
    }

    /// The same for the common case of a name that needs no Unicode tables;
    /// nil where the text does.
    private static func plainASCII(_ text: String) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var needsHyphen = false
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x61...0x7A, 0x41...0x5A:
                if needsHyphen, !bytes.isEmpty { bytes.append(UInt8(ascii: "-")) }
                needsHyphen = false
                bytes.append(byte <= 0x5A && byte >= 0x41 ? byte | 0x20 : byte)
            case UInt8(ascii: "+"), UInt8(ascii: "#"), 0x80...: return nil
            default: needsHyphen = true
            }
        }
        guard !bytes.isEmpty else { return nil }
        return shortened(String(decoding: bytes, as: UTF8.self))
    }

    /// A text in NFC.
    static func composed(_ text: String) -> String { UnicodeText.composed(text) }

    /// Cuts what is longer than a file's name may be; a digest of the whole
    /// keeps two long ones apart.
    static func shortened(_ slug: String) -> String {
        guard slug.utf8.count > maximalLength else { return slug }
        var kept = Substring(slug)
        while kept.utf8.count > maximalLength - 17 { kept.removeLast() }
        return kept + "-" + ContentHash(of: slug).hexadecimal.prefix(16)
    }
}
