import Foundation
import Testing

/// `daybook serve`: what is answered, to whom, and what open pages are told.
@Suite struct ServeTests {
    private static let notes = [
        "a.md": "---\ntitle: One\ndate: 2024-03-01\n---\nHello.\n\n![p](p.bin)\n",
        "b.md": "---\ntitle: Two\ndate: 2024-03-02\n---\nSee [[a]].\n",
        "p.bin": String(repeating: "0123456789", count: 300_000),
    ]

    // MARK: Files

    @Test func `files have types, digests, parts, and a page where there is none`() throws {
        let served = try ServedSite(notes: Self.notes)
        let page = try served.get("/a/")
        #expect(page.status == 200)
        #expect(page.headers["content-type"] == "text/html; charset=utf-8")
        #expect(page.text.contains("<h1 dir=\"auto\">One</h1>"))
        #expect(page.text.contains("<script src=\"/.daybook/page.js\""))
        // Nothing of it is published.
        #expect(!served.site.outputHolds(".daybook/page.js"))
        let tag = try #require(page.headers["etag"])
        #expect(try served.get("/a/", headers: ["If-None-Match": tag]).status == 304)
        #expect(
            try served.get("/a/", headers: ["If-None-Match": "\"other\", W/\(tag)"]).status == 304)
        #expect(try served.get("/a/", headers: ["If-Match": "\"other\""]).status == 412)
        let style = try served.get("/assets/daybook.css")
        #expect(style.headers["content-type"] == "text/css; charset=utf-8")

        let moved = try served.get("/a")
        #expect(moved.status == 308 && moved.headers["location"] == "/a/")
        let missing = try served.get("/nothing/here/")
        #expect(missing.status == 404)
        #expect(missing.text.contains("The address may be mistyped"))
        #expect(missing.text.contains("data-missing"))

        let head = try HTTPConnection(served.port).ask("HEAD", "/p.bin")
        #expect(head.status == 200 && head.headers["content-length"] == "3000000")
        let part = try served.get("/p.bin", headers: ["Range": "bytes=2999995-"])
        #expect(part.status == 206 && part.text == "56789")
        #expect(part.headers["content-range"] == "bytes 2999995-2999999/3000000")
        #expect(try served.get("/p.bin", headers: ["Range": "bytes=3000000-"]).status == 416)
        let other = ["Range": "bytes=0-4", "If-Range": "\"old\""]
        #expect(try served.get("/p.bin", headers: other).status == 200)
        #expect(try served.get("/p.bin").body.count == 3_000_000)
        #expect(try served.get("/.daybook-manifest").status == 404)
        // Two requests on one connection.
        let connection = try HTTPConnection(served.port)
        #expect(try connection.ask("GET", "/a/").status == 200)
        #expect(try connection.ask("GET", "/b/").text.contains("Two"))
    }

    /// A part of a large file is all that is read of it: to read the whole for its
    /// digest would keep all others waiting.
    @Test func `of a large file as much is read as is asked for`() throws {
        let site = try TestSite(notes: ["a.md": "# A\n"])
        let (name, size) = ("big.bin", 256 << 20)
        try site.write("static/" + name, "0123456789")
        let file = try FileHandle(forUpdating: site.root.appending(path: "static/" + name))
        // The rest is a hole, which takes no room here.
        try file.truncate(atOffset: UInt64(size))
        try file.close()
        let served = try ServedSite(site)
        let before = served.watched.peakMemory
        let part = try served.get("/" + name, headers: ["Range": "bytes=0-9"])
        #expect(part.status == 206 && part.text == "0123456789")
        #expect(part.headers["content-range"] == "bytes 0-9/\(size)")
        // In KB: what one answer takes is far from the file's size.
        #expect(served.watched.peakMemory - before < 64 << 10)
        // It is the same file as long as nobody writes it, and then another.
        let tag = try #require(part.headers["etag"])
        #expect(try served.get("/" + name, headers: ["If-None-Match": tag]).status == 304)
        let same = ["Range": "bytes=5-9", "If-Range": tag]
        #expect(try served.get("/" + name, headers: same).text == "56789")
        try site.write("static/" + name, String(repeating: "another ", count: 200_000))
        try served.watched.wait("the other file") {
            try served.get("/" + name, headers: ["If-None-Match": tag]).status == 200
        }
        #expect(try served.get("/" + name, headers: ["Range": "bytes=0-6"]).text == "another")
    }

    @Test func `a broken note is listed by its name, whatever its folder is called`() throws {
        let served = try ServedSite(
            TestSite([
                "Notizbücher/a.md": "---\ndate: 2024-02-30\n---\n", "Notizbücher/b.md": "# B\n",
                "daybook.yml": "content: Notizbücher\n",
            ]))
        let list = try EditorClient(served).list()
        #expect(Set(list.keys) == ["a.md", "b.md"])
        #expect(list["a.md"]?["state"] as? String == "broken")
    }

    @Test func `the output and the state are its own`() throws {
        let served = try ServedSite(
            notes: ["a.md": "---\ndraft: true\n---\n# Secret\n"],
            settings: "base-url: https://example.org/notes/\n", ["--drafts"])
        #expect(try served.get("/a/").text.contains("href=\"/assets/daybook.css\""))
        #expect(!FileManager.default.fileExists(atPath: served.site.output.path))
        let state = served.site.root.appending(path: ".daybook/preview")
        #expect(FileManager.default.fileExists(atPath: state.appending(path: "public").path))
        #expect(served.watched.end(by: SIGTERM) == 0)
        #expect(FileManager.default.fileExists(atPath: state.appending(path: "state.db").path))
    }

    @Test func `a port that is taken is said, and the next one taken where none was named`() throws
    {
        let served = try ServedSite(notes: Self.notes)
        let run = try Daybook.run(["serve", served.site.root.path, "--port", String(served.port)])
        #expect(run.code == 1)
        #expect(run.errors.contains("port \(served.port) is taken"))
        let wrong = try Daybook.run(["serve", "--port", "70000"])
        #expect(wrong.code == 64)
    }

    // MARK: Who is not answered

    @Test func `only this machine's own pages are answered`() throws {
        let served = try ServedSite(notes: Self.notes)
        for headers in [
            ["Host": "evil.example"], ["Host": "evil.example:\(served.port)"],
            ["Origin": "http://evil.example"], ["Origin": "null"],
            ["Origin": "http://127.0.0.1:\(served.port + 1)"],
        ] {
            #expect(try served.get("/a/", headers: headers).status == 403, "\(headers)")
            let events = "/.daybook/events?page=/a/&version=x"
            #expect(try served.get(events, headers: headers).status == 403, "\(headers)")
        }
        for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"] {
            let response = try HTTPConnection(served.port).ask(method, "/a/")
            #expect(response.status == 405, "\(method)")
        }
        #expect(try served.get("/a/", headers: ["Host": "localhost:\(served.port)"]).status == 200)
    }

    @Test func `H-SE-3 no address leads out of the output`() throws {
        let served = try ServedSite(notes: Self.notes)
        let output = served.site.root.appending(path: ".daybook/preview/public")
        try served.site.write(".daybook/preview/public-old/f", "secret")
        try served.site.write("secret", "secret")
        try FileManager.default.createSymbolicLink(
            at: output.appending(path: "out"), withDestinationURL: served.site.root)
        for target in [
            "/../secret", "/%2e%2e/secret", "/..%2fsecret", "/%2e%2e%5csecret", "//etc/passwd",
            "/a%00.html", "/x/../../secret", "/%ff", "/../public-old/f", "/..%c0%afsecret",
            "/%252e%252e/secret", "/....//secret", "/.%2e/.%2e/.%2e/secret", "/out/secret",
            "/out/content/a.md", "http://127.0.0.1:\(served.port)/../secret",
            "/a/%2e%2e/%2e%2e/secret",
            "*", "/%E0%80%AE%E0%80%AE/secret", "/\\..\\secret", "/a/..;/secret",
        ] {
            let response = try served.status(ofTarget: target)
            #expect((400..<500).contains(response.status), "\(target): \(response.status)")
            #expect(!response.text.contains("secret"), "\(target)")
            #expect(!response.text.contains(served.site.root.path), "\(target)")
        }
        #expect(try served.get("/a/").status == 200)
    }

    @Test func `bodies without end, and heads, are refused and the next request answered`() throws {
        let served = try ServedSite(notes: Self.notes)
        let large = try HTTPConnection(served.port)
        large.send("GET", "/a/", headers: ["Content-Length": "1000000000"])
        #expect(try large.response().status == 413)
        let endless = try HTTPConnection(served.port)
        endless.send("GET", "/a/", headers: ["Transfer-Encoding": "chunked"])
        #expect(try endless.response().status == 411)
        let head = try HTTPConnection(served.port)
        head.send("GET", "/a/", headers: ["X": String(repeating: "x", count: 100_000)])
        #expect([400, 413, 414, 431].contains(try head.response().status))
        let line = try HTTPConnection(served.port)
        line.send("GET", "/" + String(repeating: "a", count: 100_000))
        #expect([400, 413, 414, 431].contains(try line.response().status))
        let noise = try HTTPConnection(served.port)
        noise.send(String(repeating: "\u{1}\u{2}\r\n", count: 2000))
        _ = noise.isClosed()
        #expect(try served.get("/a/").status == 200)
    }

    @Test func `two thousand silent connections keep nobody out`() throws {
        let served = try ServedSite(notes: Self.notes)
        var silent: [HTTPConnection] = []
        // As many as this process may open.
        while silent.count < 2000, let connection = try? HTTPConnection(served.port) {
            if silent.count % 2 == 0 { connection.send("GET /a/ HTTP/1.1\r\nHo") }
            silent.append(connection)
        }
        #expect(silent.count > 200)
        silent.removeLast()
        #expect(try served.get("/a/").status == 200)
        silent = []
        #expect(try served.get("/b/").status == 200)
    }

    // MARK: What open pages are told

    @Test func `a page is told what changes on it, and nothing else`() throws {
        let served = try ServedSite(notes: Self.notes)
        let home = try served.listen(to: "/")
        let page = try served.listen(to: "/b/")
        try served.watched.wait("two observers") { served.observers == 2 }
        // Words of a body that no list shows; then a title.
        try served.watched.shell("sed -i s/Hello/Good-day/ a.md")
        try served.watched.wait("the build") { served.watched.builds == 1 }
        try served.watched.shell("sed -i s/One/Uno/ a.md")
        let event = try home.event()
        #expect(event.name == "page")
        #expect(event.data.count(of: "[\"t\", ") == 1)
        #expect(event.data.contains("\"One\", \"Uno\"]"))
        #expect(event.data.utf8.count < 1024)
        #expect(try page.event().data.contains("Uno"))
        let now = try served.get("/").text
        #expect(now.values(of: "data-daybook") == [event.id])
    }

    @Test func `a page that comes back is told what it missed`() throws {
        let served = try ServedSite(notes: Self.notes)
        let before = try #require(served.get("/a/").text.values(of: "data-daybook").first)
        try served.watched.shell("sed -i s/Hello/Good-day/ a.md")
        try served.watched.wait("the page") { try served.get("/a/").text.contains("Good-day") }
        let connection = try HTTPConnection(served.port)
        connection.send("GET", "/.daybook/events?page=/a/&version=\(before)")
        _ = try connection.head()
        #expect(try connection.event().data.contains("Good-day"))
        // Of a version that nobody knows it is told to look.
        let other = try HTTPConnection(served.port)
        other.send(
            "GET", "/.daybook/events?page=/a/&version=\(before)",
            headers: ["Last-Event-ID": "unknown"])
        _ = try other.head()
        #expect(try other.event().data == "{\"refresh\": true}")
    }

    @Test func `pages that close are forgotten`() throws {
        let served = try ServedSite(notes: Self.notes)
        var pages: [HTTPConnection] = []
        for _ in 0..<100 { pages.append(try served.listen(to: "/a/")) }
        try served.watched.wait("a hundred") { served.observers == 100 }
        pages = []
        try served.watched.wait("none") { served.observers == 0 }
        #expect(try served.get("/a/").status == 200)
    }

    @Test func `it ends while pages listen and requests wait`() throws {
        let served = try ServedSite(notes: Self.notes)
        let page = try served.listen(to: "/a/")
        let editor = try EditorClient(served)
        let events = try HTTPConnection(served.editor)
        events.send("GET", "/api/events", headers: ["Daybook-Token": editor.token])
        _ = try events.head()
        // One waits for the rest of its body, one for the thread that builds.
        let half = try HTTPConnection(served.editor)
        half.send(
            "POST", "/api/save", headers: ["Daybook-Token": editor.token, "Content-Length": "1000"])
        half.send("{")
        served.watched.send(SIGSTOP)
        let asking = try HTTPConnection(served.editor)
        asking.send("GET", "/api/notes", headers: ["Daybook-Token": editor.token])
        served.watched.send(SIGTERM)
        #expect(served.watched.end(by: SIGCONT) == 0)
        #expect(page.isClosed() && half.isClosed() && asking.isClosed())
        #expect(!served.watched.errors.contains("Fatal"))
    }

    @Test func `a broken note keeps its last good page, with the message over it`() throws {
        let served = try ServedSite(notes: Self.notes)
        let page = try served.listen(to: "/a/")
        let home = try served.listen(to: "/")
        try served.watched.shell("sed -i s/2024-03-01/2024-02-30/ a.md")
        let broken = try page.event().data
        #expect(broken.contains("content/a.md:3:7: error: date: `2024-02-30` is on no calendar"))
        #expect(broken.contains("3 | date: 2024-02-30"))
        #expect(!broken.contains("patch"))
        #expect(try served.get("/a/").status == 200)
        #expect(try served.get("/").text.contains(">One</a>"))
        // Another note goes on, and knows the broken one by what it said.
        try served.watched.shell("sed -i s/Two/Zwei/ b.md")
        #expect(try home.event().data.contains("Zwei"))
        #expect(try served.get("/b/").text.contains("href=\"/a/\""))
        // A page that is opened now is told too.
        #expect(try served.listen(to: "/a/").event().data.contains("on no calendar"))
        try served.watched.shell("sed -i s/2024-02-30/2024-03-03/ a.md")
        let mended = try page.event().data
        // What links to it has changed meanwhile.
        #expect(mended.contains("\"faults\": []") || mended.contains("Zwei"))
        try served.watched.wait("the mended page") {
            try served.get("/a/").text.contains("3 March")
        }
    }

    @Test func `a template that is broken is said on every page, and mended in place`() throws {
        let served = try ServedSite(notes: Self.notes)
        let page = try served.listen(to: "/a/")
        func write(_ text: String) throws {
            try served.site.write("draft", text)
            try served.watched.shell("mkdir -p Templates; mv draft Templates/note.html", in: "")
        }
        try write("{% if %}\n")
        _ = try page.data(with: "Templates/note.html:1:")
        #expect(try served.get("/a/").text.contains("<h1 dir=\"auto\">One</h1>"))
        try write(
            "{% extends \"default/note.html\" %}{% block contents %}<b>Mine</b>{% endblock %}\n")
        #expect(try page.data(with: "<b>Mine</b>").contains("\"faults\": []"))
    }

    @Test func `a page says that its note is gone, and a missing page fills itself`() throws {
        let served = try ServedSite(notes: Self.notes)
        let page = try served.listen(to: "/a/")
        try served.watched.shell("mv a.md ../aside")
        #expect(try page.event().data.contains("\"gone\": true"))
        #expect(try served.get("/a/").status == 404)
        let missing = try served.listen(to: "/a/")
        try served.watched.shell("mv ../aside a.md")
        #expect(try page.event().data.contains("\"gone\": false"))
        let filled = try missing.event().data
        #expect(filled.contains("\"patch\"") && filled.contains("Hello."))
    }

    @Test func `a style sheet is named to the pages that use it`() throws {
        let served = try ServedSite(
            try TestSite([
                "content/a.md": "# A\n", "static/custom.css": "p { color: red }\n",
            ]))
        let page = try served.listen(to: "/a/")
        try served.site.write("static/custom.css", "p { color: blue }\n")
        #expect(try page.event().data == "{\"files\": [\"/custom.css\"]}")
        try served.watched.wait("the style") {
            try served.get("/custom.css").text.contains("blue")
        }
    }

    @Test func `files are named as addresses have them`() throws {
        let name = "50% a&b#c.png"
        let served = try ServedSite(notes: ["a.md": "![](50%25%20a&b%23c.png)\n", name: "1"])
        // All but what RFC 3986 lets a path hold as it is, encoded once.
        let address = "/50%25%20a%26b%23c.png"
        #expect(try served.get("/a/").text.contains("src=\"\(address)\""))
        let page = try served.listen(to: "/a/")
        try served.site.write("content/" + name, "22")
        #expect(try page.event().data == "{\"files\": [\"\(address)\"]}")
    }

    /// A command that runs another one which no folder is open to that says it is
    /// not, even where the user may do all things.
    private static let bound =
        geteuid() == 0 ? ["/usr/bin/setpriv", "--bounding-set=-dac_override"] : []

    private static let canBeBound: Bool = {
        guard let program = bound.first else { return true }
        guard FileManager.default.isExecutableFile(atPath: program) else { return false }
        return (try? Tool.run("setpriv", bound.dropFirst() + ["true"]))?.code == 0
    }()

    @Test(.enabled(if: ServeTests.canBeBound))
    func `of a build that broke off, what it placed is told`() throws {
        let served = try ServedSite(
            try TestSite([
                "content/a.md": "# A\n", "content/z.md": "# Z\n",
                "static/custom.css": "p { color: red }\n",
            ]), wrapper: Self.bound)
        let page = try served.listen(to: "/a/")
        // Files are placed in the order of their paths: the style sheet, and then a page
        // in whose folder nothing can be placed.
        let folder = served.site.root.appending(path: ".daybook/preview/public/z").path
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
        // Both changes in one build.
        served.watched.send(SIGSTOP)
        try served.site.write("static/custom.css", "p { color: blue }\n")
        try served.site.write("content/z.md", "# Z\n\nMore.\n")
        served.watched.send(SIGCONT)
        let told = try page.data(with: "cannot place")
        #expect(told.contains("\"files\": [\"/custom.css\"]"), "\(told)")
        try served.watched.wait("the word") { served.watched.errors.contains("published in part") }
        #expect(try served.get("/custom.css").text.contains("blue"))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    }

    @Test func `the site is opened in the browser that was asked for`() throws {
        let site = try TestSite(notes: Self.notes)
        let browser = site.root.appending(path: "browser")
        let opened = site.root.appending(path: "opened")
        try site.write("browser", "#!/bin/sh\nprintf '%s' \"$*\" > '\(opened.path)'\n")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: browser.path)
        let served = try ServedSite(
            site, ["--open"], environment: ["BROWSER": browser.path + " --new-window"])
        try served.watched.wait("the browser") {
            (try? String(contentsOf: opened, encoding: .utf8))
                == "--new-window http://127.0.0.1:\(served.port)/"
        }
    }

    @Test(arguments: [".daybook", ".daybook/preview/public"])
    func `an output that is taken away is written again`(_ folder: String) throws {
        let served = try ServedSite(notes: Self.notes)
        try served.watched.shell("rm -rf \(folder)", in: "")
        #expect(try served.get("/a/").status == 503)
        try served.watched.wait("the page") { try served.get("/a/").status == 200 }
        try served.watched.wait("the file") {
            try served.get("/p.bin").body.count == 3_000_000
        }
        try served.watched.wait("the other") { try served.get("/b/").text.contains(">Two</h1>") }
        // And what comes after it is shown.
        try served.watched.shell("echo more >> b.md")
        try served.watched.wait("the change") { try served.get("/b/").text.contains("more") }
    }

    @Test func `it goes on from what it saved`() throws {
        let site = try TestSite(notes: Self.notes)
        let first = try ServedSite(site)
        #expect(first.watched.end(by: SIGINT) == 0)
        let second = try ServedSite(site)
        #expect(second.watched.errors.contains(" 0 pages rendered"))
        let page = try second.listen(to: "/")
        try second.watched.shell("sed -i s/One/Uno/ a.md")
        #expect(try page.event().data.contains("Uno"))
    }

    @Test func `a title of a long list that was rendered before is one change`() throws {
        let notes = Dictionary(
            uniqueKeysWithValues: (0..<100).map {
                (
                    "n\($0).md",
                    "---\ntitle: Note \($0)\ndate: 2024-\($0 / 28 + 1)-\($0 % 28 + 1)\ntags: [all]\n---\n"
                )
            })
        let site = try TestSite(notes: notes)
        let first = try ServedSite(site)
        #expect(first.watched.end(by: SIGINT) == 0)
        let served = try ServedSite(site)
        let page = try served.listen(to: "/tags/all/")
        // The page may be looked at before the first edit or not, and is by the last.
        for (old, new) in [("Note 7", "One"), ("One", "Two"), ("Two", "A longer one")] {
            try served.watched.shell("sed -i 's/title: \(old)/title: \(new)/' n7.md")
            let event = try page.event()
            #expect(event.data.contains("\"\(old)\", \"\(new)\"]"))
            #expect(event.data.count(of: "[\"t\", ") == 1)
            #expect(event.data.utf8.count < 200)
            let now = try served.get("/tags/all/").text
            #expect(now.values(of: "data-daybook") == [event.id])
            #expect(now.contains(">\(new)</a>") && !now.contains(">\(old)</a>"))
        }
        let output = site.root.appending(path: ".daybook/preview/public/tags/all/index.html")
        let shown = try Data(contentsOf: output)
        try site.mustBuild()
        let clean = site.root.appending(path: "public/tags/all/index.html")
        #expect(try Data(contentsOf: clean) == shown)
    }

    @Test func `H-WA-1 a page is there while its note is saved in any way`() throws {
        let served = try ServedSite(notes: Self.notes)
        let page = try served.listen(to: "/a/")
        let connection = try HTTPConnection(served.port)
        func expect(_ number: Int) throws {
            try served.watched.wait("revision \(number)") {
                let answer = try connection.ask("GET", "/a/")
                #expect(answer.status == 200 && !answer.text.isEmpty)
                return answer.text.contains("rev \(number)")
            }
            _ = try page.data(with: "rev \(number)")
        }
        for number in 1...3 {
            try served.watched.shell(
                "echo 'rev \(number)' > .a.md.tmp\(number); mv .a.md.tmp\(number) a.md")
            try expect(number)
        }
        for number in 4...6 {
            try served.watched.shell("mv a.md a.md~; echo 'rev \(number)' > a.md; rm a.md~")
            try expect(number)
        }
    }

    @Test func `H-WA-4 a half-written and a broken save`() throws {
        let served = try ServedSite(notes: Self.notes)
        try served.watched.shell(": > a.md; sleep 0.4; printf -- '---\ntitle: Ne' > a.md")
        try served.watched.wait("the message") { served.watched.errors.contains("a.md:1:") }
        #expect(try served.get("/a/").status == 200)
        try served.watched.shell("printf -- 'w\n---\nWhole.\n' >> a.md")
        try served.watched.wait("the page") { try served.get("/a/").text.contains("Whole.") }
        #expect(try served.get("/a/").text.contains(">New</h1>"))
        try served.watched.shell(
            "printf -- '---\ntitle: [\n---\nx\n' > a.md; sed -i s/See/Read/ b.md")
        try served.watched.wait("the other") { try served.get("/b/").text.contains("Read") }
        #expect(try served.get("/a/").text.contains("Whole."))
        try served.watched.shell("printf '# Mended\n' > a.md")
        try served.watched.wait("the page") { try served.get("/a/").text.contains(">Mended</h1>") }
        #expect(try served.get("/b/").text.contains("Read"))
    }

    @Test func `after a restart a note that breaks keeps its last good values`() throws {
        let site = try TestSite(notes: Self.notes)
        #expect(try ServedSite(site).watched.end(by: SIGTERM) == 0)
        let served = try ServedSite(site)
        // What there is time for is read in peace.
        usleep(500_000)
        let editor = try EditorClient(served)
        #expect(try editor.list()["a.md"]?["title"] as? String == "One")
        try served.watched.shell("sed -i s/2024-03-01/2024-02-30/ a.md")
        try served.watched.wait("the message") { served.watched.errors.contains("on no calendar") }
        #expect(try served.get("/a/").status == 200)
        #expect(try served.get("/").text.contains(">One</a>"))
        #expect(try editor.list()["a.md"]?["state"] as? String == "broken")
    }
}
