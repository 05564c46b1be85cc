import Foundation
import Testing

/// What `daybook serve` tells the pages that are open.
@Suite struct OpenPageTests {
    private static let notes = [
        "a.md": "---\ntitle: One\ndate: 2024-03-01\n---\nHello.\n\n![p](p.bin)\n",
        "b.md": "---\ntitle: Two\ndate: 2024-03-02\n---\nSee [[a]].\n",
        "p.bin": String(repeating: "0123456789", count: 300_000),
    ]
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

    @Test(.enabled(if: OpenPageTests.canBeBound))
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
