/// What the body of a note came to: HTML with holes, and what it says of other
/// notes.
///
/// Nothing of any other note is in it. Titles, addresses and whole embedded
/// texts belong to other notes, so their places are ``holes``, which whoever
/// renders a page fills. A document is therefore a pure function of the body's
/// bytes and the ``Dialect``.
package struct MarkupDocument: Sendable, Equatable {
    /// The HTML, in UTF-8, without what belongs into the holes.
    package var html: [UInt8] = []
    /// Where the body ends in ``html``; behind it stand the texts of footnotes.
    package var bodyEnd = 0
    /// The texts of footnotes in ``html``, in the order of the first reference
    /// to each. ``FootnoteList`` tells which of them a part of the body shows.
    package var footnotes: [Range<Int>] = []
    /// The references to footnotes, by what each refers to in ``footnotes``.
    package var footnoteReferences: [Int] = []
    /// Where something is to be filled in, by ascending offset. Several holes
    /// at one offset are filled in their order here.
    package var holes: [Hole] = []
    /// What the body links to inside the site, in the order of the source.
    package var links: [Link] = []
    /// The headings, in the order of the source.
    package var headings: [Heading] = []
    /// Tags written in the text, in the order of the source.
    package var tags: [InlineTag] = []
    /// Blocks that carry a `^block-id`, in the order of the source.
    package var blocks: [Block] = []
    /// The part of ``html`` that is a level-1 heading standing first, which a
    /// page that shows it as its title leaves out; nil where there is none.
    /// It includes the line break after it.
    package var leadingHeading: Range<Int>?
    /// The text before `<!--more-->`, else the first paragraph's, as plain
    /// text with blanks folded; empty where there is none.
    package var summary: String = ""
    /// The whole text without markup, in UTF-8, blanks as they came, a line
    /// feed after each block.
    package var text: [UInt8] = []
    /// Whether the body holds maths, so that a page can load what shows it.
    package var hasMaths = false
    /// What is to be said to the author, in the order of the source.
    package var messages: [MarkupMessage] = []

    /// A document without text.
    package init() {}

    /// The whole text without markup, blanks folded, for searching. Made when
    /// it is asked for: most pages never are.
    package var plainText: String { text.folded(0..<text.count) }
}

/// A place in a document's HTML where something of another note, or of the
/// page it is shown on, belongs.
package struct Hole: Sendable, Equatable {
    /// What belongs there.
    package enum Kind: Sendable, Equatable {
        /// The start tag of a link (`<a href="…" title="…">`), or nothing
        /// where the link leads nowhere. The number indexes ``MarkupDocument/links``.
        case linkStart(Int)
        /// The end tag that belongs to ``linkStart(_:)``.
        case linkEnd(Int)
        /// The address alone, inside an attribute's double quotes: the `src`
        /// of a picture. Indexes ``MarkupDocument/links``.
        case address(Int)
        /// A whole embedded note, section, block or file.
        case embed(Int, Place)
        /// The mark of a footnote. Indexes
        /// ``MarkupDocument/footnoteReferences``.
        case footnoteReference(Int)
        /// The ways back from a footnote's text. Indexes
        /// ``MarkupDocument/footnotes``.
        case footnoteBacklinks(Int, isInParagraph: Bool)
        /// The page of a tag: start tag and end tag around the tag as typed.
        /// Indexes ``MarkupDocument/tags``.
        case tagStart(Int)
        /// The end tag that belongs to ``tagStart(_:)``.
        case tagEnd(Int)
        /// A prefix that keeps the ids of an embedded text apart from the
        /// page's own: directly behind `id="` and behind `href="#`. Empty in
        /// a note's own page.
        case idPrefix
    }

    /// What stands around an embed.
    package enum Place: Sendable, Equatable {
        /// Blocks.
        case block
        /// The inlines of a paragraph: blocks need it to be split.
        case paragraph
        /// Inlines in an item or a cell, where blocks may stand too.
        case cell
        /// Inlines where no block may stand: a heading, emphasis.
        case phrase
    }

    /// Bytes from the start of ``MarkupDocument/html``.
    package var offset: Int
    /// What belongs there.
    package var kind: Kind

    /// A hole of `kind` before the byte at `offset`.
    package init(offset: Int, kind: Kind) {
        self.offset = offset
        self.kind = kind
    }
}

/// A link or an embed that may lead into the site.
///
/// Addresses with a scheme (`https:`, `mailto:`) and network paths (`//host`)
/// are not links in this sense: they stand in the HTML as they are.
package struct Link: Sendable, Equatable {
    /// How it was written.
    package enum Form: Sendable, Equatable {
        /// `[[name]]`.
        case wikilink
        /// `![[name]]`.
        case embed
        /// `[text](path)` and its reference forms.
        case link
        /// `![alt](path)` and its reference forms.
        case image
    }

    /// How it was written.
    package var form: Form
    /// The name or path, blanks around it trimmed; of Markdown's own forms
    /// percent-decoded (once) and without a query. Empty for a place on the
    /// same page.
    package var target: String
    /// What stands behind `#`, decoded alike: a heading's text (wikilinks,
    /// possibly several levels joined by `#`), an anchor, or `^` and a block
    /// id; nil where there is no `#`.
    package var fragment: String?
    /// What stands behind `?` in a Markdown link, raw; nil where there is none.
    package var query: String?
    /// The destination exactly as Markdown reads it (wikilinks: the inner
    /// text), for showing a link that leads nowhere as it was typed.
    package var destination: String
    /// The shown text without markup; for an embed what stands behind `|`.
    package var text: String
    /// Whether the author wrote a text of their own (`|text`); always true of
    /// Markdown's own forms.
    package var hasText: Bool
    /// The title of a Markdown link or picture, unescaped; nil where none was
    /// written. An empty one is kept, since cmark prints it.
    package var title: String?
    /// The picture size asked for behind `|` or in the alternative text.
    package var size: PictureSize?
    /// The sentence that holds the link, as plain text with blanks folded.
    package var sentence: String
    /// Where it stands, in bytes from the start of the body.
    package var span: Range<Int>

    /// Makes a link; see the properties.
    package init(
        form: Form, target: String, fragment: String? = nil, query: String? = nil,
        destination: String, text: String, hasText: Bool, title: String? = nil,
        size: PictureSize? = nil, sentence: String = "", span: Range<Int>
    ) {
        self.form = form
        self.target = target
        self.fragment = fragment
        self.query = query
        self.destination = destination
        self.text = text
        self.hasText = hasText
        self.title = title
        self.size = size
        self.sentence = sentence
        self.span = span
    }
}

/// `300` or `300x200`, in CSS pixels.
package struct PictureSize: Sendable, Equatable {
    /// The width.
    package var width: Int
    /// The height, where it was given.
    package var height: Int?

    /// A size of `width` by `height`.
    package init(width: Int, height: Int? = nil) {
        self.width = width
        self.height = height
    }
}

/// A heading of a document.
package struct Heading: Sendable, Equatable {
    /// 1 to 6.
    package var level: Int
    /// The anchor, unique in the document, as GitHub makes it.
    package var id: String
    /// The text without markup.
    package var text: String
    /// The inner HTML with links and footnote marks left out, for a contents
    /// list.
    package var html: String
    /// The heading's element in the document's HTML, with the line break
    /// behind it.
    package var range: Range<Int>
    /// The heading and what follows it up to the next heading of the same or
    /// a higher level: what an embed of this section shows.
    package var section: Range<Int>
    /// Where it stands, in bytes from the start of the body.
    package var span: Range<Int>

    /// Makes a heading; see the properties.
    package init(
        level: Int, id: String, text: String, html: String, range: Range<Int>,
        section: Range<Int>, span: Range<Int>
    ) {
        self.level = level
        self.id = id
        self.text = text
        self.html = html
        self.range = range
        self.section = section
        self.span = span
    }
}

/// A `#tag` in a text.
package struct InlineTag: Sendable, Equatable {
    /// The tag without `#`.
    package var name: String
    /// Where it stands with its `#`, in bytes from the start of the body.
    package var span: Range<Int>

    /// A tag `name` at `span`.
    package init(name: String, span: Range<Int>) {
        self.name = name
        self.span = span
    }
}

/// A block that a `^block-id` names.
package struct Block: Sendable, Equatable {
    /// The id without `^`.
    package var id: String
    /// The block's element in the document's HTML.
    package var range: Range<Int>

    /// A block named `id` that spans `range`.
    package init(id: String, range: Range<Int>) {
        self.id = id
        self.range = range
    }
}

/// Something to be said about a body, as a fact; the words are in one place,
/// ``MarkupMessage/Kind/diagnosticID`` and what stands beside it.
package struct MarkupMessage: Sendable, Equatable {
    /// What was found.
    package enum Kind: Sendable, Equatable {
        /// A `%%` or `$$` that nothing closes.
        case unclosed(String)
        /// A shortcode or Liquid tag, named, which is shown as code; said once
        /// for each name in a note.
        case notExecuted(String)
    }

    /// What was found.
    package var kind: Kind
    /// Where, in bytes from the start of the body.
    package var span: Range<Int>

    /// Says `kind` of `span`.
    package init(_ kind: Kind, at span: Range<Int>) {
        self.kind = kind
        self.span = span
    }
}
