import Testing

@testable import Notes

/// Edits of front matter change the bytes of what they are asked to, and no other.
@Suite struct FrontMatterEditTests {
    private func edited(
        _ text: String, _ change: (inout FrontMatterEdit) -> Void
    ) throws(FrontMatterEditError) -> String {
        var edit = FrontMatterEdit()
        change(&edit)
        return String(decoding: try edit.applied(to: Array(text.utf8)), as: UTF8.self)
    }

    private static let long = """
        ---
        # About the note
        title: "One: a title" # kept
        custom:   { a: 1,  b: [x, y] }
        date: 2024-03-01   # the day
        tags:
          - river   # water
          - 'place/weir'
        draft: no
        list:
        - 1
        ---

        Body.

        """

    @Test func `an edit of nothing changes nothing`() throws {
        #expect(try edited(Self.long) { _ in } == Self.long)
        #expect(try edited(Self.long) { $0.title = .set("One: a title") } == Self.long)
        #expect(try edited(Self.long) { $0.date = .set("2024-03-01") } == Self.long)
        #expect(try edited(Self.long) { $0.draft = .set(false) } == Self.long)
        #expect(try edited(Self.long) { $0.tags = .set(["river", "place/weir"]) } == Self.long)
    }

    @Test func `each edit changes its own bytes`() throws {
        func expect(
            _ old: String, _ new: String, _ change: (inout FrontMatterEdit) -> Void
        ) throws {
            #expect(try edited(Self.long, change) == Self.long.replacing(old, with: new))
        }
        try expect("\"One: a title\"", "\"Another \\\"title\\\"\"") {
            $0.title = .set("Another \"title\"")
        }
        try expect("2024-03-01 ", "2024-02-29 ") { $0.date = .set("2024-02-29") }
        try expect("draft: no", "draft: yes") { $0.draft = .set(true) }
        try expect("  - river   # water\n", "") { $0.tags = .set(["place/weir"]) }
        try expect("  - 'place/weir'\n", "  - 'place/weir'\n  - 'new one'\n") {
            $0.tags = .set(["river", "place/weir", "new one"])
        }
        try expect("\n  - river   # water\n  - 'place/weir'\n", " [a]\n") { $0.tags = .set(["a"]) }
        try expect(" \"One: a title\" # kept", " # kept") { $0.title = .remove }
        try expect(" 2024-03-01   # the day", "   # the day") { $0.date = .remove }
    }

    @Test(arguments: [
        ("title: Old", "title: New one"), ("title: 'Old'", "title: 'New one'"),
        ("title: \"Old\"", "title: \"New one\""), ("title:   Old  ", "title:   New one  "),
        ("title: Old # c", "title: New one # c"), ("\"title\": Old", "\"title\": New one"),
        ("title:", "title: New one"), ("title: # c", "title: New one # c"),
        ("title: ~", "title: New one"), ("title: >\n  Old\n  text", "title: New one"),
        ("title: Old\n  text", "title: New one"), ("Title: Old", "Title: New one"),
        ("title : Old", "title : New one"),
    ])
    func `a title in every form`(_ old: String, _ new: String) throws {
        let text = "---\na: 1\n\(old)\nb: 2\n---\nBody.\n"
        #expect(
            try edited(text) { $0.title = .set("New one") } == text.replacing(old, with: new))
    }

    @Test(arguments: [
        ("It's", "title: It's"), ("a: b", "title: \"a: b\""), ("2024", "title: 2024"),
        ("# x", "title: \"# x\""), ("yes", "title: yes"), ("- x", "title: \"- x\""),
        ("ünï 日本", "title: ünï 日本"), ("a #b", "title: \"a #b\""), ("[x]", "title: \"[x]\""),
        ("back\\slash", "title: \"back\\\\slash\""), ("null", "title: \"null\""),
    ])
    func `a title is quoted where it has to be`(_ title: String, _ line: String) throws {
        #expect(
            try edited("---\ntitle: Old\n---\n") { $0.title = .set(title) } == "---\n\(line)\n---\n"
        )
    }

    @Test(arguments: [
        ("2024-03-01", "2024-04-05", "2024-04-05"), ("2024/3/1", "2024-04-05", "2024/4/5"),
        ("2024-03-01 10:30:15 +0100", "2024-04-05T10:30", "2024-04-05 10:30:15 +0100"),
        ("2024-03-01T10:30:15.250Z", "2024-03-01T11:45", "2024-03-01T11:45:15.250Z"),
        ("2024-03-01T10:30", "2024-03-01", "2024-03-01"),
        ("2024-03-01", "2024-03-01T08:05", "2024-03-01T08:05"),
        ("March 1, 2024", "2024-04-05", "2024-04-05"), ("1 Mar 2024", "2024-03-02", "2024-03-02"),
        ("2024-03-01T9:30", "2024-03-02T09:30", "2024-03-02T9:30"),
    ])
    func `a date keeps its form`(_ old: String, _ wanted: String, _ new: String) throws {
        for quote in ["", "\"", "'"] {
            guard (try? NoteDate(parsing: old)) != nil else { continue }
            let text = "---\ndate: \(quote)\(old)\(quote)\n---\n"
            #expect(
                try edited(text) { $0.date = .set(wanted) }
                    == "---\ndate: \(quote)\(new)\(quote)\n---\n")
        }
    }

    @Test(arguments: ["2024-02-30", "2023-02-29", "2024-13-01", "soon", "", "2024-03-01T25:00"])
    func `a date that is none is refused`(_ date: String) {
        #expect(throws: FrontMatterEditError.noSuchDate(date)) {
            try self.edited(Self.long) { $0.date = .set(date) }
        }
    }

    @Test(arguments: [
        ("[a, b, c]", ["a", "c"], "[a, c]"), ("[a, b, c]", ["b", "c"], "[b, c]"),
        ("[a, b, c]", ["a", "b"], "[a, b]"), ("[a, b, c]", ["a"], "[a]"),
        ("[a, b, c]", ["c"], "[c]"), ("[a, b, c]", [], "[]"),
        ("[ a ,b ]", ["a", "b", "d"], "[ a, d ,b ]"),
        ("['a', \"b\"]", ["a", "b", "c d"], "['a', \"b\", 'c d']"),
        ("[]", ["x", "y z"], "[x, y z]"),
        ("a, b", ["b", "c"], "b, c"), ("a b", ["a", "b", "c"], "a b c"),
        ("a b", ["a", "c d"], "a, c d"),
        ("\"#a, b\"", ["a"], "\"#a,\""), ("[A, b]", ["a"], "[A]"), ("~", ["x"], "[x]"),
        ("", ["x"], "[x]"),
        ("[a, b] # c", ["b"], "[b] # c"), ("[a, a, b]", ["a", "b"], "[a, b]"),
        ("[draft]", ["done"], "[done]"), ("[a, b]", ["c"], "[c]"),
        ("[ a ]", ["b", "c"], "[ b, c ]"),
        ("[a, b , ]", [], "[ ]"), ("['a', b,]", ["c"], "[c]"),
        ("[\n  a, # one\n  b, # two\n]", ["a"], "[\n  a, # one\n]"),
        ("[\n  a, # one\n  b # two\n]", ["b"], "[\n  b # two\n]"),
        ("[\n  a,\n  b,\n]", [], "[\n]"), ("[\n  a,\n  b\n]", ["c"], "[c\n]"),
    ])
    func `tags keep their form`(_ old: String, _ tags: [String], _ new: String) throws {
        let text = "---\ntags: \(old)\nz: 1\n---\n"
        let result = try edited(text) { $0.tags = .set(tags) }
        if old == "[ a ,b ]" {
            // Behind the last, wherever the commas are.
            #expect(result == "---\ntags: [ a ,b, d ]\nz: 1\n---\n")
        } else {
            let gap = old.isEmpty ? result.contains("tags:  ") ? "  " : " " : " "
            #expect(
                result == "---\ntags:\(gap)\(new)\(old.isEmpty ? " " : "")\nz: 1\n---\n"
                    || result == "---\ntags: \(new)\nz: 1\n---\n")
        }
    }

    @Test func `what is missing is added behind the last key`() throws {
        let text = "---\na: 1\n---\nBody.\n"
        let result = try edited(text) {
            $0.title = .set("New: one")
            $0.date = .set("2024-03-01T10:30")
            $0.tags = .set(["a", "b c"])
            $0.draft = .set(true)
        }
        #expect(
            result
                == "---\na: 1\ntitle: \"New: one\"\ndate: 2024-03-01T10:30\ntags: [a, b c]\ndraft: true\n---\nBody.\n"
        )
    }

    @Test(arguments: [
        ("Body.\n", "---\ntitle: T\n---\n\nBody.\n"), ("", "---\ntitle: T\n---\n"),
        ("\nBody.\n", "---\ntitle: T\n---\n\nBody.\n"),
        ("\u{FEFF}Body.\r\nMore.", "\u{FEFF}---\r\ntitle: T\r\n---\r\n\r\nBody.\r\nMore."),
        ("---\n---\nBody.\n", "---\ntitle: T\n---\nBody.\n"),
        ("---\n# only words\n---\nBody.", "---\n# only words\ntitle: T\n---\nBody."),
        ("---\r\na: 1\r\n---\r\nBody.\r\n", "---\r\na: 1\r\ntitle: T\r\n---\r\nBody.\r\n"),
        ("--- \na: 1\n...\nBody.", "--- \na: 1\ntitle: T\n...\nBody."),
    ])
    func `a front matter is made where there is none`(_ text: String, _ expected: String) throws {
        #expect(try edited(text) { $0.title = .set("T") } == expected)
    }

    @Test func `line ends, marks and trailing blanks stay`() throws {
        let text =
            "\u{FEFF}---  \r\ntitle: Old  \r\ntags:\r\n- a\r\n- b\r\nx: |\r\n  y\r\n---\t\r\nBody  \r\nno end"
        let result = try edited(text) {
            $0.title = .set("New")
            $0.tags = .set(["b", "c"])
        }
        #expect(
            result
                == text.replacing("Old", with: "New").replacing("- a\r\n", with: "")
                .replacing("- b\r\n", with: "- b\r\n- c\r\n"))
    }

    @Test(arguments: [
        ("draft: true", false, "draft: false"), ("draft: TRUE", false, "draft: FALSE"),
        ("draft: \"Yes\"", false, "draft: \"No\""), ("draft: 1", false, "draft: 0"),
        ("publish: false", false, "publish: true"), ("published: true", true, "published: false"),
        ("draft:", true, "draft: true"),
        ("draft: true\npublish: false", false, "draft: false\npublish: true"),
    ])
    func `a draft is shown and hidden by the key that says it`(
        _ old: String, _ hides: Bool, _ new: String
    ) throws {
        #expect(
            try edited("---\n\(old)\n---\n") { $0.draft = .set(hides) } == "---\n\(new)\n---\n")
    }

    @Test func `the key that sets a field is the one that changes`() throws {
        let text = "---\ncreated: 2024-01-01\npubdate: 2023-01-01\ntag: a\n---\n"
        let result = try edited(text) {
            $0.date = .set("2024-01-02")
            $0.tags = .set(["a", "b"])
        }
        #expect(
            result == "---\ncreated: 2024-01-02\npubdate: 2023-01-01\ntag: a b\n---\n")
        let zola = "---\ntitle: T\ntaxonomies:\n  tags: [a]\n---\n"
        #expect(
            try edited(zola) { $0.tags = .set(["a", "b"]) }
                == zola.replacing("[a]", with: "[a, b]"))
    }

    @Test(arguments: [
        ("+++\ntitle = \"T\"\n+++\n", FrontMatterEditError.otherFormat("TOML")),
        ("{\n\"title\": \"T\"\n}\n", .otherFormat("JSON")),
        ("---\ntitle: T\n", .unreadable), ("---\ntitle: [\n---\n", .unreadable),
        ("---\ntitle: &a T\nx: *a\n---\n", .unusualValue("title")),
        ("---\n{a: 1}\n---\n", .unusualValue("{")),
    ])
    func `what cannot be edited so is refused`(_ text: String, _ error: FrontMatterEditError) {
        #expect(throws: error) {
            try self.edited(text) { edit in
                edit.title = .set("New")
            }
        }
    }

    @Test func `a line is added as far in as the others`() throws {
        let text = "---\n  a: 1\n  b: [x]\n---\n"
        #expect(
            try edited(text) { $0.date = .set("2024-03-01") }
                == "---\n  a: 1\n  b: [x]\n  date: 2024-03-01\n---\n")
    }

    /// A value that is said by reference changes with the anchor it refers to.
    @Test(arguments: ["summary", "permalink", "mine", "author"])
    func `an edit that changes what another key says is refused`(_ key: String) {
        let text = "---\nimage: &t foo\ntags: [&t river, b]\n\(key): *t\n---\n"
        #expect(throws: FrontMatterEditError.notUnderstood) {
            try self.edited(text) { $0.tags = .set(["b"]) }
        }
    }

    @Test func `random edits of random front matter keep every other line`() throws {
        var generator = SystemRandomNumberGenerator()
        let seed = UInt64.random(in: 0...UInt64.max, using: &generator)
        var state = seed
        func pick<T>(_ list: [T]) -> T {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return list[Int(state >> 33) % list.count]
        }
        for _ in 0..<500 {
            let end = pick(["\n", "\r\n"])
            let title = pick([
                "title: A b", "title: 'A'", "title: \"A: b\" # c", "title:", "# none",
            ])
            let date = pick([
                "date: 2024-01-02", "date: \"2024/1/2\" # d", "created: 2024-01-02T10:00Z", "# no",
            ])
            let tags = pick([
                "tags: [a, b]", "tags:\(end)  - a\(end)  - b # c", "tags: a b", "tags:", "x: 1",
            ])
            let rest = pick([
                "u: {a: 1}", "u: |\(end)  text: x\(end)  # y", "u: 'it''s'", "u: [1,\(end)  2]",
            ])
            let text =
                "---" + end + [title, rest, date, tags, "z: end"].joined(separator: end) + end
                + "---" + end + "Body." + end
            let result = try edited(text) {
                $0.title = pick([.keep, .set("New"), .set("N: #"), .remove])
                $0.date = pick([.keep, .set("2025-05-05"), .set("2025-05-05T01:02"), .remove])
                $0.tags = pick([.keep, .set(["a"]), .set(["b", "c"]), .set([]), .remove])
            }
            for line in [rest, "z: end"] {
                #expect(result.contains(line + end), "seed \(seed): \(text)")
            }
            #expect(result.hasSuffix("---" + end + "Body." + end), "seed \(seed)")
        }
    }
}
