import Foundation
import Testing

/// Messages as the annotations of the service that runs the program.
@Suite struct `In continuous integration` {
    private func site() throws -> TestSite {
        try TestSite([
            "docs/notes/content/a.md": "---\ntitle: A\n---\n[[50%, or so: nope]]\n",
            "docs/notes/content/b.md": "---\ndate: 2026-02-30\n---\n",
        ])
    }

    @Test func `GitHub is told file, line and column from the repository's root`() throws {
        let site = try site()
        let run = try Daybook.run(
            ["check", "docs/notes"], in: site.root,
            environment: [
                "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": site.root.path, "GITLAB_CI": "",
            ])
        let lines = run.errors.split(separator: "\n").filter { $0.hasPrefix("::") }
        #expect(
            lines == [
                "::warning file=docs/notes/content/a.md,line=4,col=1,title=broken-link::`[[50%25, or so: nope]]` leads to nothing",
                "::error file=docs/notes/content/b.md,line=2,col=7,title=date::date: `2026-02-30` is on no calendar: February 2026 has 28 days, not 30; help: write a day that exists",
            ])
        #expect(run.output.isEmpty)
    }

    @Test func `GitLab finds a report of code quality`() throws {
        let site = try site()
        let run = try gitlab("build", site)
        #expect(run.code == 1)
        let file = site.root.appending(path: "gl-code-quality-report.json")
        let issues = try #require(
            JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [[String: Any]])
        #expect(issues.map { $0["severity"] as? String } == ["minor", "major"])
        #expect(issues.map { $0["check_name"] as? String } == ["broken-link", "date"])
        let place = try #require(issues.last?["location"] as? [String: Any])
        #expect(place["path"] as? String == "docs/notes/content/b.md")
        #expect((place["lines"] as? [String: Int])?["begin"] == 2)
        #expect(Set(issues.compactMap { $0["fingerprint"] as? String }).count == 2)
    }

    private func gitlab(_ command: String, _ site: TestSite) throws -> Run {
        try Daybook.run(
            [command, "docs/notes"], in: site.root,
            environment: [
                "GITLAB_CI": "true", "CI_PROJECT_DIR": site.root.path, "GITHUB_ACTIONS": "",
            ])
    }

    @Test func `the report is written by a build alone, and over no file of others`() throws {
        let site = try site()
        let name = "gl-code-quality-report.json"
        let before = site.tree(site.root)
        #expect(try gitlab("check", site).code == 1)
        #expect(site.tree(site.root) == before)
        for theirs in ["[{\"check_name\": \"x\"}]\n", "mine", ""] {
            try site.write(name, theirs)
            let run = try gitlab("build", site)
            #expect(
                run.errors.contains("daybook: \(name) is not Daybook's, and is left as it is\n"))
            #expect(site.tree(site.root)[name] == Data(theirs.utf8))
        }
        try site.remove(name)
        for _ in 0..<2 {
            #expect(try !gitlab("build", site).errors.contains("is not Daybook's"))
        }
        try site.remove("docs/notes/content/b.md")
        try site.write("docs/notes/content/a.md", "A")
        #expect(try gitlab("build", site).code == 0)
        #expect(site.tree(site.root)[name] == Data("[]\n".utf8))
        #expect(try gitlab("build", site).errors.contains("→"))
    }

    @Test func `elsewhere nothing of the kind is said or written`() throws {
        let site = try site()
        let run = try Daybook.run(
            ["check", "docs/notes"], in: site.root,
            environment: ["GITLAB_CI": "", "GITHUB_ACTIONS": ""])
        #expect(!run.errors.contains("::error"))
        #expect(site.tree(site.root)["gl-code-quality-report.json"] == nil)
    }

    @Test func `GitHub's page of the run has a summary, behind what is there`() throws {
        let site = try TestSite(notes: [
            "a.md": "A", "b.md": "---\ndraft: true\n---\n",
            "c|<i>*.md": "---\ndate: 2027-01-01\n---\n", "d.md": "[[nowhere]]",
        ])
        try site.write("summary", "before\n")
        let environment = ["GITHUB_STEP_SUMMARY": site.root.appending(path: "summary").path]
        try site.mustBuild(environment: environment)
        let summary = try String(
            contentsOf: site.root.appending(path: "summary"), encoding: .utf8)
        #expect(
            summary == """
                before
                ### Daybook: built

                | | |
                | --- | --- |
                | notes | 4 |
                | pages rendered | 5 of 5 |
                | files written | 8 |
                | files removed | 0 |
                | held back | 2 |
                | next due | 2027-01-01T00:00Z content/c\\|&lt;i>\\*.md |
                | errors | 0 |
                | warnings | 1 |


                """)
        try site.write("content/a.md", "---\ndate: 2026-02-30\n---\n")
        #expect(try site.build(environment: environment).code == 1)
        let after = try String(contentsOf: site.root.appending(path: "summary"), encoding: .utf8)
        #expect(after.hasPrefix(summary + "### Daybook: nothing was published\n"))
        #expect(after.contains("| errors | 1 |"))
        // One that cannot be written is said, and fails nothing.
        try site.remove("content/a.md")
        let elsewhere = try site.build(environment: ["GITHUB_STEP_SUMMARY": "/nowhere/summary"])
        #expect(elsewhere.code == 0)
        #expect(elsewhere.errors.contains("cannot write /nowhere/summary"))
    }
}
