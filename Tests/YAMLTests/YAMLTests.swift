import Diagnostics
import Testing
import YAML

private func parse(_ text: String) throws -> YAMLNode? {
    let bytes = Array(text.utf8)
    return try YAMLDocument(parsing: bytes, in: 0..<bytes.count).root
}

private func failure(_ text: String) -> YAMLError? {
    do {
        _ = try parse(text)
        return nil
    } catch {
        return error as? YAMLError
    }
}

private func entries(_ node: YAMLNode?) -> [YAMLEntry] {
    if case .mapping(let entries)? = node?.content { entries } else { [] }
}

@Suite struct `YAML values` {
    // SPEC: "YAML scalars are read as typed: `title: 2024`, `12:30`, `no`,
    // `007` stay those characters."
    @Test(arguments: [
        "12:30", "no", "007", "1.10", "1e3", "0x1F", "1_000", "yes", "on", "+1", ".5",
    ])
    func `plain scalars that only look like another type stay text`(_ text: String) throws {
        let value = try #require(entries(parse("k: \(text)")).first?.value.scalar)
        #expect(value.text == text)
        #expect(value.typed == .text(text))
    }

    @Test func `numbers, booleans and nulls are typed where they print alike`() throws {
        let typed = try entries(
            parse("a: 5\nb: -12\nc: 1.5\nd: true\ne: ~\nf: null\ng:\nh: 'true'\ni: \"5\"")
        )
        .map { $0.value.scalar?.typed }
        #expect(
            typed == [
                .integer(5), .integer(-12), .number(1.5), .boolean(true), .null, .null, .null,
                .text("true"), .text("5"),
            ])
    }

    @Test func `places count bytes although libyaml counts characters`() throws {
        let text = "é: ü\nnäme: wört"
        let all = try entries(parse(text))
        let bytes = Array(text.utf8)
        #expect(all.map { String(decoding: bytes[$0.keyRange], as: UTF8.self) } == ["é", "näme"])
        #expect(
            all.map { String(decoding: bytes[$0.value.range], as: UTF8.self) } == ["ü", "wört"])
    }

    @Test func `only the given range is read and places count from the file's start`() throws {
        let bytes = Array("---\nkey: value\n---\nbody: [".utf8)
        let root = try YAMLDocument(parsing: bytes, in: 4..<15).root
        #expect(entries(root).first?.value.range == 9..<14)
    }

    @Test(arguments: ["", "\n\n", "# only a comment\n", "---\n...\n"])
    func `an empty document has no root or a null one`(_ text: String) throws {
        let root = try parse(text)
        #expect(root?.isEmpty ?? true)
    }

    @Test func `aliases repeat the anchored value`() throws {
        let all = try entries(parse("a: &x [1, 2]\nb: *x"))
        #expect(all.count == 2)
        #expect(all.first?.value.content == all.last?.value.content)
    }
}

@Suite struct `YAML errors` {
    @Test func `a key that stands twice is an error at the second`() {
        #expect(
            failure("a: 1\nb: 2\na: 3")
                == YAMLError(reason: .duplicateKey("a", first: 0..<1), range: 10..<11))
    }

    @Test func `an unquoted colon asks for quotes at its place`() throws {
        let error = try #require(failure("date: 2024-01-01\ntitle: Plan: part two"))
        let diagnostic = error.diagnostic(in: "p.md")
        // The second colon is the 28th character of the text.
        #expect(diagnostic.span?.range?.lowerBound == 28)
        #expect(diagnostic.help?.contains("quotes") == true)
    }

    @Test(arguments: ["title: @home", "title: `x`", "title: %x"])
    func `characters that YAML reserves ask for quotes`(_ text: String) throws {
        let error = try #require(failure(text))
        #expect(error.range.lowerBound == 7)
        #expect(error.diagnostic(in: "p.md").help?.contains("quotes") == true)
    }

    @Test func `tabs as indentation are named`() throws {
        let error = try #require(failure("a:\n\tb: c"))
        #expect(error.diagnostic(in: "p.md").message.contains("tab"))
    }

    @Test func `an alias without its anchor is an error`() {
        #expect(failure("a: *nope")?.reason == .unknownAnchor("nope"))
    }

    @Test func `aliases that multiply are stopped`() {
        var text = "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
        for (name, before) in zip("bcdefgh", "abcdefg") {
            text +=
                "\(name): &\(name) ["
                + Array(repeating: "*\(before)", count: 10).joined(separator: ",") + "]\n"
        }
        #expect(failure(text)?.reason == .tooLarge)
    }

    @Test func `nesting is bounded`() {
        #expect(failure(String(repeating: "[", count: 10_000))?.reason == .tooDeep)
        #expect(failure("a: " + String(repeating: "{a: ", count: 10_000))?.reason == .tooDeep)
    }

    @Test(arguments: ["? [a]\n: b", "[a]: b", "{a: b}: c"])
    func `a key that is no text is an error`(_ text: String) {
        #expect(failure(text)?.reason == .keyIsNotText)
    }

    @Test func `a line that is neither a key nor an item is reported where it stands`() throws {
        let error = try #require(failure("tags:\n- x\n-y\nz: 1\n"))
        #expect(error.range.lowerBound == 10)
        #expect(error.diagnostic(in: "p.md").help == "put a blank after the `-`: - item")
        let other = try #require(failure("a: 1\nwords alone\nb: 2\n"))
        #expect(other.range.lowerBound == 5)
    }

    @Test func `a quote that never closes is reported where it opens`() throws {
        let error = try #require(failure("a: 1\nb: \"open\nc: 2\n"))
        #expect(error.range.lowerBound == 8)
        #expect(error.diagnostic(in: "p.md").help == "close the quote")
    }
}
