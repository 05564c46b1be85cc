import YAML

/// Front matter in TOML 1.0, as Hugo and Zola write it, read into the same
/// typed values with places as YAML is.
///
/// Strict: what TOML forbids is an error at its place. Times and numbers keep
/// their characters, as everywhere in front matter.
struct TOMLDocument {
    /// The keys of the outermost table, in the order of the text.
    private(set) var entries: [YAMLEntry] = []

    /// Values inside each other beyond this are an error: reading recurses.
    static let maximalDepth = 64

    private typealias Key = (name: String, range: Range<Int>)

    /// Reads the TOML that stands in `bytes` at `range`.
    init(parsing bytes: [UInt8], in range: Range<Int>) throws(TOMLError) {
        var scanner = TOMLScanner(bytes, range)
        var table: [Key] = []
        var headers: Set<[String]> = []
        while true {
            scanner.skipBlankLines()
            guard let byte = scanner.peek() else { return }
            if byte == UInt8(ascii: "[") {
                let isList = scanner.peek(1) == UInt8(ascii: "[")
                scanner.advance(isList ? 2 : 1)
                table = try scanner.keys()
                try scanner.expect(isList ? "]]" : "]")
                try scanner.endLine()
                if isList {
                    try Self.append(tableAt: table[...], to: &entries)
                    // What stands in the last table may stand in this one.
                    headers = headers.filter { !$0.starts(with: table.map(\.name)) }
                } else {
                    guard headers.insert(table.map(\.name)).inserted else {
                        throw Self.duplicate(table[table.count - 1])
                    }
                    try Self.insert(nil, at: table[...], into: &entries)
                }
            } else {
                let keys = try scanner.keys()
                try scanner.expect("=")
                let value = try scanner.value(depth: 0)
                try scanner.endLine()
                try Self.insert(value, at: (table + keys)[...], into: &entries)
            }
        }
    }

    private static func duplicate(_ key: Key) -> TOMLError {
        TOMLError(reason: .duplicateKey(key.name), range: key.range)
    }

    /// Puts a value under a path of keys, making the tables on the way; without
    /// a value makes the table itself.
    private static func insert(
        _ value: YAMLNode?, at path: ArraySlice<Key>, into entries: inout [YAMLEntry]
    ) throws(TOMLError) {
        guard let key = path.first else { return }
        let isLast = path.count == 1
        guard let index = entries.firstIndex(where: { $0.key == key.name }) else {
            var node = value ?? YAMLNode(.mapping([]), at: key.range)
            if !isLast {
                var inner: [YAMLEntry] = []
                try insert(value, at: path.dropFirst(), into: &inner)
                node = YAMLNode(.mapping(inner), at: key.range)
            }
            entries.append(YAMLEntry(key: key.name, keyRange: key.range, value: node))
            return
        }
        if isLast, value != nil { throw duplicate(key) }
        switch entries[index].value.content {
        case .mapping(var inner):
            try insert(value, at: path.dropFirst(), into: &inner)
            entries[index].value.content = .mapping(inner)
        case .sequence(var items):
            // Of a list of tables the last is meant.
            guard let last = items.indices.last, case .mapping(var inner) = items[last].content
            else { throw TOMLError(reason: .notATable(key.name), range: key.range) }
            try insert(value, at: path.dropFirst(), into: &inner)
            items[last].content = .mapping(inner)
            entries[index].value.content = .sequence(items)
        case .scalar:
            throw TOMLError(reason: .notATable(key.name), range: key.range)
        }
    }

    /// Adds a table to the list of tables at a path.
    private static func append(
        tableAt path: ArraySlice<Key>, to entries: inout [YAMLEntry]
    ) throws(TOMLError) {
        guard let key = path.first else { return }
        let table = YAMLNode(.mapping([]), at: key.range)
        guard let index = entries.firstIndex(where: { $0.key == key.name }) else {
            var node = YAMLNode(.sequence([table]), at: key.range)
            if path.count > 1 {
                var inner: [YAMLEntry] = []
                try append(tableAt: path.dropFirst(), to: &inner)
                node = YAMLNode(.mapping(inner), at: key.range)
            }
            entries.append(YAMLEntry(key: key.name, keyRange: key.range, value: node))
            return
        }
        switch entries[index].value.content {
        case .sequence(var items):
            if path.count == 1 {
                items.append(table)
            } else {
                guard let last = items.indices.last,
                    case .mapping(var inner) = items[last].content
                else { throw TOMLError(reason: .notATable(key.name), range: key.range) }
                try append(tableAt: path.dropFirst(), to: &inner)
                items[last].content = .mapping(inner)
            }
            entries[index].value.content = .sequence(items)
        case .mapping(var inner) where path.count > 1:
            try append(tableAt: path.dropFirst(), to: &inner)
            entries[index].value.content = .mapping(inner)
        default:
            throw TOMLError(reason: .notATable(key.name), range: key.range)
        }
    }

    /// The entries of an inline table, which closes at once.
    static func inlineTable(
        _ pairs: [(keys: [(name: String, range: Range<Int>)], value: YAMLNode)]
    ) throws(TOMLError) -> [YAMLEntry] {
        var entries: [YAMLEntry] = []
        for pair in pairs { try insert(pair.value, at: pair.keys[...], into: &entries) }
        return entries
    }
}
