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
        // Four of the file's five line ends are CRLF: new lines have that.
        #expect(
            text(served, "a.md")
                == "---\r\ntitle: T\r\n---\r\nOne.\r\nNew.\r\nTwo.\nThree.\r\nMore")
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
        let served = try ServedSite(notes: ["real/a.md": Self.note])
        try served.watched.shell("ln -s real linked; ln -s /tmp out")
        let editor = try EditorClient(served)
        let made = try editor.post("create", ["title": "Made", "folder": "linked"])
        #expect(made.status == 201 && made["path"] == "linked/Made.md", "\(made.text)")
        #expect(text(served, "real/Made.md")?.contains("title: Made") == true)
        let out = try editor.post("create", ["title": "Daybook escaped", "folder": "out"])
        #expect(out.status >= 400)
        #expect(!FileManager.default.fileExists(atPath: "/tmp/Daybook escaped.md"))
    }

    @Test func `what is left out of the notes is no note to the editor`() throws {
        let served = try ServedSite(
            notes: ["a.md": Self.note, "private/x.md": "# X\n"], settings: "ignore: [private]\n")
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

    // MARK: What is answered

    @Test func `a save is answered by the note as it was written`() throws {
        let served = try ServedSite(notes: ["a.md": Self.note, "h.md": "# Old one\n\nText.\n"])
        let editor = try EditorClient(served)
        /// What an answer says of the note is what the note says when it is opened.
        func expectTold(_ answer: EditorClient.Answer) throws {
            let opened = try editor.get("note?path=\(answer["path"])")
            for key in ["revision", "source", "title", "body", "date", "time", "name"] {
                #expect(answer[key] == opened[key], "\(key)")
            }
            #expect(answer.json["tags"] as? [String] == opened.json["tags"] as? [String])
            #expect(answer["source"] == text(served, answer["path"]))
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
        #expect(other["reason"].contains("TOML") && other["body"] == text(served, "h.md"))
        try expectTold(other)
    }

    // MARK: Conflicts

    @Test func `what was typed goes over what both have, and all else of the file stays`() throws {
        let served = try ServedSite(notes: ["a.md": Self.note])
        let editor = try EditorClient(served)
        let opened = try editor.get("note?path=a.md")
        let theirs = Self.note.replacing("custom: {a: 1}", with: "custom: {b: 2}\nslug: other")
        try served.site.write("content/a.md", theirs)
        let mine = editor.asking(opened, ["title": "Mine", "body": "\nMine.\n"])
        let answer = try editor.post("save", mine)
        // Shown is just what would be written: their front matter, our title and body.
        let expected = theirs.replacing("\"One\"", with: "\"Mine\"").replacing(
            "Hello.", with: "Mine.")
        #expect(answer.status == 409 && answer["mine"] == expected, "\(answer.text)")
        let seen = try #require(answer.json["theirs"] as? [String: Any])
        #expect(seen["source"] as? String == theirs && text(served, "a.md") == theirs)
        // Only what was seen is overwritten.
        try served.site.write("content/a.md", theirs + "More.\n")
        let over = mine.merging(["over": seen["revision"]]) { $1 }
        #expect(try editor.post("save", over).status == 409)
        try served.site.write("content/a.md", theirs)
        #expect(try editor.post("save", over).status == 200)
        #expect(text(served, "a.md") == expected)
    }

    @Test func `a form is kept over a file that broke, with its front matter`() throws {
        let served = try ServedSite(notes: ["a.md": Self.note])
        let editor = try EditorClient(served)
        let opened = try editor.get("note?path=a.md")
        let broken = Self.note.replacing("{a: 1}", with: "{a: 1")
        try served.site.write("content/a.md", broken)
        let mine = editor.asking(opened, ["body": "\nMine.\n"])
        let answer = try editor.post("save", mine)
        // The two cannot be joined: ours is what was opened, with what was typed.
        let expected = Self.note.replacing("Hello.", with: "Mine.")
        #expect(answer.status == 409 && answer["mine"] == expected)
        let seen = try #require(answer.json["theirs"] as? [String: Any])
        #expect(seen["reason"] is String && seen["source"] as? String == broken)
        #expect(text(served, "a.md") == broken)
        let saved = try editor.post("save", mine.merging(["over": seen["revision"]]) { $1 })
        #expect(saved.status == 200 && saved["title"] == "One")
        #expect(text(served, "a.md") == expected)
    }

    @Test func `a text is kept as a whole over a file that was mended`() throws {
        let served = try ServedSite(notes: ["a.md": "---\ntitle: [\n---\nx\n"])
        let editor = try EditorClient(served)
        let opened = try editor.get("note?path=a.md")
        let mended = "---\ntitle: Good\n---\nx\n"
        try served.site.write("content/a.md", mended)
        let whole = "---\ntitle: Mine\n---\nx\n"
        let mine = editor.asking(opened, ["text": whole])
        let answer = try editor.post("save", mine)
        #expect(answer.status == 409 && answer["mine"] == whole)
        let seen = try #require(answer.json["theirs"] as? [String: Any])
        let saved = try editor.post("save", mine.merging(["over": seen["revision"]]) { $1 })
        #expect(
            saved.status == 200 && saved["title"] == "Mine" && !(saved.json["reason"] is String))
        #expect(text(served, "a.md") == whole)
    }

    @Test(arguments: ["a.md", "deep/down/a.md"])
    func `a note that is gone is put back as it was, with what was typed`(_ path: String) throws {
        let toml = "+++\r\ntitle = \"T\"\r\n+++\r\nBody.\r\n"
        let served = try ServedSite(notes: [path: Self.note, "t.md": toml, "o.md": "# O\n"])
        let editor = try EditorClient(served)
        let opened = try editor.get("note?path=\(path)")
        let text = try editor.get("note?path=t.md")
        try served.watched.shell("rm -r t.md \(path.split(separator: "/")[0])")
        let mine = editor.asking(opened, ["body": "\nMine.\n"])
        let expected = Self.note.replacing("Hello.", with: "Mine.")
        let answer = try editor.post("save", mine)
        #expect(answer.status == 409 && answer.json["gone"] as? Bool == true)
        #expect(answer["mine"] == expected && self.text(served, path) == nil)
        // Who has seen another file has not seen that none is there.
        let blind = mine.merging(["over": opened["revision"]]) { $1 }
        #expect(try editor.post("save", blind).status == 409)
        let over = mine.merging(["over": nil as Any?]) { $1 }
        let saved = try editor.post("save", over)
        #expect(saved.status == 201 && saved["path"] == path, "\(saved.text)")
        #expect(self.text(served, path) == expected)
        // One that has no form keeps all of its file too.
        let whole = editor.asking(
            text,
            [
                "text": toml.replacing("\r\n", with: "\n").replacing("Body", with: "Mine"),
                "over": nil as Any?,
            ])
        #expect(try editor.post("save", whole).status == 201)
        #expect(self.text(served, "t.md") == toml.replacing("Body", with: "Mine"))
        // By now something stands there.
        try served.site.write("content/" + path, "# Another\n")
        #expect(try editor.post("save", over).status == 409)
        #expect(self.text(served, path) == "# Another\n")
    }

    // MARK: Pictures

    private static let picture = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3])

    /// Everything in the content folder: files by path with their size.
    private func files(_ served: ServedSite) -> [String] {
        served.site.tree(served.site.root.appending(path: "content")).keys.sorted()
    }

    @Test func `pictures are placed with the note that shows them`() throws {
        let served = try ServedSite(notes: ["f/a.md": "# A\n", "f/photo.png": "another"])
        let editor = try EditorClient(served)
        // The name is taken: the note shows its picture by the one that was free, and
        // nothing else by that.
        let saved = try editor.post(
            "save",
            editor.asking(
                try editor.get("note?path=f/a.md"),
                ["body": "# A\n\n![](photo.png) ![](old/photo.png) ![](my-photo.png)\n"]),
            pictures: [("photo.png", Self.picture)])
        #expect(saved.status == 200, "\(saved.text)")
        #expect(saved.json["pictures"] as? [String: String] == ["photo.png": "photo-2.png"])
        #expect(
            text(served, "f/a.md")
                == "# A\n\n![](photo-2.png) ![](old/photo.png) ![](my-photo.png)\n")
        #expect(text(served, "f/a.md") == saved["source"])
        try served.watched.wait("the picture") {
            try served.get("/f/photo-2.png").body == Self.picture
        }
        // A new note in a new folder; the ending is that of the picture's kind.
        let made = try editor.post(
            "create",
            ["title": "N", "folder": "g/h", "body": "![](My Photo.JPG) ![](two.png)\n"],
            pictures: [("My Photo.JPG", Self.picture), ("two.png", Self.picture)])
        #expect(made.status == 201, "\(made.text)")
        #expect(made["body"] == "\n![](my-photo.png) ![](two.png)\n")
        #expect(
            files(served) == [
                "f/", "f/a.md", "f/photo-2.png", "f/photo.png", "g/", "g/h/", "g/h/N.md",
                "g/h/my-photo.png", "g/h/two.png",
            ])
        // Nor does a name lead anywhere.
        let outside = try editor.post(
            "create", ["title": "M", "body": "![](../../x.png)\n"],
            pictures: [("../../x.png", Self.picture)])
        #expect(outside.json["pictures"] as? [String: String] == ["../../x.png": "x.png"])
        #expect(
            FileManager.default.fileExists(
                atPath: served.site.root.appending(path: "content/x.png").path))
    }

    @Test func `what is not saved leaves neither pictures nor folders`() throws {
        let served = try ServedSite(
            notes: ["a.md": Self.note, "p/x.txt": "x"], settings: "ignore: [private, p/q]\n")
        let editor = try EditorClient(served)
        let before = files(served)
        let opened = try editor.get("note?path=a.md")
        let pictures = [(name: "x.png", data: Self.picture)]
        let body = ["title": "T", "body": "![](x.png)"]
        for folder in ["private", "private/deep", "p/q"] {
            let answer = try editor.post(
                "create", body.merging(["folder": folder]) { $1 }, pictures: pictures)
            #expect(answer.status == 422, "\(folder): \(answer.text)")
        }
        // What is no picture, and a date that is none.
        let script = Data("<svg onload=alert(1)>".utf8)
        for (change, picture) in [
            (["folder": "n"], script), (["folder": "n", "date": "x"], Self.picture),
        ] {
            let answer = try editor.post(
                "create", body.merging(change) { $1 }, pictures: [("x.png", picture)])
            #expect(answer.status == 422, "\(answer.text)")
        }
        for name in ["..", ".hidden", "/etc", "n/../.."] {
            let answer = try editor.post(
                "create", body.merging(["folder": name]) { $1 }, pictures: pictures)
            #expect(answer.status == 400, "\(name)")
        }
        let notSaved: [[String: Any?]] = [
            ["revision": String(repeating: "0", count: 32), "opened": nil], ["date": "2024-02-30"],
        ]
        for change in notSaved {
            let save = editor.asking(opened, ["body": "![](x.png)"]).merging(change) { $1 }
            #expect([409, 422].contains(try editor.post("save", save, pictures: pictures).status))
        }
        // Pictures that are fewer, or more, than was said.
        let json = try JSONSerialization.data(withJSONObject: [
            "title": "T", "pictures": [["name": "x.png", "size": 5]],
        ])
        for rest in [Data(), Data("four".utf8), Data("sixsix".utf8)] {
            #expect(try editor.post("create?json=\(json.count)", json + rest).status == 400)
        }
        #expect(try editor.post("create?json=100000", json).status == 400)
        #expect(files(served) == before)
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
        #expect(text(served, "a.md") == "# A\n" && text(served, "N.md") == nil)
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
        #expect(text(served, name) == "# A\n\nMore.\n" && files(served) == [name])
    }

    @Test func `a folder that cannot be is refused in words`() throws {
        let editor = try EditorClient(try ServedSite(notes: ["a.md": "# A\n"]))
        let answer = try editor.post("create", ["title": "T", "folder": ".hid"])
        #expect(answer.status == 400)
        #expect(answer["error"].hasPrefix("That cannot be a folder of notes: no part of it may"))
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
        #expect(text(served, "a.md") == Self.note)
        // By a method that a link could have, nothing is done.
        let head = try HTTPConnection(served.editor).ask(
            "HEAD", "/api/delete", headers: own, body: body)
        #expect(head.status == 405 && text(served, "a.md") == Self.note)
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
        let served = try ServedSite(notes: ["a.md": Self.note], ["--no-editor"])
        #expect(served.editor == 0)
        #expect(!(try served.get("/a/").text.contains("data-editor")))
        #expect(!served.watched.output.contains("editor"))
    }
}
