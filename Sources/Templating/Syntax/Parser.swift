/// Reads a template's tokens into statements.
///
/// A mistake is reported and the rest of its tag skipped, so that one run
/// finds the mistakes of a whole template.
struct Parser {
    /// Thrown once a mistake has been reported.
    struct Stop: Error {}

    /// Tags within each other, and expressions within each other: what parser
    /// and compiler walk on a stack of 512 KB, without optimisation too.
    static let depthLimit = 50

    let tokens: [Token]
    var position = 0
    var depth = 0
    var problems: [PlacedProblem]
    /// The tags that are open, outermost first.
    var openTags: [String] = []
    var isGivenUp = false

    static func parse(
        _ source: TemplateSource
    ) -> (statements: [Statement], problems: [PlacedProblem]) {
        let (tokens, problems) = Lexer.tokens(of: source.bytes)
        var parser = Parser(tokens: tokens, problems: problems)
        let statements = parser.parseBody(until: []).body
        return (statements, parser.problems)
    }

    private init(tokens: [Token], problems: [PlacedProblem]) {
        self.tokens = tokens
        self.problems = problems
    }

    // MARK: Tokens

    var token: Token { tokens[position] }

    func token(after count: Int) -> Token {
        tokens[min(position + count, tokens.count - 1)]
    }

    mutating func advance() {
        if position < tokens.count - 1 { position += 1 }
    }

    func isName(_ name: String, after count: Int = 0) -> Bool {
        token(after: count).kind == .name(name)
    }

    func isSign(_ sign: Token.Sign) -> Bool {
        token.kind == .sign(sign)
    }

    mutating func skip(_ sign: Token.Sign) -> Bool {
        guard isSign(sign) else { return false }
        advance()
        return true
    }

    mutating func skip(name: String) -> Bool {
        guard isName(name) else { return false }
        advance()
        return true
    }

    mutating func expect(_ sign: Token.Sign) throws(Stop) {
        if !skip(sign) { throw unexpected("'\(sign.rawValue)'") }
    }

    mutating func expect(name: String) throws(Stop) {
        if !skip(name: name) { throw unexpected("'\(name)'") }
    }

    mutating func expectName(_ what: String = "a name") throws(Stop) -> Expression.Reference {
        guard case .name(let name) = token.kind else { throw unexpected(what) }
        let range = token.range
        advance()
        return Expression.Reference(name: name, range: range)
    }

    // MARK: Mistakes

    /// Reports that `expected` is not what stands here.
    mutating func unexpected(_ expected: String) -> Stop {
        // The lexer has said it already.
        if token.kind == .invalid || isGivenUp { return Stop() }
        return complain(
            .unexpected(found: token.description, expected: expected), at: token.range)
    }

    mutating func complain(_ problem: TemplateProblem, at range: Range<Int>) -> Stop {
        problems.append(PlacedProblem(problem: problem, range: range))
        return Stop()
    }

    /// Reports nesting that is too deep, and gives the template up: nothing
    /// behind it could be told from its consequences.
    mutating func tooDeep(at range: Range<Int>) -> Stop {
        defer {
            position = tokens.count - 1
            isGivenUp = true
        }
        return complain(.nestedTooDeep(limit: Self.depthLimit), at: range)
    }

    /// Goes behind the end of the tag at hand.
    mutating func skipTag() {
        while true {
            switch token.kind {
            case .tagEnd, .printEnd:
                advance()
                return
            case .end, .text, .tagStart, .printStart: return
            default: advance()
            }
        }
    }

    /// Runs `body` one level deeper.
    mutating func nested<Result>(
        _ body: (inout Parser) throws(Stop) -> Result
    ) throws(Stop) -> Result {
        guard depth < Self.depthLimit else { throw tooDeep(at: token.range) }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }

    // MARK: Bodies

    /// Reads statements up to a tag named in `ends`, whose name is then the
    /// current token. At the end of the template the found name is nil.
    mutating func parseBody(until ends: [String]) -> (body: [Statement], found: String?) {
        var body: [Statement] = []
        while true {
            let start = token
            switch start.kind {
            case .end: return (body, nil)
            case .text(let bytes):
                advance()
                body.append(Statement(form: .text(bytes), range: start.range))
            case .printStart:
                advance()
                if let statement = parsePrint() { body.append(statement) }
            case .tagStart:
                advance()
                if case .name(let name) = token.kind, ends.contains(name) { return (body, name) }
                if let statement = parseTag() { body.append(statement) }
            default: advance()
            }
        }
    }

    private mutating func parsePrint() -> Statement? {
        do {
            let expression = try parseTuple()
            guard token.kind == .printEnd else { throw unexpected("'}}'") }
            advance()
            return Statement(form: .print([expression]), range: expression.range)
        } catch {
            skipTag()
            return nil
        }
    }

    /// Reads the body of a tag up to its end, which may come after other
    /// parts: `else`, `elif`. The end's name is then the current token. Of a
    /// tag that is not sound, a missing end is no news.
    mutating func parseBody(
        of tag: String, at range: Range<Int>, isSound: Bool, until ends: [String]
    ) throws(Stop) -> (body: [Statement], found: String) {
        openTags.append(tag)
        defer { openTags.removeLast() }
        let (body, found) = try nested { parser throws(Stop) in parser.parseBody(until: ends) }
        guard let found else {
            guard isSound, !isGivenUp else { throw Stop() }
            throw complain(
                .unclosedBlock(tag: tag, end: "{% \(ends[ends.count - 1]) %}"), at: range)
        }
        return (body, found)
    }

    /// As above for a tag with one end, and goes behind that end.
    mutating func parseWholeBody(
        of tag: String, at range: Range<Int>, isSound: Bool
    ) throws(Stop) -> [Statement] {
        let body = try parseBody(of: tag, at: range, isSound: isSound, until: ["end" + tag]).body
        advance()
        if tag == "block", case .name = token.kind { advance() }
        endTag()
        return body
    }

    /// Expects the end of the tag; anything else is reported and skipped.
    @discardableResult
    mutating func endTag() -> Bool {
        if token.kind == .tagEnd {
            advance()
            return true
        }
        _ = unexpected("'%}'")
        skipTag()
        return false
    }
}
