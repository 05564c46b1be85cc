import Foundation
import Testing

/// cases.md, UR: slugs and URLs.
@Suite struct AddressCases {
    @Test(arguments: [
        ["A B.md": "one", "a-b.md": "two"],
        ["x.md": "---\npermalink: same\n---\n", "y.md": "---\npermalink: same\n---\n"],
    ])
    func `H-UR-1 two notes that want one address are an error naming both`(
        _ notes: [String: String]
    ) throws {
        var messages: [String] = []
        for order in [notes.keys.sorted(), notes.keys.sorted().reversed()] {
            let site = try TestSite(notes: notes, order: order)
            let run = try site.build()
            #expect(run.code == 1)
            for name in notes.keys { #expect(run.errors.contains("content/\(name)")) }
            #expect(run.errors.contains("slug:"))
            messages.append(run.errors.replacing(site.root.path, with: ""))
        }
        #expect(messages[0] == messages[1])
    }

    @Test func `H-UR-1 a page wins over an alias, with a warning that names both`() throws {
        let notes = ["b.md": "---\naliases: [c]\n---\nBBB", "c.md": "CCC"]
        for order in [["b.md", "c.md"], ["c.md", "b.md"]] {
            let site = try TestSite(notes: notes, order: order)
            let run = try site.mustBuild()
            #expect(site.page("c/").contains("CCC"))
            #expect(run.errors.contains("content/b.md"))
            #expect(run.errors.contains("content/c.md"))
            #expect(run.errors.contains("warning:"))
        }
    }

    @Test func `H-UR-1 a static file at the path of a page is an error naming both`() throws {
        let site = try TestSite(["content/n.md": "note", "static/n/index.html": "file"])
        let run = try site.build()
        #expect(run.code == 1)
        #expect(run.errors.contains("static/n/index.html"))
        #expect(run.errors.contains("content/n.md"))
    }

    @Test func `H-UR-2 names without an ASCII letter have pages of their own`() throws {
        let site = try TestSite(notes: [
            "Привет мир.md": "---\ntags: [日本]\n---\n1", "日本語.md": "---\ntags: [🌱, C]\n---\n2",
            "🌱.md": "---\ntags: [C++]\n---\n3", "!!!.md": "---\ntags: [C#]\n---\n4",
        ])
        try site.mustBuild()
        // SPEC, section 2: letters of every script kept, `+` and `#` spelt
        // out, emoji and signs by their code points when nothing else is left.
        #expect(
            site.paths.filter {
                $0.hasSuffix("index.html") && !$0.hasPrefix("tags") && $0 != "index.html"
            }
                == [
                    "u21-u21-u21/index.html", "u1f331/index.html", "привет-мир/index.html",
                    "日本語/index.html",
                ].sorted())
        let tags = site.paths.filter { $0.hasPrefix("tags/") && $0 != "tags/index.html" }
        #expect(
            tags.sorted()
                == ["c", "c-plus-plus", "c-sharp", "u1f331", "日本"].map { "tags/\($0)/index.html" }
                .sorted())
        for page in ["", "tags/"] {
            for href in site.page(page).values(of: "href") where href.hasPrefix("/") {
                let path = href.dropFirst().removingPercentEncoding ?? ""
                #expect(
                    site.exists(path.isEmpty || path.hasSuffix("/") ? path + "index.html" : path),
                    "\(href)")
            }
        }
        let lists = ["c", "c-plus-plus", "c-sharp"].map { site.page("tags/\($0)/").mainPart }
        #expect(lists[0].contains("日本語") && !lists[0].contains("🌱</a>"))
        #expect(lists[1].contains(">🌱</a>"))
        #expect(lists[2].contains(">!!!</a>"))
    }

    @Test func `H-UR-3 of two notes with one name the nearest is meant`() throws {
        let notes = [
            "x/topic.md": "XX", "y/topic.md": "YY", "x/from.md": "[[topic]] [[y/topic]] [[Topic]]",
            "root.md": "[[topic]]",
        ]
        let sorted = notes.keys.sorted()
        let site = try TestSite(notes: notes, order: sorted)
        let run = try site.mustBuild()
        #expect(
            site.page("x/from/").bodyPart.values(of: "href") == [
                "/x/topic/", "/y/topic/", "/x/topic/",
            ])
        #expect(run.errors.contains("content/root.md:1:1: warning:"))
        #expect(run.errors.contains("`x/topic.md`") && run.errors.contains("`y/topic.md`"))
        let reversed = try TestSite(notes: notes, order: sorted.reversed())
        try reversed.mustBuild()
        #expect(reversed.outputTree == site.outputTree)
    }

    @Test func `H-UR-4 a site under a path has the base exactly once in every address`() throws {
        let notes = [
            "a.md":
                "---\ndate: 2024-01-01\ntags: [t]\naliases: [old]\n---\n[[b]] [b](b.md) [[b#Head]] ![](pic.png) [x](/b/)\n",
            "b.md": "---\ndate: 2024-02-01\n---\n[[a]]\n\n## Head\n",
        ]
        let site = try TestSite(notes: notes)
        try site.write("content/pic.png", Data([1, 2, 3]))
        try site.mustBuild(["--base-url", "https://example.org/notes/"])
        #expect(!site.outputHolds("/notes/notes/"))
        for path in site.paths where path.hasSuffix(".html") {
            let page = site.page(path)
            for address in page.values(of: "href") + page.values(of: "src")
            where !address.hasPrefix("#") {
                let local =
                    address.hasPrefix("https://example.org/")
                    ? String(address.dropFirst("https://example.org".count)) : address
                #expect(local.hasPrefix("/notes/"), "\(path): \(address)")
                let file = local.dropFirst("/notes/".count).split(
                    separator: "#", omittingEmptySubsequences: false)[0]
                #expect(
                    site.exists(
                        file.isEmpty || file.hasSuffix("/") ? file + "index.html" : String(file)),
                    "\(path): \(address)")
            }
        }
        #expect(site.page("a/").bodyPart.values(of: "href").contains("/notes/b/#head"))
        #expect(site.page("old/").contains("/notes/a/"))
        for feed in ["feed.xml", "sitemap.xml"] {
            #expect(site.page(feed).contains("https://example.org/notes/a/"))
        }
        let plain = try TestSite(notes: notes)
        try plain.write("content/pic.png", Data([1, 2, 3]))
        try plain.mustBuild()
        #expect(plain.page("a/").bodyPart.values(of: "href").contains("/b/#head"))
        #expect(!plain.exists("feed.xml"))
    }

    @Test func `a note's permalink with another tool's variable is warned of`() throws {
        let site = try TestSite(notes: [
            // Jekyll's own example; `:title` is a variable here too.
            "a.md": "---\npermalink: /:categories/:title.html\n---\nA",
            "b.md": "---\ntitle: B\nurl: /x/:slugg/:slag/\n---\nB",
            // A colon inside a part belongs to the name.
            "c.md": "---\npermalink: /wiki/Talk:Rivers/\n---\nC",
            "d.md": "---\npermalink: /2026/:slug/\n---\nD",
        ])
        let run = try site.mustBuild()
        #expect(run.errors.count(of: "[permalink]") == 2)
        #expect(
            run.errors.contains(
                "content/a.md:2:12: warning: a permalink has no part `:categories`: "
                    + "it stands in the address as it is [permalink]; help: "))
        // `:slugg` begins with a variable, and a `g` follows it.
        #expect(
            run.errors.contains(
                "content/b.md:3:6: warning: a permalink has no part `:slag`: "
                    + "it stands in the address as it is [permalink]; help: did you mean `:slug`?"))
        #expect(site.exists(":categories/a.html"))
        #expect(site.exists("wiki/Talk:Rivers/index.html"))
        #expect(site.exists("2026/d/index.html"))
    }
}
