import Foundation
import Testing

/// The editor's interface: what it reads, writes, refuses.
@Suite struct EditorTests {
    @Test func `a note is read as a form and saved by its changed bytes`() throws {
        let served = try ServedSite(notes: ["a.md": EditorSite.note])
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
        let expected = EditorSite.note.replacing("\"One\"", with: "\"Uno\"")
            .replacing("2024-03-01", with: "2024-03-02")
            .replacing("- river\n", with: "- river\n- new one\n")
        #expect(EditorSite.text(served, "a.md") == expected)
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
        // Four of the file's five line ends are CRLF: new lines have that.
        #expect(
            EditorSite.text(served, "a.md")
                == "---\r\ntitle: T\r\n---\r\nOne.\r\nNew.\r\nTwo.\nThree.\r\nMore")
    }

    @Test func `a note is added, listed, deleted and brought back`() throws {
        let served = try ServedSite(notes: ["a.md": EditorSite.note])
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
            EditorSite.text(served, "winter/First frost.md")
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

    @Test func `a new note takes no address from another`() throws {
        let served = try ServedSite(notes: ["Foo.md": "# Foo\n", "f/Bar.md": "# Bar\n"])
        let editor = try EditorClient(served)
        // Both would stand at /foo/.
        #expect(try editor.post("create", ["title": "Foo!"])["path"] == "Foo! 2.md")
        #expect(try editor.post("create", ["title": "foo"])["path"] == "foo 3.md")
        // In another folder it is free.
        #expect(try editor.post("create", ["title": "Bar"])["path"] == "Bar.md")
        try served.watched.wait("the page") { try served.get("/foo-3/").status == 200 }
        #expect(!served.watched.errors.contains("both want the address"))
    }

    @Test func `new notes go where a link leads inside the notes, and nowhere else`() throws {
        let served = try ServedSite(notes: ["real/a.md": EditorSite.note])
        try served.watched.shell("ln -s real linked; ln -s /tmp out")
        let editor = try EditorClient(served)
        let made = try editor.post("create", ["title": "Made", "folder": "linked"])
        #expect(made.status == 201 && made["path"] == "linked/Made.md", "\(made.text)")
        #expect(EditorSite.text(served, "real/Made.md")?.contains("title: Made") == true)
        let out = try editor.post("create", ["title": "Daybook escaped", "folder": "out"])
        #expect(out.status >= 400)
        #expect(!FileManager.default.fileExists(atPath: "/tmp/Daybook escaped.md"))
    }

    @Test func `what is left out of the notes is no note to the editor`() throws {
        let served = try ServedSite(
            notes: ["a.md": EditorSite.note, "private/x.md": "# X\n"],
            settings: "ignore: [private]\n")
        let editor = try EditorClient(served)
        #expect(try editor.get("note?path=private/x.md").status == 404)
        #expect(try editor.get("note?path=a.md").status == 200)
    }

    /// The preview has what is published, and what the text at hand shows.
    @Test func `files beside notes are served where a page or the editor shows them`() throws {
        let served = try ServedSite(notes: [
            "a.md": "# A\n\n![](shown.png)\n", "shown.png": "1", "other.png": "2",
            "private.key": "3",
        ])
        let editor = try EditorClient(served)
        #expect(try served.get("/shown.png").status == 200)
        #expect(try served.get("/other.png").status == 404)
        #expect(try served.get("/private.key").status == 404)
        #expect(
            try editor.post("show", ["path": "a.md", "body": "# A\n\n![](other.png)\n"]).status
                == 200)
        #expect(try served.get("/other.png").status == 200)
        #expect(try served.get("/private.key").status == 404)
        // Of a new note they are found from the folder that it is to be in.
        try served.watched.shell("mkdir f; echo 4 > f/new.png; echo '# B' > f/b.md")
        try served.watched.wait("the folder") { try served.get("/f/b/").status == 200 }
        let new = try editor.post(
            "show", ["title": "N", "folder": "f", "body": "![](new.png)\n"])
        #expect(new["html"].contains("src=\"/f/new.png\""), "\(new.text)")
        #expect(try served.get("/f/new.png").status == 200)
    }

    @Test func `a note that is a link is deleted and brought back as one`() throws {
        let served = try ServedSite(notes: ["a.md": EditorSite.note, "deep/.keep": ""])
        try served.watched.shell("ln -s ../a.md deep/link.md")
        try served.watched.wait("the page") { try served.get("/deep/link/").status == 200 }
        let editor = try EditorClient(served)
        let deleted = try editor.post("delete", ["path": "deep/link.md"])
        #expect(deleted.status == 200, "\(deleted.text)")
        #expect(EditorSite.text(served, "a.md") == EditorSite.note)
        let undone = try editor.post("undo", ["path": "deep/link.md", "trash": deleted["trash"]])
        #expect(undone.status == 200, "\(undone.text)")
        let link = served.site.root.appending(path: "content/deep/link.md").path
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "../a.md")
    }

    @Test(arguments: ["2024-02-30", "2023-02-29", "2024-13-01", "2024-00-10", "never", ""])
    func `a date that is none is refused`(_ date: String) throws {
        let served = try ServedSite(notes: ["a.md": EditorSite.note])
        let editor = try EditorClient(served)
        let saved = try editor.save("a.md", ["date": date])
        #expect(saved.status == 422)
        #expect(saved["error"].contains("is no date"))
        #expect(EditorSite.text(served, "a.md") == EditorSite.note)
        #expect(try editor.post("create", ["title": "N", "date": date]).status == 422)
        #expect(EditorSite.text(served, "N.md") == nil)
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
        #expect(EditorSite.text(served, "t.md") == toml.replacing("T", with: "New"))
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
        #expect(EditorSite.text(served, "a.md") == "# New one\n\nText.\n")
    }

    @Test func `the preview of a body is the real one`() throws {
        let served = try ServedSite(notes: ["a.md": EditorSite.note, "b.md": "# Other\n"])
        let editor = try EditorClient(served)
        let shown = try editor.post("show", ["path": "a.md", "body": "See [[b]] and ==this==.\n"])
        let html = shown["html"]
        #expect(html.contains("<a href=\"/b/\">b</a>") && html.contains("<mark>this</mark>"))
        #expect(html.contains("<h1 dir=\"auto\">One</h1>"))
        // Nothing of it is written.
        #expect(EditorSite.text(served, "a.md") == EditorSite.note)
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

    // MARK: What is answered

    @Test func `a save is answered by the note as it was written`() throws {
        let served = try ServedSite(notes: [
            "a.md": EditorSite.note, "h.md": "# Old one\n\nText.\n",
        ])
        let editor = try EditorClient(served)
        /// What an answer says of the note is what the note says when it is opened.
        func expectTold(_ answer: EditorClient.Answer) throws {
            let opened = try editor.get("note?path=\(answer["path"])")
            for key in ["revision", "source", "title", "body", "date", "time", "name"] {
                #expect(answer[key] == opened[key], "\(key)")
            }
            #expect(answer.json["tags"] as? [String] == opened.json["tags"] as? [String])
            #expect(answer["source"] == EditorSite.text(served, answer["path"]))
        }
        let saved = try editor.save("a.md", ["title": "Uno", "tags": ["x"]])
        #expect(saved["title"] == "Uno" && saved.json["tags"] as? [String] == ["x"])
        try expectTold(saved)
        // A heading that gives the title is part of the body.
        let heading = try editor.save("h.md", ["title": "New one"])
        #expect(heading["body"] == "# New one\n\nText.\n")
        try expectTold(heading)
        let made = try editor.post("create", ["title": "N", "date": "2024-05-01", "body": "B.\n"])
        #expect(made["path"] == "N.md" && made["body"] == "\nB.\n")
        try expectTold(made)
        // One that turns into what has no form says so.
        let other = try editor.save("h.md", ["body": "+++\ntitle = \"T\"\n+++\n"])
        #expect(
            other["reason"].contains("TOML") && other["body"] == EditorSite.text(served, "h.md"))
        try expectTold(other)
    }

    // MARK: What cannot be read or written

    @Test func `a file that is too large is not told as absent`() throws {
        let served = try ServedSite(notes: ["a.md": "# A\n"])
        let editor = try EditorClient(served)
        let big = Data("# Big\n\n".utf8) + Data(repeating: 0x61, count: 9 << 20)
        try served.site.write("content/big.md", big)
        try served.watched.wait("the note") { try editor.list()["big.md"] != nil }
        let opened = try editor.get("note?path=big.md")
        #expect(opened.status == 422)
        #expect(opened["error"] == "big.md is too large to be edited here: 8 MB are the most.")
        let saved = try editor.post("save", ["path": "big.md", "revision": "x", "body": "y"])
        #expect(saved.status == 422 && saved["error"] == opened["error"])
        // What could not be opened again is not written.
        let much = String(repeating: "a", count: 9 << 20)
        #expect(try editor.save("a.md", ["body": much]).status == 422)
        #expect(try editor.post("create", ["title": "N", "body": much]).status == 422)
        #expect(
            EditorSite.text(served, "a.md") == "# A\n" && EditorSite.text(served, "N.md") == nil)
        // It can be deleted.
        #expect(try editor.post("delete", ["path": "big.md"]).status == 200)
    }

    @Test func `a note with a long name is saved`() throws {
        // 82 characters of three bytes each and the ending: 249 of at most 255 bytes.
        let name = String(repeating: "霜", count: 82) + ".md"
        let served = try ServedSite(notes: [name: "# A\n"])
        let editor = try EditorClient(served)
        let path = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let opened = try editor.get("note?path=\(path)")
        let saved = try editor.post("save", editor.asking(opened, ["body": "# A\n\nMore.\n"]))
        #expect(saved.status == 200, "\(saved.text)")
        #expect(
            EditorSite.text(served, name) == "# A\n\nMore.\n" && EditorSite.files(served) == [name])
    }

    @Test func `a folder that cannot be is refused in words`() throws {
        let editor = try EditorClient(try ServedSite(notes: ["a.md": "# A\n"]))
        let answer = try editor.post("create", ["title": "T", "folder": ".hid"])
        #expect(answer.status == 400)
        #expect(answer["error"].hasPrefix("That cannot be a folder of notes: no part of it may"))
    }
}
