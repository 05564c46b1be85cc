import Markup
import Testing

@testable import Notes

/// Edits of a note whose first heading is its title.
@Suite struct NoteEditTests {
    private func title(of bytes: [UInt8]) -> String? {
        var parser = NoteParser(dialect: .notes)
        return parser.parse(bytes, path: "n.md", file: "n.md").note?.title
    }

    private func edited(_ text: String, title: String) throws -> String {
        var edit = NoteEdit()
        edit.frontMatter.title = .set(title)
        return String(decoding: try edit.applied(to: Array(text.utf8)), as: UTF8.self)
    }

    /// Whatever a title holds, the heading is then read as that.
    @Test(arguments: [
        "Plain words", "Q&A session", "R&D; a report", "&amp; and &#65;", "AT&T", "C# notes", "C #",
        "A #tag", "# first", "5 * 3 = 15", "a *b* c", "**b**", "snake_case", "_u_ and __v__",
        "a_b _c", "[[x]]", "[a](b)", "![p](q)", "[^1]", "`code`", "a ` b", "<b>x</b>", "a < b > c",
        "<https://a.b>", "back\\slash", "c:\\*x", "end\\", "~~gone~~", "a ~ b", "==lit==", "%%no%%",
        "100 %", "$5 and $6", "$x$", "{{ x }}", "{% y %}", "{a}", "x {#id}", "n ^id", "2^10",
        "a^b ^c", "! and ?", "1. one", "- x", "> q", "emoji 🎈 & *", "中文 *标* 题", "a | b", "x:", "::",
        "http://a.b/c_d_", "www.a.b", "me@b.cd", "trail ##",
    ])
    func `a title becomes a heading that says it`(_ title: String) throws {
        let result = try edited("# Old\n\nText.\n", title: title)
        #expect(self.title(of: Array(result.utf8)) == title, "\(result)")
        #expect(result.hasPrefix("# ") && result.hasSuffix("\n\nText.\n"))
        // It is shown so, and another title takes its place as a whole.
        #expect(EditableNote(Array(result.utf8)).title == title)
        #expect(try edited(result, title: "New") == "# New\n\nText.\n")
    }

    /// Where nothing needs it there is no backslash.
    @Test(arguments: ["Q&A session", "C# notes", "5 * 3", "snake_case", "100 %", "2^10", "a < b"])
    func `what means nothing is written as it is`(_ title: String) throws {
        #expect(try edited("# Old\n", title: title) == "# \(title)\n")
    }

    @Test(arguments: [
        ("# Old {#id}\n", "# New {#id}\n"), ("# Old ^id\n", "# New ^id\n"),
        ("# Old ##\n", "# New ##\n"), ("#  Old  \n", "#  New  \n"),
    ])
    func `what stands behind a title stays`(_ old: String, _ new: String) throws {
        #expect(try edited(old, title: "New") == new)
    }

    /// Marked up text is edited as it is written.
    @Test func `a heading that is marked up is edited as Markdown`() throws {
        let text = "# The *best* way\n"
        #expect(EditableNote(Array(text.utf8)).title == "The *best* way")
        #expect(try edited(text, title: "The *best* day") == "# The *best* day\n")
    }
}
