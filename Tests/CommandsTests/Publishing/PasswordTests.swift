import Foundation
import Testing

/// A password that the settings hold is in nothing that is printed.
@Suite struct `Passwords in addresses` {
    private static let secret = "s3cr%20et"

    @Test(arguments: [
        (
            "git: {remote: \"https://me:\(secret)@127.0.0.1:1/x.git\", branch: pages}", "git",
            "(git https://me:***@127.0.0.1:1/x.git pages)"
        ),
        (
            "git: {remote: \"https://\(secret)@127.0.0.1:1/x.git\", branch: pages}", "git",
            "(git https://***@127.0.0.1:1/x.git pages)"
        ),
        (
            "rclone: \":webdav,url='http://127.0.0.1:1',user=me,pass=\(secret):x\"", "rclone",
            "(rclone :webdav,url='http://127.0.0.1:1',user=me,pass=***:x)"
        ),
    ])
    func `are shown as asterisks, also where a tool repeats them`(
        _ target: String, _ tool: String, _ shown: String
    ) throws {
        let place = try PublishedSite(notes: 1) { _ in "  web: {\(target)}" }
        // It repeats all that it is asked for, as old versions do.
        let shim = try place.shim(tool, "echo \"fatal: cannot do $*\" >&2; exit 128")
        let summary = place.site.root.appending(path: "summary.md")
        let environment = shim.merging([
            "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summary.path,
        ]) { $1 }
        let run = try place.publish(environment: environment).run
        #expect(run.code == 1)
        #expect(run.errors.contains("publishing to `web` " + shown), "\(run.errors)")
        #expect(run.errors.contains("cannot do "), "\(run.errors)")
        let words = run.output + run.errors + (try String(contentsOf: summary, encoding: .utf8))
        #expect(!words.contains(Self.secret), "\(words)")
    }

    @Test func `are covered in the settings' own line on a terminal`() throws {
        let place = try PublishedSite(notes: 1) { _ in
            "  web: {git: {remote: \"https://me:\(Self.secret)@127.0.0.1:1/x.git\", branch: p}}"
        }
        let (code, printed) = try Tool.run(
            "script",
            [
                "-qec", "'\(Daybook.binary.path)' publish --site '\(place.root.path)'", "/dev/null",
            ], environment: ["TERM": "xterm", "COLUMNS": "120"])
        #expect(code == 1)
        // Each sign has its asterisk, so that the caret stands where it should.
        #expect(
            printed.contains("https://me:*********@127.0.0.1:1/x.git\", branch: p"), "\(printed)")
        #expect(!printed.contains(Self.secret), "\(printed)")
    }

    @Test func `are in no message about the settings`() throws {
        let place = try PublishedSite(notes: 1) { _ in
            "  web: {rsync: \"-https://me:\(Self.secret)@host/x\"}"
        }
        let run = try place.publish().run
        #expect(run.code == 1)
        #expect(run.errors.contains("`-https://me:***@host/x` names no place"), "\(run.errors)")
        #expect(!(run.output + run.errors).contains(Self.secret))
    }
}
