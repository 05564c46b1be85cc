import Diagnostics
import Testing

private func printed(
    _ diagnostic: Diagnostic, _ files: [String: String], _ style: DiagnosticPrinter.Style = .plain
) -> String {
    var printer = DiagnosticPrinter(style: style) { files[$0].map { Array($0.utf8) } }
    return printer.print(diagnostic)
}

@Suite struct `Messages` {
    private let text = "---\ndate: 2023-02-30\n---\n"

    private var diagnostic: Diagnostic {
        Diagnostic(
            .error, "date", "no such day", at: SourceSpan(file: "a.md", range: 10..<20),
            help: "write one that exists",
            notes: [.init("see here", at: SourceSpan(file: "b.md", range: 0..<1))])
    }

    @Test func `in a pipe a message is one line, and one for each further place`() {
        #expect(
            printed(diagnostic, ["a.md": text, "b.md": "x"])
                == "a.md:2:7: error: no such day [date]; help: write one that exists\nb.md:1:1: note: see here\n"
        )
    }

    @Test func `on a terminal the source line is drawn with a caret`() {
        #expect(
            printed(diagnostic, ["a.md": text], .drawn(colours: false)) == """
                a.md:2:7: error: no such day [date]
                  2 | date: 2023-02-30
                    |       ^~~~~~~~~~
                  help: write one that exists
                b.md: note: see here

                """)
    }

    @Test(arguments: [
        ("a\r\nbc", 4, 2, 2), ("a\rb", 2, 2, 1), ("a\nb", 2, 2, 1), ("éx", 2, 1, 2),
        ("\u{FEFF}ab", 4, 1, 2),
        ("ab", 99, 1, 3), ("", 0, 1, 1), ("a\n", 2, 2, 1),
    ])
    func `lines end in LF, CR LF or CR, columns count characters`(
        _ text: String, _ offset: Int, _ line: Int, _ column: Int
    ) {
        var printer = DiagnosticPrinter(style: .plain) { _ in Array(text.utf8) }
        let position = printer.position(of: SourceSpan(file: "f", range: offset..<offset))
        #expect(position?.line == line)
        #expect(position?.column == column)
    }

    @Test func `wide characters keep the caret below its place`() {
        let message = Diagnostic(.warning, "w", "m", at: SourceSpan(file: "f", range: 6..<7))
        #expect(
            printed(message, ["f": "日本x"], .drawn(colours: false)).contains(
                "  1 | 日本x\n    |     ^\n"))
    }

    @Test func `control characters never reach the terminal`() {
        let message = Diagnostic(.warning, "w", "m", at: SourceSpan(file: "f", range: 2..<3))
        for control in ["\u{1B}", "\u{80}", "\u{9B}", "\u{7F}", "\u{202E}", "\u{2066}"] {
            let drawn = printed(message, ["f": "\(control)[31mx"], .drawn(colours: false))
            #expect(drawn.contains("\u{FFFD}[31mx") && !drawn.contains(control))
        }
    }

    @Test func `a control character in words is written out`() {
        let message = Diagnostic(
            .warning, "w", "a\u{202E}b", at: SourceSpan(file: "f\u{1B}"), help: "c\u{9B}")
        #expect(
            printed(message, [:], .plain)
                == "f\\u{1B}: warning: a\\u{202E}b [w]; help: c\\u{9B}\n")
    }

    /// `é` is one sign of two bytes.
    @Test func `a password in a line is covered sign by sign`() {
        let message = Diagnostic(.warning, "w", "m", at: SourceSpan(file: "f", range: 22..<23))
        let drawn = printed(message, ["f": "https://me:wé@rd@host X"], .drawn(colours: false))
        // The place is that of the sign after the address; bytes count there.
        #expect(drawn.contains("https://me:*****@host X"), "\(drawn)")
    }

    @Test(arguments: [
        ("https://me:word@host/x", "https://me:***@host/x"),
        ("https://token@host/x", "https://***@host/x"),
        ("ssh://git@host/x", "ssh://git@host/x"),
        ("ssh://git:word@host/x", "ssh://git:***@host/x"),
        ("https://host:80/a@b:c", "https://host:80/a@b:c"),
        ("'https://a:b@h' and http://c:d@e@h", "'https://a:***@h' and http://c:***@h"),
        (
            ":s3,access_key_id=a,secret_access_key='b:c':x",
            ":s3,access_key_id=***,secret_access_key='***':x"
        ),
        (":sftp,host=h,user=me,pass=word:x", ":sftp,host=h,user=me,pass=***:x"),
        ("me@host:www", "me@host:www"), ("https://", "https://"), ("://@", "://@"),
        ("https://:@h", "https://:@h"), (",key=", ",key="),
    ])
    func `a password in an address is hidden, and nothing else`(_ text: String, _ masked: String) {
        #expect(Secrets.masked(text) == masked)
    }

    @Test(arguments: [("あ", 70), ("あ", 20), ("x", 70), ("e\u{301}", 70), ("あ", 2000)])
    func `the caret stands below its place on wide text too`(_ letter: String, _ count: Int) throws
    {
        let before = String(repeating: letter, count: count)
        let start = before.utf8.count
        let message = Diagnostic(
            .warning, "w", "m", at: SourceSpan(file: "f", range: start..<start + 8))
        let drawn = printed(
            message, ["f": before + "[[nope]] and after"], .drawn(colours: false, width: 120))
        let lines = drawn.split(separator: "\n")
        func cells(_ text: Substring) -> Int {
            text.unicodeScalars.reduce(0) { $0 + ($1 == "あ" ? 2 : $1 == "\u{301}" ? 0 : 1) }
        }
        let line = try #require(lines.dropFirst().first)
        let carets = try #require(lines.dropFirst(2).first)
        let place = try #require(line.firstRange(of: "[[nope]]"))
        let caret = try #require(carets.firstRange(of: "^~~~~~~~"))
        #expect(cells(line[..<place.lowerBound]) == cells(carets[..<caret.lowerBound]))
        #expect(cells(line) <= 120)
    }

    @Test func `a very long line shows the part around the place`() {
        let message = Diagnostic(.warning, "w", "m", at: SourceSpan(file: "f", range: 5000..<5003))
        let text =
            String(repeating: "x", count: 5000) + "HERE" + String(repeating: "y", count: 5000)
        let drawn = printed(message, ["f": text], .drawn(colours: false))
        #expect(drawn.contains("HERE") && drawn.utf8.count < 400)
    }

    @Test func `messages have one order: by place, then worst first`() {
        func at(_ file: String, _ offset: Int?, _ severity: Diagnostic.Severity = .error)
            -> Diagnostic
        {
            Diagnostic(
                severity, "i", "m", at: SourceSpan(file: file, range: offset.map { $0..<$0 }))
        }
        let sorted = [
            Diagnostic(.error, "i", "m"), at("a", nil), at("a", 1), at("a", 1, .warning),
            at("a", 5), at("b", 0),
        ]
        #expect(sorted.reversed().sorted() == sorted)
        #expect(sorted.shuffled().sorted() == sorted)
    }
}

@Suite struct `The closest name` {
    @Test(arguments: [
        ("titel", "title"), ("Titel", "title"), ("autor", "author"), ("zzz", nil), ("title", nil),
        ("tgas", "tags"),
        ("x", nil), ("base_url", "base-url"), ("", nil),
    ])
    func `is close enough to be meant`(_ typed: String, _ expected: String?) {
        #expect(closestName(to: typed, among: ["title", "author", "tags", "base-url"]) == expected)
    }

    @Test func `does not depend on the order of the names`() {
        #expect(closestName(to: "bat", among: ["cat", "hat"]) == "cat")
        #expect(closestName(to: "bat", among: ["hat", "cat"]) == "cat")
    }
}
