import Foundation
import Testing

/// `daybook init` on real folders.
@Suite struct `A new site` {
    @Test func `builds without a word and shows its three notes`() throws {
        let site = try TestSite()
        let made = try Daybook.run(
            ["init", site.root.appending(path: "field-notes").path, "--now", "2026-05-20"])
        #expect(made.code == 0, "\(made.errors)")
        #expect(made.output.count(of: "\n") == 6)
        let root = site.root.appending(path: "field-notes")
        let build = try Daybook.run([
            "build", root.path, "--strict", "--now", "2026-06-01", "--base-url",
            "https://example.org/",
        ])
        #expect(build.code == 0, "\(build.errors)")
        let home = try String(
            contentsOf: root.appending(path: "public/index.html"), encoding: .utf8)
        #expect(home.contains("<title>Field notes</title>"))
        for title in ["Welcome", "A page of examples", "Links between notes"] {
            #expect(home.contains(">\(title)</a>"))
        }
        #expect(
            home.contains("datetime=\"2026-05-20\"") && home.contains("datetime=\"2026-05-18\""))
    }

    @Test func `is begun in the folder itself where none is named`() throws {
        let site = try TestSite()
        let run = try Daybook.run(["init", "--json"], in: site.root)
        #expect(run.code == 0, "\(run.errors)")
        let report = try #require(
            JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        #expect((report["files"] as? [String])?.contains("content/Welcome.md") == true)
        #expect(run.errors.isEmpty)
    }

    @Test(arguments: [
        ("daybook.yml", "there is a site already: daybook.yml"),
        ("content/mine.md", "there is a site already: content"),
        (
            "mine.md",
            "there are notes already, such as mine.md: `daybook build` shows them as they are"
        ),
        (
            "birds/river/mine.md",
            "there are notes already, such as birds/river/mine.md: `daybook build` shows them as they are"
        ),
    ])
    func `is refused where something would change`(_ file: String, _ reason: String) throws {
        let site = try TestSite([file: "mine"])
        let before = site.tree(site.root)
        let run = try Daybook.run(["init"], in: site.root)
        #expect(run.code == 1)
        #expect(run.errors == "daybook: \(reason)\n")
        #expect(site.tree(site.root) == before)
    }

    @Test func `stands beside a repository's README`() throws {
        let site = try TestSite(["README.md": "mine", ".git/config": "git"])
        #expect(try Daybook.run(["init"], in: site.root).code == 0)
        #expect(try Daybook.run(["build", "--strict"], in: site.root).code == 0)
        #expect(!site.outputHolds("mine"))
    }

    @Test func `leaves a .gitignore that is there, and says what it lacks`() throws {
        let site = try TestSite([".gitignore": "*.swp\n/public\n"])
        let run = try Daybook.run(["init"], in: site.root)
        #expect(run.code == 0)
        #expect(!run.output.contains(".gitignore"))
        #expect(run.errors == "now: daybook serve\nadd to .gitignore: .daybook/ .trash/\n")
        #expect(site.tree(site.root)[".gitignore"] == Data("*.swp\n/public\n".utf8))
        #expect(site.tree(site.root)["daybook.yml"] != nil)
    }

    private let release = "https://example.org/daybook.tar.gz"

    @Test func `is given the workflow that publishes it, pinned to this program`() throws {
        let site = try TestSite()
        let run = try Daybook.run(["init", "--ci", "github", "--release", release], in: site.root)
        #expect(run.code == 0, "\(run.errors)")
        let workflow = try String(
            contentsOf: site.root.appending(path: ".github/workflows/publish.yml"), encoding: .utf8)
        #expect(workflow.contains("DAYBOOK_URL: \"\(release)\""))
        if Tool.path("sha256sum") != nil {
            let sum = try Tool.run("sha256sum", [Daybook.binary.path]).output.prefix(64)
            #expect(workflow.contains("DAYBOOK_SHA256: \(sum)\n"))
        }
        // Started by hand on another branch, it does not publish that.
        #expect(
            workflow.contains(
                """
                    if: >-
                      github.event_name == 'pull_request' || github.event_name == 'schedule'
                      || github.ref == format('refs/heads/{0}', github.event.repository.default_branch)

                """), "\(workflow)")
        #expect(try Daybook.run(["check"], in: site.root).code == 0)
        #expect(site.tree(site.root)["static/.nojekyll"] != nil)
    }

    @Test func `a site that is there gets the workflow alone, and once`() throws {
        let site = try TestSite([
            "content/a.md": "A",
            "daybook.yml": "base-url: https://example.org/\npublish: {web: {rsync: h:w}}\n",
        ])
        let before = site.tree(site.root)
        let arguments = ["init", "--ci", "gitlab", "--release", release]
        let run = try Daybook.run(arguments, in: site.root)
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output == ".gitlab-ci.yml\n")
        var after = site.tree(site.root)
        let workflow = String(
            decoding: after.removeValue(forKey: ".gitlab-ci.yml") ?? Data(), as: UTF8.self)
        #expect(after == before)
        #expect(workflow.contains("daybook publish --state .daybook\n"))
        #expect(!workflow.contains("--base-url"))
        let again = try Daybook.run(arguments, in: site.root)
        #expect(again.code == 1)
        #expect(again.errors == "daybook: there is a workflow already: .gitlab-ci.yml\n")
    }

    /// `daybook publish` asks which of several targets is meant.
    @Test(arguments: [("github", "pages"), ("gitlab", "web")])
    func `a workflow names one of several targets`(_ service: String, _ target: String) throws {
        let site = try TestSite([
            "content/a.md": "A",
            "daybook.yml":
                "publish:\n  web: {rsync: h:w}\n  pages: {git: {remote: origin, branch: gh-pages}}\n",
        ])
        let run = try Daybook.run(["init", "--ci", service, "--release", release], in: site.root)
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.errors.contains("it publishes to `\(target)`"), "\(run.errors)")
        let files = site.tree(site.root)
        let file = files[".github/workflows/publish.yml"] ?? files[".gitlab-ci.yml"] ?? Data()
        let workflow = String(decoding: file, as: UTF8.self)
        #expect(
            workflow.contains("daybook\" publish '\(target)' --state")
                || workflow.contains("daybook publish '\(target)' --state"), "\(workflow)")
    }

    @Test func `no workflow is written that could not fetch the program`() throws {
        let site = try TestSite()
        let run = try Daybook.run(["init", "--ci", "github"], in: site.root)
        #expect(run.code == 64)
        #expect(run.errors.contains("--release https://"), "\(run.errors)")
        let other = try Daybook.run(["init", "--ci", "jenkins"], in: site.root)
        #expect(other.code == 64)
        #expect(other.errors.contains("expected github or gitlab, found `jenkins`"))
        #expect(site.tree(site.root).isEmpty)
    }
}
