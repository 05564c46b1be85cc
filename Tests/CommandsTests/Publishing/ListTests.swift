import Foundation
import Testing

/// The lists that a build and an upload write of what they did: for a CDN, and for
/// whatever goes on with the output.
@Suite(.enabled(if: Tool.hasRsync, "rsync is not installed"))
struct `Lists of what was done` {
    private func make(_ target: String = "rsync: \"../-tar'get \\\"é\"") throws -> PublishedSite {
        try PublishedSite { _ in "  web: {\(target)}" }
    }

    private let base = ["--base-url", "https://example.org/"]

    @Test func `the list for a CDN has the addresses of what changed and went`() throws {
        let place = try make()
        let base = ["--base-url", "https://example.org/a%20b/"]
        try place.mustPublish(base)
        try place.write(2, "edited")
        try place.remove(3)
        try place.site.write("site/static/odd/é ü", "changed")
        let list = place.site.root.appending(path: "purge")
        let sent = try place.mustPublish(base + ["--purge-list", list.path])
        let addresses = try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
        #expect(addresses.count == Set(sent.sent + sent.removed).count)
        for address in ["n2/", "n3/", "", "i2.png", "odd/%C3%A9%20%C3%BC", "sitemap.xml"] {
            #expect(addresses.contains("https://example.org/a%20b/\(address)"), "\(address)")
        }
        #expect(!addresses.contains("https://example.org/a%20b/n5/"))
        let without = try place.publish(["--purge-list", list.path])
        #expect(without.run.code == 64)
        #expect(without.run.errors.contains("needs to know where the site stands"))
    }

    /// What was sent is not sent again, so that it can be listed once only.
    @Test(arguments: ["absent/purge", "site", "file/purge", "site/"])
    func `nothing is sent where the list cannot be written`(_ name: String) throws {
        let place = try make()
        try place.site.write("file", "no folder")
        let list = place.site.root.path + "/" + name
        let refused = try place.publish(base + ["--purge-list", list]).run
        #expect(refused.code == 1)
        #expect(refused.errors.hasPrefix("daybook: nothing was sent: cannot "), "\(refused.errors)")
        #expect(place.targetFiles.isEmpty)
        // So the next run lists all of it.
        let good = place.site.root.appending(path: "good")
        let sent = try place.mustPublish(base + ["--purge-list", good.path])
        #expect(!sent.sent.isEmpty)
        #expect(try lines(of: good).count == Set(sent.sent).count)
        // Finding that out left nothing behind.
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: place.site.root.path)
                .allSatisfy { !$0.hasSuffix(".daybook") })
    }

    private func lines(of file: URL) throws -> [Substring] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    }

    @Test func `a rehearsal leaves the list for a CDN as it is`() throws {
        let place = try make()
        let list = place.site.root.appending(path: "purge")
        try Data("https://example.org/yesterday/\n".utf8).write(to: list)
        let run = try place.mustPublish(base + ["--dry-run", "--purge-list", list.path]).run
        #expect(try lines(of: list) == ["https://example.org/yesterday/"])
        #expect(run.errors.contains("no list for a CDN was written: nothing was sent\n"))
    }

    @Test(arguments: [false, true])
    func `nothing is built where the list of changes cannot be written`(_ watches: Bool) throws {
        let site = try TestSite(notes: ["a.md": "# A\n"])
        let list = site.root.appending(path: "absent/changed")
        let options = ["--changed", list.path]
        let words: String
        if watches {
            let watched = try WatchedSite(site, options)
            #expect(!watched.isRunning)
            words = watched.errors
        } else {
            let refused = try site.build(options)
            #expect(refused.code == 1)
            words = refused.errors
        }
        #expect(
            words == "daybook: cannot open \(list.deletingLastPathComponent().path): "
                + "No such file or directory\n", "\(words)")
        #expect(!FileManager.default.fileExists(atPath: site.output.path))
        try FileManager.default.createDirectory(
            at: list.deletingLastPathComponent(), withIntermediateDirectories: true)
        try site.mustBuild(options)
        #expect(try lines(of: list).contains("+ a/index.html"))
    }

    /// Files go in batches of 500, after each of which the target knows what has
    /// arrived. The tool breaks off at the third: the calls before it are the look
    /// at the list, one at files in the way, one more at the list, the list itself,
    /// two batches of pictures and a list after the first.
    @Test(.enabled(if: Tool.hasRclone, "rclone is not installed"))
    func `what a run had sent that broke off is in the list of the next`() throws {
        let place = try PublishedSite(notes: 600) { target in
            "  web: {rclone: '\(target.path.replacing("'", with: "''"))'}"
        }
        let environment = ["RCLONE_CONFIG": "/dev/null"]
        try place.mustPublish(base, environment: environment)
        let before = place.targetFiles
        for number in 0..<600 { try place.write(number, "edited") }
        let list = place.site.root.appending(path: "purge")
        let shim = try place.shim(
            "rclone",
            """
            case "$1" in copy)
              grep -q '^i' "$5" && echo >> "${0%/*}/pictures"
              [ "$(wc -l < "${0%/*}/pictures" 2>/dev/null || echo 0)" -ge 2 ] && exit 1 ;;
            esac
            exec "$real" "$@"
            """
        ).merging(environment) { one, _ in one }
        let broken = try place.publish(base + ["--purge-list", list.path], environment: shim)
        #expect(broken.run.code == 1)
        let arrived = PublishedSite.difference(before, place.targetFiles).sent
        #expect(arrived.count >= 500)
        let sent = try place.mustPublish(
            base + ["--purge-list", list.path], environment: environment)
        // What has arrived is not sent again, and is listed all the same.
        #expect(sent.sent.count < PublishedSite.difference(before, place.targetFiles).sent.count)
        let listed = Set(try lines(of: list))
        for path in PublishedSite.difference(before, place.targetFiles).sent {
            let page = path.hasSuffix("index.html") ? String(path.dropLast(10)) : path
            #expect(listed.contains("https://example.org/\(page)"), "\(page)")
        }
        // It is told once.
        try place.mustPublish(base + ["--purge-list", list.path], environment: environment)
        #expect(try lines(of: list).isEmpty)
        #expect(place.targetFiles == place.builtFiles)
    }
}
