import Foundation
import Testing

/// The editor's interface: what it reads, writes, refuses.
@Suite struct EditorTests {
    private static let note = """
        ---
        # mine
        title: "One" # kept
        date: 2024-03-01 10:30
        custom: {a: 1}
        tags:
        - river
        ---

        Hello.

        """

    private func text(_ served: ServedSite, _ path: String) -> String? {
        try? String(
            contentsOf: served.site.root.appending(path: "content/" + path), encoding: .utf8)
    }

    @Test func `a note is read as a form and saved by its changed bytes`() throws {
        let served = try ServedSite(notes: ["a.md": Self.note])
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600],
            ofItemAtPath: served.site.root.appending(path: "content/a.md").path)
        let editor = try EditorClient(served)
        let note = try editor.get("note?path=a.md")
        #expect(note["title"] == "One" && note["date"] == "2024-03-01" && note["time"] == "10:30")
        #expect(note["body"] == "\nHello.\n" && note["url"] == "/a/")
        #expect(note.json["tags"] as? [String] == ["river"])
        #expect(note.json["draft"] as? Bool == false)
        let page = try served.listen(to: "/a/")
        let saved = try editor.post(
            "save",
            [
                "path": "a.md", "revision": note["revision"], "title": "Uno",
                "date": "2024-03-02T10:30",
                "tags": ["river", "new one"],
            ])
        #expect(saved.status == 200, "\(saved.text)")
        let expected = Self.note.replacing("\"One\"", with: "\"Uno\"")
            .replacing("2024-03-01", with: "2024-03-02")
            .replacing("- river\n", with: "- river\n- new one\n")
        #expect(text(served, "a.md") == expected)
        #expect(try page.event().data.contains("Uno"))
        // Who may read it stays, and no file is left beside it.
        let mode = try FileManager.default.attributesOfItem(
            atPath: served.site.root.appending(path: "content/a.md").path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let folder = served.site.root.appending(path: "content")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.md"])
    }

    @Test(arguments: [
        "\u{FEFF}---\r\ntitle: T  \r\n---\r\nBody  \r\n\r\nno end", "no front matter  \n\n\n",
        "mixed\r\nends\nhere\rand there", "", "# Heading\n\ntext", "---\n---\n",
        "+++\ntitle=\"T\"\n+++\nx",
    ])
    func `H-OP-3 a save without a change changes no byte`(_ content: String) throws {
        let served = try ServedSite(notes: ["a.md": content])
        let editor = try EditorClient(served)
        let file = served.site.root.appending(path: "content/a.md")
        func stamp() throws -> Date? {
            try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
        }
        let before = try stamp()
        let note = try editor.get("note?path=a.md")
        var changes: [String: Any?] = ["path": "a.md", "revision": note["revision"]]
        if note.json["reason"] is String {
            changes["text"] = note["body"]
        } else {
            changes["body"] = note["body"]
            if let title = note.json["title"] as? String { changes["title"] = title }
            changes["tags"] = note.json["tags"]
            changes["draft"] = note.json["draft"]
        }
        if (note.json["tags"] as? [String])?.isEmpty ?? true { changes["tags"] = nil }
        let saved = try editor.post("save", changes)
        #expect(saved.status == 200, "\(saved.text)")
        #expect(saved.json["changed"] as? Bool == false)
        #expect(try Data(contentsOf: file) == Data(content.utf8))
        #expect(try stamp() == before)
    }

    @Test func `lines that stay keep their ends`() throws {
        let served = try ServedSite(notes: [
            "a.md": "---\r\ntitle: T\r\n---\r\nOne.\r\nTwo.\nThree."
        ])
        let saved = try EditorClient(served).save(
            "a.md", ["body": "One.\nNew.\nTwo.\nThree.\nMore"])
        #expect(saved.status == 200)
        #expect(
            text(served, "a.md")
                == "---\r\ntitle: T\r\n---\r\nOne.\r\nNew.\r\nTwo.\nThree.\r\nMore"
                || text(served, "a.md")
                    == "---\r\ntitle: T\r\n---\r\nOne.\r\nNew.\nTwo.\nThree.\nMore"
        )
    }

    @Test func `H-OP-3 a file that changed meanwhile is a conflict with both texts`() throws {
        let served = try ServedSite(notes: ["a.md": Self.note])
        let editor = try EditorClient(served)
        let note = try editor.get("note?path=a.md")
        let theirs = Self.note.replacing("Hello", with: "Theirs")
        try served.site.write("content/a.md", theirs)
        let save: [String: Any?] = [
            "path": "a.md", "revision": note["revision"], "body": "Mine.\n",
        ]
        let answer = try editor.post("save", save)
        #expect(answer.status == 409)
        let other = try #require(answer.json["theirs"] as? [String: Any])
        #expect(other["body"] as? String == "\nTheirs.\n")
        #expect(text(served, "a.md") == theirs)
        // Whoever has seen it may overwrite it.
        let again = save.merging(["revision": other["revision"] as? String]) { $1 }
        #expect(try editor.post("save", again).status == 200)
        // A note that is gone is no new note.
        try served.site.remove("content/a.md")
        let gone = try editor.post("save", again)
        #expect(gone.status == 409 && gone.json["gone"] as? Bool == true)
        #expect(text(served, "a.md") == nil)
    }

    @Test func `a note is added, listed, deleted and brought back`() throws {
        let served = try ServedSite(notes: ["a.md": Self.note])
        let editor = try EditorClient(served)
        let events = try HTTPConnection(served.editor)
        events.send("GET", "/api/events", headers: ["Daybook-Token": editor.token])
        #expect(try events.head().status == 200)
        let made = try editor.post(
            "create",
            [
                "title": "First: frost", "date": "2024-12-01", "tags": ["cold", "a: b"],
                "draft": false,
                "body": "White.\n", "folder": "winter",
            ])
        #expect(made.status == 201, "\(made.text)")
        #expect(made["path"] == "winter/First frost.md")
        #expect(
            text(served, "winter/First frost.md")
                == "---\ntitle: \"First: frost\"\ndate: 2024-12-01\ntags: [cold, \"a: b\"]\n---\n\nWhite.\n"
        )
        let event = try events.event()
        #expect(event.name == "notes")
        try served.watched.wait("the page") { try served.get("/winter/first-frost/").status == 200 }
        #expect(try editor.list()["winter/First frost.md"]?["date"] as? String == "2024-12-01")
        // The same title is another file.
        let twin = try editor.post("create", ["title": "First: frost", "folder": "winter"])
        #expect(twin["path"] == "winter/First frost 2.md")

        let deleted = try editor.post("delete", ["path": "winter/First frost.md"])
        #expect(deleted.status == 200 && deleted["trash"] == ".trash/winter/First frost.md")
        try served.watched.wait("the page to go") {
            try served.get("/winter/first-frost/").status == 404
        }
        #expect(try editor.list()["winter/First frost.md"] == nil)
        let undone = try editor.post(
            "undo", ["path": "winter/First frost.md", "trash": deleted["trash"]])
        #expect(undone.status == 200, "\(undone.text)")
        try served.watched.wait("the page") { try served.get("/winter/first-frost/").status == 200 }
        #expect(
            try editor.post("undo", ["path": "winter/First frost.md", "trash": deleted["trash"]])
                .status == 409)
    }

    @Test func `a note that is a link is deleted and brought back as one`() throws {
        let served = try ServedSite(notes: ["a.md": Self.note, "deep/.keep": ""])
        try served.watched.shell("ln -s ../a.md deep/link.md")
        try served.watched.wait("the page") { try served.get("/deep/link/").status == 200 }
        let editor = try EditorClient(served)
        let deleted = try editor.post("delete", ["path": "deep/link.md"])
        #expect(deleted.status == 200, "\(deleted.text)")
        #expect(text(served, "a.md") == Self.note)
        let undone = try editor.post("undo", ["path": "deep/link.md", "trash": deleted["trash"]])
        #expect(undone.status == 200, "\(undone.text)")
        let link = served.site.root.appending(path: "content/deep/link.md").path
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "../a.md")
    }

    @Test(arguments: ["2024-02-30", "2023-02-29", "2024-13-01", "2024-00-10", "never", ""])
    func `a date that is none is refused`(_ date: String) throws {
        let served = try ServedSite(notes: ["a.md": Self.note])
        let editor = try EditorClient(served)
        let saved = try editor.save("a.md", ["date": date])
        #expect(saved.status == 422)
        #expect(saved["error"].contains("is no date"))
        #expect(text(served, "a.md") == Self.note)
        #expect(try editor.post("create", ["title": "N", "date": date]).status == 422)
        #expect(text(served, "N.md") == nil)
    }

    @Test func `a note that has no form is edited as text`() throws {
        let toml = "+++\ntitle = \"T\"\n+++\nBody.\n"
        let served = try ServedSite(notes: ["t.md": toml, "b.md": "---\ntitle: [\n---\nx\n"])
        let editor = try EditorClient(served)
        let note = try editor.get("note?path=t.md")
        #expect(note["reason"].contains("TOML") && note["body"] == toml)
        #expect(try editor.save("t.md", ["title": "New"]).status == 422)
        #expect(
            try editor.save("t.md", ["text": toml.replacing("T", with: "New")]).status == 200)
        #expect(text(served, "t.md") == toml.replacing("T", with: "New"))
        // A broken one is listed, and mended so.
        #expect(try editor.list()["b.md"]?["state"] as? String == "broken")
        #expect(try editor.save("b.md", ["text": "---\ntitle: Good\n---\nx\n"]).status == 200)
        try served.watched.wait("the page") { try served.get("/b/").text.contains("Good") }
    }

    @Test func `a heading that is the title is edited in its place`() throws {
        let served = try ServedSite(notes: ["a.md": "# Old one\n\nText.\n"])
        let editor = try EditorClient(served)
        #expect(try editor.get("note?path=a.md")["title"] == "Old one")
        #expect(try editor.save("a.md", ["title": "New one"]).status == 200)
        #expect(text(served, "a.md") == "# New one\n\nText.\n")
    }

    @Test func `the preview of a body is the real one`() throws {
        let served = try ServedSite(notes: ["a.md": Self.note, "b.md": "# Other\n"])
        let editor = try EditorClient(served)
        let shown = try editor.post("show", ["path": "a.md", "body": "See [[b]] and ==this==.\n"])
        let html = shown["html"]
        #expect(html.contains("<a href=\"/b/\">b</a>") && html.contains("<mark>this</mark>"))
        #expect(html.contains("<h1 dir=\"auto\">One</h1>"))
        // Nothing of it is written.
        #expect(text(served, "a.md") == Self.note)
        #expect(!(try served.get("/a/").text.contains("<mark>")))
        let new = try editor.post("show", ["title": "Quite new", "body": "To [[a]].\n"])
        #expect(new["html"].contains("Quite new") && new["html"].contains("<a href=\"/a/\">"))
        let wrong = try editor.post("show", ["path": "a.md", "date": "2024-02-30"])
        #expect(wrong.status == 422)
        // Also of the first note of a site.
        let empty = try EditorClient(ServedSite(TestSite(["content/.keep": ""])))
        #expect(
            try empty.post("show", ["title": "First", "body": "*x*"])["html"].contains("<em>x</em>")
        )
    }

    @Test func `pictures are put beside notes, and nothing else is`() throws {
        let served = try ServedSite(notes: ["f/a.md": "# A\n"])
        let editor = try EditorClient(served)
        let picture = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3])
        let made = try editor.post("attach?name=My%20Photo.PNG&folder=f", picture)
        #expect(made.status == 201 && made["name"] == "my-photo.png", "\(made.text)")
        #expect(
            try editor.post("attach?name=My%20Photo.PNG&folder=f", picture)["name"]
                == "my-photo-2.png")
        #expect(try served.get("/f/my-photo.png").body == picture)
        for (name, folder) in [
            ("x.png", ".."), ("x.png", ".hidden"), ("x.png", "/etc"), ("x.png", "f/../.."),
        ] {
            #expect(try editor.post("attach?name=\(name)&folder=\(folder)", picture).status == 400)
        }
        let script = Data("<svg onload=alert(1)>".utf8)
        #expect(try editor.post("attach?name=x.svg&folder=f", script).status == 422)
        let outside = try editor.post("attach?name=..%2F..%2Fx.png&folder=f", picture)
        #expect(outside.status == 400 || outside["name"] == "x.png")
    }

    // MARK: Who may write

    @Test func `nothing is read or written without the token`() throws {
        let served = try ServedSite(notes: ["a.md": Self.note])
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
            for path in ["save", "create", "delete", "undo", "show", "attach?name=a.png"] {
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
        #expect(text(served, "a.md") == Self.note)
        // By a method that a link could have, nothing is done.
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
            TestSite(["content/a.md": Self.note, "static/sw.js": "1"]))
        #expect(try served.get("/sw.js").status == 200)
        let worker = ["Service-Worker": "script", "Sec-Fetch-Dest": "serviceworker"]
        #expect(try served.get("/sw.js", headers: worker).status == 403)
        #expect(
            try HTTPConnection(served.editor).ask("GET", "/editor.js", headers: worker).status
                == 403)
    }

    @Test func `what the editor writes is built once`() throws {
        let served = try ServedSite(notes: ["a.md": Self.note, "b.md": "# B\n"])
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
        let served = try ServedSite(notes: ["a.md": Self.note])
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
        let served = try ServedSite(notes: ["a.md": Self.note])
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
        let served = try ServedSite(notes: ["a.md": Self.note])
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
        let served = try ServedSite(notes: ["a.md": Self.note])
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
            headers: ["Daybook-Token": editor.token, "Content-Length": "40000000"])
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
        let served = try ServedSite(notes: ["a.md": Self.note], ["--no-editor"])
        #expect(served.editor == 0)
        #expect(!(try served.get("/a/").text.contains("data-editor")))
        #expect(!served.watched.output.contains("editor"))
    }
}
