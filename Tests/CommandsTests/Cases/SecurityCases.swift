import Foundation
import Testing

/// cases.md, SE: security.
@Suite struct SecurityCases {
    @Test(arguments: [
        "slug: ../../esc", "permalink: /%2e%2e/%2e%2e/esc", "permalink: /tmp/esc",
        "aliases: [../../esc]",
        "tags: [\"../../esc\"]", "slug: \"a\\0b\"", "slug: '..\\..\\esc'", "slug: .", "slug: \"\"",
        // The same by other doors.
        "url: ../../esc", "permalink: /a/../../esc/", "aliases: ['..\\..\\esc']",
        "redirect_from: /../esc",
        "permalink: \"/a\\0b\"", "permalink: /", "image: ../../../etc/passwd",
    ])
    func `H-SE-1 no path climbs out of the output`(_ line: String) throws {
        let site = try TestSite([
            "outer/content/keep.md": "kept", "outer/content/n.md": "---\n\(line)\n---\nbody\n",
        ])
        let outer = site.root.appending(path: "outer")
        let before = site.tree(site.root)
        let run = try Daybook.run(["build", outer.path, "--now", "2026-06-01"])
        var after = site.tree(site.root)
        for path in after.keys where path.hasPrefix("outer/public/") { after[path] = nil }
        #expect(after == before)
        if run.code == 0 {
            let home = String(
                decoding: try Data(contentsOf: outer.appending(path: "public/index.html")),
                as: UTF8.self)
            if line != "permalink: /" { #expect(home.contains("class=\"page-home\"")) }
            #expect(home.contains("Notes"))
        } else {
            #expect(run.errors.contains("content/n.md:2:"))
        }
    }

    @Test func `H-SE-2 markup in titles, tags and aliases is shown as text`() throws {
        func site(_ title: String, _ tag: String, _ alias: String) throws -> TestSite {
            func quoted(_ text: String) -> String {
                "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
            }
            return try TestSite(
                notes: [
                    "n.md":
                        "---\ntitle: \(quoted(title))\ntags: [\(quoted(tag))]\naliases: [\(quoted(alias))]\ndate: 2024-01-01\n---\n`<style onload=alert(1)>`\n",
                    "o.md": "---\ndate: 2024-01-02\n---\n[[n]]\n",
                ], settings: "base-url: https://example.org/\n")
        }
        let title = "</script><script>alert(1)</script>"
        let plain = try site("Plain", "plain", "other")
        let hostile = try site(
            title, "\"><img src=x onerror=alert(1)>", "x'\"><svg onload=alert(1)>")
        try plain.mustBuild()
        try hostile.mustBuild()
        func counts(_ page: String) -> [Int] {
            ["<script", "</script", "<img", "<svg", "<style"].map {
                page.lowercased().count(of: $0)
            }
        }
        func pages(_ site: TestSite) -> [String] {
            site.paths.filter { $0.hasSuffix(".html") }.map { site.page($0) }
        }
        #expect(pages(plain).count == pages(hostile).count)
        for page in pages(hostile) {
            #expect(pages(plain).map { counts($0) }.contains(counts(page)))
            // Every start tag's attributes, by name.
            for tag in page.matches(of: /<[a-zA-Z][^<>"']*(?:"[^"]*"[^<>"']*|'[^']*'[^<>"']*)*>/) {
                let bare = tag.output.replacing(/"[^"]*"|'[^']*'/, with: "")
                #expect(!bare.contains(/\son\w*=/.ignoresCase()), "\(tag.output)")
            }
            for script in page.pieces(between: "<script", and: "</script>") {
                #expect(!script.contains("</"))
            }
        }
        let object =
            try JSONSerialization.jsonObject(with: Data(hostile.page("feed.json").utf8))
            as? [String: Any]
        let items = try #require(object?["items"] as? [[String: Any]])
        #expect(items.contains { $0["title"] as? String == title })
    }

    @Test(arguments: ["true", "\"true\"", "yes", "TRUE", "1"])
    func `H-SE-4 nothing of a draft leaks`(_ value: String) throws {
        let site = try TestSite(
            notes: [
                "d.md":
                    "---\ntitle: TOPSECRET1\ndraft: \(value)\ntags: [hush]\naliases: [TOPSECRET2]\n---\nTOPSECRET3 ![](s.png)\n",
                "p.md": "[[d]] ![[d]] [[TOPSECRET2|shown]] ![[d#Part]] [md](d.md)\n",
            ], settings: "base-url: https://example.org/\n")
        try site.write("content/s.png", Data([1]))
        let run = try site.mustBuild()
        #expect(!site.outputHolds("TOPSECRET1") && !site.outputHolds("TOPSECRET3"))
        #expect(
            !site.exists("tags/hush/index.html") && !site.exists("s.png")
                && !site.exists("d/index.html"))
        #expect(
            !site.page("p/").values(of: "href").contains {
                $0.hasPrefix("/d/") || $0.contains("d.md")
            })
        #expect(run.errors.contains("held back: 1 note (1 draft)"))
    }

    @Test func `H-SE-4 a draft that says false is published, an odd value is an error`() throws {
        let site = try TestSite(notes: ["d.md": "---\ndraft: \"false\"\n---\nshown\n"])
        try site.mustBuild()
        #expect(site.page("d/").contains("shown"))
        try site.write("content/d.md", "---\ndraft: maybe\n---\nshown\n")
        let run = try site.build()
        #expect(run.code == 1)
        #expect(run.errors.contains("content/d.md:2:8: error:"))
    }

    @Test func `a draft made of a published note leaves nothing behind`() throws {
        let site = try TestSite(notes: [
            "d.md":
                "---\ntitle: TOPSECRET1\ndraft: false\ntags: [hush]\n---\nTOPSECRET3 ![](s.png)\n",
            "p.md": "p\n",
        ])
        try site.write("content/s.png", Data([1]))
        try site.mustBuild()
        #expect(site.exists("s.png"))
        try site.write(
            "content/d.md",
            "---\ntitle: TOPSECRET1\ndraft: true\ntags: [hush]\n---\nTOPSECRET3 ![](s.png)\n")
        try site.mustBuild()
        #expect(!site.outputHolds("TOPSECRET"))
        #expect(!site.exists("tags") && !site.exists("s.png") && !site.exists("d"))
    }
}
