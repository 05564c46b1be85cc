import Foundation
import Testing

/// Who may read and write, and what is refused.
@Suite struct EditorRefusalTests {
    @Test func `nothing is read or written without the token`() throws {
        let served = try ServedSite(notes: ["a.md": EditorSite.note])
        let editor = try EditorClient(served)
        let body = Data("{\"path\": \"a.md\"}".utf8)
        let own = ["Daybook-Token": editor.token]
        let wrong: [[String: String]] = [
            [:], ["Daybook-Token": ""], ["Daybook-Token": String(repeating: "0", count: 32)],
            ["Daybook-Token": editor.token + "0"],
            ["Daybook-Token": editor.token, "Origin": "http://127.0.0.1:\(served.port)"],
            ["Daybook-Token": editor.token, "Origin": "null"],
            ["Daybook-Token": editor.token, "Host": "evil.example"],
            ["Daybook-Token": editor.token, "Sec-Fetch-Site": "same-site"],
            ["Daybook-Token": editor.token, "Sec-Fetch-Site": "cross-site"],
        ]
        // Each digit counts, and so does its case.
        let near = editor.token.indices.map { place in
            let other = editor.token[place] == "0" ? "1" : "0"
            return editor.token.replacingCharacters(in: place...place, with: other)
        }
        for token in near + [editor.token.uppercased()] where token != editor.token {
            let answer = try HTTPConnection(served.editor).ask(
                "GET", "/api/notes", headers: ["Daybook-Token": token])
            #expect(answer.status == 403, "\(token) for \(editor.token)")
        }
        for headers in wrong {
            for path in ["save", "create", "delete", "undo", "show"] {
                let answer = try HTTPConnection(served.editor).ask(
                    "POST", "/api/" + path, headers: headers, body: body)
                #expect(answer.status == 403, "\(path) \(headers)")
            }
            for path in ["notes", "note?path=a.md", "events"] {
                let answer = try HTTPConnection(served.editor).ask(
                    "GET", "/api/" + path, headers: headers)
                #expect(answer.status == 403, "\(path) \(headers)")
            }
        }
        #expect(EditorSite.text(served, "a.md") == EditorSite.note)
        // By a method that a link could have, nothing is done.
        let head = try HTTPConnection(served.editor).ask(
            "HEAD", "/api/delete", headers: own, body: body)
        #expect(head.status == 405 && EditorSite.text(served, "a.md") == EditorSite.note)
        #expect(
            try HTTPConnection(served.editor).ask("GET", "/api/delete?path=a.md", headers: own)
                .status
                == 405)
        // The site's port has no such thing at all.
        #expect(
            try HTTPConnection(served.port).ask("POST", "/api/delete", headers: own, body: body)
                .status
                == 405)
        #expect(try served.get("/").text.contains(editor.token) == false)
    }

    /// Browsers ask for a service worker's script with a header of its own (Service
    /// Workers, 4.3); one that is installed outlives the server it came from.
    @Test func `no page leaves a service worker behind`() throws {
        let served = try ServedSite(
            TestSite(["content/a.md": EditorSite.note, "static/sw.js": "1"]))
        #expect(try served.get("/sw.js").status == 200)
        let worker = ["Service-Worker": "script", "Sec-Fetch-Dest": "serviceworker"]
        #expect(try served.get("/sw.js", headers: worker).status == 403)
        #expect(
            try HTTPConnection(served.editor).ask("GET", "/editor.js", headers: worker).status
                == 403)
    }

    @Test func `what the editor writes is built once`() throws {
        let served = try ServedSite(notes: ["a.md": EditorSite.note, "b.md": "# B\n"])
        let editor = try EditorClient(served)
        for number in 1...5 {
            #expect(try editor.save("a.md", ["title": "T\(number)"]).status == 200)
        }
        // What comes after it is not lost.
        try served.watched.shell("echo later >> b.md")
        try served.watched.wait("the last") { try served.get("/b/").text.contains("later") }
        #expect(try served.get("/a/").text.contains(">T5</h1>"))
        #expect(!served.watched.errors.contains("content/a.md: 0 pages"))
    }

    @Test func `no page of the site can read or frame the editor`() throws {
        let served = try ServedSite(notes: ["a.md": EditorSite.note])
        let page = try HTTPConnection(served.editor).ask("GET", "/")
        let policy = page.headers["content-security-policy"] ?? ""
        #expect(policy.contains("frame-ancestors 'none'") && policy.contains("default-src 'none'"))
        #expect(page.headers["cross-origin-resource-policy"] == "same-origin")
        #expect(page.headers["cross-origin-opener-policy"] == "same-origin")
        #expect(page.headers["access-control-allow-origin"] == nil)
        #expect(page.headers["set-cookie"] == nil)
        let fetched = [
            "Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script",
        ]
        #expect(try HTTPConnection(served.editor).ask("GET", "/", headers: fetched).status == 403)
        let framed = [
            "Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe",
        ]
        #expect(try HTTPConnection(served.editor).ask("GET", "/", headers: framed).status == 403)
        let frame = try HTTPConnection(served.editor).ask("GET", "/frame")
        #expect(
            frame.headers["content-security-policy"]?.hasPrefix("sandbox allow-scripts;") == true)
        let token = try EditorClient(served).token
        #expect(!frame.text.contains(token))
    }

    @Test(arguments: [
        "../a.md", "/etc/passwd.md", ".hidden.md", "x/../../a.md", ".git/a.md", "a.txt", "",
        "a//b.md",
        "..\\a.md", "a.md\0.md",
    ])
    func `no path leads out of the notes`(_ path: String) throws {
        let served = try ServedSite(notes: ["a.md": EditorSite.note])
        let editor = try EditorClient(served)
        try served.site.write("outside.md", "secret")
        for (what, body) in [
            ("save", ["path": path, "revision": "x", "body": "y"]), ("delete", ["path": path]),
            ("undo", ["path": path, "trash": ".trash/a.md"]), ("show", ["path": path]),
            ("undo", ["path": "a.md", "trash": path]),
        ] {
            let answer = try editor.post(what, body)
            #expect([400, 409].contains(answer.status), "\(what): \(answer.status)")
            #expect(!answer.text.contains(served.site.root.path))
        }
        let folder = path.hasSuffix(".md") ? String(path.dropLast(3)) + "/.." : path
        if !folder.isEmpty, folder != "a.txt" {
            #expect(
                [400, 422].contains(
                    try editor.post("create", ["title": "T", "folder": folder]).status))
        }
    }

    @Test func `links that lead out of the notes are followed by nobody`() throws {
        let served = try ServedSite(notes: ["a.md": EditorSite.note])
        let editor = try EditorClient(served)
        let root = served.site.root
        try served.site.write("outside/secret.md", "secret")
        let content = root.appending(path: "content")
        try FileManager.default.createSymbolicLink(
            at: content.appending(path: "out"), withDestinationURL: root.appending(path: "outside"))
        try FileManager.default.createSymbolicLink(
            at: content.appending(path: "l.md"),
            withDestinationURL: root.appending(path: "outside/secret.md"))
        for path in ["out/secret.md", "l.md"] {
            let note = try editor.get("note?path=\(path)")
            #expect(note.status == 404 && !note.text.contains("secret\""), "\(note.text)")
            #expect(
                try editor.post("save", ["path": path, "revision": "x", "text": "y"]).status == 409)
            #expect(try editor.post("delete", ["path": path]).status == 404)
        }
        #expect(try editor.post("create", ["title": "T", "folder": "out"]).status >= 400)
        #expect(
            try String(contentsOf: root.appending(path: "outside/secret.md"), encoding: .utf8)
                == "secret")
        #expect(
            try FileManager.default.contentsOfDirectory(
                atPath: root.appending(path: "outside").path
            ).count == 1)
    }

    @Test func `bodies that are none, or too large, are refused`() throws {
        let served = try ServedSite(notes: ["a.md": EditorSite.note])
        let editor = try EditorClient(served)
        for body in [
            "", "{", "[]", "{\"path\": 1}", "{\"path\": \"a.md\"", "nul",
            String(repeating: "[", count: 100_000),
        ] {
            #expect(try editor.post("save", Data(body.utf8)).status == 400, "\(body.prefix(20))")
        }
        let large = try HTTPConnection(served.editor)
        large.send(
            "POST", "/api/save",
            headers: ["Daybook-Token": editor.token, "Content-Length": "1000000000"])
        #expect(try large.response().status == 413)
        // One that sends at once what nobody asked for is still told.
        let eager = try HTTPConnection(served.editor)
        eager.send(
            "POST", "/api/save",
            headers: ["Daybook-Token": editor.token, "Content-Length": "80000000"])
        eager.send(Data(repeating: 0x20, count: 4_000_000))
        #expect((try? eager.response().status).map { $0 == 413 } ?? eager.isClosed())
        // One that says much and sends little waits for itself alone.
        let slow = try HTTPConnection(served.editor)
        slow.send(
            "POST", "/api/save", headers: ["Daybook-Token": editor.token, "Content-Length": "1000"])
        slow.send("{")
        #expect(try editor.get("note?path=a.md").status == 200)
    }

    @Test func `without an editor there is none`() throws {
        let served = try ServedSite(notes: ["a.md": EditorSite.note], ["--no-editor"])
        #expect(served.editor == 0)
        #expect(!(try served.get("/a/").text.contains("data-editor")))
        #expect(!served.watched.output.contains("editor"))
    }
}
