import Diagnostics
import Markup
import Notes
import Testing
import YAML

@Suite struct `Front matter in TOML and JSON` {
    /// The typed value under a key of `extra`.
    private func extra(_ key: String, _ toml: String) -> YAMLNode? {
        parseNote("+++\n\(toml)\n+++\nx").note?.frontMatter.extra.first { $0.key == key }?.value
    }

    @Test func `Hugo's and Zola's keys are read`() throws {
        let note = try #require(
            parseNote(
                """
                +++
                title = "A: b" # comment
                date = 2024-03-01T10:30:00+01:00
                draft = false
                weight = 3
                aliases = ["old",
                  'older', ]
                [taxonomies]
                tags = ["one", "two/three"]
                [extra]
                rating = 4
                +++
                body
                """
            ).note)
        #expect(note.title == "A: b")
        #expect(try note.date == NoteDate(parsing: "2024-03-01T10:30:00+01:00"))
        #expect(note.tags.map(\.name) == ["one", "two/three"])
        #expect(note.frontMatter.aliases == ["old", "older"])
        #expect(note.frontMatter.order == 3)
        #expect(note.frontMatter.extra.contains { $0.key == "rating" })
        #expect(String(decoding: note.body.html, as: UTF8.self) == "<p>body</p>\n")
    }

    // TOML 1.0.0, "String", "Integer", "Float".
    @Test(arguments: [
        (#"k = "a\tb\u00e9""#, "a\tbé"), (#"k = 'a\tb'"#, #"a\tb"#),
        ("k = \"\"\"\na\nb\"\"\"", "a\nb"), ("k = \"\"\"a \\\n   b\"\"\"", "a b"),
        ("k = '''\n'x'\n'''", "'x'\n"), ("k = 1_000", "1000"), ("k = 0xff", "255"),
        ("k = -1.5", "-1.5"), ("k = true", "true"),
        ("k = 1979-05-27 07:32:00", "1979-05-27 07:32:00"),
        ("\"k\" = 'q'", "q"), ("k=\"\"", ""),
    ])
    func `values are as typed`(_ toml: String, _ text: String) {
        #expect(extra("k", toml)?.scalar?.text == text)
    }

    @Test func `tables, dotted keys, inline tables and lists of tables nest`() throws {
        func entries(_ node: YAMLNode?) -> [String] {
            guard case .mapping(let entries)? = node?.content else { return [] }
            return entries.map(\.key)
        }
        #expect(entries(extra("a", "a.b = 1\na.c = 2")) == ["b", "c"])
        #expect(entries(extra("a", "[a]\nb = 1\n[a.c]\nd = 2")) == ["b", "c"])
        #expect(entries(extra("a", "a = { b = 1, c.d = [1, { e = 2 }] }")) == ["b", "c"])
        guard case .sequence(let items)? = extra("a", "[[a]]\nb = 1\n[[a]]\nc = 2")?.content else {
            Issue.record("no list")
            return
        }
        #expect(items.map { entries($0) } == [["b"], ["c"]])
    }

    @Test(arguments: [
        ("k = ", 8), ("k = text", 8), ("k 1", 6), ("k = \"a", 8), ("k = [1", 8), ("k = 1 2", 10),
        ("k = 1\nk = 2", 10), ("k = 1\n[k]\na = 2", 11), ("k = \"\\q\"", 9), ("= 1", 4),
    ])
    func `what TOML forbids is an error at its place`(_ toml: String, _ place: Int) {
        let (note, messages) = parseNote("+++\n\(toml)\n+++\nx")
        #expect(note == nil)
        #expect(messages.count == 1)
        #expect(messages.first?.id == "toml")
        #expect(messages.first?.span?.range?.lowerBound == place, "\(messages)")
    }

    @Test func `a JSON object is front matter`() throws {
        let note = try #require(
            parseNote("{\n  \"title\": \"J {x}\",\n  \"tags\": [\"a\"]\n}\n\nbody\n").note)
        #expect(note.title == "J {x}")
        #expect(note.tags.map(\.name) == ["a"])
        #expect(String(decoding: note.body.html, as: UTF8.self) == "<p>body</p>\n")
        #expect(parseNote("{\"title\": \"a\" \"b\"}\nx").note == nil)
    }

    @Test func `depth is bounded`() {
        let deep = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
        #expect(parseNote("+++\nk = \(deep)\n+++\n").messages.first?.id == "toml")
    }
}
