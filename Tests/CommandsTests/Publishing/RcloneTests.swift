import Foundation
import Testing

/// `daybook publish` by the real rclone, to its own servers on loopback.
@Suite(.enabled(if: Tool.hasRclone, "rclone is not installed"))
struct `Publishing by rclone` {
    /// A remote named `target` for rclone, which needs no settings of a user's.
    final class Remote {
        let place: PublishedSite
        let environment: [String: String]
        private let server: LoopbackServer?

        init(_ kind: String, password: String = "right") throws {
            place = try PublishedSite(notes: 8) { _ in "  web: {rclone: \"target:\"}" }
            try FileManager.default.createDirectory(
                at: place.target, withIntermediateDirectories: true)
            let place = self.place
            let configuration = place.site.root.appending(path: "rclone.conf").path
            try Data().write(to: URL(filePath: configuration))
            var variables = ["RCLONE_CONFIG": configuration, "RCLONE_LOW_LEVEL_RETRIES": "2"]
            var server: LoopbackServer?
            func serve(_ protocolName: String) throws -> Int {
                let folder = place.target.path
                let made = try LoopbackServer(
                    "rclone",
                    { port in
                        [
                            "serve", protocolName, folder, "--addr", "127.0.0.1:\(port)", "--user",
                            "me", "--pass", "right", "--dir-cache-time", "0s",
                        ]
                    },
                    environment: variables.merging([
                        "XDG_CACHE_HOME": place.site.root.path + "/cache",
                        "HOME": place.site.root.path,
                    ]) { $1 })
                server = made
                return made.port
            }
            var settings = ["TYPE": kind]
            switch kind {
            case "sftp":
                settings["HOST"] = "127.0.0.1"
                settings["PORT"] = String(try serve("sftp"))
                settings["USER"] = "me"
                settings["PASS"] = try Self.obscured(password)
            case "webdav":
                settings["URL"] = "http://127.0.0.1:\(try serve("webdav"))"
                settings["USER"] = "me"
                settings["PASS"] = try Self.obscured(password)
            default:
                settings["TYPE"] = "alias"
                settings["REMOTE"] = place.target.path
            }
            for (key, value) in settings { variables["RCLONE_CONFIG_TARGET_\(key)"] = value }
            environment = variables
            self.server = server
        }

        private static func obscured(_ password: String) throws -> String {
            try Tool.run("rclone", ["obscure", password]).output
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    @Test(arguments: ["local", "sftp", "webdav"])
    func `sends what differs, removes what is gone, leaves what others put there`(_ kind: String)
        throws
    {
        let remote = try Remote(kind)
        let (place, environment) = (remote.place, remote.environment)
        let first = try place.mustPublish(environment: environment)
        #expect(first.sent.count == place.builtFiles.count - 1)
        #expect(place.targetFiles == place.builtFiles)
        try Data("theirs".utf8).write(to: place.target.appending(path: "n4/theirs"))
        #expect(try place.mustPublish(environment: environment).sent.isEmpty)
        let before = place.targetFiles
        try place.write(2, "edited")
        try place.remove(3)
        try place.remove(4)
        let sent = try place.mustPublish(environment: environment)
        let difference = PublishedSite.difference(before, place.targetFiles)
        #expect(sent.sent == difference.sent && sent.removed == difference.removed)
        var expected = place.builtFiles
        expected["n4/theirs"] = Data("theirs".utf8)
        #expect(place.targetFiles == expected)
        let tree = place.site.tree(place.target)
        #expect(tree["n3/"] == nil && tree["n4/"] != nil)
    }

    @Test func `a file takes the place of a folder only where all in it is ours`() throws {
        let remote = try Remote("local")
        let place = remote.place
        try place.site.write("site/static/about/us.txt", "us")
        try place.mustPublish(environment: remote.environment)
        try Data("mine".utf8).write(to: place.target.appending(path: "about/mine.txt"))
        try place.site.remove("site/static/about")
        try place.site.write("site/static/about", "a file")
        let before = place.targetFiles
        let run = try place.publish(environment: remote.environment).run
        #expect(run.code == 1)
        #expect(run.errors.contains("where the site's belong: about/mine.txt"), "\(run.errors)")
        #expect(place.targetFiles == before)
    }

    @Test func `is refused where a file of others stands in the way`() throws {
        let remote = try Remote("local")
        let place = remote.place
        try Data("theirs".utf8).write(to: place.target.appending(path: "index.html"))
        let run = try place.publish(environment: remote.environment).run
        #expect(run.code == 1)
        #expect(run.errors.contains("[foreign-file]") && run.errors.contains("index.html"))
        #expect(place.targetFiles == ["index.html": Data("theirs".utf8)])
    }

    @Test func `nothing is written through a link that somebody made`() throws {
        let place = try PublishedSite { target in
            "  web: {rclone: '\(target.path.replacing("'", with: "''"))'}"
        }
        let theirs = place.root.appending(path: "theirs")
        try Data("precious".utf8).write(to: theirs)
        try FileManager.default.createDirectory(
            at: place.target.appending(path: "n3"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: place.target.appending(path: "n3/index.html"), withDestinationURL: theirs)
        let run = try place.publish().run
        #expect(run.code == 1 && run.errors.contains("n3/index.html"))
        #expect(try Data(contentsOf: theirs) == Data("precious".utf8))
    }

    @Test(arguments: 2...7)
    func `a kill between two steps is made good by the next run`(_ call: Int) throws {
        let remote = try Remote("local")
        let place = remote.place
        try place.mustPublish(environment: remote.environment)
        for number in 0..<3 { try place.write(number, "edited") }
        try place.write(100, "new")
        try place.remove(5)
        let environment = try place.shim(
            "rclone", "[ $count = \(call) ] && kill -9 $PPID && exit 1; exec \"$real\" \"$@\"")
        #expect(
            try place.publish(environment: remote.environment.merging(environment) { $1 }).run.code
                == 9)
        #expect(Crawler.deadLinks(in: place.target) == [])
        try place.mustPublish(environment: remote.environment)
        #expect(place.targetFiles == place.builtFiles)
    }

    // Before the list is looked at once more, and while pages are sent.
    @Test(arguments: [3, 5])
    func `another publisher in between is noticed, and the next run mends it`(_ call: Int) throws {
        let remote = try Remote("local")
        let place = remote.place
        try place.mustPublish(environment: remote.environment)
        try place.write(1, "edited")
        let other = place.site.root.appending(path: "other")
        try FileManager.default.copyItem(at: place.root, to: other)
        try place.site.write("other/content/n1.md", "---\ndate: 2020-01-01\n---\nothers'")
        // Nothing can hold a remote: the second publishes while the first sends
        // its pages.
        let environment = try place.shim(
            "rclone",
            """
            if [ $count = \(call) ]; then
              PATH='\(ProcessInfo.processInfo.environment["PATH"] ?? "")' \
                '\(Daybook.binary.path)' publish --site '\(other.path)' >&2 || exit 99
            fi
            exec "$real" "$@"
            """
        ).merging(remote.environment) { one, _ in one }
        let run = try place.publish(environment: environment).run
        #expect(run.code == 1)
        #expect(
            run.errors.contains(
                "somebody else published to `web` (rclone target:) at the same time"),
            "\(run.errors)")
        try place.mustPublish(environment: remote.environment)
        #expect(place.targetFiles == place.builtFiles)
    }

    @Test func `wrong credentials change nothing and are told`() throws {
        let remote = try Remote("webdav", password: "wrong")
        let place = remote.place
        let run = try place.publish(environment: remote.environment).run
        #expect(run.code == 1)
        #expect(
            run.errors.hasPrefix(
                "daybook.yml:2:3: error: publishing to `web` (rclone target:) failed: "),
            "\(run.errors)")
        #expect(run.errors.contains(": Failed to copy: "), "\(run.errors)")
        #expect(run.errors.contains("401"), "\(run.errors)")
        #expect(place.targetFiles.isEmpty)
    }

    /// rclone says first that it has no settings, and tries three times.
    @Test func `what is told is the cause, and each thing once`() throws {
        let place = try PublishedSite(notes: 1) { _ in "  web: {rclone: \"nowhere:x\"}" }
        let run = try place.publish(
            environment: ["RCLONE_CONFIG": place.site.root.path + "/absent.conf"]
        ).run
        #expect(run.code == 1)
        #expect(
            run.errors.contains(
                "rclone ended with 1: Failed to create file system for \"nowhere:x\": "
                    + "didn't find section in config file [publish]"), "\(run.errors)")
        // The moment that rclone puts before each line is no news.
        #expect(!run.errors.contains(/\d\d:\d\d:\d\d/), "\(run.errors)")
    }

    @Test(.enabled(if: SmallDisk.isPossible, "a file system of its own needs root"))
    func `a disk that is full there is told, once for each file`() throws {
        let remote = try Remote("local")
        let place = remote.place
        let disk = try SmallDisk(at: place.target, kilobytes: 512)
        for number in 0..<8 {
            try place.site.write(
                "site/content/i\(number).png", String(repeating: "picture", count: 30_000))
        }
        var environment = remote.environment
        environment["RCLONE_CONFIG"] = place.site.root.path + "/absent.conf"
        let run = try place.publish(environment: environment).run
        #expect(run.code == 1)
        let first = try #require(run.errors.split(separator: "\n").first)
        #expect(first.contains("rclone ended with 1: Failed to copy"), "\(run.errors)")
        #expect(first.contains("space"), "\(run.errors)")
        let files = run.errors.split(separator: "\n").filter { $0.contains("ERROR : i") }
        #expect(!files.isEmpty && Set(files).count == files.count, "\(run.errors)")
        try disk.resize(kilobytes: 8 * 1024)
        try place.mustPublish(environment: remote.environment)
        #expect(place.targetFiles == place.builtFiles)
    }

    @Test func `a folder of the site's own is refused, however it is named`() throws {
        let place = try PublishedSite(notes: 1) { _ in "  web: {rclone: \"nowhere:x\"}" }
        let link = place.site.root.appending(path: "link")
        try FileManager.default.createSymbolicLink(
            atPath: link.path, withDestinationPath: place.root.path)
        let before = place.site.tree(place.root.appending(path: "content"))
        let root = place.root.path
        for remote in [
            "\(root)/content", "local:\(root)/content", ":local:\(root)/public", ":local:content",
            ":local,links='a:b':\(root)", "\(link.path)/content/new", place.site.root.path,
        ] {
            try place.site.write("site/daybook.yml", "publish: {web: {rclone: \"\(remote)\"}}\n")
            let run = try place.publish(environment: ["RCLONE_CONFIG": "/dev/null"]).run
            #expect(run.code == 1)
            #expect(
                run.errors.contains("is, holds or lies in the site's own folder"),
                "\(remote): \(run.errors)")
        }
        #expect(place.site.tree(place.root.appending(path: "content")) == before)
        // A folder beside the site is none of them, and is taken from the site.
        try place.site.write("site/daybook.yml", "publish: {web: {rclone: \":local:../www\"}}\n")
        try place.mustPublish(environment: ["RCLONE_CONFIG": "/dev/null"])
        #expect(place.files(place.site.root.appending(path: "www")) == place.builtFiles)
    }

    @Test func `a remote that nobody set up is told`() throws {
        let place = try PublishedSite(notes: 1) { _ in "  web: {rclone: \"nowhere:x\"}" }
        let run = try place.publish(environment: ["RCLONE_CONFIG": "/dev/null"]).run
        #expect(run.code == 1)
        #expect(run.errors.contains("didn't find section in config file"), "\(run.errors)")
    }
}
