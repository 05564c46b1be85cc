import Bytes
import Testing

/// JSON is read as it was written, and nothing else is.
@Suite struct JSONTests {
    private func read(_ text: String) throws(JSONError) -> JSONValue {
        try JSONValue(parsing: Array(text.utf8))
    }

    @Test(arguments: [
        "null", "true", "false", "0", "-12", "\"\"", "[]", "{}", "[1, \"a\", null, {\"b\": []}]",
        "{\"a\": 1, \"b\": {\"c\": \"d\"}}", "\"ä 日本 \u{1F600}\"",
        "\"\\\"\\\\\\n\\r\\t\\u0001\"",
    ])
    func `what is written is read`(_ text: String) throws {
        #expect(try read(text).line == text)
        #expect(try read(" \n\t\(text)\r ").line == text)
    }

    @Test func `escapes are resolved`() throws {
        #expect(try read("\"\\u00e4\\ud83d\\ude00\\/\\b\\f\"") == .text("ä\u{1F600}/\u{8}\u{C}"))
        // Half of a pair is no character.
        #expect(try read("\"\\ud83d\"") == .text("\u{FFFD}"))
    }

    @Test(arguments: [
        "", " ", "{", "[", "[1", "[1,]", "{\"a\"}", "{\"a\": }", "{a: 1}", "\"", "\"\\x\"",
        "\"\\u12\"",
        "tru", "1 2", "01x", "-", "[1] x", "'a'", "\"\n\"", "1.5", "99999999999999999999",
    ])
    func `what is none is refused`(_ text: String) {
        #expect(throws: JSONError.self) { try self.read(text) }
    }

    @Test func `depth is limited, and bytes are UTF-8`() {
        #expect(throws: JSONError.self) { try self.read(String(repeating: "[", count: 100_000)) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
    }

    @Test func `values are found by their keys`() throws {
        let value = try read("{\"a\": 1, \"b\": [true], \"c\": \"d\"}")
        #expect(value["a"]?.integer == 1 && value["c"]?.string == "d")
        #expect(value["b"]?.list?.first?.truth == true && value["x"] == nil)
    }
}
