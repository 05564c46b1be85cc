import Diagnostics

/// Why front matter in TOML could not be read, and where.
struct TOMLError: Error, Equatable {
    /// What was found.
    enum Reason: Equatable {
        case expected(String)
        case duplicateKey(String)
        case notATable(String)
        case unclosed(String)
        case escape
        case tooDeep
    }

    /// What was found.
    var reason: Reason
    /// Where, in bytes from the start of the file.
    var range: Range<Int>

    /// The message, for a file.
    func diagnostic(in file: String) -> Diagnostic {
        Diagnostic(
            .error, "toml", message, at: SourceSpan(file: file, range: range), help: help)
    }

    private var message: String {
        switch reason {
        case .expected(let what): "expected \(what)"
        case .duplicateKey(let key): "the key `\(key)` stands here twice"
        case .notATable(let key): "`\(key)` has a value already and can hold no keys"
        case .unclosed(let what): "\(what) that is not closed"
        case .escape: "a backslash that escapes nothing TOML knows"
        case .tooDeep: "values are nested more than \(TOMLDocument.maximalDepth) deep"
        }
    }

    private var help: String? {
        switch reason {
        case .expected("a value"): "put text in quotes"
        case .escape: "double the backslash, or use single quotes"
        case .unclosed, .expected, .tooDeep: nil
        case .duplicateKey: "remove one of them"
        case .notATable: "rename one of them"
        }
    }
}
