/// What a request asks for: a path and a query, decoded once.
struct RequestTarget: Sendable, Equatable {
    /// The path without its leading `/`: no part of it is `.` or `..`.
    var path: String
    /// Names with values, in their order.
    var query: [Parameter] = []

    struct Parameter: Sendable, Equatable {
        var name: String
        var value: String
    }

    /// Reads a target as it was sent; nil where it is none that a browser sends
    /// for a page: bytes that are no UTF-8, a NUL, a backslash, an encoded slash,
    /// a part that is `.` or `..` in any encoding.
    init?(_ target: [UInt8]) {
        guard target.first == UInt8(ascii: "/") else { return nil }
        let parts = target.split(
            separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        var segments: [String] = []
        for part in parts[0].dropFirst().split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        {
            guard let text = Self.decoded(part), text != ".", text != "..",
                text.utf8.allSatisfy({
                    $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\")
                })
            else { return nil }
            segments.append(text)
        }
        path = segments.joined(separator: "/")
        guard parts.count > 1 else { return }
        for pair in parts[1].split(separator: UInt8(ascii: "&")) {
            let sides = pair.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(sides[0]),
                let value = sides.count > 1 ? Self.decoded(sides[1]) : "",
                !value.utf8.contains(0)
            else { return nil }
            query.append(Parameter(name: name, value: value))
        }
    }

    /// The value of a name in the query.
    subscript(name: String) -> String? { query.first { $0.name == name }?.value }

    /// The output file that the path leads to: a folder's page where it ends in
    /// `/`.
    var outputFile: String {
        path.isEmpty || path.hasSuffix("/") ? path + "index.html" : path
    }

    /// Resolves `%` with two digits, once; nil where the bytes are no text.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
        var result: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                result.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit),
                let low = rest.popFirst().flatMap(digit)
            else { return nil }
            result.append(high << 4 | low)
        }
        return String(validating: result, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
