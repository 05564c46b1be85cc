#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// One example of a specification: what is written, and what comes of it.
struct SpecExample: Sendable, CustomStringConvertible {
    var number: Int
    var extensions: [String]
    var markdown: String
    var html: String

    var description: String { "example \(number)" }
}

/// The specifications that stand beside the package.
enum Specification {
    static let folder = packageRoot + "/../shared/specs"

    /// Where the package lies, seen from this file.
    static let packageRoot: String = {
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
            .joined(separator: "/")
    }()

    /// Whether the file is there to be read.
    static func isPresent(_ name: String) -> Bool {
        access(folder + "/" + name, R_OK) == 0
    }

    /// The examples of a file; none where it is absent.
    static func examples(_ name: String) -> [SpecExample] {
        guard let bytes = contents(ofFile: folder + "/" + name) else { return [] }
        let fence = String(repeating: "`", count: 32)
        var examples: [SpecExample] = []
        var current: SpecExample?
        var isMarkdown = true
        for line in String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        {
            if line.hasPrefix(fence + " example") {
                let extensions = line.dropFirst(fence.count + 8).split(separator: " ")
                current = SpecExample(
                    number: examples.count + 1, extensions: extensions.map(String.init),
                    markdown: "", html: "")
                isMarkdown = true
            } else if line == fence, let example = current {
                examples.append(example)
                current = nil
            } else if line == ".", isMarkdown, current != nil {
                isMarkdown = false
            } else if current != nil {
                let text =
                    line.split(separator: "→", omittingEmptySubsequences: false)
                    .joined(separator: "\t") + "\n"
                if isMarkdown { current?.markdown += text } else { current?.html += text }
            }
        }
        return examples
    }
}

/// The bytes of a file, or nil where it cannot be read.
func contents(ofFile path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
        bytes += chunk[..<count]
    }
    return bytes
}
