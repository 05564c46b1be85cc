import Foundation
import Testing

/// A file that changed while it was edited: nothing is lost.
@Suite struct EditorConflictTests {
    @Test func `H-OP-3 a file that changed meanwhile is a conflict with both texts`() throws {
        let served = try ServedSite(notes: ["a.md": EditorSite.note])
        let editor = try EditorClient(served)
        let note = try editor.get("note?path=a.md")
        let theirs = EditorSite.note.replacing("Hello", with: "Theirs")
        try served.site.write("content/a.md", theirs)
        let save: [String: Any?] = [
            "path": "a.md", "revision": note["revision"], "body": "Mine.\n",
        ]
        let answer = try editor.post("save", save)
        #expect(answer.status == 409)
        let other = try #require(answer.json["theirs"] as? [String: Any])
        #expect(other["body"] as? String == "\nTheirs.\n")
        #expect(EditorSite.text(served, "a.md") == theirs)
        // Whoever has seen it may overwrite it.
        let again = save.merging(["revision": other["revision"] as? String]) { $1 }
        #expect(try editor.post("save", again).status == 200)
        // A note that is gone is no new note.
        try served.site.remove("content/a.md")
        let gone = try editor.post("save", again)
        #expect(gone.status == 409 && gone.json["gone"] as? Bool == true)
        #expect(EditorSite.text(served, "a.md") == nil)
    }

    @Test func `what was typed goes over what both have, and all else of the file stays`() throws {
        let served = try ServedSite(notes: ["a.md": EditorSite.note])
        let editor = try EditorClient(served)
        let opened = try editor.get("note?path=a.md")
        let theirs = EditorSite.note.replacing(
            "custom: {a: 1}", with: "custom: {b: 2}\nslug: other")
        try served.site.write("content/a.md", theirs)
        let mine = editor.asking(opened, ["title": "Mine", "body": "\nMine.\n"])
        let answer = try editor.post("save", mine)
        // Shown is just what would be written: their front matter, our title and body.
        let expected = theirs.replacing("\"One\"", with: "\"Mine\"").replacing(
            "Hello.", with: "Mine.")
        #expect(answer.status == 409 && answer["mine"] == expected, "\(answer.text)")
        let seen = try #require(answer.json["theirs"] as? [String: Any])
        #expect(seen["source"] as? String == theirs && EditorSite.text(served, "a.md") == theirs)
        // Only what was seen is overwritten.
        try served.site.write("content/a.md", theirs + "More.\n")
        let over = mine.merging(["over": seen["revision"]]) { $1 }
        #expect(try editor.post("save", over).status == 409)
        try served.site.write("content/a.md", theirs)
        #expect(try editor.post("save", over).status == 200)
        #expect(EditorSite.text(served, "a.md") == expected)
    }

    @Test func `a form is kept over a file that broke, with its front matter`() throws {
        let served = try ServedSite(notes: ["a.md": EditorSite.note])
        let editor = try EditorClient(served)
        let opened = try editor.get("note?path=a.md")
        let broken = EditorSite.note.replacing("{a: 1}", with: "{a: 1")
        try served.site.write("content/a.md", broken)
        let mine = editor.asking(opened, ["body": "\nMine.\n"])
        let answer = try editor.post("save", mine)
        // The two cannot be joined: ours is what was opened, with what was typed.
        let expected = EditorSite.note.replacing("Hello.", with: "Mine.")
        #expect(answer.status == 409 && answer["mine"] == expected)
        let seen = try #require(answer.json["theirs"] as? [String: Any])
        #expect(seen["reason"] is String && seen["source"] as? String == broken)
        #expect(EditorSite.text(served, "a.md") == broken)
        let saved = try editor.post("save", mine.merging(["over": seen["revision"]]) { $1 })
        #expect(saved.status == 200 && saved["title"] == "One")
        #expect(EditorSite.text(served, "a.md") == expected)
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
        #expect(EditorSite.text(served, "a.md") == whole)
    }

    @Test(arguments: ["a.md", "deep/down/a.md"])
    func `a note that is gone is put back as it was, with what was typed`(_ path: String) throws {
        let toml = "+++\r\ntitle = \"T\"\r\n+++\r\nBody.\r\n"
        let served = try ServedSite(notes: [path: EditorSite.note, "t.md": toml, "o.md": "# O\n"])
        let editor = try EditorClient(served)
        let opened = try editor.get("note?path=\(path)")
        let text = try editor.get("note?path=t.md")
        try served.watched.shell("rm -r t.md \(path.split(separator: "/")[0])")
        let mine = editor.asking(opened, ["body": "\nMine.\n"])
        let expected = EditorSite.note.replacing("Hello.", with: "Mine.")
        let answer = try editor.post("save", mine)
        #expect(answer.status == 409 && answer.json["gone"] as? Bool == true)
        #expect(answer["mine"] == expected && EditorSite.text(served, path) == nil)
        // Who has seen another file has not seen that none is there.
        let blind = mine.merging(["over": opened["revision"]]) { $1 }
        #expect(try editor.post("save", blind).status == 409)
        let over = mine.merging(["over": nil as Any?]) { $1 }
        let saved = try editor.post("save", over)
        #expect(saved.status == 201 && saved["path"] == path, "\(saved.text)")
        #expect(EditorSite.text(served, path) == expected)
        // One that has no form keeps all of its file too.
        let whole = editor.asking(
            text,
            [
                "text": toml.replacing("\r\n", with: "\n").replacing("Body", with: "Mine"),
                "over": nil as Any?,
            ])
        #expect(try editor.post("save", whole).status == 201)
        #expect(EditorSite.text(served, "t.md") == toml.replacing("Body", with: "Mine"))
        // By now something stands there.
        try served.site.write("content/" + path, "# Another\n")
        #expect(try editor.post("save", over).status == 409)
        #expect(EditorSite.text(served, path) == "# Another\n")
    }
}
