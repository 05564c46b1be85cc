// One function for each tag.

extension Parser {
    private static let tags = [
        "for", "if", "set", "block", "extends", "include", "import", "from", "macro", "call",
        "filter", "with", "autoescape", "print",
    ]
    private static let innerTags = ["else", "elif"]

    /// Reads a tag whose name is the current token, body and end included; nil
    /// where it cannot be understood, which has then been reported.
    mutating func parseTag() -> Statement? {
        let start = token
        do {
            let name = try expectName("the name of a tag")
            return Statement(form: try parseTag(name), range: start.range)
        } catch {
            skipTag()
            return nil
        }
    }

    private mutating func parseTag(
        _ tag: Expression.Reference
    ) throws(Stop) -> Statement.Form {
        switch tag.name {
        case "for": return try parseFor(tag)
        case "if": return try parseIf(tag)
        case "set": return try parseSet(tag)
        case "block": return try parseBlock(tag)
        case "macro": return try parseMacro(tag)
        case "call": return try parseCall(tag)
        case "with": return try parseWith(tag)
        case "filter": return try parseFilterTag(tag)
        case "autoescape": return try parseAutoescape(tag)
        case "extends": return try parseExtends()
        case "include": return try parseInclude()
        case "import": return try parseImport()
        case "from": return try parseFrom()
        case "print": return try parsePrintTag()
        default: throw unknownTag(tag)
        }
    }

    private mutating func unknownTag(_ tag: Expression.Reference) -> Stop {
        let ends = Self.tags.map { "end" + $0 }
        if ends.contains(tag.name) || Self.innerTags.contains(tag.name) {
            return complain(.strayTag(tag.name, open: openTags.last), at: tag.range)
        }
        let candidates = Self.tags + Self.innerTags + (openTags.last.map { ["end" + $0] } ?? [])
        return complain(.unknownTag(tag.name, candidates: candidates), at: tag.range)
    }

    /// Reads the opening of a tag that has a body. A mistake in it is reported
    /// and skipped here, so that the body is still read as one.
    mutating func header<Result>(
        _ parse: (inout Parser) throws(Stop) -> Result
    ) -> Result? {
        do {
            let result = try parse(&self)
            _ = skip(.colon)
            return endTag() ? result : nil
        } catch {
            skipTag()
            return nil
        }
    }

    private mutating func parseFilterTag(
        _ tag: Expression.Reference
    ) throws(Stop) -> Statement.Form {
        let filters = header { parser throws(Stop) in
            try parser.parseFilter(on: Expression(.captured, tag.range))
        }
        let body = try parseWholeBody(of: "filter", at: tag.range, isSound: filters != nil)
        return filters.map { .filter($0, body) } ?? .unsound(body)
    }

    private mutating func parseAutoescape(
        _ tag: Expression.Reference
    ) throws(Stop) -> Statement.Form {
        let flag = header { parser throws(Stop) in try parser.parseExpression() }
        let body = try parseWholeBody(of: "autoescape", at: tag.range, isSound: flag != nil)
        return flag.map { .autoescape($0, body) } ?? .unsound(body)
    }

    private mutating func parsePrintTag() throws(Stop) -> Statement.Form {
        var printed = [try parseExpression()]
        while skip(.comma) { printed.append(try parseExpression()) }
        endTag()
        return .print(printed)
    }

    private mutating func parseFor(_ tag: Expression.Reference) throws(Stop) -> Statement.Form {
        let header = header { parser throws(Stop) in
            let target = try parser.parseTarget(allowsTuple: true)
            try parser.expect(name: "in")
            let sequence = try parser.parseTuple(
                allowsConditional: false, ends: ["recursive", "if"])
            var loop = Statement.Loop(target: target, sequence: sequence)
            if parser.skip(name: "if") { loop.condition = try parser.parseExpression() }
            loop.isRecursive = parser.skip(name: "recursive")
            return loop
        }
        let (body, found) = try parseBody(
            of: "for", at: tag.range, isSound: header != nil, until: ["else", "endfor"])
        var otherwise: [Statement] = []
        advance()
        endTag()
        if found == "else" {
            otherwise = try parseWholeBody(of: "for", at: tag.range, isSound: header != nil)
        }
        guard var loop = header else { return .unsound(body + otherwise) }
        loop.body = body
        loop.otherwise = otherwise
        return .loop(loop)
    }

    private mutating func parseIf(_ tag: Expression.Reference) throws(Stop) -> Statement.Form {
        var branches: [(test: Expression, body: Statement.Body)] = []
        var unsound: [Statement] = []
        while true {
            let test = header { parser throws(Stop) in
                try parser.parseTuple(allowsConditional: false)
            }
            let (body, found) = try parseBody(
                of: "if", at: tag.range, isSound: test != nil, until: ["elif", "else", "endif"])
            advance()
            if let test { branches.append((test, body)) } else { unsound += body }
            switch found {
            case "elif": continue
            case "else":
                endTag()
                let body = try parseWholeBody(of: "if", at: tag.range, isSound: test != nil)
                return .branch(branches, otherwise: unsound + body)
            default:
                endTag()
                return .branch(branches, otherwise: unsound)
            }
        }
    }

    private mutating func parseSet(_ tag: Expression.Reference) throws(Stop) -> Statement.Form {
        let target = try parseTarget(allowsTuple: true, allowsAttribute: true)
        if skip(.assign) {
            let value = try parseTuple()
            endTag()
            return .set(target, value)
        }
        let filters = header { parser throws(Stop) in
            var value = Expression(.captured, tag.range)
            while parser.skip(.pipe) { value = try parser.parseFilter(on: value) }
            return value
        }
        let body = try parseWholeBody(of: "set", at: tag.range, isSound: filters != nil)
        return filters.map { .setBlock(target, $0, body) } ?? .unsound(body)
    }

    private mutating func parseBlock(_ tag: Expression.Reference) throws(Stop) -> Statement.Form {
        let header = header { parser throws(Stop) in
            var block = Statement.Block(name: try parser.expectName("the name of a block").name)
            block.isScoped = parser.skip(name: "scoped")
            block.isRequired = parser.skip(name: "required")
            if parser.isSign(.minus) {
                throw parser.complain(.hyphenInBlockName, at: parser.token.range)
            }
            return block
        }
        let body = try parseWholeBody(of: "block", at: tag.range, isSound: header != nil)
        guard var block = header else { return .unsound(body) }
        block.body = body
        let isEmpty = body.allSatisfy { statement in
            guard case .text(let bytes) = statement.form else { return false }
            return String(decoding: bytes, as: UTF8.self).unicodeScalars
                .allSatisfy(\.isPythonBlank)
        }
        if block.isRequired, !isEmpty {
            throw complain(.requiredBlockWithContent(block.name), at: tag.range)
        }
        return .block(block)
    }

    private mutating func parseMacro(_ tag: Expression.Reference) throws(Stop) -> Statement.Form {
        let header = header { parser throws(Stop) in
            let name = try parser.expectName("the name of a macro")
            return Statement.Macro(
                name: name.name, parameters: try parser.parseParameters())
        }
        let body = try parseWholeBody(of: "macro", at: tag.range, isSound: header != nil)
        guard var macro = header else { return .unsound(body) }
        macro.body = body
        return .macro(macro)
    }

    private mutating func parseCall(_ tag: Expression.Reference) throws(Stop) -> Statement.Form {
        let header = header { parser throws(Stop) in
            let parameters =
                parser.isSign(.openParenthesis) ? try parser.parseParameters() : []
            let call = try parser.parseExpression()
            guard case .call = call.form else {
                throw parser.complain(.callExpected, at: call.range)
            }
            return (call, Statement.Macro(name: "caller", parameters: parameters))
        }
        let body = try parseWholeBody(of: "call", at: tag.range, isSound: header != nil)
        guard case (let call, var macro)? = header else { return .unsound(body) }
        macro.body = body
        return .call(call, macro)
    }

    private mutating func parseParameters() throws(Stop)
        -> [(name: String, fallback: Expression?)]
    {
        var parameters: [(name: String, fallback: Expression?)] = []
        try expect(.openParenthesis)
        while !isSign(.closeParenthesis) {
            if !parameters.isEmpty { try expect(.comma) }
            let name = try expectName("the name of a parameter")
            if parameters.contains(where: { $0.name == name.name }) {
                throw complain(.argumentGivenTwice(name.name), at: name.range)
            }
            if skip(.assign) {
                parameters.append((name.name, try parseExpression()))
            } else if parameters.last?.fallback != nil {
                throw complain(.defaultBeforePlain(name.name), at: name.range)
            } else {
                parameters.append((name.name, nil))
            }
        }
        try expect(.closeParenthesis)
        return parameters
    }

    private mutating func parseWith(_ tag: Expression.Reference) throws(Stop) -> Statement.Form {
        let header = header { parser throws(Stop) in
            var pairs: [(target: Statement.Target, value: Expression)] = []
            while parser.token.kind != .tagEnd {
                if !pairs.isEmpty { try parser.expect(.comma) }
                let target = try parser.parseTarget(allowsTuple: false)
                try parser.expect(.assign)
                pairs.append((target, try parser.parseExpression()))
            }
            return pairs
        }
        let body = try parseWholeBody(of: "with", at: tag.range, isSound: header != nil)
        return header.map { .with($0, body) } ?? .unsound(body)
    }
}

extension Statement.Form {
    /// What stays of a tag whose opening is not understood: its body, so that
    /// names in it are still checked.
    fileprivate static func unsound(_ body: [Statement]) -> Statement.Form {
        .branch([], otherwise: body)
    }
}
