/// Escape sequences in quoted text, as Python reads them: `\n`, `\x41`,
/// `\u00e9`, `\101`; a backslash before anything else stays.
enum EscapeSequences {
    struct Invalid: Error {
        let text: String
    }

    static func resolve(_ bytes: [UInt8]) -> Result<String, Invalid> {
        guard bytes.contains(Ascii.backslash) else {
            return .success(String(decoding: bytes, as: UTF8.self))
        }
        var result: [UInt8] = []
        var place = 0
        while place < bytes.count {
            guard bytes[place] == Ascii.backslash, place + 1 < bytes.count else {
                result.append(bytes[place])
                place += 1
                continue
            }
            let letter = bytes[place + 1]
            switch letter {
            case UInt8(ascii: "x"), UInt8(ascii: "u"), UInt8(ascii: "U"):
                let width = letter == UInt8(ascii: "x") ? 2 : letter == UInt8(ascii: "u") ? 4 : 8
                let stop = min(place + 2 + width, bytes.count)
                let digits = String(decoding: bytes[place + 2..<stop], as: UTF8.self)
                guard digits.utf8.count == width, !digits.hasPrefix("+"),
                    let code = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(code)
                else {
                    return .failure(Invalid(text: "\\" + String(Unicode.Scalar(letter)) + digits))
                }
                result.append(contentsOf: Array(String(scalar).utf8))
                place = stop
            case UInt8(ascii: "N"):
                return .failure(Invalid(text: "\\N"))
            case 0x30...0x37:
                var code: UInt32 = 0
                var stop = place + 1
                while stop < min(place + 4, bytes.count), (0x30...0x37).contains(bytes[stop]) {
                    code = code * 8 + UInt32(bytes[stop] - 0x30)
                    stop += 1
                }
                result.append(contentsOf: Array(String(Unicode.Scalar(code) ?? " ").utf8))
                place = stop
            default:
                if let replacement = simple[letter] {
                    result.append(replacement)
                } else if letter != Ascii.newline {
                    result.append(Ascii.backslash)
                    result.append(letter)
                }
                place += 2
            }
        }
        return .success(String(decoding: result, as: UTF8.self))
    }

    private static let simple: [UInt8: UInt8] = [
        UInt8(ascii: "n"): 0x0A, UInt8(ascii: "t"): 0x09, UInt8(ascii: "r"): 0x0D,
        UInt8(ascii: "a"): 0x07, UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C,
        UInt8(ascii: "v"): 0x0B, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "'"): 0x27,
        UInt8(ascii: "\""): 0x22,
    ]
}
