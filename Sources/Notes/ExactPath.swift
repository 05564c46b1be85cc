/// A path as a key: compared by its bytes.
///
/// `String` takes two Unicode forms of one name for equal; a file system may
/// hold both, and then they are two notes.
package struct ExactPath: Hashable, Sendable {
    private let path: String

    package init(_ path: String) {
        self.path = path
    }

    package static func == (one: ExactPath, other: ExactPath) -> Bool {
        one.path.utf8.elementsEqual(other.path.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var path = path
        path.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
