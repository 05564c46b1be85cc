import Markup
import Testing

@Suite("GitHub Flavored Markdown")
struct GFMTests {
    /// Anchors are this program's own addition to GFM's HTML.
    static let dialect = Dialect.gfm.subtracting(.headingIDs)

    @Test(
        "Examples of the specification's extensions render as it says",
        .enabled(if: Specification.isPresent("gfm-0.29.txt"), "no specifications here"),
        arguments: ["table", "strikethrough", "autolink"])
    func examples(of name: String) {
        let examples = Specification.examples("gfm-0.29.txt").filter {
            $0.extensions.contains(name)
        }
        #expect(!examples.isEmpty)
        for example in examples {
            #expect(html(example.markdown, Self.dialect) == example.html, "\(example)")
        }
    }

    @Test(
        "Examples of task lists in the specification render as cmark-gfm prints them",
        .enabled(if: Specification.isPresent("gfm-0.29.txt"), "no specifications here"))
    func taskItems() {
        // The specification orders the attributes otherwise than the program.
        let examples = Specification.examples("gfm-0.29.txt").filter {
            $0.extensions.contains("disabled")
        }
        #expect(examples.count == 2)
        for example in examples {
            let expected = example.html
                .replacing(
                    "<input checked=\"\" disabled=\"\" type=\"checkbox\">",
                    with: "<input type=\"checkbox\" checked=\"\" disabled=\"\" />"
                )
                .replacing(
                    "<input disabled=\"\" type=\"checkbox\">",
                    with: "<input type=\"checkbox\" disabled=\"\" />")
            #expect(html(example.markdown, Self.dialect) == expected, "\(example)")
        }
    }

    @Test(
        "cmark-gfm's own cases render as they say",
        .enabled(if: Specification.isPresent("gfm-extensions.txt"), "no specifications here"))
    func ownCases() {
        for example in Specification.examples("gfm-extensions.txt") {
            // Nothing may crash, and nothing more is asked.
            guard example.html != "<IGNORE>\n" else {
                _ = parse(example.markdown, Self.dialect)
                continue
            }
            // The tag filter is not ours: raw HTML passes or is left out.
            guard !example.markdown.contains("<xmp>") else { continue }
            #expect(html(example.markdown, Self.dialect) == example.html, "\(example)")
        }
    }

    @Test(
        "Of CommonMark's examples only those with bare addresses differ",
        .enabled(if: Specification.isPresent("commonmark-0.30.txt"), "no specifications here"))
    func commonMark() {
        // These show addresses that CommonMark does not link and GFM does.
        let bare: Set = [601, 605, 607, 610, 611]
        let differing = Specification.examples("commonmark-0.30.txt").filter {
            html($0.markdown, Self.dialect) != $0.html
        }
        #expect(Set(differing.map(\.number)) == bare)
    }
}
