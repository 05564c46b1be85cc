/// A path as a key: compared by its bytes.
///
/// `String` takes two Unicode forms of one name for equal; a file system may
/// hold both, and then they are two files.
package struct ExactPath: Hashable, Sendable {
    /// The path.
    package let path: String

    /// The key that `path` is.
    package init(_ path: String) {
        self.path = path
    }

    package static func == (one: ExactPath, other: ExactPath) -> Bool {
        one.path.isExactly(other.path)
    }

    package func hash(into hasher: inout Hasher) {
        var path = path
        path.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// Values by paths, which are compared by their bytes. Without an order.
package struct PathTable<Value: Sendable>: Sendable, Sequence {
    private var values: [ExactPath: Value] = [:]

    /// An empty table.
    package init() {}

    /// The value at a path; nil where there is none.
    package subscript(path: String) -> Value? {
        get { values[ExactPath(path)] }
        set { values[ExactPath(path)] = newValue }
    }

    /// The paths.
    package var keys: some Sequence<String> { values.keys.lazy.map(\.path) }

    /// The values at all paths.
    package var allValues: some Collection<Value> { values.values }

    /// Makes room for so many paths.
    package mutating func reserveCapacity(_ count: Int) { values.reserveCapacity(count) }

    package func makeIterator() -> AnyIterator<(key: String, value: Value)> {
        var rest = values.makeIterator()
        return AnyIterator { rest.next().map { ($0.key.path, $0.value) } }
    }
}

extension PathTable: Equatable where Value: Equatable {}
