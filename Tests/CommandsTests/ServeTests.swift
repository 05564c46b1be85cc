import Foundation
import Testing

/// `daybook serve`: what is answered, and to whom.
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
}
