import Notes
import Testing

@Suite struct `Slugs and addresses` {
    // SPEC, section 2, "Addresses".
    @Test(arguments: [
        ("My Note", "my-note"), ("C", "c"), ("C++", "c-plus-plus"), ("C#", "c-sharp"),
        ("F# 101", "f-sharp-101"),
        ("a+b", "a-plus-b"), ("  --x--  ", "x"), ("Ünïcode Straße", "ünïcode-straße"),
        ("Привет мир", "привет-мир"),
        ("日本語", "日本語"), ("🌱", "u1f331"), ("\u{FE0F}", "ufe0f"), ("🌱\u{FE0F}", "u1f331-ufe0f"),
        ("!!!", "u21-u21-u21"),
        ("2024-03-01-trip", "2024-03-01-trip"),
        ("e\u{301}te\u{301}", "été"), ("हिन्दी", "हिन्दी"), ("a/b", "a-b"), ("../../esc", "esc"),
        ("a\u{0}b", "a-b"), (".", "u2e"),
        ("x_y", "x-y"), ("İ", "i̇"),
    ])
    func `slugs keep letters and digits of every script`(_ text: String, _ slug: String) {
        #expect(Slug.make(from: text) == slug)
    }

    @Test func `a long slug is cut within a file name's 255 bytes and stays its own`() {
        let one = String(repeating: "語", count: 200) + "a"
        let other = String(repeating: "語", count: 200) + "b"
        #expect(Slug.make(from: one).utf8.count <= 255)
        #expect(Slug.make(from: one) != Slug.make(from: other))
        #expect(Slug.make(from: String(repeating: "x", count: 255)).utf8.count == 255)
    }

    @Test(arguments: [
        ("/2024/x/", "2024/x/"), ("2024/x", "2024/x/"), ("/404.html", "404.html"),
        ("/feed.xml", "feed.xml"),
        ("/", ""), ("/Case/Stays", "Case/Stays/"), ("/a/index.html", "a/"), ("/a//b", "a/b/"),
        ("/v1.2/", "v1.2/"),
    ])
    func `permalinks are taken as typed`(_ text: String, _ path: String) throws {
        #expect(try AddressPath(permalink: text).path == path)
    }

    @Test(arguments: [
        "/../x", "..", "/a/./b", "/%2e%2e/x", "a\\b", "/a\u{0}", "", "/a b/", "/a?b", "/a#b",
        "/.../x",
    ])
    func `permalinks that climb or confuse are refused`(_ text: String) {
        #expect(throws: AddressError.self) { try AddressPath(permalink: text) }
    }
}

@Suite struct `Names that links use` {
    private let index = NameIndex(paths: [
        "a/deep/topic", "a/from", "b/Topic", "b/other", "café", "x/topic",
    ]) {
        $0 == 3 ? ["Second Name"] : []
    }

    private func path(_ name: String, _ folder: String) -> String? {
        index.match(name, from: folder).index.map { index.paths[$0] }
    }

    // SPEC, section 3: exactly, then folded, then by alias; own folder, then
    // below it, then each parent folder likewise.
    @Test func `the nearest of several is meant`() {
        #expect(path("topic", "x") == "x/topic")
        #expect(path("topic", "a") == "a/deep/topic")
        #expect(path("topic", "a/deep") == "a/deep/topic")
        #expect(index.match("topic", from: "b") == .ambiguous([0, 5]))
        #expect(path("Topic", "x") == "b/Topic")
        #expect(path("TOPIC", "x") == "x/topic")
    }

    @Test func `paths are exact from the root, from the folder, or a path's end`() {
        #expect(path("b/Topic", "x") == "b/Topic")
        #expect(path("deep/topic", "a") == "a/deep/topic")
        #expect(path("deep/topic", "x") == "a/deep/topic")
        #expect(path("../x/topic", "a") == "x/topic")
        #expect(path("/x/topic", "a") == "x/topic")
        #expect(path("nope/topic", "a") == nil)
        #expect(path("../../../x/topic", "a") == nil)
    }

    @Test func `case, Unicode form and aliases do not matter where nothing is exact`() {
        #expect(path("CAFE\u{301}", "") == "café")
        #expect(path("second name", "") == "b/other")
        #expect(path("missing", "") == nil)
    }
}
