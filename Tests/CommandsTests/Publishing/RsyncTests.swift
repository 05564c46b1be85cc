import Foundation
import Testing

/// `daybook publish` by the real rsync.
@Suite(.enabled(if: Tool.hasRsync, "rsync is not installed"))
struct `Publishing by rsync` {
    private func make(notes: Int = 12) throws -> PublishedSite {
        try PublishedSite(notes: notes) { _ in "  web: {rsync: \"../-tar'get \\\"é\"}" }
    }

    @Test func `after one edit of a thousand notes sends exactly the files that differ`() throws {
        let place = try make(notes: 1000)
        let state = ["--state", place.root.appending(path: ".daybook").path]
        let first = try place.mustPublish(state)
        let before = place.targetFiles
        #expect(before == place.builtFiles)
        #expect(first.sent.count == before.count - 1)
        // What is not sent is not touched either.
        let past = Date(timeIntervalSince1970: 1_000_000_000)
        for path in before.keys { try age(place.target.appending(path: path), past) }
        try place.write(500, "an edit")
        let sent = try place.mustPublish(state)
        let after = place.targetFiles
        #expect(after == place.builtFiles)
        let difference = PublishedSite.difference(before, after)
        #expect(sent.sent == difference.sent)
        #expect(sent.removed.isEmpty)
        #expect(sent.sent == ["i500.png", "n500/index.html"])
        let touched = try after.keys.filter {
            let values = try FileManager.default.attributesOfItem(
                atPath: place.target.appending(path: $0).path)
            return values[.modificationDate] as? Date != past
        }
        #expect(touched.sorted() == [".daybook-manifest"] + difference.sent)
        // Nothing changed: nothing is written there, not even the list.
        try age(place.target.appending(path: ".daybook-manifest"), past)
        #expect(try place.mustPublish(state).sent.isEmpty)
        let list = try FileManager.default.attributesOfItem(
            atPath: place.target.appending(path: ".daybook-manifest").path)
        #expect(list[.modificationDate] as? Date == past)
    }

    @Test func `a name that a list would take for a comment is sent and removed`() throws {
        let place = try make()
        let names = ["#hash.png", ";semi.pdf"]
        for name in names { try place.site.write("site/static/\(name)", "x") }
        try place.mustPublish()
        #expect(place.targetFiles == place.builtFiles)
        #expect(names.allSatisfy { place.targetFiles[$0] != nil })
        for name in names { try place.site.remove("site/static/\(name)") }
        #expect(try place.mustPublish().removed == names)
        #expect(place.targetFiles == place.builtFiles)
    }

    private func age(_ file: URL, _ date: Date) throws {
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
    }

    @Test func `removes what is gone with its folders, and leaves what others put there`() throws {
        let place = try make()
        try place.mustPublish()
        let theirs = place.target.appending(path: "n3/theirs.txt")
        try Data("theirs".utf8).write(to: theirs)
        try Data("theirs".utf8).write(to: place.target.appending(path: "CNAME"))
        let before = place.targetFiles
        try place.remove(3)
        try place.remove(4)
        let sent = try place.mustPublish()
        #expect(sent.removed == ["i3.png", "i4.png", "n3/index.html", "n4/index.html"])
        let difference = PublishedSite.difference(before, place.targetFiles)
        #expect(sent.sent == difference.sent && sent.removed == difference.removed)
        #expect(
            Set(place.targetFiles.keys)
                == Set(place.builtFiles.keys).union(["CNAME", "n3/theirs.txt"]))
        let tree = place.site.tree(place.target)
        #expect(tree["n3/"] != nil && tree["n4/"] == nil)
        #expect(tree.keys.allSatisfy { !$0.hasPrefix(".daybook-upload") })
    }

    @Test func `from another machine sends only what differs`() throws {
        let place = try make()
        try place.mustPublish()
        let other = place.site.root.appending(path: "other")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        for name in ["content", "static", "daybook.yml"] {
            try FileManager.default.copyItem(
                at: place.root.appending(path: name), to: other.appending(path: name))
        }
        #expect(try place.mustPublish(from: other).sent.isEmpty)
        try Data("---\ndate: 2020-02-02\n---\nnew".utf8).write(
            to: other.appending(path: "content/new.md"))
        let before = place.targetFiles
        let sent = try place.mustPublish(from: other)
        #expect(sent.sent == PublishedSite.difference(before, place.targetFiles).sent)
        // And the first one takes away again what it does not have.
        #expect(try place.mustPublish().removed == ["archive/2020/index.html", "new/index.html"])
        #expect(place.targetFiles == place.builtFiles)
    }

    @Test func `a file becomes a folder and a folder a file`() throws {
        let place = try make()
        try place.site.write("site/static/a", "file")
        try place.site.write("site/static/b/c/d", "deep")
        try place.mustPublish()
        try place.site.remove("site/static/a")
        try place.site.remove("site/static/b")
        try place.site.write("site/static/a/x", "deep")
        try place.site.write("site/static/b", "file")
        try place.mustPublish()
        #expect(PublishedSite.difference(place.targetFiles, place.builtFiles) == ([], []))
    }

    @Test func `is refused where something of others stands in the way`() throws {
        let place = try make()
        try FileManager.default.createDirectory(
            at: place.target.appending(path: "n2/index.html"), withIntermediateDirectories: true)
        try Data("theirs".utf8).write(to: place.target.appending(path: "index.html"))
        try Data("theirs".utf8).write(to: place.target.appending(path: "n1"))
        try FileManager.default.createSymbolicLink(
            atPath: place.target.appending(path: "odd").path, withDestinationPath: "/tmp")
        let before = place.targetFiles
        let sent = try place.publish()
        #expect(sent.run.code == 1)
        #expect(
            sent.run.errors.contains(
                "that Daybook did not put there stand where the site's belong: index.html, n1, n2/index.html, …"
            ), "\(sent.run.errors)")
        #expect(sent.run.errors.hasPrefix("daybook.yml:2:3: error: "), "\(sent.run.errors)")
        #expect(place.targetFiles == before)
    }

    @Test func `a file takes the place of a folder only where all in it is ours`() throws {
        let place = try make()
        try place.site.write("site/static/about/us.txt", "us")
        try place.mustPublish()
        try Data("mine".utf8).write(to: place.target.appending(path: "about/mine.txt"))
        try place.site.remove("site/static/about")
        try place.site.write("site/static/about", "a file")
        let before = place.targetFiles
        let run = try place.publish().run
        #expect(run.code == 1)
        #expect(run.errors.contains("where the site's belong: about/mine.txt"), "\(run.errors)")
        #expect(place.targetFiles == before)
    }

    @Test(arguments: ["an edit", "a removal", "a file in its place"])
    func `a link in the place of a folder of ours is refused, and what it leads to stays`(
        _ change: String
    ) throws {
        let place = try make()
        try place.site.write("site/static/big/one", "1")
        try place.site.write("site/static/big/two", "2")
        try place.mustPublish()
        let (folder, elsewhere) = (
            place.target.appending(path: "big"), place.site.root.appending(path: "elsewhere")
        )
        try FileManager.default.moveItem(at: folder, to: elsewhere)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path, withDestinationPath: elsewhere.path)
        switch change {
        case "an edit": try place.site.write("site/static/big/one", "edited")
        case "a removal": try place.site.remove("site/static/big/one")
        default:
            try place.site.remove("site/static/big")
            try place.site.write("site/static/big", "file")
        }
        let before = place.site.tree(place.target)
        let run = try place.publish().run
        #expect(run.code == 1)
        #expect(
            run.errors.contains("[foreign-file]")
                && run.errors.contains("where the site's belong: big"), "\(run.errors)")
        #expect(place.site.tree(place.target) == before)
        #expect(place.files(elsewhere) == ["one": Data("1".utf8), "two": Data("2".utf8)])
    }

    /// The order is what keeps a page whole, so the state after each call of
    /// rsync is kept and looked at, and the folder all the time besides.
    @Test func `no page that is reached ever links to something missing`() throws {
        let place = try make(notes: 40)
        try place.mustPublish()
        let environment = try place.shim(
            "rsync",
            """
            "$real" "$@"; code=$?
            cp -r '\(place.target.path.replacing("'", with: "'\\''"))' "${0%/*}/state-$count"
            exit $code
            """)
        let crawl = BackgroundCrawl(place.target)
        for round in 0..<3 {
            // The newest note of all comes, with links both ways; others go.
            try place.site.write(
                "site/content/z\(round).md",
                "---\ndate: 2063-01-0\(round + 1)\n---\n![](z\(round).png) [[n\(round)]]\n")
            try place.site.write("site/content/z\(round).png", "image")
            try place.write(round, "[[z\(round)]]")
            try place.remove(20 + round)
            try place.mustPublish(environment: environment)
            #expect(place.targetFiles == place.builtFiles)
        }
        #expect(crawl.stop() == [])
        let shim = place.site.root.appending(path: "shim")
        let states = try FileManager.default.contentsOfDirectory(atPath: shim.path)
            .filter { $0.hasPrefix("state-") }
        // At least the list, images, new pages, changed pages, removals, folders,
        // the list.
        #expect(states.count >= 3 * 7)
        for state in states {
            #expect(Crawler.deadLinks(in: shim.appending(path: state)) == [], "\(state)")
        }
    }

    /// The tool's call of each number is cut off in its middle: half of the list
    /// is sent, then Daybook is killed.
    @Test(arguments: 1...8)
    func `a kill in the middle of sending is made good by the next run`(_ call: Int) throws {
        let place = try make()
        try place.mustPublish()
        for number in 0..<4 { try place.write(number, "edited") }
        for number in 100..<104 { try place.write(number, "new") }
        for number in 5..<9 { try place.remove(number) }
        try Data("theirs".utf8).write(to: place.target.appending(path: "theirs"))
        let old = place.targetFiles
        let environment = try place.shim(
            "rsync",
            """
            if [ $count = \(call) ]; then
              list="${0%/*}/list"; cat > "$list"
              half=$(($(tr -cd '\\0' < "$list" | wc -c) / 2))
              head -z -n $half "$list" | "$real" "$@"
              mkdir -p '\(place.target.path.replacing("'", with: "'\\''"))/.daybook-upload'
              echo torn > '\(place.target.path.replacing("'", with: "'\\''"))/.daybook-upload/.x.Y7'
              kill -9 $PPID; exit 1
            fi
            exec "$real" "$@"
            """)
        #expect(try place.publish(environment: environment).run.code == 9)
        let new = place.builtFiles
        for (path, bytes) in place.targetFiles
        where !path.hasPrefix(".daybook-") {
            #expect(bytes == old[path] || bytes == new[path], "\(path) is torn")
        }
        #expect(Crawler.deadLinks(in: place.target) == [])
        try place.mustPublish()
        var expected = place.builtFiles
        expected["theirs"] = Data("theirs".utf8)
        #expect(place.targetFiles == expected)
        #expect(place.site.tree(place.target)[".daybook-upload/"] == nil)
        #expect(try place.mustPublish().sent.isEmpty)
    }

    @Test func `a file that somebody changes after the build is not sent as the build's`() throws {
        let place = try make()
        let page = place.root.appending(path: "public/n3/index.html").path
        // Changed by the time that the target is asked what it has.
        let environment = try place.shim(
            "rsync",
            """
            if [ $count = 1 ]; then echo other >> '\(page)'; fi
            exec "$real" "$@"
            """)
        let run = try place.publish(environment: environment).run
        #expect(run.code == 1)
        #expect(
            run.errors.contains("a file of the output is not as the build left it: n3/index.html"),
            "\(run.errors)")
        #expect(place.targetFiles["n3/index.html"] == nil)
        try place.mustPublish()
        #expect(place.targetFiles == place.builtFiles)
        #expect(
            !String(decoding: place.targetFiles["n3/index.html"] ?? Data(), as: UTF8.self)
                .contains("other"))
    }

    @Test func `two at once do no harm`() throws {
        let place = try make()
        // The second is started by the first one's tool, so it surely comes in
        // between.
        let environment = try place.shim(
            "rsync",
            """
            if [ $count = 2 ]; then
              '\(Daybook.binary.path)' publish --site '\(place.root.path)' \
                --output "${0%/*}/out" > "${0%/*}/second" 2>&1
              echo "exit $?" >> "${0%/*}/second"
            fi
            exec "$real" "$@"
            """)
        try place.mustPublish(environment: environment)
        let second = try String(
            contentsOf: place.site.root.appending(path: "shim/second"), encoding: .utf8)
        #expect(second.contains("error: somebody else is publishing to `web`"), "\(second)")
        #expect(second.hasSuffix("exit 1\n"))
        #expect(place.targetFiles == place.builtFiles)
    }

    @Test func `a rehearsal says what it would do, and changes nothing there`() throws {
        let place = try make()
        let first = try place.mustPublish(["--dry-run"])
        #expect(!FileManager.default.fileExists(atPath: place.target.path))
        #expect(first.sent.count == place.builtFiles.count - 1)
        try place.mustPublish()
        let before = place.targetFiles
        try place.write(2, "edited")
        try place.remove(3)
        let rehearsal = try place.mustPublish(["--dry-run"])
        #expect(place.targetFiles == before)
        let real = try place.mustPublish()
        #expect(real.sent == rehearsal.sent && real.removed == rehearsal.removed)
    }

    @Test(arguments: [
        ("---\ndate: 2026-02-30\n---\n", [], "content/bad.md:2:7: error: "),
        ("[[nowhere]]", ["--strict"], "content/bad.md:1:1: warning: "),
    ])
    func `what is broken is not published`(_ text: String, _ options: [String], _ message: String)
        throws
    {
        let place = try make()
        try place.mustPublish()
        let before = place.targetFiles
        let built = place.builtFiles
        try place.site.write("site/content/bad.md", text)
        try place.write(1, "edited")
        let sent = try place.publish(options)
        #expect(sent.run.code == 1)
        #expect(sent.run.errors.hasPrefix(message), "\(sent.run.errors)")
        #expect(place.targetFiles == before)
        #expect(place.builtFiles == built)
    }

    @Test func `without the tool the package is named`() throws {
        let place = try make()
        let run = try place.publish(environment: ["PATH": "/nowhere"]).run
        #expect(run.code == 1)
        #expect(
            run.errors.hasPrefix(
                "daybook.yml:2:3: error: publishing to `web` (rsync ../-tar'get \"é) needs the program "
                    + "`rsync`, which is not here [publish]; help: install Debian's package rsync: apt-get install rsync\n"
            ), "\(run.errors)")
    }

    @Test func `what the tool says is in the message`() throws {
        let place = try make()
        try place.mustPublish()
        let before = place.targetFiles
        try place.write(1, "edited")
        let environment = try place.shim(
            "rsync",
            "[ $count = 1 ] && exec \"$real\" \"$@\"; echo first >&2; echo 'no such thing' >&2; exit 12"
        )
        let run = try place.publish(environment: environment).run
        #expect(run.code == 1)
        #expect(run.errors.contains("failed: rsync ended with 12: first [publish]"))
        #expect(run.errors.contains("no such thing"))
        #expect(place.targetFiles == before)
    }

    /// What the tool says of a folder comes first, so that a listing that breaks
    /// off has something in it: 12 is a torn connection, 30 a timeout, 255 ssh's.
    /// 23 says that something could not be looked at, here for want of rights.
    @Test(arguments: [
        (12, "connection unexpectedly closed (8 bytes received so far) [Receiver]"),
        (30, "[Receiver] io timeout after 5 seconds -- exiting"),
        (255, "connection unexpectedly closed"),
        (23, "[sender] link_stat \"/www/n100\" failed: Permission denied (13)"),
    ])
    func `a listing that breaks off is none`(_ code: Int, _ words: String) throws {
        let place = try make()
        try place.mustPublish()
        try place.write(100, "new")
        // Somebody else's, where the new page belongs.
        let theirs = place.target.appending(path: "n100/index.html")
        try FileManager.default.createDirectory(
            at: theirs.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("theirs".utf8).write(to: theirs)
        let environment = try place.shim(
            "rsync",
            """
            case " $* " in *" --out-format="*)
              "$real" "$@" | head -n 1
              echo 'rsync: \(words)' >&2; exit \(code) ;;
            esac
            exec "$real" "$@"
            """)
        let before = place.targetFiles
        let run = try place.publish(environment: environment).run
        #expect(run.code == 1)
        #expect(run.errors.contains("rsync ended with \(code): rsync: "), "\(run.errors)")
        #expect(place.targetFiles == before)
        // The whole listing names it.
        let whole = try place.publish().run
        #expect(whole.errors.contains("where the site's belong: n100/index.html"))
        #expect(place.targetFiles == before)
    }

    /// Files have these names at the target while they are sent, and while they
    /// are placed in the output.
    @Test(arguments: [
        (".daybook-upload/a.txt", ".daybook-upload", "folder for files that are being sent"),
        (".Daybook-Upload", ".daybook-upload", "folder for files that are being sent"),
        (".daybook-staging/a", ".daybook-staging", "folder for pages that are being made"),
        (".daybook-manifest", ".daybook-manifest", "list of what it wrote"),
    ])
    func `a name that Daybook uses there itself is refused`(
        _ name: String, _ own: String, _ use: String
    ) throws {
        let place = try make(notes: 1)
        try place.site.write("site/static/\(name)", "mine")
        let run = try place.publish().run
        #expect(run.code == 1)
        #expect(
            run.errors.hasPrefix(
                "static/\(name): error: this file would be at /\(name), and /\(own) is Daybook's "
                    + "\(use) [address-taken]; help: rename it\n"), "\(run.errors)")
        #expect(place.targetFiles.isEmpty)
    }

    @Test func `a target inside the site, or that cannot be written, is refused`() throws {
        let place = try make()
        for inside in ["public", "content/x", ".."] {
            try place.site.write("site/daybook.yml", "publish: {web: {rsync: \(inside)}}\n")
            let run = try place.publish().run
            #expect(run.code == 1)
            #expect(
                run.errors.contains("is, holds or lies in the site's own folder"), "\(run.errors)")
        }
        try place.site.write("file", "no folder")
        try place.site.write("site/daybook.yml", "publish: {web: {rsync: ../file/www}}\n")
        let run = try place.publish().run
        #expect(run.code == 1)
        #expect(run.errors.contains("file: Not a directory [publish]"), "\(run.errors)")
    }

    /// A small file system of its own, which only root can make.
    @Test(.enabled(if: SmallDisk.isPossible, "a file system of its own needs root"))
    func `a disk that is full there tears nothing, and the next run completes`() throws {
        let place = try make()
        let disk = try SmallDisk(at: place.target, kilobytes: 256)
        try place.mustPublish()
        let old = place.targetFiles
        for number in 0..<12 {
            try place.write(number, String(repeating: "text \(number) ", count: 12_000))
        }
        let full = try place.publish()
        #expect(full.run.code == 1)
        #expect(full.run.errors.contains("No space left on device"), "\(full.run.errors)")
        let new = place.builtFiles
        for (path, bytes) in place.targetFiles where !path.hasPrefix(".daybook-") {
            #expect(bytes == old[path] || bytes == new[path], "\(path) is torn")
        }
        #expect(Crawler.deadLinks(in: place.target) == [])
        try disk.resize(kilobytes: 16 * 1024)
        try place.mustPublish()
        #expect(place.targetFiles == place.builtFiles)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "a file system of its own needs root"))
    func `a disk that is full here sends nothing`() throws {
        let place = try make()
        let output = place.site.root.appending(path: "disk")
        let disk = try SmallDisk(at: output, kilobytes: 512)
        let options = ["--output", output.appending(path: "out").path]
        try place.mustPublish(options)
        let old = place.targetFiles
        for number in 0..<12 {
            try place.write(number, String(repeating: "text \(number) ", count: 12_000))
        }
        let full = try place.publish(options)
        #expect(full.run.code == 1)
        #expect(full.run.errors.contains("No space left on device"), "\(full.run.errors)")
        #expect(place.targetFiles == old)
        try disk.resize(kilobytes: 16 * 1024)
        try place.mustPublish(options)
        #expect(place.targetFiles == place.files(output.appending(path: "out")))
    }
}
