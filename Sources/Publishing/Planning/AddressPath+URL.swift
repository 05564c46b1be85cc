import Notes

extension AddressPath {
    /// The address as it is written in a link: with the base, percent-encoded
    /// once.
    package func url(base: String) -> String {
        base + Self.encoded(path)
    }

    /// Percent-encodes all but what a path may hold as it is (RFC 3986,
    /// section 3.3).
    package static func encoded(_ path: String) -> String {
        encode(path) { byte in
            switch byte {
            case 0x61...0x7A, 0x41...0x5A, 0x30...0x39: true
            case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"),
                UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "!"),
                UInt8(ascii: "$"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"),
                UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="):
                true
            default: false
            }
        }
    }

    private static func encode(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
        if text.utf8.allSatisfy(isKept) { return text }
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isKept(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
