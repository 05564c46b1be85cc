import Foundation
import Testing

/// cases.md: what the dialect of people's notes must come to, through the real
/// program.
@Suite struct DialectCases {
    @Test func `H-MD-3 embeds that go round stop, diamonds and two sections do not`() throws {
        let site = try TestSite(notes: [
            "s.md": "self ![[s]]", "p.md": "PPP ![[q]]", "q.md": "QQQ ![[p]]",
            "x.md": "![[z]]", "y.md": "![[z]]", "z.md": "ZZZ",
            "r.md": "![[x]]\n\n![[y]]\n\n![[x]]\n",
            "u.md": "![[v#A]]\n\n![[v#B]]\n", "v.md": "intro\n\n## A\n\naaa\n\n## B\n\nbbb\n",
        ])
        let start = Date()
        let run = try site.mustBuild()
        #expect(Date().timeIntervalSince(start) < 5)
        let p = site.page("p/").bodyPart.withoutTags
        #expect(p.count(of: "PPP") == 1 && p.count(of: "QQQ") == 1)
        #expect(site.page("p/").bodyPart.contains("class=\"embed-placeholder\""))
        #expect(site.page("r/").bodyPart.count(of: "ZZZ") == 3)
        let u = site.page("u/").bodyPart
        #expect(u.contains("aaa") && u.contains("bbb") && !u.contains("intro"))
        let warnings = run.errors.split(separator: "\n").filter { $0.contains("[embed-cycle]") }
        #expect(warnings.count == 2)
        #expect(warnings.contains { $0.contains("p.md → q.md → p.md") })
        #expect(warnings.contains { $0.contains("s.md → s.md") })
    }

    // HTML: no block may stand in a paragraph.
    @Test func `H-MD-3 a note embedded among words splits its paragraph`() throws {
        let site = try TestSite(notes: [
            "a.md": "before ![[b]] after\n\n![[b]]\n![[c]]\n\n*em ![[b]]*\n\n- item ![[b]]\n",
            "b.md": "BBB", "c.md": "CCC",
        ])
        try site.mustBuild()
        let body = site.page("a/").bodyPart
        #expect(body.contains("<p>before </p>\n<div class=\"embed\">"))
        #expect(body.contains("</div>\n<p> after</p>"))
        #expect(!body.contains("<p></p>") && !body.contains("<p>\n</p>"))
        for paragraph in body.pieces(between: "<p>", and: "</p>") {
            #expect(!paragraph.contains("<div"), "\(paragraph)")
        }
        #expect(body.contains("<em>em <a class=\"embed-title\" href=\"/b/\">b</a></em>"))
        #expect(body.count(of: "BBB") == 3 && body.count(of: "CCC") == 1)
    }

    @Test func `H-MD-4 callouts nested, folded, unknown, title only`() throws {
        let site = try TestSite(notes: [
            "m.md": """
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
        ])
        try site.mustBuild()
        let body = site.page("m/").bodyPart
        let callouts = body.components(separatedBy: "class=\"callout\"").dropFirst().map { $0 }
        #expect(callouts.count == 4)
        let titles = body.pieces(between: "class=\"callout-title\">", and: "</").map { $0 + "</" }
        #expect(titles[0].hasPrefix("Title <strong>b</"))
        #expect(titles[1] == "Inner</")
        let texts = body.withoutTags
        for text in ["body l text", "inner bold end", "tail"] { #expect(texts.contains(text)) }
        #expect(body.contains("<details class=\"callout\" data-callout=\"info\">"))
        #expect(body.contains("<details class=\"callout\" data-callout=\"bug\" open>"))
        #expect(callouts[2].hasPrefix(" data-callout=\"note\""))
        #expect(callouts[3].hasPrefix(" data-callout=\"tip\""))
        #expect(body.count(of: "class=\"callout-body\"") == 3)
        #expect(!callouts[3].contains("callout-body"))
    }

    @Test func `H-MD-5 footnotes used twice, missing, in lists, embedded`() throws {
        let site = try TestSite(notes: [
            "f.md":
                "One[^a] two[^a] three[^nope] four[^b][^c].\n\n- item[^b]\n\n[^a]: note A\n\n    second para\n\n[^b]: B\n\n[^c]: C\n",
            "g.md": "own[^a]\n\n![[f]]\n\n[^a]: G's note\n",
            // Part of a note has the footnotes that this part refers to.
            "h.md": "![[i#Two]]\n\nown[^x]\n\n[^x]: mine\n",
            "i.md": "## One\n\na[^1]\n\n## Two\n\nb[^2] c[^1]\n\n[^1]: first\n\n[^2]: second\n",
        ])
        let run = try site.mustBuild()
        #expect(!run.errors.contains("warning"))
        for page in ["f/", "g/", "h/", "i/"] {
            let html = site.page(page)
            let ids = html.values(of: "id")
            #expect(Set(ids).count == ids.count, "\(page): \(ids)")
            for address in html.values(of: "href") where address.hasPrefix("#") {
                #expect(ids.contains(String(address.dropFirst())), "\(page): \(address)")
            }
        }
        let f = site.page("f/").bodyPart
        #expect(f.contains("three[^nope]"))
        let notes = f.pieces(between: "<li id=\"fn", and: "</li>")
        #expect(notes.count == 3)
        #expect(notes.map { $0.count(of: "class=\"footnote-backref\"") } == [2, 2, 1])
        let g = site.page("g/").bodyPart
        let first = try #require(g.pieces(between: "own<sup", and: "</sup>").first)
        let target = try #require(first.values(of: "href").first).dropFirst()
        #expect(g.contains("<li id=\"\(target)\">\n<p>G's note"))
        #expect(g.count(of: "note A") == 1)
        let h = site.page("h/").bodyPart
        #expect(h.contains("first") && h.contains("second") && h.contains("mine"))
        let embedded = try #require(
            h.pieces(between: "<div class=\"embed\">", and: "</section>").first)
        // Counted in the embed: the second note of the whole is its first.
        #expect(embedded.pieces(between: "fn1\">\n<p>", and: " ").first == "second")
        #expect(embedded.count(of: "footnote-backref") == 2)
    }

    @Test func `H-MD-6 prices are text, formulas are formulas`() throws {
        let site = try TestSite(notes: [
            "m.md":
                "It cost $5 and then $10. Range $5-$10. Maths $x_1 + y_1$, \\$3, $$a_b^c$$ and a code span with `$n$`.\n"
        ])
        try site.mustBuild()
        let body = site.page("m/").bodyPart
        let formulas = body.matches(of: /class="math[^"]*">([^<]*)</).map { String($0.output.1) }
        #expect(formulas == ["x_1 + y_1", "a_b^c"])
        #expect(!body.contains("<em>"))
        let text = body.withoutTags
        for part in ["$5 and then $10", "$5-$10", "$3"] { #expect(text.contains(part)) }
        #expect(body.contains("<code>$n$</code>"))
    }

    @Test func `H-IS-4 text that is embedded two embeds away`() throws {
        func site(_ word: String, _ deep: String, _ heading: String) throws -> TestSite {
            try TestSite(
                notes: [
                    "a.md": "---\ndate: 2024-01-01\n---\n\(word)\n\n## \(heading)\n\n\(deep)\n",
                    "b.md": "---\ndate: 2024-01-02\n---\n![[a]]\n",
                    "c.md": "---\ndate: 2024-01-03\n---\n![[b]]\n",
                    "d.md": "---\ndate: 2024-01-04\n---\n![[a#Part]]\n",
                ], settings: "base-url: https://example.org/\n")
        }
        let first = try site("OWL1", "deep1", "Part")
        #expect(try !first.mustBuild().errors.contains("warning"))
        for page in ["a/", "b/", "c/"] { #expect(first.page(page).bodyPart.contains("OWL1")) }
        let d = first.page("d/").bodyPart
        #expect(d.contains("deep1") && !d.contains("OWL1"))
        let feed = try #require(ParsedXML(Data(first.page("feed.xml").utf8)))
        #expect(feed.texts("content").filter { $0.contains("OWL1") }.count == 3)
        // Built over what an earlier text left, nothing of it stays.
        try first.write("content/a.md", "---\ndate: 2024-01-01\n---\nOWL2\n\n## Piece\n\ndeep2\n")
        let run = try first.mustBuild()
        #expect(!first.outputHolds("OWL1") && !first.outputHolds("deep1"))
        #expect(first.page("c/").bodyPart.contains("OWL2"))
        #expect(first.page("d/").bodyPart.contains("embed-placeholder"))
        #expect(run.errors.contains("content/d.md:4:1: warning") && run.errors.contains("a#Part"))
    }

    @Test func `H-SE-2 markup in what the dialect shows is text`() throws {
        let evil = "<img src=x onerror=alert(1)>"
        let site = try TestSite(notes: [
            "n.md": "---\ntitle: '</a>\(evil)'\n---\nN ^id\n\n## \"\\\(evil)\n\nx\n",
            "m.md": """
            ![[n]] [[n]] ![[n#^id]] [[n#^nope\"><b>]] ![[\(evil)]]

            $\(evil)$ $$\(evil)$$ {{< \(evil) >}} {% x \(evil) %} [^\(evil.filter { $0 != " " })]

            > [!x"\(evil)]
            > body

            - [<] task
            - [>] task

            {: #a"onload="x }

            [x]({% link a"onload=alert(1) %}) ==`\(evil)`== #a"b

            [^\(evil.filter { $0 != " " })]: note
            """,
            "j.md": "[[javascript:alert(1)]] ![[javascript:alert(1)]] [x](javascript:alert(1))\n",
        ])
        try site.mustBuild()
        for page in ["n/", "m/", "j/"] {
            let html = site.page(page)
            #expect(html.lowercased().count(of: "<img") == 0, "\(page)")
            for tag in html.matches(of: /<[a-zA-Z][^<>"']*(?:"[^"]*"[^<>"']*|'[^']*'[^<>"']*)*>/) {
                let bare = tag.output.replacing(/"[^"]*"|'[^']*'/, with: "")
                #expect(!bare.contains(/\son\w*=/.ignoresCase()), "\(page): \(tag.output)")
                #expect(!tag.output.contains("href=\"javascript"), "\(page): \(tag.output)")
            }
        }
    }

    @Test func `what is commented out is in no file`() throws {
        let site = try TestSite(
            notes: [
                "a.md": """
                ---
                date: 2024-01-01
                ---
                %%SECRET first%% Shown [[b]] and %%SECRET%% more.

                ## Heading %%SECRET%%

                %%
                SECRET [[c]] #SECRET

                ![](secret.png)
                %%

                > [!note] T %%SECRET%%
                > x[^1]

                | a %%SECRET%% |
                |---|
                | b |
                %%
                SECRET
                %%

                [^1]: n %%SECRET%%
                """, "b.md": "B", "c.md": "C",
            ], settings: "base-url: https://example.org/\n")
        try site.write("content/secret.png", Data([1]))
        let run = try site.mustBuild()
        #expect(!site.outputHolds("SECRET") && !site.outputHolds("secret"))
        #expect(!run.errors.contains("warning"))
        #expect(!site.page("c/").contains("Linked from"))
        #expect(site.page("b/").contains("Shown b and more."))
    }

    @Test func `links that Jekyll, Zola and Dendron write find their notes`() throws {
        let site = try TestSite(notes: [
            "_posts/2024-01-02-first.md": "P\n", "docs/a.md": "## Part\n\nx\n{: #own}\n",
            "b.c.d.md": "---\ncreated: 1709290800000\n---\nD\n",
            "m.md": """
            [1]({% post_url 2024-01-02-first %}) [2]({% link docs/a.md %}#part)
            [3](@/docs/a.md) [4]({{ site.baseurl }}/docs/a/) [5](docs/a.md#own)
            [[b.c.d]] [[words|b.c.d]]
            """,
        ])
        let run = try site.mustBuild()
        #expect(!run.errors.contains("warning"), "\(run.errors)")
        #expect(
            site.page("m/").bodyPart.values(of: "href") == [
                "/2024/01/02/first/", "/docs/a/#part", "/docs/a/", "/docs/a/", "/docs/a/#own",
                "/b-c-d/", "/b-c-d/",
            ])
    }

    @Test func `blocks are linked to and embedded, in any case`() throws {
        let site = try TestSite(notes: [
            "a.md":
                "One ^first\n\n- item ^Second\n  - below\n- other\n\n| t |\n|---|\n| u |\n^third\n",
            "b.md":
                "[[a#^first]] ![[a#^first]]\n\n![[a#^second]]\n\n![[a#^third]]\n\n[[a#^nope]]\n",
        ])
        let run = try site.mustBuild()
        let b = site.page("b/").bodyPart
        #expect(b.values(of: "href").first == "/a/#%5Efirst")
        #expect(site.page("a/").contains("<p id=\"^first\">One</p>"))
        #expect(b.contains("<p id=\"e1-^first\">One</p>"))
        #expect(b.contains("<ul>\n<li id=\"e2-^Second\">item\n<ul>\n<li>below</li>"))
        #expect(!b.contains("other"))
        #expect(b.contains("<td>u</td>"))
        #expect(run.errors.contains("b.md:7:1: warning") && run.errors.contains("^nope"))
    }

    @Test func `check tells what nothing links to, and links to what is held back`() throws {
        let site = try TestSite(notes: [
            "index.md": "[[a]]\n", "a.md": "see [[secret|words]]\n", "lost.md": "[[a]] ![[a]]\n",
            "secret.md": "---\ndraft: true\n---\nx\n",
        ])
        let check = try Daybook.run(["check", site.root.path, "--json", "--verbose"])
        let report = try #require(
            JSONSerialization.jsonObject(with: Data(check.output.utf8)) as? [String: Any])
        #expect(report["orphans"] as? [String] == ["content/lost.md"])
        let leaks = try #require(report["leaks"] as? [[String: Any]])
        #expect(leaks.map { $0["file"] as? String } == ["content/a.md"])
        #expect(leaks.map { $0["line"] as? Int } == [1])
        #expect(leaks.map { $0["column"] as? Int } == [5])
        let links = try #require(report["links"] as? [[String: String]])
        #expect(
            links.map { "\($0["from"] ?? "") \($0["to"] ?? "")" } == [
                "content/index.md content/a.md", "content/lost.md content/a.md",
                "content/lost.md content/a.md",
            ])
        let words = try Daybook.run(["check", site.root.path])
        #expect(words.code == 1)
        #expect(words.errors.contains("no other note links to "))
        #expect(words.errors.contains("content/a.md:1:5 links to"))
        #expect(!site.exists("index.html"))
    }

    @Test func `a name that fits two files equally is told, of pictures too`() throws {
        let site = try TestSite(notes: [
            "a/n.md": "A", "b/n.md": "B", "m.md": "[[n]] ![](nowhere/p.png) [x](n.md)\n",
        ])
        try site.write("content/a/p.png", Data([1]))
        try site.write("content/b/p.png", Data([2]))
        let run = try site.mustBuild()
        #expect(run.errors.count(of: "[ambiguous-link]") == 3)
        #expect(run.errors.contains("m.md:1:1: warning: `[[n]]` may mean `a/n.md` or `b/n.md`"))
    }
}
