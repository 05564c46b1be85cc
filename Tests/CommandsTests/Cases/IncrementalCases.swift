import Foundation
import Testing

/// Inputs that leave stale pages behind in other tools: after each edit the
/// output equals that of a build that remembers nothing.
@Suite struct `Cases of incremental builds` {
    private func site(_ notes: [String: String], _ settings: String = "") throws -> TestSite {
        let site = try TestSite(
            notes: notes, settings: "base-url: https://example.org/\n" + settings)
        try site.mustBuild()
        return site
    }

    /// Builds over what is there, and expects what a clean build leaves.
    @discardableResult
    private func build(_ site: TestSite, code: Int32 = 0) throws -> Run {
        let run = try site.build()
        #expect(run.code == code, "\(run.errors)")
        guard code == 0 else { return run }
        let anew = site.root.appending(path: "anew")
        try? FileManager.default.removeItem(at: anew)
        try site.mustBuild(["--output", anew.path, "--state", anew.path + "-state", "--clean"])
        #expect(site.tree(site.output) == site.tree(anew))
        return run
    }

    private func paths(_ site: TestSite) -> [String] { Array(site.outputTree.keys) }

    @Test func `H-IS-1 the title of a note that links, in the page it links to`() throws {
        let site = try site([
            "a.md": "---\ntitle: Alpha\n---\nOne.\n",
            "b.md": "---\ntitle: Beta one\n---\nSee [[a]].\n",
        ])
        try site.write("content/b.md", "---\ntitle: Beta two\n---\nSee [[a]].\n")
        try build(site)
        #expect(!site.outputHolds("Beta one"))
        #expect(site.page("a/").contains("Beta two"))
    }

    @Test func `H-IS-2 the last use of a tag goes, and a new tag comes`() throws {
        let site = try site([
            "a.md": "---\ntags: [x, y]\n---\nA\n", "b.md": "---\ntags: [y]\n---\nB\n",
        ])
        try site.write("content/a.md", "---\ntags: [y, z]\n---\nA\n")
        try build(site)
        #expect(!paths(site).contains { $0.hasPrefix("tags/x") })
        #expect(paths(site).contains("tags/z/index.html"))
        let index = site.page("tags/")
        #expect(!index.contains("/tags/x/") && index.contains("/tags/z/"))
    }

    @Test func `H-IS-3 a note is deleted`() throws {
        let site = try site([
            "a.md":
                "---\ntitle: Gone soon\ntags: [solo]\naliases: [old-a]\n---\nZEBRA ![](p.png)\n",
            "b.md": "See [[a]] and ![[a]].\n",
        ])
        try site.write("content/p.png", "picture")
        try build(site)
        try #require(paths(site).contains("old-a/index.html") && paths(site).contains("p.png"))
        try site.remove("content/a.md")
        try site.remove("content/p.png")
        let run = try build(site)
        #expect(!site.outputHolds("ZEBRA") && !site.outputHolds("Gone soon"))
        let gone = ["a/index.html", "old-a/index.html", "p.png", "tags/solo/index.html"]
        #expect(gone.allSatisfy { !paths(site).contains($0) })
        #expect(!site.page("b/").contains("href=\"/a/\""))
        #expect(run.errors.contains("content/b.md:1:5: warning: `[[a]]` leads to nothing"))
    }

    @Test func `H-IS-4 an embedded note is edited two embeds away`() throws {
        let site = try site([
            "a.md": "OWL1\n\n## Part\n\ndeep1\n", "b.md": "![[a]]\n", "c.md": "![[b]]\n",
            "d.md": "![[a#Part]]\n",
        ])
        try site.write("content/a.md", "OWL2\n\n## Part\n\ndeep2\n")
        try build(site)
        #expect(!site.outputHolds("OWL1") && !site.outputHolds("deep1"))
        #expect(site.page("c/").contains("OWL2") && site.page("d/").contains("deep2"))
        try site.write("content/a.md", "OWL2\n\n## Piece\n\ndeep2\n")
        let run = try build(site)
        #expect(run.errors.contains("content/d.md:1:") && run.errors.contains("a#Part"))
        #expect(!site.page("d/").contains("deep2"))
    }

    @Test func `H-IS-5 a template partial two includes down`() throws {
        let site = try site(["a.md": "---\ntags: [t]\n---\nA\n"])
        for page in ["note", "404", "tag"] {
            try site.write("Templates/\(page).html", "{% extends \"own.html\" %}\n")
        }
        try site.write("Templates/own.html", "{% include \"nav.html\" %}\n")
        try site.write("Templates/nav.html", "{% include \"badge.html\" %}\n")
        try site.write("Templates/badge.html", "v1\n")
        try build(site)
        try #require(site.page("a/").contains("v1"))
        try site.write("Templates/badge.html", "v2\n")
        try build(site)
        for path in ["a/index.html", "tags/t/index.html", "404.html"] {
            let text = String(decoding: site.outputTree[path] ?? Data(), as: UTF8.self)
            #expect(text.contains("v2") && !text.contains("v1"), "\(path)")
        }
        let before = site.outputTree
        try site.remove("Templates/badge.html")
        let run = try build(site, code: 1)
        #expect(run.errors.contains("Templates/nav.html:1:") && run.errors.contains("badge"))
        #expect(site.outputTree == before)
    }

    @Test func `H-IS-6 an alias is removed, a slug comes and goes`() throws {
        let site = try site(["a.md": "---\naliases: [old, /x/older/]\n---\nA\n"])
        try #require(paths(site).contains("x/older/index.html"))
        try site.write("content/a.md", "---\naliases: [old]\n---\nA\n")
        try build(site)
        #expect(!paths(site).contains { $0.hasPrefix("x/") })
        try site.write("content/a.md", "---\naliases: [old]\nslug: bar\n---\nA\n")
        try build(site)
        #expect(!paths(site).contains { $0.hasPrefix("a/") })
        #expect(site.page("old/").contains("/bar/"))
        try site.write("content/a.md", "---\naliases: [old]\n---\nA\n")
        try build(site)
        #expect(!paths(site).contains { $0.hasPrefix("bar") })
        #expect(site.page("old/").contains("/a/"))
    }

    @Test func `H-IS-7 pagination shrinks and grows`() throws {
        var notes: [String: String] = [:]
        for day in 1...11 {
            notes["n\(day).md"] =
                "---\ntitle: Note \(day)\ndate: 2024-05-\(day < 10 ? "0" : "")\(day)\n---\nN\n"
        }
        let site = try site(notes, "paginate: 5\n")
        try #require(paths(site).contains("page/3/index.html"))
        func expectEachOnce(_ pages: [String], _ days: [Int]) {
            for day in days {
                let count = pages.count { site.page($0).contains("href=\"/n\(day)/\"") }
                #expect(count == 1, "note \(day) is on \(count) pages")
            }
        }
        try site.remove("content/n6.md")
        try build(site)
        #expect(!paths(site).contains { $0.hasPrefix("page/3") })
        #expect(!site.page("page/2/").contains("/page/3/"))
        let days = (1...11).filter { $0 != 6 }
        expectEachOnce(["", "page/2/"], days)
        try site.write("content/n12.md", "---\ndate: 2024-05-01T12:00\n---\nN\n")
        try build(site)
        expectEachOnce(["", "page/2/", "page/3/"], days + [12])
    }

    @Test func `H-IS-8 new content under an older time and the same size; a touch`() throws {
        let site = try site(["a.md": "cat\n"])
        let file = site.root.appending(path: "content/a.md").path
        try site.write("content/a.md", "dog\n")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -86_400)], ofItemAtPath: file)
        try build(site)
        #expect(site.page("a/").contains("dog"))
        func times() throws -> [String: Date] {
            var times: [String: Date] = [:]
            for path in paths(site) {
                let url = site.output.appending(path: path)
                let values = try FileManager.default.attributesOfItem(atPath: url.path)
                times[path] = values[.modificationDate] as? Date
            }
            return times
        }
        let before = (try times(), site.outputTree)
        try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: file)
        try build(site)
        #expect(try times() == before.0)
        #expect(site.outputTree == before.1)
    }
}
