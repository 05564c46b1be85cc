import Markup
import Testing

@Suite("CommonMark with the dialect off")
struct CommonMarkTests {
    @Test(
        "Every example of the specification renders as it says",
        .enabled(if: Specification.isPresent("commonmark-0.30.txt"), "no specifications here"))
    func everyExample() {
        let examples = Specification.examples("commonmark-0.30.txt")
        #expect(examples.count == 652)
        for example in examples {
            #expect(html(example.markdown, .commonmark) == example.html, "\(example)")
        }
    }

    @Test(
        "Every regression case of cmark renders as it says",
        .enabled(
            if: Specification.isPresent("cmark-0.30.2-regression.txt"), "no specifications here"))
    func everyRegression() {
        let examples = Specification.examples("cmark-0.30.2-regression.txt")
        #expect(examples.count == 16)
        for example in examples {
            #expect(html(example.markdown, .commonmark) == example.html, "\(example)")
        }
    }
}
