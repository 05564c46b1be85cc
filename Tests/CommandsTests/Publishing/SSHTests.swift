import Foundation
import Testing

/// `daybook publish` by rsync to another machine: this one, through a server of
/// its own.
@Suite(.enabled(if: Tool.hasRsync && Tool.hasSSH, "rsync, ssh or sshd is not installed"))
struct `Publishing over ssh` {
    private func make() throws -> PublishedSite {
        try PublishedSite {
            "  web:\n    rsync: \"target:\($0.path.replacing("\"", with: "\\\""))\""
        }
    }

    @Test func `sends what differs, removes what is gone, leaves what others put there`() throws {
        let (host, place) = (try SSHHost(), try make())
        let environment = host.environment
        let first = try place.mustPublish(environment: environment)
        #expect(first.sent.count == place.builtFiles.count - 1)
        #expect(place.targetFiles == place.builtFiles)
        try Data("theirs".utf8).write(to: place.target.appending(path: "theirs"))
        #expect(try place.mustPublish(environment: environment).sent.isEmpty)
        let before = place.targetFiles
        try place.write(2, "edited")
        try place.remove(3)
        let sent = try place.mustPublish(environment: environment)
        let difference = PublishedSite.difference(before, place.targetFiles)
        #expect(sent.sent == difference.sent && sent.removed == difference.removed)
        var expected = place.builtFiles
        expected["theirs"] = Data("theirs".utf8)
        #expect(place.targetFiles == expected)
        #expect(place.site.tree(place.target)["n3/"] == nil)
    }

    @Test func `the target is held against another publisher, here or there`() throws {
        let (host, place) = (try SSHHost(), try make())
        let folder = place.target.path.replacing("\"", with: "\\\"")
        try place.site.write(
            "other/daybook.yml", "publish: {there: {rsync: \"\(folder)\"}}\n")
        try place.site.write("other/content/a.md", "A")
        let environment = try place.shim(
            "rsync",
            """
            if [ $count = 2 ]; then
              '\(Daybook.binary.path)' publish --site '\(place.site.root.path)/other' > "${0%/*}/second" 2>&1
              '\(Daybook.binary.path)' publish --site '\(place.root.path)' --output "${0%/*}/out" >> "${0%/*}/second" 2>&1
            fi
            exec "$real" "$@"
            """
        ).merging(host.environment) { $1 }
        try place.mustPublish(environment: environment)
        let second = try String(
            contentsOf: place.site.root.appending(path: "shim/second"), encoding: .utf8)
        #expect(second.count(of: "somebody else is publishing to") == 2, "\(second)")
        #expect(place.targetFiles == place.builtFiles)
    }

    @Test func `a rehearsal makes no folder there`() throws {
        let (host, place) = (try SSHHost(), try make())
        let rehearsal = try place.mustPublish(["--dry-run"], environment: host.environment)
        #expect(!FileManager.default.fileExists(atPath: place.target.path))
        #expect(rehearsal.sent == (try place.mustPublish(environment: host.environment).sent))
        #expect(place.targetFiles == place.builtFiles)
    }

    @Test func `wrong credentials change nothing and are told`() throws {
        let (host, place) = (try SSHHost(), try make())
        try place.mustPublish(environment: host.environment)
        let before = place.targetFiles
        try place.write(2, "edited")
        let run = try place.publish(environment: host.strangersEnvironment).run
        #expect(run.code == 1)
        #expect(run.errors.hasPrefix("daybook.yml:2:3: error: publishing to `web`"))
        // 255 is ssh's own code, 12 what rsync makes of it where it notices first.
        #expect(run.errors.contains("failed: rsync ended with "), "\(run.errors)")
        #expect(run.errors.contains("Permission denied"), "\(run.errors)")
        #expect(place.targetFiles == before)
    }
}
