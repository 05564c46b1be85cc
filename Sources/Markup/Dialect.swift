/// Which constructs beyond CommonMark a body may use: the switches of the
/// `markdown:` setting.
package struct Dialect: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// GFM tables.
    package static let tables = Dialect(rawValue: 1 << 0)
    /// GFM task list items.
    package static let taskLists = Dialect(rawValue: 1 << 1)
    /// `~~struck~~`.
    package static let strikethrough = Dialect(rawValue: 1 << 2)
    /// Bare `https://…`, `www.…` and e-mail addresses become links.
    package static let autolinks = Dialect(rawValue: 1 << 3)
    /// `[^1]` and its definition.
    package static let footnotes = Dialect(rawValue: 1 << 4)
    /// `> [!NOTE]`, GitHub's five types alone on their line.
    package static let alerts = Dialect(rawValue: 1 << 5)
    /// `> [!note]- Title`, Obsidian's form, which includes GitHub's.
    package static let callouts = Dialect(rawValue: 1 << 6)
    /// `[[note]]` and `![[note]]`.
    package static let wikilinks = Dialect(rawValue: 1 << 7)
    /// `==marked==`.
    package static let highlights = Dialect(rawValue: 1 << 8)
    /// `%%hidden%%`.
    package static let comments = Dialect(rawValue: 1 << 9)
    /// `#tag` in the text.
    package static let tags = Dialect(rawValue: 1 << 10)
    /// `^block-id` behind a block.
    package static let blockIDs = Dialect(rawValue: 1 << 11)
    /// `$inline$` and `$$display$$`.
    package static let maths = Dialect(rawValue: 1 << 12)
    /// `![alt|300](image.png)`.
    package static let imageSizes = Dialect(rawValue: 1 << 13)
    /// Shortcodes and Liquid tags are shown as code, their links lead where
    /// they say, and Kramdown's attributes do not show.
    package static let templateTags = Dialect(rawValue: 1 << 14)
    /// Headings carry anchors.
    package static let headingIDs = Dialect(rawValue: 1 << 15)
    /// Raw HTML passes. Without it, raw HTML is left out.
    package static let rawHTML = Dialect(rawValue: 1 << 16)

    /// `- [/]` and other marks than a cross in a task's box.
    package static let taskMarks = Dialect(rawValue: 1 << 17)

    /// The dialect off: CommonMark as libcmark renders it, byte for byte.
    package static let commonmark: Dialect = [.rawHTML]
    /// GitHub Flavored Markdown.
    package static let gfm: Dialect = [
        .tables, .taskLists, .strikethrough, .autolinks, .footnotes, .alerts, .headingIDs,
        .rawHTML,
    ]
    /// Everything: the default.
    package static let notes: Dialect = [
        .tables, .taskLists, .strikethrough, .autolinks, .footnotes, .alerts, .callouts,
        .wikilinks, .highlights, .comments, .tags, .blockIDs, .maths, .imageSizes,
        .templateTags, .headingIDs, .rawHTML, .taskMarks,
    ]
}
