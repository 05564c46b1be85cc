import Foundation
import Testing

/// `precompress:`, against the tools that read the forms.
@Suite struct `Compressed forms of files` {
    private func site() throws -> TestSite {
        try TestSite(
            [
                "content/a.md": "A", "content/b.md": "B",
                "content/c.md": "---\naliases: [/old/]\n---\n![](p.png)", "content/p.png": "png",
                "static/own.css": "a {}", "static/own.css.br": "mine", "static/data.json": "[]",
                "daybook.yml": "precompress: [br, gzip]\n",
            ])
    }

    private func forms(_ site: TestSite) -> [String] {
        site.paths.filter { $0.hasSuffix(".br") || $0.hasSuffix(".gz") }
    }

    @Test func `stand beside text, and give it back`() throws {
        let site = try site()
        try site.mustBuild()
        let text = [
            "404.html", "a/index.html", "assets/daybook.css", "assets/daybook.js",
            "assets/icon.svg", "b/index.html", "c/index.html", "data.json", "index.html", "own.css",
        ]
        let expected = text.flatMap { [$0 + ".br", $0 + ".gz"] }
        #expect(forms(site) == expected)
        // What a site has itself is never replaced.
        #expect(site.page("own.css.br") == "mine")
        for path in text {
            let file = site.output.appending(path: path).path
            if Tool.path("gzip") != nil {
                #expect(try Tool.run("gzip", ["-dc", file + ".gz"]).output == site.page(path))
            }
            if Tool.path("brotli") != nil, path != "own.css" {
                #expect(try Tool.run("brotli", ["-dc", file + ".br"]).output == site.page(path))
            }
            let header = try Data(contentsOf: URL(filePath: file + ".gz")).prefix(8)
            // No name and no time: the same page gives the same bytes.
            #expect(Array(header) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
        }
    }

    @Test func `are made anew with their page alone, go with it, and are Daybook's`() throws {
        let site = try site()
        try site.mustBuild()
        let before = site.outputTree
        try site.write("content/a.md", "A and more")
        let edit = try site.mustBuild(["--json", "--verbose"])
        let report = try #require(
            JSONSerialization.jsonObject(with: Data(edit.output.utf8)) as? [String: Any])
        #expect(
            report["written"] as? [String] == [
                "a/index.html", "a/index.html.br", "a/index.html.gz",
            ])
        // One that somebody took away comes back.
        try FileManager.default.removeItem(at: site.output.appending(path: "b/index.html.br"))
        try FileManager.default.removeItem(at: site.output.appending(path: "data.json.gz"))
        try site.mustBuild()
        #expect(site.outputTree["b/index.html.br"] == before["b/index.html.br"])
        #expect(site.outputTree["data.json.gz"] == before["data.json.gz"])
        let anew = site.root.appending(path: "anew")
        try site.mustBuild([
            "--output", anew.path, "--state", site.root.appending(path: "other").path,
        ])
        #expect(site.tree(anew) == site.outputTree)
        try site.remove("content/b.md")
        try site.mustBuild()
        #expect(!forms(site).contains { $0.hasPrefix("b/") })
        try site.remove("daybook.yml")
        try site.mustBuild()
        #expect(forms(site) == ["own.css.br"])
    }

    @Test func `a form that there is not is an error at its place`() throws {
        let site = try TestSite([
            "content/a.md": "A", "daybook.yml": "precompress: [br, zstd]\n",
        ])
        let run = try site.build()
        #expect(run.code == 1)
        #expect(
            run.errors.hasPrefix("daybook.yml:1:14: error: expected br, gzip or both"),
            "\(run.errors)")
    }
}
