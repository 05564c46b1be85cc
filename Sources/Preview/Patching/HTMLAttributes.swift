/// The attributes of a tag, in their order; of a name that stands twice the first
/// counts.
struct HTMLAttributes {
    /// Names in lower case with their values as written, entities and all.
    private(set) var all: [(name: String, value: String)] = []

    /// Reads what stands between a tag's name and its `>`.
    init(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == UInt8(ascii: "/") }
        while true {
            rest = rest.drop(while: isBlank)
            guard !rest.isEmpty else { return }
            let name = rest.prefix { $0 != UInt8(ascii: "=") && !isBlank($0) }
            rest = rest.dropFirst(max(1, name.count)).drop { $0 <= 0x20 }
            var value: ArraySlice<UInt8> = []
            if rest.first == UInt8(ascii: "=") {
                rest = rest.dropFirst().drop { $0 <= 0x20 }
                if let quote = rest.first, quote == 0x22 || quote == 0x27 {
                    value = rest.dropFirst().prefix { $0 != quote }
                    rest = rest.dropFirst(value.count + 2)
                } else {
                    value = rest.prefix { $0 > 0x20 }
                    rest = rest.dropFirst(value.count)
                }
            }
            let text = String(decoding: name, as: UTF8.self).lowercased()
            guard !text.isEmpty, !all.contains(where: { $0.name == text }) else { continue }
            all.append((text, String(decoding: value, as: UTF8.self)))
        }
    }
}
