import Testing

@testable import Preview

/// What requests ask for, and which are refused.
@Suite struct RequestTests {
    @Test(arguments: [
        ("/", ""), ("/a/b.html", "a/b.html"), ("/caf%C3%A9/", "café/"), ("/a%20b", "a b"),
        ("/%2e%2ehidden", "..hidden"), ("/a//b", "a//b"), ("/100%25", "100%"),
    ])
    func `targets are decoded once`(_ target: String, _ path: String) {
        #expect(RequestTarget(Array(target.utf8))?.path == path)
    }

    @Test(arguments: [
        "", "a", "/..", "/../a", "/a/../b", "/%2e%2e/a", "/.%2E/a", "/a/./b", "/a%2fb", "/..%2fa",
        "/%5c", "/a\\b", "/a%00.html", "/%ff", "/%c0%ae%c0%ae/", "/%", "/%4", "/%zz", "/%0a",
        "/?a=%ff",
    ])
    func `what no browser asks for is no target`(_ target: String) {
        #expect(RequestTarget(Array(target.utf8)) == nil)
    }

    @Test(arguments: [
        // What differs at one place must not make up for what differs at another.
        ("01", "10"), ("10", "01"), ("0000", "1110"), ("aa", "ab"), ("ab", "aa"), ("a", "ab"),
        ("", "a"), ("00000000", "8f3a2c10"),
    ])
    func `a token is that one alone`(_ given: String, _ token: String) {
        #expect(!EditorHandler.isSame(given, token))
        #expect(EditorHandler.isSame(token, token) && EditorHandler.isSame(given, given))
    }

    /// Each digit at each place, alone and with the one before it.
    @Test func `no token is near enough`() {
        let token = Array("8f3a2c10".utf8)
        let digits = Array("0123456789abcdef".utf8)
        var found: [String] = []
        for place in token.indices.dropFirst() {
            for one in digits {
                for other in digits {
                    var given = token
                    (given[place - 1], given[place]) = (one, other)
                    let text = String(decoding: given, as: UTF8.self)
                    if EditorHandler.isSame(text, "8f3a2c10") { found.append(text) }
                }
            }
        }
        #expect(Set(found) == ["8f3a2c10"])
    }

    @Test func `a query has names and values`() {
        let target = RequestTarget(Array("/e?page=%2Fa%2F&version=1&missing&x=a+b".utf8))
        #expect(target?["page"] == "/a/")
        #expect(target?["version"] == "1")
        #expect(target?["missing"] == "")
        #expect(target?["x"] == "a+b")
        #expect(target?["y"] == nil)
    }

    @Test(arguments: [
        (nil, ByteRange.whole), ("bytes=0-3", .part(0..<4)), ("bytes=5-", .part(5..<10)),
        ("bytes=-3", .part(7..<10)), ("bytes=2-99", .part(2..<10)), ("bytes=-99", .part(0..<10)),
        ("bytes=10-", .unsatisfiable), ("bytes=-0", .unsatisfiable), ("bytes=3-2", .whole),
        ("bytes=0-1,3-4", .whole), ("bytes=a-b", .whole), ("lines=0-1", .whole),
        ("bytes=-", .whole),
        ("bytes=99999999999999999999-", .whole),
    ])
    func `ranges`(_ header: String?, _ range: ByteRange) {
        #expect(ByteRange(header, of: 10) == range)
    }

    private func status(_ headers: [(String, String)], method: String = "GET") -> Int? {
        let request = HTTPRequest(method, "/", headers: headers.map { (name: $0.0, value: $0.1) })
        return OriginGuard(port: 8080).refusal(of: request, methods: ["GET"])?.status.rawValue
    }

    @Test func `only our own pages are answered`() {
        #expect(status([("host", "127.0.0.1:8080")]) == nil)
        #expect(status([("host", "LOCALHOST:8080")]) == nil)
        #expect(status([("host", "127.0.0.1:8080"), ("origin", "http://127.0.0.1:8080")]) == nil)
        for host in [
            "evil.example", "127.0.0.1", "127.0.0.1:8081", "127.0.0.1.evil.example:8080", "",
        ] {
            #expect(status([("host", host)]) == 403)
        }
        #expect(status([]) == 403)
        #expect(status([("host", "127.0.0.1:8080"), ("host", "evil.example")]) == 403)
        for origin in [
            "null", "http://evil.example", "http://127.0.0.1:8081", "https://127.0.0.1:8080",
        ] {
            #expect(status([("host", "127.0.0.1:8080"), ("origin", origin)]) == 403)
        }
        #expect(status([("host", "127.0.0.1:8080")], method: "POST") == 405)
    }
}
