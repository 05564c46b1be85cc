import Foundation
import Testing

/// cases.md, FM: front matter.
@Suite struct FrontMatterCases {
    @Test func `H-FM-1 dates that are on no calendar are errors at their line`() throws {
        let dates = [
            "2023-02-30", "2023-13-01", "2023-06-31T10:00:00Z", "2023-01-01T25:00:00Z", "tuesday",
        ]
        let site = try TestSite(
            notes: Dictionary(
                uniqueKeysWithValues: dates.enumerated().map {
                    ("n\($0).md", "---\ntitle: T\ndate: \($1)\n---\nbody")
                }))
        let run = try site.build()
        #expect(run.code == 1)
        for index in dates.indices { #expect(run.errors.contains("n\(index).md:3:7: error:")) }
        #expect(!site.outputHolds("2023-03-02"))
        try site.build(["--keep-going"])
        #expect(!site.outputHolds("2023-03-02"))
    }

    @Test func `H-FM-2 a day is that day in every time zone of the building machine`() throws {
        let site = try TestSite(
            notes: [
                "a.md": "---\ndate: 2024-03-01\n---\nA",
                "b.md": "---\ndate: 2024-03-01T23:30:00-05:00\n---\nB",
                "c.md": "---\ndate: 2024-03-01 23:30\n---\nC",
            ], settings: "base-url: https://example.org/\n")
        var trees: [[String: Data]] = []
        for zone in ["UTC", "America/Los_Angeles", "Pacific/Kiritimati"] {
            let output = site.root.appending(path: "out-" + zone.replacing("/", with: "-"))
            try site.mustBuild(["--output", output.path], environment: ["TZ": zone])
            trees.append(site.tree(output))
        }
        #expect(trees[0] == trees[1])
        #expect(trees[0] == trees[2])
        let page = String(decoding: trees[0]["a/index.html"] ?? Data(), as: UTF8.self)
        #expect(page.contains("1 March 2024"))
        // Without an offset the time is in the site's zone, here UTC.
        let feed = String(decoding: trees[0]["feed.xml"] ?? Data(), as: UTF8.self)
        #expect(feed.contains("2024-03-01T23:30:00Z"))
        #expect(feed.contains("2024-03-01T23:30:00-05:00"))
    }

    @Test func `H-FM-3 CRLF line ends give the same page`() throws {
        let text = "---\ntitle: Cee\ntags:\n- x\n---\nBody [[a]] ^blk\n\n| h |\n|---|\n| c |\n"
        let site = try TestSite(notes: ["a.md": "A", "lf.md": text])
        try site.write("content/crlf.md", text.replacing("\n", with: "\r\n"))
        try site.mustBuild()
        let lf = site.page("lf/")
        let crlf = site.page("crlf/").replacing("crlf", with: "lf")
        #expect(crlf.mainPart == lf.mainPart)
        #expect(lf.contains(">Cee</h1>"))
        #expect(lf.bodyPart.count(of: "<table>") == 1)
        #expect(
            site.page("tags/x/").values(of: "href").filter { $0 == "/crlf/" || $0 == "/lf/" }.count
                == 2)
        #expect(!site.outputTree.contains { $0.value.contains(13) })
    }

    @Test func `H-FM-4 titles and tags that look like other types stay as typed`() throws {
        let titles = ["2024", "true", "12:30", "007", "1e3"]
        var notes = Dictionary(
            uniqueKeysWithValues: titles.enumerated().map {
                ("n\($0).md", "---\ntitle: \($1)\n---\nx")
            })
        notes["t.md"] = "---\ntags: [2023, no, on, null, 1.10, ~]\n---\nT"
        let site = try TestSite(notes: notes)
        try site.mustBuild()
        for (index, title) in titles.enumerated() {
            #expect(site.page("n\(index)/").contains("<title>\(title) ·"))
        }
        let tags = site.paths.filter { $0.hasPrefix("tags/") && $0 != "tags/index.html" }
        #expect(tags.sorted() == ["1-10", "2023", "no", "on"].map { "tags/\($0)/index.html" })
        #expect(site.page("tags/1-10/").contains(">1.10</h1>"))
    }

    @Test func `H-FM-5 three hyphens in a body are rules and text`() throws {
        let site = try TestSite(notes: [
            "one.md":
                "---\ntitle: Rules\n---\none\n\n---\n\ntwo\n\n```yaml\n---\nk: v\n---\n```\nthree\n",
            "two.md": "# Head\n\n---\n\nmiddle\n\n---\n\nend\n",
            "three.md": "---\n\nSome prose.\n\n---\nrest\n",
        ])
        try site.mustBuild()
        let one = site.page("one/").bodyPart
        #expect(one.count(of: "<hr") == 1)
        for word in ["one", "two", "three"] { #expect(one.contains(word)) }
        #expect(one.pieces(between: "<code", and: "</code>").first?.count(of: "---") == 2)
        #expect(site.page("two/").bodyPart.count(of: "<hr") == 2)
        // Prose between two rules is text, never swallowed.
        #expect(site.page("three/").contains("Some prose."))
        #expect(site.page("three/").contains("rest"))
    }

    @Test func `H-FM-6 an unquoted colon is reported with its line in the file`() throws {
        let site = try TestSite(notes: ["good.md": "fine", "p.md": "ok", "q.md": "ok"])
        try site.mustBuild()
        let before = site.outputTree
        try site.write("content/p.md", "---\ndate: 2024-01-01\ntitle: Plan: part two\n---\n")
        try site.write("content/q.md", "---\ntitle: @home\n---\n")
        let run = try site.build()
        #expect(run.code == 1)
        #expect(run.errors.contains("content/p.md:3:12: error:"))
        #expect(run.errors.contains("content/q.md:2:8: error:"))
        #expect(run.errors.count(of: "quotes") >= 2)
        #expect(site.outputTree == before)
    }
}
