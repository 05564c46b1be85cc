package import Diagnostics

/// Why a YAML document could not be read, and where.
package struct YAMLError: Error, Equatable {
    /// What was found.
    package enum Reason: Equatable, Sendable {
        /// libyaml's own finding, such as `mapping values are not allowed in
        /// this context`, and the character that stands at the place.
        case syntax(problem: String, character: Character?)
        /// A key that stands there already.
        case duplicateKey(String, first: Range<Int>)
        /// A key that is a list or a mapping.
        case keyIsNotText
        /// `*name` without an `&name` before it.
        case unknownAnchor(String)
        /// Lists or mappings inside each other beyond ``YAMLDocument/maximalDepth``.
        case tooDeep
        /// Anchors that multiply into more than ``YAMLDocument/maximalNodes`` values.
        case tooLarge
    }

    /// What was found.
    package var reason: Reason
    /// Where, in bytes from the start of the file.
    package var range: Range<Int>

    /// An error of `reason` at `range`.
    package init(reason: Reason, range: Range<Int>) {
        self.reason = reason
        self.range = range
    }

    /// The message, for a document in `file`.
    package func diagnostic(in file: String) -> Diagnostic {
        var notes: [Diagnostic.Note] = []
        if case .duplicateKey(_, let first) = reason {
            notes.append(.init("the first one is here", at: SourceSpan(file: file, range: first)))
        }
        return Diagnostic(
            .error, "yaml", message, at: SourceSpan(file: file, range: range), help: help,
            notes: notes)
    }

    private var message: String {
        switch reason {
        case .syntax(let problem, _) where problem.hasPrefix("mapping values are not allowed"):
            "a second `:` in a value that is not in quotes"
        case .syntax(let problem, let character?)
        where problem.hasPrefix("found character that cannot start"):
            character == "\t"
                ? "a tab where YAML allows only blanks"
                : "`\(character)` cannot stand at the start of a value that is not in quotes"
        case .syntax(let problem, _) where problem.hasPrefix("could not find expected ':'"):
            "expected `key: value`, found a line without `:`"
        case .syntax(let problem, _) where problem.hasPrefix("did not find expected key"):
            "expected a key here: the line is indented unlike those above, or a quote ends too early"
        case .syntax(let problem, let character?)
        where problem.hasPrefix("did not find expected ','"):
            "a `\(character)` that is not closed, or a value in it that needs quotes"
        case .syntax(let problem, _) where Self.isEncoding(problem):
            "expected UTF-8, found bytes that are none"
        case .syntax(let problem, _): problem
        case .duplicateKey(let key, _): "the key `\(key)` stands here twice"
        case .keyIsNotText: "expected a plain key, found a list or a mapping"
        case .unknownAnchor(let name):
            "`*\(name)` refers to nothing: there is no `&\(name)` before it"
        case .tooDeep: "lists and mappings are nested more than \(YAMLDocument.maximalDepth) deep"
        case .tooLarge: "its anchors multiply into more than \(YAMLDocument.maximalNodes) values"
        }
    }

    private static func isEncoding(_ problem: String) -> Bool {
        problem.contains("UTF-8 octet") || problem.contains("UTF-8 sequence")
    }

    private var help: String? {
        switch reason {
        case .syntax(let problem, let character):
            if character == "\t" { return "indent with blanks" }
            if problem.hasPrefix("could not find expected ':'"), character == "-" {
                return "put a blank after the `-`: - item"
            }
            if problem.hasPrefix("did not find expected key")
                || problem.hasPrefix("did not find expected <document start>")
            {
                return "line the key up with the others, or quote the value"
            }
            if problem.hasPrefix("found unexpected end of stream") { return "close the quote" }
            if problem.hasPrefix("did not find expected ','") {
                return character == "{" ? "close it with `}`" : "close it with `]`"
            }
            if Self.isEncoding(problem) { return "save the file as UTF-8" }
            return "put the value in quotes: key: \"…\""
        case .duplicateKey: return "keep one of the two"
        case .keyIsNotText: return "quote the key if it is meant as text"
        case .unknownAnchor: return "put the value in quotes if it is meant as text"
        case .tooDeep, .tooLarge: return "write the values out flatter"
        }
    }
}
