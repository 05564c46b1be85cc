/// A piece of a template as the lexer cuts it.
struct Token {
    enum Kind: Equatable {
        /// Static text, blanks cut as the tags around it ask.
        case text([UInt8])
        case tagStart
        case tagEnd
        case printStart
        case printEnd
        case name(String)
        case string(String)
        case integer(Int)
        case number(Double)
        case sign(Sign)
        /// What the lexer has already complained about.
        case invalid
        case end
    }

    enum Sign: String {
        case plus = "+"
        case minus = "-"
        case times = "*"
        case divide = "/"
        case floorDivide = "//"
        case modulo = "%"
        case power = "**"
        case concat = "~"
        case equal = "=="
        case unequal = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        case assign = "="
        case dot = "."
        case comma = ","
        case colon = ":"
        case pipe = "|"
        case openParenthesis = "("
        case closeParenthesis = ")"
        case openBracket = "["
        case closeBracket = "]"
        case openBrace = "{"
        case closeBrace = "}"

        /// The sign that closes this one, where it opens something.
        var closing: Sign? {
            switch self {
            case .openParenthesis: .closeParenthesis
            case .openBracket: .closeBracket
            case .openBrace: .closeBrace
            default: nil
            }
        }

        var isClosing: Bool {
            switch self {
            case .closeParenthesis, .closeBracket, .closeBrace: true
            default: false
            }
        }
    }

    var kind: Kind
    /// Bytes of the source.
    var range: Range<Int>

    /// What a message calls it when it stands in the wrong place.
    var description: String {
        switch kind {
        case .text: "text"
        case .tagStart: "the start of a tag"
        case .tagEnd, .printEnd: "the end of the tag"
        case .printStart: "'{{'"
        case .name(let name): "'\(name)'"
        case .string: "a text"
        case .integer, .number: "a number"
        case .sign(let sign): "'\(sign.rawValue)'"
        case .invalid: "something invalid"
        case .end: "the end of the template"
        }
    }
}

/// A problem and where it is, in bytes of the template it was found in.
struct PlacedProblem {
    var problem: TemplateProblem
    var range: Range<Int>
}
