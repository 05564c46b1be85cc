#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A generator of random numbers whose seed can be printed and given again.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    // SplitMix64: every seed gives a good sequence.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

/// Random documents in which the syntax of blocks and spans meets closely.
enum RandomDocument {
    /// How many documents a property is tried on.
    static let count = getenv("DAYBOOK_FUZZ_COUNT").flatMap { Int(String(cString: $0)) } ?? 2_000

    private static let prefixes = [
        "", "", "", "", " ", "  ", "   ", "    ", "\t", "> ", ">", "- ", "-", "* ", "+ ", "1. ",
        "2) ", "1) ", "> > ", "-\t", "  - ", "      ", " \t", ">\t", "# ", "## ",
        "[^1]: ", "[^2]:", "> [!a] ", "!!! note", "{% highlight a %}", "{% endhighlight %}", "%%",
        "$$", "^id",
    ]

    private static let pieces = [
        "a", "b", " ", "  ", "word", "*", "**", "_", "`", "``", "```", "~", "~~", "~~~", "==",
        "=", "===", "---", "***", "-", "[", "]", "[a]", "[a]: /u", "[b]: <x> 't'", "[a][b]",
        "[a](b)", "[", "](", ")", "(", "![", "!", "<", ">", "<div>", "</div>", "<b c=", "<b>",
        "</b>", "<!--", "-->", "<?", "?>", "<!A", "<![CDATA[", "]]>", "<script>", "</script>",
        "|", "|-|", "| a | b |", "|---|---|", ":-:", "\\", "\\|", "#", "#tag", "#", "[[", "]]",
        "[[w]]", "[[w|t]]", "![[e]]", "&amp;", "&#65;", "&#xFDD0;", "&#xFDD1;", "1", ":", "\"",
        "'", "http://a.bc/d", "www.a.bc", "a@b.cd", "é", "“", "—", "\u{A0}", "🌱", "日本",
        forgedMark, "[ ] ", "[x] ", "$", "$$", "%%", "^", "[^1]", "[^1]: ", "^id",
        "[!note]", "[!tip]- ", "{%", "%}", "{: #x}", "{% raw %}", "{% comment %}",
        "{% endcomment %}", "[^1]: ", "[[w|*t*]]", "{% post_url p %}", "[a]({% link b %})", "  ",
        "\t", ".", ",", "<http://x.y>", "<a@b.c>",
    ]

    /// What marks are written with, and what no literal can spell.
    static let forgedMark = String(
        decoding: [0xEF, 0xB7, 0x90, 0x30, 0xEF, 0xB7, 0x91], as: UTF8.self)

    private static let lineEnds = ["\n", "\n", "\n", "\n", "\n", "\n\n", "\r\n", "\r"]

    /// A document; the same for the same seed.
    static func make(seed: UInt64) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        func pick(_ list: [String]) -> String {
            list[Int.random(in: 0..<list.count, using: &generator)]
        }
        var text = ""
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            for _ in 0..<Int.random(in: 0...2, using: &generator) { text += pick(prefixes) }
            for _ in 0..<Int.random(in: 0...6, using: &generator) { text += pick(pieces) }
            text += pick(lineEnds)
        }
        if Int.random(in: 0..<200, using: &generator) == 0 { text += "\0" }
        return Array(text.utf8)
    }
}

/// Printable form of a document, for messages.
func quoted(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).debugDescription
}
