import Foundation
import Testing

/// The examples of the Markdown specifications, as notes of a real site whose
/// template holds nothing but the body.
@Suite(.enabled(if: Shared.hasSpecs, "the specifications are not beside this checkout"))
struct `Markdown specifications through the real program` {
    /// Builds one site of all examples; those whose page differs.
    private func differing(_ examples: [SpecExample], settings: String) throws -> [Int] {
        let site = try TestSite(["daybook.yml": settings, "Templates/note.html": "{{ note.body }}"])
        for example in examples {
            // Front matter gives the title, so that no heading becomes it.
            try site.write(
                "content/n\(example.number).md", "---\ntitle: x\n---\n" + example.markdown)
        }
        try site.mustBuild()
        return examples.filter { Self.sorted(site.page("n\($0.number)/")) != Self.sorted($0.html) }
            .map(\.number)
    }

    /// The order of a check box's attributes, which HTML gives no meaning, is
    /// not the same in the specification and in its own reference program.
    private static func sorted(_ html: String) -> String {
        html.replacing(/<input ([^>\/]*)\/?>/) { match in
            "<input \(match.output.1.split(separator: " ").sorted().joined(separator: " "))>"
        }
    }

    @Test func `all 652 examples of CommonMark 0-30`() throws {
        let examples = try Shared.examples("commonmark-0.30.txt")
        #expect(examples.count == 652)
        #expect(try differing(examples, settings: "markdown: commonmark\n") == [])
    }

    @Test func `the table, strikethrough, autolink and task-list examples of GFM`() throws {
        // The specification marks its task list examples `disabled`.
        let kinds = ["table", "strikethrough", "autolink", "disabled"]
        let examples = try Shared.examples("gfm-0.29.txt").filter { kinds.contains($0.kind) }
        #expect(examples.count >= 20)
        #expect(
            try differing(examples, settings: "markdown: { preset: gfm, heading-ids: false }\n")
                == [])
    }
}
