import Foundation
import Testing

/// Pictures that are put into a note.
@Suite struct EditorPictureTests {
    private static let picture = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3])

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
            EditorSite.text(served, "f/a.md")
                == "# A\n\n![](photo-2.png) ![](old/photo.png) ![](my-photo.png)\n")
        #expect(EditorSite.text(served, "f/a.md") == saved["source"])
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
            EditorSite.files(served) == [
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
            notes: ["a.md": EditorSite.note, "p/x.txt": "x"], settings: "ignore: [private, p/q]\n")
        let editor = try EditorClient(served)
        let before = EditorSite.files(served)
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
        #expect(EditorSite.files(served) == before)
    }
}
