import Markup
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The collections of real notes beside the package, against the program
/// `cmark-gfm`.
@Suite("Real notes", .serialized)
struct CorpusTests {
    private static let folder = Specification.packageRoot + "/../shared/corpora"
    private static let program = "/usr/bin/cmark-gfm"

    private static let dialect: Dialect = [
        .tables, .strikethrough, .autolinks, .taskLists, .rawHTML,
    ]

    @Test(
        "Notes render as cmark-gfm renders them, but for differences with a reason",
        .enabled(
            if: access(folder, R_OK) == 0 && access(program, X_OK) == 0,
            "no notes or no cmark-gfm here"))
    func comparison() throws {
        var equal = 0
        var explained: [String: Int] = [:]
        var differing: [String] = []
        for path in try notes() {
            guard let bytes = contents(ofFile: path) else { continue }
            let body = Self.bodyRange(of: bytes)
            let text = Array(bytes[body])
            let ours = String(
                decoding: render(text), as: UTF8.self)
            let theirs = String(decoding: try cmarkGFM(text), as: UTF8.self)
            if ours == theirs {
                equal += 1
            } else if let reason = Self.reason(ours, theirs) {
                explained[reason, default: 0] += 1
            } else {
                differing.append(path)
            }
        }
        print("equal \(equal), differing by a listed reason \(explained), differing \(differing)")
        #expect(differing.isEmpty)
        #expect(equal > 640)
    }

    @Test(
        "Marks that mean nothing leave cmark's HTML of every note as it is",
        .enabled(if: access(folder, R_OK) == 0, "no notes here"))
    func inertMarks() throws {
        var parser = MarkupParser()
        var count = 0
        for path in try notes() {
            guard let bytes = contents(ofFile: path) else { continue }
            let text = Array(bytes[Self.bodyRange(of: bytes)])
            count += 1
            let document = parser.parse(
                text, in: 0..<text.count, dialect: [.rawHTML, .taskMarks])
            #expect(document.htmlAsTyped() == cmarkHTML(text), "\(path)")
        }
        #expect(count > 640)
    }

    private func render(_ text: [UInt8]) -> [UInt8] {
        var parser = MarkupParser()
        return parser.parse(text, in: 0..<text.count, dialect: Self.dialect).htmlAsTyped()
    }

    /// Why two renderings differ, should the reason be a known one.
    private static func reason(_ ours: String, _ theirs: String) -> String? {
        let ourLines = ours.split(separator: "\n", omittingEmptySubsequences: false)
        let theirLines = theirs.split(separator: "\n", omittingEmptySubsequences: false)
        guard ourLines.count == theirLines.count else {
            // A task item that is itself the first thing of an item.
            return ours.contains("<input") ? "nested task items" : nil
        }
        for (our, their) in zip(ourLines, theirLines) where our != their {
            // Ours links addresses in brackets that are no link.
            // A backslash in one belongs to it, and is an escape where it is text.
            guard withoutBareLinks(our) == withoutBareLinks(their) else {
                return our.contains("<input") ? "nested task items" : nil
            }
        }
        return "an address in brackets"
    }

    /// A line with every `<a href="x">x</a>` replaced by its text, without
    /// backslashes.
    private static func withoutBareLinks(_ line: Substring) -> String {
        var result = ""
        var rest = line
        while let start = rest.firstRange(of: "<a href=\"") {
            result += rest[..<start.lowerBound]
            rest = rest[start.upperBound...]
            guard let middle = rest.firstRange(of: "\">"), let end = rest.firstRange(of: "</a>")
            else { break }
            let address = rest[..<middle.lowerBound].replacing("%5C", with: "\\")
            let text = rest[middle.upperBound..<end.lowerBound]
            result += address == text ? String(text) : "<a href=\"\(address)\">\(text)</a>"
            rest = rest[end.upperBound...]
        }
        return (result + rest).filter { $0 != "\\" }
    }

    /// The part of a file behind its front matter.
    private static func bodyRange(of bytes: [UInt8]) -> Range<Int> {
        guard bytes.starts(with: "---\n".utf8) else { return 0..<bytes.count }
        var index = 4
        while index + 4 < bytes.count {
            if bytes[index - 1] == 10, bytes[index...].starts(with: "---\n".utf8) {
                return (index + 4)..<bytes.count
            }
            index += 1
        }
        return 0..<bytes.count
    }

    private func notes() throws -> [String] {
        let list = try run(
            ["/usr/bin/find", Self.folder, "-type", "f", "-name", "*.m*d*"], input: [])
        return String(decoding: list, as: UTF8.self).split(separator: "\n").map(String.init)
            .filter { $0.hasSuffix(".md") || $0.hasSuffix(".markdown") }.sorted()
    }

    private func cmarkGFM(_ text: [UInt8]) throws -> [UInt8] {
        try run(
            [
                Self.program, "--unsafe", "-e", "table", "-e", "strikethrough", "-e",
                "autolink", "-e", "tasklist",
            ], input: text)
    }

    private struct CannotRun: Error {
        var program: String
    }

    /// Runs a program on some input; its output.
    private func run(_ command: [String], input: [UInt8]) throws -> [UInt8] {
        // Files instead of pipes: nothing to read and write at once.
        let inputPath = "/tmp/daybook-corpus-\(getpid()).in"
        let outputPath = "/tmp/daybook-corpus-\(getpid()).out"
        defer {
            unlink(inputPath)
            unlink(outputPath)
        }
        guard let file = fopen(inputPath, "wb") else { throw CannotRun(program: command[0]) }
        fwrite(input, 1, input.count, file)
        fclose(file)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, inputPath, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(
            &actions, 1, outputPath, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        guard posix_spawn(&process, command[0], &actions, nil, &arguments, nil) == 0 else {
            throw CannotRun(program: command[0])
        }
        var status: Int32 = 0
        waitpid(process, &status, 0)
        guard status == 0, let output = contents(ofFile: outputPath) else {
            throw CannotRun(program: command[0])
        }
        return output
    }
}
