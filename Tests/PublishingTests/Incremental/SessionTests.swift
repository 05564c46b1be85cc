import Bytes
import Diagnostics
import Foundation
import Notes
import Publishing
import Testing

/// Builds of one process that is told what changed, while others are at work.
@Suite struct `A process that builds again and again` {
    private let now = Instant(seconds: 1_780_000_000)

    private func session(_ site: EditedSite) throws -> BuildSession {
        var session = BuildSession(site.options)
        _ = try session.build(at: now)
        return session
    }

    /// The paths from the root of files of the site.
    private func paths(_ site: EditedSite, _ names: String...) -> BuildSession.Changes {
        // As the system names them: the temporary folder may be a link.
        let root = FilePath.resolved(site.root.path) ?? site.root.path
        return .paths(Set(names.map { root + "/" + $0 }))
    }

    @Test func `reads only the note that it is told of`() throws {
        let site = try EditedSite()
        var session = try session(site)
        try site.replace("content/sub/e.md", "First.", "Other.")
        let report = try session.build(after: paths(site, "content/sub/e.md"), at: now)
        #expect(report.notesRead == 1)
        #expect(report.rendered == ["sub/e/index.html"])
        #expect(report.written == ["sub/e/index.html"])
    }

    @Test func `sees that another build was here, and leaves nothing of it behind`() throws {
        let site = try EditedSite()
        try site.write("content/secret.md", "---\ndraft: true\n---\nS\n")
        var session = try session(site)
        var drafts = site.options
        drafts.drafts = true
        drafts.state = site.url("other-state").path
        var other = try Builder(drafts)
        _ = other.build()
        let secret = site.url("public/secret/index.html").path
        try #require(FileManager.default.fileExists(atPath: secret))
        try site.replace("content/sub/e.md", "First.", "Other.")
        let report = try session.build(after: paths(site, "content/sub/e.md"), at: now)
        #expect(report.removed == ["secret/index.html"])
        #expect(!FileManager.default.fileExists(atPath: secret))
    }

    @Test func `makes an output again that was removed as a whole`() throws {
        let site = try EditedSite()
        var session = try session(site)
        try FileManager.default.removeItem(at: site.url("public"))
        try site.replace("content/sub/e.md", "First.", "Other.")
        let report = try session.build(after: paths(site, "content/sub/e.md"), at: now)
        #expect(report.written.count > report.planned.count)
        #expect(FileManager.default.fileExists(atPath: site.url("public/index.html").path))
    }

    @Test func `says again what was found when it looked at all`() throws {
        let site = try EditedSite()
        try FileManager.default.createSymbolicLink(
            atPath: site.url("content/out.md").path, withDestinationPath: "/etc/passwd")
        var session = try session(site)
        try site.replace("content/sub/e.md", "First.", "Other.")
        let report = try session.build(after: paths(site, "content/sub/e.md"), at: now)
        #expect(report.notesRead == 1)
        #expect(report.messages.map(\.id) == ["outside-link"])
    }

    @Test func `publishes nothing while a warning stands, where that was asked for`() throws {
        let site = try EditedSite()
        site.options.isStrict = true
        var session = try session(site)
        try FileManager.default.createSymbolicLink(
            atPath: site.url("content/out.md").path, withDestinationPath: "nowhere")
        let first = try session.build(after: paths(site, "content/out.md"), at: now)
        #expect(first.outcome == .untouched)
        try site.replace("content/sub/e.md", "First.", "Other.")
        let second = try session.build(after: paths(site, "content/sub/e.md"), at: now)
        #expect(second.outcome == .untouched)
        #expect(second.written.isEmpty)
    }
}
