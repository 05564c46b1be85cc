import Markup
import Testing

/// The HTML of a text without what varies: the holes filled as typed.
private func body(_ markdown: String) -> String { html(markdown, .notes) }

@Suite("Comments")
struct CommentTests {
    // Obsidian's help, "Basic formatting syntax": comments are only visible in
    // the editing view, inline and as a block.
    @Test(
        "What stands between double per cents is not shown",
        arguments: [
            ("a %%hidden%% b", "<p>a  b</p>\n"),
            ("%%hidden%%\n\nb", "<p>b</p>\n"),
            ("%%\nhidden\n\n- hidden\n\n```\nhidden\n```\n%%\n\nb", "<p>b</p>\n"),
            ("a %%hidden\n\n# hidden\n\nhidden%% b", "<p>a  b</p>\n"),
            ("> q %%hidden\n> hidden%% r", "<blockquote>\n<p>q  r</p>\n</blockquote>\n"),
            ("- i %%hidden\n\n  hidden%% r\n- j", "<ul>\n<li>i  r</li>\n<li>j</li>\n</ul>\n"),
            ("# T %%hidden%%", "<h1 id=\"t\">T </h1>\n"),
            ("# T %%hidden\nhidden%%", "<h1 id=\"t\">T </h1>\n"),
            ("![alt %%hidden%%](i.png)", "<p><img src=\"i.png\" alt=\"alt \" /></p>\n"),
            ("[l %%hidden%%](u)", "<p><a href=\"u\">l </a></p>\n"),
            ("{% comment %}hidden{% endcomment %}b", "<p>b</p>\n"),
            ("{% comment %}\nhidden\n\nhidden\n{% endcomment %}\n\nb", "<p>b</p>\n"),
        ])
    func hidden(source: String, expected: String) {
        #expect(body(source) == expected)
        let document = parse(source)
        #expect(!document.plainText.contains("hidden") && !document.summary.contains("hidden"))
        #expect(!document.headings.contains { "\($0)".contains("hidden") })
        #expect(document.messages.isEmpty)
    }

    @Test("Behind a table a comment is no row of it")
    func table() {
        let html = body("| a |\n|---|\n| b |\n%%\nhidden\n%%\n")
        #expect(html.contains("<td>b</td>") && !html.contains("hidden"))
    }

    @Test("A comment hides nothing from the sentence around a link but itself")
    func sentence() {
        #expect(parse("See [[a]] %%hidden%% now.").links.map(\.sentence) == ["See a now."])
    }

    @Test("Unclosed, it is text and a message, with its place")
    func unclosed() {
        for (source, place) in [
            ("a\n\nb %%c", 5..<7), ("- a %%b\n\nc%%", 4..<6), ("> %%a\n\nb %%", 2..<4),
        ] {
            let document = parse(source)
            #expect(document.plainText.contains("%%"))
            #expect(document.messages.first == MarkupMessage(.unclosed("%%"), at: place))
        }
    }

    @Test("In code it is code")
    func code() {
        #expect(body("`%%a%%`") == "<p><code>%%a%%</code></p>\n")
        #expect(body("`a %%b\nc%%`") == "<p>`a </p>\n" || body("`a %%b\nc%%`").contains("%%"))
    }
}

@Suite("Maths")
struct MathsTests {
    // Pandoc's manual, extension `tex_math_dollars`.
    @Test(
        "A dollar opens before and closes behind a character, and closes before no digit",
        arguments: [
            ("$x_1 + y_1$", "<p><span class=\"math inline\">x_1 + y_1</span></p>\n"),
            ("$5 and $10", "<p>$5 and $10</p>\n"), ("$5-$10", "<p>$5-$10</p>\n"),
            ("$ x$", "<p>$ x$</p>\n"), ("$x $", "<p>$x $</p>\n"), ("\\$x$", "<p>$x$</p>\n"),
            ("$a\\$b$", "<p><span class=\"math inline\">a\\$b</span></p>\n"),
            ("$a<b&c$", "<p><span class=\"math inline\">a&lt;b&amp;c</span></p>\n"),
            ("a $$b$$ c", "<p>a <span class=\"math display\">b</span> c</p>\n"),
            ("$$a_b^c$$", "<div class=\"math display\">a_b^c</div>\n"),
            ("$$\na\n\n- b\n$$", "<div class=\"math display\">a\n\n- b</div>\n"),
            (
                "> $$\n> a &\n> b\n> $$",
                "<blockquote>\n<div class=\"math display\">a &amp;\nb</div>\n</blockquote>\n"
            ),
            ("a $$ b\n\nc $$ d", "<p>a $$ b</p>\n<p>c $$ d</p>\n"),
            ("$$$$", "<p>$$$$</p>\n"), ("`$n$`", "<p><code>$n$</code></p>\n"),
        ])
    func dollars(source: String, expected: String) {
        #expect(body(source) == expected)
    }

    @Test("A document knows whether it holds maths")
    func known() {
        #expect(parse("$x$").hasMaths && parse("$$x$$").hasMaths && !parse("$5").hasMaths)
    }
}

@Suite("Footnotes")
struct FootnoteTests {
    // The form of cmark-gfm; a way back for each reference.
    @Test("Twice used, missing, side by side and in lists")
    func uses() {
        let text = """
            One[^a] two[^a] three[^nope] four[^b][^c].

            - item[^b]

            [^a]: note A

                second para

            [^b]: B

            [^c]: C
            """
        let html = body(text)
        #expect(html.contains("three[^nope] four"))
        #expect(html.split(separator: "<li id=\"fn").count == 4)
        #expect(html.contains("two<sup class=\"footnote-ref\"><a href=\"#fn1\" id=\"fnref1-2\">1<"))
        #expect(html.contains("<p>note A</p>\n<p>second para <a href=\"#fnref1\""))
        #expect(html.contains("<p>B <a href=\"#fnref2\" class=\"footnote-backref\">↩</a> <a"))
        #expect(html.contains("href=\"#fnref2-2\""))
        #expect(!parse(text).summary.contains("note A"))
    }

    @Test(
        "A definition is one wherever it stands",
        arguments: [
            "x[^1]\n[^1]: d", "> x[^1]\n>\n> [^1]: d", "- x[^1]\n\n  [^1]: d",
            "1) x[^1]\n\n[^1]: d\n\n2) y", "x[^1]\n\n[^1]:\n    d", "x[^1]\n\n[^2]: [^1]: d",
            "x[^A]\n\n[^a]: d", "x[^1]\n\n[^1]: https://d",
        ])
    func places(source: String) {
        let html = body(source)
        #expect(html.contains("<section class=\"footnotes\">"))
        #expect(html.contains("href=\"#fn1\"") && html.contains("<li id=\"fn1\">"))
        #expect(!html.contains("[^") && !html.contains("01)"))
    }

    @Test("A footnote's footnotes are shown, those of an unused one are not")
    func nested() {
        let html = body("x[^1]\n\n[^1]: a[^2]\n\n[^2]: b\n\n[^3]: c[^4]\n\n[^4]: d")
        #expect(html.contains("<li id=\"fn2\">\n<p>b"))
        #expect(!html.contains("<p>c") && !html.contains("<p>d"))
    }

    @Test("Lists of the author's stay apart from definitions")
    func lists() {
        let html = body("1) a[^1]\n\n[^1]: d\n\n1) b\n2) c")
        #expect(html.contains("<ol>\n<li>a<sup") && html.contains("<ol>\n<li>b</li>\n<li>c</li>"))
    }

    @Test("A heading keeps its id clear of theirs")
    func ids() {
        let document = parse("# fn1\n\nx[^1]\n\n[^1]: d")
        #expect(document.headings.map(\.id) == ["section-fn1"])
    }

    @Test("What is none stays plain Markdown")
    func none() {
        #expect(body("[^1](u)\n\n[^1]: d").contains("<a href=\"u\">^1</a>"))
        #expect(body("[^a b]: d e").contains("[^a b]: d e"))
        #expect(body("`[^1]`\n\n[^1]: d").contains("<code>[^1]</code>"))
    }
}

@Suite("Callouts")
struct CalloutTests {
    // Obsidian's help, "Callouts".
    @Test("Nested, folded, unknown, with a title alone")
    func callouts() {
        let text = """
            > [!INFO]- Title **b**
            > body [l](https://example.org) text
            > > [!bug]+ Inner
            > > inner **bold** end
            >
            > tail

            > [!nosuch]
            > x

            > [!tip] Only title
            """
        #expect(
            body(text) == """
                <details class="callout" data-callout="info">
                <summary class="callout-title">Title <strong>b</strong></summary>
                <div class="callout-body">
                <p>body <a href="https://example.org">l</a> text</p>
                <details class="callout" data-callout="bug" open>
                <summary class="callout-title">Inner</summary>
                <div class="callout-body">
                <p>inner <strong>bold</strong> end</p>
                </div>
                </details>
                <p>tail</p>
                </div>
                </details>
                <div class="callout" data-callout="note" data-callout-type="nosuch">
                <div class="callout-title">Nosuch</div>
                <div class="callout-body">
                <p>x</p>
                </div>
                </div>
                <div class="callout" data-callout="tip">
                <div class="callout-title">Only title</div>
                </div>

                """)
    }

    @Test(
        "All of Obsidian's types and their other names",
        arguments: [
            ("note", "note"), ("abstract", "abstract"), ("summary", "abstract"),
            ("tldr", "abstract"), ("info", "info"), ("todo", "todo"), ("tip", "tip"),
            ("hint", "tip"), ("important", "important"), ("success", "success"),
            ("check", "success"), ("done", "success"), ("question", "question"),
            ("help", "question"), ("faq", "question"), ("warning", "warning"),
            ("caution", "caution"), ("attention", "warning"), ("failure", "failure"),
            ("fail", "failure"), ("missing", "failure"), ("danger", "danger"),
            ("error", "danger"), ("bug", "bug"), ("example", "example"), ("quote", "quote"),
            ("cite", "quote"),
        ])
    func types(type: String, look: String) {
        #expect(body("> [!\(type)]\n> x").contains("data-callout=\"\(look)\""))
    }

    @Test("GitHub has five, in capitals, alone on their line")
    func alerts() {
        #expect(html("> [!NOTE]\n> x", .gfm).contains("data-callout=\"note\""))
        for other in ["> [!note]\n> x", "> [!NOTE] T\n> x", "> [!INFO]\n> x", "> [!NOTE]-\n> x"] {
            #expect(html(other, .gfm).hasPrefix("<blockquote>"), "\(other)")
        }
    }

    @Test("A lazy line belongs to the callout, a line break ends the title")
    func lazy() {
        let expected = "<div class=\"callout-body\">\n<p>x\ny</p>\n</div>"
        #expect(body("> [!note] T\nx\ny").contains(expected))
        #expect(body("> > [!note] T\nx\ny").contains(expected))
        #expect(body("- > [!note] T\nx\ny").contains(expected))
    }

    @Test("What is none stays a quote")
    func none() {
        for text in ["> \\[!note] T", "> x\n> [!note]", "> [!note](u)", "[!note]"] {
            #expect(!body(text).contains("callout"), "\(text)")
        }
    }

    // MkDocs' Material, "Admonitions".
    @Test("MkDocs' admonitions are callouts")
    func admonitions() {
        let html = body("!!! warning \"Mind *it*\"\n    one\n\n    - two\n\nafter")
        #expect(html.contains("data-callout=\"warning\""))
        #expect(html.contains("<div class=\"callout-title\">Mind <em>it</em></div>"))
        #expect(
            html.contains("<p>one</p>\n<ul>\n<li>two</li>\n</ul>\n</div>\n</div>\n<p>after</p>"))
        #expect(
            body("??? note\n    x").contains("<details class=\"callout\" data-callout=\"note\">"))
        #expect(body("???+ note\n    x").contains("data-callout=\"note\" open>"))
        #expect(body("Wow !!! note") == "<p>Wow !!! note</p>\n")
    }
}

@Suite("Block ids")
struct BlockIDTests {
    // Obsidian's help, "Internal links", "Link to a block in a note".
    @Test(
        "An id names the paragraph, the item or the block before it",
        arguments: [
            ("a b ^id\n\nc", "<p id=\"^id\">a b</p>\n"), ("a\n^id", "<p id=\"^id\">a</p>\n"),
            ("- a ^id\n  - b\n- c", "<li id=\"^id\">a\n<ul>\n<li>b</li>\n</ul>\n</li>\n"),
            ("- a\n- b ^id", "<li id=\"^id\">b</li>\n"),
            (
                "> q\n\n^id",
                "<div class=\"block\" id=\"^id\">\n<blockquote>\n<p>q</p>\n</blockquote>\n</div>\n"
            ),
            (
                "```\nc\n```\n\n^id",
                "<div class=\"block\" id=\"^id\">\n<pre><code>c\n</code></pre>\n</div>\n"
            ),
        ])
    func named(source: String, shown: String) {
        let document = parse(source)
        #expect(document.blocks.map(\.id) == ["id"])
        let filled = body(source)
        #expect(filled.contains(shown))
        #expect(!document.plainText.contains("^"))
    }

    @Test("A table is named by an id below it, with or without a blank line")
    func table() {
        for gap in ["\n", "\n\n"] {
            let html = body("| a |\n|---|\n| b |\(gap)^id\n")
            #expect(html.hasPrefix("<div class=\"block\" id=\"^id\">\n<table>"))
            #expect(!html.contains(">^id<"))
        }
    }

    @Test("What is none stays text")
    func none() {
        for text in ["a^id", "a ^i_d", "a ^id b", "`a ^id`", "a ^"] {
            #expect(parse(text).blocks.isEmpty, "\(text)")
        }
    }
}

@Suite("Other tools' habits")
struct ForeignSyntaxTests {
    @Test(
        "Kramdown's attributes do not show",
        arguments: [
            ("## H\n{: .c}\n\nx", "<h2 id=\"h\">H</h2>\n<p>x</p>\n"),
            ("x\n{: #i .c}", "<p>x</p>\n<a id=\"i\"></a>\n"),
            ("[a](u){: .b} c", "<p><a href=\"u\">a</a> c</p>\n"),
            ("- a\n{: .c}\n- b", "<ul>\n<li>a\n</li>\n<li>b</li>\n</ul>\n"),
        ])
    func attributes(source: String, expected: String) {
        #expect(body(source) == expected)
    }

    @Test("Tags that are not run are code, with one message for each name")
    func tags() {
        let text =
            "{{< fig src=\"a\" >}} {{< fig >}} {% include x.html %} {{ page.a }} {{ page.b }}"
        let document = parse(text)
        #expect(body(text).hasPrefix("<p><code>{{&lt; fig src=&quot;a&quot; &gt;}}</code> <code>"))
        #expect(
            document.messages.map(\.kind) == [
                .notExecuted("{{< fig"), .notExecuted("{% include"), .notExecuted("{{ page.a"),
                .notExecuted("{{ page.b"),
            ])
    }

    @Test(
        "Jekyll's links lead where they say",
        arguments: [
            ("[x]({% post_url 2024-01-02-name %})", "2024-01-02-name.md", nil),
            ("[x]({% link _docs/a.md %}#part)", "/_docs/a.md", "part"),
            ("[x]({{ site.baseurl }}{% link a.md %})", "/a.md", nil),
            ("[x]({{ site.url }}/docs/ \"t\")", "/docs/", nil),
            ("[x]({{ \"/about/\" | relative_url }})", "/about/", nil),
        ] as [(String, String, String?)])
    func links(source: String, target: String, fragment: String?) {
        let document = parse(source)
        #expect(document.links.map(\.target) == [target])
        #expect(document.links.map(\.fragment) == [fragment])
        #expect(document.messages.isEmpty)
    }

    @Test("Raw guards what is inside, highlight is a code block")
    func blocks() {
        #expect(body("{% raw %}{{ x }}{% endraw %}") == "<p>{{ x }}</p>\n")
        #expect(
            body("{% raw %}\n```\n{{ x }}\n```\n{% endraw %}\n")
                == "<pre><code>{{ x }}\n</code></pre>\n")
        #expect(
            body("{% highlight ruby linenos %}\na = <b>\n\nc\n{% endhighlight %}\n")
                == "<pre><code class=\"language-ruby\">a = &lt;b&gt;\n\nc\n</code></pre>\n")
    }

    @Test("Other marks in a task's box")
    func tasks() {
        #expect(
            body("- [/] half\n- [-] off")
                == """
                <ul>
                <li><input type="checkbox" checked="" data-task="/" disabled="" /> half</li>
                <li><input type="checkbox" checked="" data-task="-" disabled="" /> off</li>
                </ul>

                """)
        #expect(html("- [/] half", .gfm) == "<ul>\n<li>[/] half</li>\n</ul>\n")
        #expect(body("- [a] x\n\n[a]: /u").contains("<a href=\"/u\">a</a>"))
    }

    @Test("A wikilink's text may hold markup")
    func wikilinkText() {
        let document = parse("[[a|**b** `c` %%hidden%%$x$]]")
        #expect(document.links.map(\.text) == ["b c x"])
        #expect(
            body("[[a|**b** `c`]]") == "<p><strong>b</strong> <code>c</code></p>\n")
        #expect(body("| a |\n|---|\n| [[n\\|*t*]] |").contains("<td><em>t</em></td>"))
    }
}
