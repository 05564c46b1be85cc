import Diagnostics
import Markup
import Notes
import Testing
import YAML

func parseNote(_ text: String, path: String = "n.md") -> (note: Note?, messages: [Diagnostic]) {
    parseNote(Array(text.utf8), path: path)
}

func parseNote(_ bytes: [UInt8], path: String = "n.md") -> (note: Note?, messages: [Diagnostic]) {
    var parser = NoteParser(dialect: .notes)
    return parser.parse(bytes, path: path, file: "content/" + path)
}

private func matter(_ yaml: String) -> FrontMatter? {
    parseNote("---\n\(yaml)\n---\nbody\n").note?.frontMatter
}

@Suite struct `Front matter keys` {
    // SPEC, section 2: "keys, first present wins".
    @Test func `of several keys for one field the first in the table wins`() {
        for (field, keys) in FrontMatterKeys.all
        where field == .date || field == .updated || field == .expires {
            // All keys are given, in the reverse of their order.
            let yaml = keys.enumerated().reversed().map { "\($1): 20\(10 + $0)-01-01" }.joined(
                separator: "\n")
            let found = matter(yaml)
            let date =
                field == .date ? found?.date : field == .updated ? found?.updated : found?.expires
            #expect(date?.day.year == 2010, "\(field)")
            // Without the first, the second.
            if keys.count > 1 {
                let rest = keys.enumerated().dropFirst().map { "\($1): 20\(10 + $0)-01-01" }.joined(
                    separator: "\n")
                let found = matter(rest)
                let date =
                    field == .date
                    ? found?.date : field == .updated ? found?.updated : found?.expires
                #expect(date?.day.year == 2011, "\(field)")
            }
        }
    }

    @Test(arguments: ["", "~", "null", "''", "[]", "{}", "[~]"])
    func `an empty or null value counts as absent`(_ value: String) {
        let found = matter(
            "title: \(value)\ndate: \(value)\ntags: \(value)\ndraft: \(value)\nweight: \(value)")
        #expect(
            found?.title == nil && found?.date == nil && found?.tags == [] && found?.order == nil)
        #expect(found?.isDraft == false)
    }

    @Test(arguments: [
        ("draft: true", true), ("draft: \"true\"", true), ("draft: Yes", true), ("draft: 1", true),
        ("draft: TRUE", true), ("draft: false", false), ("draft: \"false\"", false),
        ("draft: no", false),
        ("draft: 0", false), ("publish: false", true), ("published: no", true),
        ("publish: true", false),
        ("published: 2024-01-01", false),
        // Two that disagree never publish by accident.
        ("draft: false\npublish: false", true), ("draft: true\npublish: true", true),
    ])
    func `drafts are told as a person reads the value`(_ yaml: String, _ hidden: Bool) {
        #expect(matter(yaml)?.isDraft == hidden)
    }

    @Test func `a drafts folder hides`() {
        #expect(parseNote("x", path: "blog/_drafts/a.md").note?.frontMatter.isDraft == true)
        #expect(parseNote("x", path: "_drafts.md").note?.frontMatter.isDraft == false)
    }

    @Test(arguments: [
        ("tags: [a, b]", ["a", "b"]), ("tags: a, b c", ["a", "b c"]), ("tags: a b", ["a", "b"]),
        ("tags: ['#a', a/b]", ["a", "a/b"]), ("tag: one", ["one"]),
        ("tags:\n- two words\n- A\n- a", ["two words", "A"]),
        ("tags: [2023, no, on, null, 1.10, ~]", ["2023", "no", "on", "1.10"]),
        ("tags: ['a/', '/b', 'c//d']", ["a", "b", "c/d"]),
    ])
    func `tags are a list, or a text split on commas or blanks`(_ yaml: String, _ names: [String]) {
        #expect(matter(yaml)?.tags.map(\.name) == names)
    }

    @Test func `one tag where the slug is one`() {
        #expect(Tag("To Do")?.key == "to-do")
        #expect(Tag("to-do")?.key == "to-do")
        #expect(Tag("#TO do")?.key == "to-do")
        #expect(Tag("a/B c")?.key == "a/b-c")
        #expect(Tag.ancestors(ofKey: "a/b/c") == ["a/b", "a"])
        #expect(Tag("  ") == nil && Tag("#") == nil && Tag("/") == nil)
    }

    @Test func `all faults of a note are found in one go, each at its place`() {
        let text =
            "---\ndate: never\ndraft: maybe\nweight: heavy\ntitle: [a]\ntags: {a: b}\ntoc: perhaps\n---\n"
        let messages = parseNote(text).messages
        let bytes = Array(text.utf8)
        let places = messages.compactMap(\.span?.range).map {
            String(decoding: bytes[$0], as: UTF8.self)
        }
        #expect(Set(places) == ["never", "maybe", "heavy", "[a]", "{a: b}", "perhaps"])
        #expect(messages.allSatisfy { $0.severity == .error })
    }

    // One letter missing, too many, another, and two swapped; in any case.
    @Test(arguments: [
        ("draf: true", "draf", "draft"), ("drafts: yes", "drafts", "draft"),
        ("Drraft: 1", "Drraft", "draft"), ("darft: false", "darft", "draft"),
        ("pubish: false", "pubish", "publish"), ("pulbished: no", "pulbished", "published"),
        ("expire: 2026-03-01", "expire", "expires"),
    ])
    func `a key one letter away from one that hides is warned of at its place`(
        _ yaml: String, _ key: String, _ meant: String
    ) {
        let (note, messages) = parseNote("---\ntitle: T\n\(yaml)\n---\nbody\n")
        #expect(note?.frontMatter.isDraft == false)
        #expect(note?.frontMatter.extra.map(\.key) == [key])
        #expect(messages.map(\.message) == ["the key `\(key)` hides nothing"])
        #expect(messages.map(\.id) == ["unknown-key"])
        #expect(messages.allSatisfy { $0.severity == .warning })
        #expect(messages.first?.help == "did you mean `\(meant)`?")
        // The key stands in line 3, behind `---` and `title: T`: 4 + 9 bytes.
        #expect(messages.first?.span?.range == 13..<13 + key.utf8.count)
    }

    // Two letters away, a known key, and words of their own with their own values.
    @Test(arguments: [
        "dra: true", "draftee: true", "expiryDate: 2026-03-01", "publisher: Penguin",
        "craft: knitting", "expired: milk", "published: true", "draf:",
    ])
    func `other words are nobody's slip`(_ yaml: String) {
        #expect(parseNote("---\n\(yaml)\n---\nbody\n").messages.isEmpty)
    }

    @Test func `other keys are kept in order`() {
        #expect(matter("rating: 5\ntitle: x\nmood: good")?.extra.map(\.key) == ["rating", "mood"])
    }

    @Test(arguments: [
        ("cover: {image: h.jpg, alt: A heron}", "h.jpg"),
        ("image:\n  image: h.jpg\n  caption: C", "h.jpg"), ("cover: {alt: x, image: ''}", nil),
        // One that is no picture gives way to one that is.
        ("image: {image: }\ncover: h.jpg", "h.jpg"),
    ])
    func `a picture may stand in a mapping`(_ yaml: String, _ image: String?) {
        let (note, messages) = parseNote("---\n\(yaml)\n---\nbody\n")
        #expect(note != nil && note?.frontMatter.image == image)
        #expect(messages.isEmpty)
    }

    @Test func `a mapping that has no picture, or at another key, is an error`() {
        for yaml in ["cover: {alt: x}", "title: {image: x}", "image: {image: [a]}"] {
            #expect(parseNote("---\n\(yaml)\n---\n").messages.map(\.id) == ["front-matter-type"])
        }
        let toml = parseNote("+++\n[cover]\nimage = \"h.jpg\"\n+++\n").note
        #expect(toml?.frontMatter.image == "h.jpg")
    }

    @Test func `keys are known in any case`() {
        #expect(matter("Title: T\nTAGS: [a]\nPublishDate: 2024-01-02")?.date?.day.day == 2)
    }
}

@Suite struct `Titles` {
    @Test func `front matter first, then a leading heading, then the file's name`() {
        #expect(parseNote("---\ntitle: Front\n---\n# Head\n").note?.title == "Front")
        let heading = parseNote("# Head *line*\n\ntext\n").note
        #expect(heading?.title == "Head line")
        #expect(heading?.titleOrigin == .heading)
        #expect(parseNote("## Second level\n", path: "a/My Note.md").note?.title == "My Note")
        #expect(parseNote("text\n\n# Later\n", path: "x.md").note?.title == "x")
        #expect(parseNote("### Index\n", path: "books.md").note?.title == "books")
    }

    @Test(arguments: [
        ("2024-03-01-trip.md", "trip"), ("2024-03-01.md", "2024-03-01"), ("a/index.md", "a"),
        ("a b/_index.md", "a b"), ("a/README.md", "a"), ("2024-03-01 A day.md", "A day"),
    ])
    func `a file's name is a title without its date, an index has the folder's`(
        _ path: String, _ title: String
    ) {
        #expect(parseNote("text", path: path).note?.title == title)
    }

    @Test func `an index at the root takes the site's title`() {
        let note = parseNote("text", path: "index.md").note
        #expect(note?.title == nil)
        #expect(note?.titleOrigin == .site)
    }

    @Test func `a heading that became the title is not shown again`() throws {
        let note = try #require(parseNote("# Head\n\ntext\n").note)
        #expect(String(decoding: note.body.html[note.shownHTML], as: UTF8.self) == "<p>text</p>\n")
    }
}

@Suite struct `Files that are no notes as they stand` {
    @Test func `invalid UTF-8 is an error that names the byte's place`() {
        let messages = parseNote(Array("ab".utf8) + [0xFF] + Array("cd".utf8)).messages
        #expect(messages.map(\.span?.range) == [2..<3])
        #expect(messages.first?.message == "byte 2 (0xFF) is not valid UTF-8")
    }

    @Test func `UTF-16 is named`() {
        #expect(
            parseNote([0xFF, 0xFE, 0x61, 0]).messages.first?.message.contains("UTF-16") == true)
    }

    @Test func `a byte order mark is dropped`() {
        let note = parseNote([0xEF, 0xBB, 0xBF] + Array("---\ntitle: B\n---\nx".utf8)).note
        #expect(note?.title == "B")
        #expect(parseNote([0xEF, 0xBB, 0xBF] + Array("# H\n".utf8)).note?.title == "H")
    }

    @Test(arguments: [
        "---\ntitle: x\nbody", "+++\ntitle = 'x'\nbody", "{\n\"title\": \"x\"\nbody",
    ])
    func `front matter that never closes says so`(_ text: String) {
        let (note, messages) = parseNote(text)
        #expect(note == nil)
        #expect(messages.first?.message.contains("never closed") == true)
        #expect(messages.first?.span?.range?.lowerBound == 0)
    }

    @Test(arguments: [
        "---\n\nSome prose.\n\n---\nrest", "---\nno key here\n---\n", "--- \n", "---", "---\n",
        "----\nx\n",
        "+++ not toml", "{{ liquid }}", "{: .class}\n", "---\n[a]: /u\n---\n",
    ])
    func `rules and prose are text`(_ text: String) {
        let (note, messages) = parseNote(text)
        #expect(note != nil)
        #expect(!messages.contains { $0.severity == .error })
    }

    @Test(arguments: [
        "---\n---\nbody", "---  \ntitle: x\n---\t\nbody", "---\ntitle: x\n...\nbody",
        "---\r\ntitle: x\r\n---\r\nbody", "---\n# only a comment\n---\nbody",
    ])
    func `markers may have blanks, dots may close, the block may be empty`(_ text: String) throws {
        let note = try #require(parseNote(text).note)
        #expect(String(decoding: note.body.html, as: UTF8.self) == "<p>body</p>\n")
    }

    @Test func `a template for new notes is told from a key that is no text`() throws {
        let (note, messages) = parseNote("---\ntitle: x\ndate: {{date}}\n---\nbody")
        #expect(note == nil)
        let help = try #require(messages.first?.help)
        #expect(help.contains("template for new notes") && help.contains("`ignore:`"))
        #expect(
            parseNote("---\n? {a: 1}\n: x\n---\n").messages.first?.help?.contains("ignore") != true)
    }
}
