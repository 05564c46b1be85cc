import Foundation

/// Examples of a specification, read from beside the checkout.
struct SpecExample: Sendable {
    var number: Int
    var kind: String
    var markdown: String
    var html: String
}

enum Shared {
    /// A file or folder beside the checkout; nil for whoever has only that.
    static func path(_ name: String) -> URL? {
        let url = Daybook.packageRoot.deletingLastPathComponent().appending(path: "shared/\(name)")
        return FileManager.default.fileExists(atPath: url.path) ? url : nil
    }

    static let hasSpecs = path("specs/commonmark-0.30.txt") != nil
    static let hasCorpora = path("corpora/FACTS.md") != nil

    /// The examples of a file: 32 backticks and `example`, Markdown, a line
    /// with a full stop, HTML, 32 backticks; `→` stands for a tab.
    static func examples(_ name: String) throws -> [SpecExample] {
        guard let url = path("specs/\(name)") else { return [] }
        let fence = String(repeating: "`", count: 32)
        var examples: [SpecExample] = []
        var markdown: [Substring]?
        var html: [Substring]?
        var kind = ""
        for line in try String(contentsOf: url, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            if line.hasPrefix(fence + " example") {
                kind = line.dropFirst(fence.count + " example".count).trimmingCharacters(
                    in: .whitespaces)
                markdown = []
                html = nil
            } else if line == fence, let source = markdown, let result = html {
                func text(_ lines: [Substring]) -> String {
                    lines.map { $0.replacing("→", with: "\t") + "\n" }.joined()
                }
                examples.append(
                    SpecExample(
                        number: examples.count + 1, kind: kind, markdown: text(source),
                        html: text(result)))
                markdown = nil
                html = nil
            } else if line == ".", markdown != nil, html == nil {
                html = []
            } else if html != nil {
                html?.append(line)
            } else {
                markdown?.append(line)
            }
        }
        return examples
    }
}
