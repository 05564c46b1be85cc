import Markup
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Inputs made to be slow: nothing may take more than in proportion, and no
/// depth may overflow the stack.
@Suite("Inputs made to be slow")
struct LinearTests {
    /// Each kind of input, by a size.
    static let inputs: [(name: String, make: @Sendable (Int) -> String)] = [
        ("[[", { String(repeating: "[[", count: $0) }),
        ("[[a", { String(repeating: "[[a", count: $0) }),
        ("[[a|*", { String(repeating: "[[a|*", count: $0) }),
        ("[[a|*b*]]", { String(repeating: "[[a|*b*]] ", count: $0) }),
        ("%%", { String(repeating: "%%", count: $0) }),
        ("%%a lines", { String(repeating: "%%a\n", count: $0 | 1) }),
        ("%%a paragraphs", { String(repeating: "%%a\n\n", count: $0 | 1) }),
        ("> %%a", { String(repeating: "> %%a\n\n", count: $0) }),
        ("- %%a", { String(repeating: "- %%a\n", count: $0) }),
        ("==", { String(repeating: "==", count: $0) }),
        ("==a", { String(repeating: "==a", count: $0) }),
        ("a ==b", { String(repeating: "a ==b ", count: $0) }),
        ("$", { String(repeating: "$", count: $0) }),
        ("$a", { String(repeating: "$a", count: $0) }),
        ("a $b", { String(repeating: "a $b ", count: $0) }),
        ("$$a paragraphs", { String(repeating: "$$\n\na\n\n", count: $0 | 1) }),
        ("a $$b paragraphs", { String(repeating: "a $$b\n\n", count: $0) }),
        ("~~", { String(repeating: "~~", count: $0) }),
        ("~~a", { String(repeating: "~~a", count: $0) }),
        ("~ ~~ ==", { String(repeating: "~a ~~b ==c ", count: $0) }),
        ("|", { String(repeating: "|", count: $0) }),
        ("| rows", { "|a|b|\n|-|-|\n" + String(repeating: "|a|b|\n", count: $0) }),
        ("[^a]", { "[^a]: x\n\n" + String(repeating: "[^a]", count: $0) }),
        ("[^", { "[^a]: x\n\n" + String(repeating: "[^", count: $0) }),
        ("[^n]: definitions", { (0..<$0).map { "a[^\($0)]\n\n[^\($0)]: b\n\n" }.joined() }),
        ("[^n]: in each other", { (0..<$0).map { "[^\($0)]: " }.joined() + "x" }),
        ("{{", { String(repeating: "{{", count: $0) }),
        ("{%", { String(repeating: "{% a ", count: $0) }),
        ("{% comment", { String(repeating: "{% comment %}", count: $0) }),
        ("{% comment lines", { String(repeating: "{% comment %}\n", count: $0) }),
        ("{% highlight", { String(repeating: "{% highlight a %}\n\n", count: $0) }),
        ("{:", { String(repeating: "{: a ", count: $0) }),
        ("](", { String(repeating: "[a](", count: $0) }),
        ("]({%", { String(repeating: "[a]({% link a %}", count: $0) }),
        ("^id", { String(repeating: "a ^id\n\n", count: $0) }),
        ("^id line", { String(repeating: "a ^id ", count: $0) }),
        ("#a", { String(repeating: "#a ", count: $0) }),
        ("a@", { String(repeating: "a@", count: $0) }),
        ("http://a", { String(repeating: "http://a", count: $0) }),
        ("www.", { String(repeating: "www.", count: $0) }),
        ("<!A", { String(repeating: "<!A ", count: $0) }),
        ("<?", { String(repeating: "<?", count: $0) }),
        ("<!--", { String(repeating: "<!--a ", count: $0) }),
        (
            "`",
            {
                (1...max(1, Int(Double($0).squareRoot()))).map {
                    String(repeating: "`", count: $0) + "a"
                }.joined()
            }
        ),
        ("[!note] quotes", { String(repeating: "> [!note] *t*\n> x\n\n", count: $0) }),
        ("> [!note] deep", { nested($0 / 20) }),
        (
            "!!! deep",
            { size in
                (0..<min(size / 20, 90)).map { String(repeating: "    ", count: $0) + "!!! note\n" }
                    .joined()
            }
        ),
        ("- [x]", { String(repeating: "- [/] a\n", count: $0) }),
        (
            "- deep",
            { (0..<($0 / 40)).map { String(repeating: "  ", count: $0) + "- a\n" }.joined() }
        ),
        ("**[[a", { String(repeating: "**[[a", count: $0) }),
        ("![[a]]", { String(repeating: "![[a]] ", count: $0) }),
    ]

    /// `> [!note]` so many deep, a level a line.
    static func nested(_ depth: Int) -> String {
        (1...max(1, depth)).map { String(repeating: "> ", count: $0) + "[!note]\n" }.joined()
    }

    // A generous guard against hanging, no measurement: the benchmark prints
    // the ratios.
    @Test("None takes long", arguments: inputs.map(\.name))
    func hang(name: String) throws {
        let input = try #require(Self.inputs.first { $0.name == name })
        let text = Array(input.make(20_000).utf8)
        var parser = MarkupParser()
        let start = Self.now()
        let document = parser.parse(text, in: 0..<text.count, dialect: .notes)
        #expect(document.fault(of: text) == nil)
        #expect(Self.now() - start < 30)
    }

    @Test("A thousand callouts in each other overflow nothing")
    func depth() {
        let html = String(decoding: parse(Self.nested(1000)).html, as: UTF8.self)
        #expect(html.split(separator: "class=\"callout\"").count == 1001)
    }

    @Test(
        "Doubled input takes about double the time",
        .enabled(if: getenv("DAYBOOK_BENCHMARK") != nil))
    func ratios() {
        var parser = MarkupParser()
        let size = getenv("DAYBOOK_SIZE").flatMap { Int(String(cString: $0)) } ?? 20_000
        for (name, make) in Self.inputs {
            let times = [size, 2 * size].map { size in
                let text = Array(make(size).utf8)
                return (0..<5).map { _ in
                    let start = Self.now()
                    _ = parser.parse(text, in: 0..<text.count, dialect: .notes)
                    return Self.now() - start
                }.min() ?? 0
            }
            let ratio = (times[1] / max(times[0], 1e-9) * 10).rounded() / 10
            print("\(name): \(Int(times[0] * 1e6)) us, doubled \(ratio) times")
        }
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
