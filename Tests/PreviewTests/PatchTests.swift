import Bytes
import Testing

@testable import Preview

/// What turns one version of a page into the next.
@Suite struct PatchTests {
    private func page(_ body: String, title: String = "T") -> [UInt8] {
        Array(
            """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <title>\(title)</title>
            </head>
            <body>
            \(body)
            </body>
            </html>

            """.utf8)
    }

    private func compare(_ old: [UInt8], _ new: [UInt8]) -> PageComparison {
        PageComparison.compare(HTMLTree(old), with: new).comparison
    }

    private func steps(_ old: String, _ new: String) -> [PagePatch.Step]? {
        guard case .patch(let patch) = compare(page(old), page(new)) else {
            return nil
        }
        return patch.steps
    }

    @Test func `equal pages differ in nothing`() {
        #expect(steps("<p>One.</p>", "<p>One.</p>") == [])
    }

    @Test func `a title in a long list is one text`() {
        let items = (0..<10_000).map {
            "<li><time>1 May</time> <a href=\"/\($0)/\">Note \($0)</a></li>"
        }
        let old = "<ul>\n\(items.joined(separator: "\n"))\n</ul>"
        let new = old.replacing(">Note 7000<", with: ">Another &amp; other<")
        #expect(
            steps(old, new) == [
                .text(in: [1, 0, 7000, 1], at: 0, from: "Note 7000", to: "Another &amp; other")
            ])
        guard case .patch(let patch) = compare(page(old), page(new)) else {
            Issue.record("expected a patch")
            return
        }
        #expect(patch.json.line.utf8.count < 1024)
    }

    /// What is told from the changed bytes alone is what two whole trees tell.
    @Test(arguments: [
        ("<p>One two.</p>", "<p>One three.</p>"), ("<p>One</p>", "<p>One!</p>"),
        ("<p>One</p>", "<p>Two One</p>"), ("<p><b>x</b> y</p>", "<p><b>x</b>z y</p>"),
        ("<p>a <b>b</b> c</p><p>d</p>", "<p>a <b>b</b> cc</p><p>d</p>"),
        ("<p>x</p><p>x</p>", "<p>x</p><p>xx</p>"), ("<p>aaa</p>", "<p>aaaa</p>"),
        ("<p>One</p>", "<p></p>"), ("<p> </p>", "<p> a</p>"), ("<p>a</p>", "<p> </p>"),
        ("<p>a < b</p>", "<p>a <b</p>"), ("<p>a < b</p>", "<p>a < c</p>"),
        ("<p>a</p>", "<p>a<i>b</i></p>"), ("<p class=\"a\">x</p>", "<p class=\"b\">x</p>"),
        ("<pre>a</pre>", "<pre>\na</pre>"), ("<pre>\na</pre>", "<pre>\nb</pre>"),
        ("<pre>\na</pre>", "<pre>\n\na</pre>"), ("<!-- a --><p>x</p>", "<!-- b --><p>x</p>"),
        ("<script>a</script>", "<script>b</script>"), ("<p>a</p>", "<p>a\0</p>"),
        ("<textarea>a</textarea>", "<textarea>b</textarea>"),
        ("<table><tr><td>a</td></tr></table>", "<table><tr><td>ab</td></tr></table>"),
        ("<ul>\n<li>a</li>\n</ul>", "<ul>\n<li>a</li>\n\n</ul>"),
        ("<p>a&amp;b</p>", "<p>a&lt;b</p>"),
        ("<p>a</p>b", "<p>ac</p>b"), ("<p>é</p>", "<p>è</p>"),
    ])
    func `a change of words is found without telling the tree anew`(
        _ old: String, _ new: String
    ) {
        for (old, new) in [(old, new), (new, old)] {
            let (found, tree) = PageComparison.compare(HTMLTree(page(old)), with: page(new))
            #expect(found == PageComparison(from: HTMLTree(page(old)), to: HTMLTree(page(new))))
            // And the tree that it leaves is the page's.
            let next = page(new + "<p>more</p>")
            #expect(
                PageComparison(from: tree, to: HTMLTree(next))
                    == PageComparison(from: HTMLTree(page(new)), to: HTMLTree(next)))
            #expect(tree == HTMLTree(page(new)))
        }
    }

    @Test func `an entry of a list comes and goes by itself`() {
        let items = (0..<50).map { "<li>\($0)</li>" }
        let all = "<ul>\n\(items.joined(separator: "\n"))\n</ul>"
        let less = all.replacing("<li>7</li>\n", with: "")
        #expect(
            steps(less, all) == [
                .children(of: [1, 0], count: 99, 15..<15, html: "<li>7</li>\n")
            ])
        #expect(steps(all, less) == [.children(of: [1, 0], count: 101, 15..<17, html: "")])
    }

    @Test func `an entry that moves leaves the others alone`() throws {
        let items = (0..<100).map { "<li>\($0)</li>" }
        let moved = items.filter { $0 != "<li>10</li>" }
        let new = Array(moved[..<80]) + ["<li>10</li>"] + Array(moved[80...])
        let found = try #require(
            steps("<ul>\(items.joined())</ul>", "<ul>\(new.joined())</ul>"))
        #expect(
            found == [
                .children(of: [1, 0], count: 100, 10..<11, html: ""),
                .children(of: [1, 0], count: 100, 81..<81, html: "<li>10</li>"),
            ])
    }

    @Test func `words of the head change in place`() {
        #expect(
            compare(page("", title: "One"), page("", title: "Two"))
                == .patch(
                    PagePatch(steps: [.text(in: [0, 1], at: 0, from: "One", to: "Two")])))
    }

    @Test func `attributes are set and taken away`() {
        #expect(
            steps("<p class=\"a\" id=x>One</p>", "<p class='b' lang=en>One</p>") == [
                .attributes(
                    of: [1, 0],
                    [
                        .init(name: "class", value: "b"), .init(name: "lang", value: "en"),
                        .init(name: "id", value: nil),
                    ])
            ])
    }

    @Test func `what only its bytes tell apart differs`() throws {
        let (composed, apart) = ("\u{E9}", "e\u{301}")
        func patch(_ old: String, _ new: String) -> String {
            guard case .patch(let patch) = compare(page(old), page(new)) else { return "" }
            return patch.json.line
        }
        let json = patch("<p title=\"\(composed)\">x</p>", "<p title=\"\(apart)\">x</p>")
        #expect(Array(json.utf8).holds(Array("\"title\": \"\(apart)\"".utf8)), "\(json)")
        let text = patch("<p>\(composed)</p>", "<p>\(apart)</p>")
        #expect(Array(text.utf8).holds(Array("\"\(composed)\", \"\(apart)\"".utf8)), "\(text)")
    }

    @Test func `what is as it was stays though much around it is new`() {
        let media = "<audio src=\"a.mp3\" controls></audio>"
        let old = "<h1>A</h1>\n<p>One.</p>\n\(media)\n<p>Two.</p>"
        let new = "<h1>B</h1>\n<p>Nought.</p>\n<p>One.</p>\n\(media)\n<ul><li>x</li></ul>"
        for step in steps(old, new) ?? [] {
            if case .children(_, _, _, let html) = step { #expect(!html.contains("audio")) }
        }
    }

    @Test(arguments: [
        "<p>One<div>Two</div>", "<table><tr><td>One</td></tr></table>", "</div>", "<b><i>x</b></i>",
        "<ul><li>a<li>b</ul>", "<table><tbody><tr>text</tr></tbody></table>", "<div>",
        "<p a\"b>x</p>",
        "<a href=x><a href=y>z</a></a>", "<!-- a --!> b -->", "<frameset></frameset>",
    ])
    func `a page that browsers would mend is taken as a whole`(_ body: String) {
        #expect(compare(page(body), page(body + "<p>x</p>")) == .unknown)
    }

    @Test(arguments: [
        "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td><p>x</p></td></tr></tbody></table>",
        "<svg viewBox=\"0 0 1 1\"><path d=\"M0 0\"/><title>t</title></svg>",
        "<pre>\n\nx &lt; y</pre>", "<textarea><p></textarea>", "<br/><img src=a alt=\">\"><hr>",
        "<details><summary>s</summary><ul><li><p>x</p><ul><li>y</li></ul></li></ul></details>",
        "<dl><dt>a</dt><dd><dl><dt>b</dt></dl></dd></dl>", "a < b & c", "<!-- <p> --><p>x</p>",
    ])
    func `a sound page has a tree`(_ body: String) {
        #expect(HTMLTree(page(body)) != nil)
        guard case .patch = compare(page(body), page(body + "<p>x</p>")) else {
            Issue.record("expected a patch")
            return
        }
    }

    @Test func `a script that differs asks for the page to be loaded`() {
        #expect(
            compare(page("<script>a()</script>"), page("<script>b()</script>"))
                == .scripts)
        let data = "<script type=\"application/ld+json\">1</script>"
        #expect(
            steps(data, data.replacing("1", with: "2")) == [
                .children(
                    of: [1], count: 3, 1..<2,
                    html: "<script type=\"application/ld+json\">2</script>")
            ])
    }
}
