// The leaves of expressions, filters, tests, arguments and targets.

extension Parser {
    /// Words that no variable can be called.
    private static let reserved: Set<String> = [
        "and", "or", "not", "in", "is", "if", "else", "elif",
    ]

    mutating func parsePrimary() throws(Stop) -> Expression {
        let start = token
        switch start.kind {
        case .name(let name):
            guard !Self.reserved.contains(name) else { throw unexpected("an expression") }
            advance()
            return Expression(Self.constant(name).map { .constant($0) } ?? .name(name), start.range)
        case .string(var text):
            var range = start.range
            advance()
            // Adjacent texts are one text.
            while case .string(let more) = token.kind {
                text += more
                range = range.lowerBound..<token.range.upperBound
                advance()
            }
            return Expression(.constant(.string(text)), range)
        case .integer(let number):
            advance()
            return Expression(.constant(.integer(number)), start.range)
        case .number(let number):
            advance()
            return Expression(.constant(.number(number)), start.range)
        case .sign(.openParenthesis):
            advance()
            let inner = try parseTuple(isParenthesized: true)
            try expect(.closeParenthesis)
            return inner
        case .sign(.openBracket): return try parseList()
        case .sign(.openBrace): return try parseDictionary()
        default: throw unexpected("an expression")
        }
    }

    private static func constant(_ name: String) -> Expression.Constant? {
        switch name {
        case "true", "True": .boolean(true)
        case "false", "False": .boolean(false)
        case "none", "None": Expression.Constant.none
        default: nil
        }
    }

    private mutating func parseList() throws(Stop) -> Expression {
        let start = token.range
        advance()
        var elements: [Expression] = []
        while !isSign(.closeBracket) {
            if !elements.isEmpty {
                try expect(.comma)
                if isSign(.closeBracket) { break }
            }
            elements.append(try parseExpression())
        }
        let range = start.lowerBound..<token.range.upperBound
        try expect(.closeBracket)
        return Expression(.list(elements), range, around: elements)
    }

    private mutating func parseDictionary() throws(Stop) -> Expression {
        let start = token.range
        advance()
        var pairs: [Expression.Pair] = []
        while !isSign(.closeBrace) {
            if !pairs.isEmpty {
                try expect(.comma)
                if isSign(.closeBrace) { break }
            }
            let key = try parseExpression()
            try expect(.colon)
            pairs.append(Expression.Pair(key: key, value: try parseExpression()))
        }
        let range = start.lowerBound..<token.range.upperBound
        try expect(.closeBrace)
        return Expression(.dictionary(pairs), range, around: pairs.flatMap { [$0.key, $0.value] })
    }

    // MARK: Filters and tests

    /// The filters of a filter tag: `upper | trim`, without a bar before the
    /// first.
    mutating func parseFilter(on base: Expression) throws(Stop) -> Expression {
        var result = try parseOneFilter(on: base)
        while skip(.pipe) { result = try parseOneFilter(on: result) }
        return result
    }

    mutating func parseOneFilter(on base: Expression) throws(Stop) -> Expression {
        let reference = try parseReference("the name of a filter")
        let arguments = isSign(.openParenthesis) ? try parseArguments() : Expression.Arguments()
        let result = Expression(
            .filter(base, reference, arguments), reference.range, around: [base],
            depth: arguments.depth)
        guard result.depth <= Self.depthLimit else {
            throw tooDeep(at: reference.range)
        }
        return result
    }

    private mutating func parseReference(_ what: String) throws(Stop) -> Expression.Reference {
        var reference = try expectName(what)
        while skip(.dot) {
            let part = try expectName(what)
            reference.name += "." + part.name
            reference.range = reference.range.lowerBound..<part.range.upperBound
        }
        return reference
    }

    mutating func parseTest(on base: Expression) throws(Stop) -> Expression {
        advance()
        let isNegated = skip(name: "not")
        let reference = try parseReference("the name of a test")
        var arguments = Expression.Arguments()
        if isSign(.openParenthesis) {
            arguments = try parseArguments()
        } else if isName("is") {
            throw complain(.chainedTest, at: token.range)
        } else if startsTestArgument() {
            arguments.positional = [
                try nested { parser throws(Stop) in
                    try parser.parsePostfix(try parser.parsePrimary())
                }
            ]
        }
        let result = Expression(
            .test(base, reference, arguments, isNegated: isNegated), reference.range,
            around: [base], depth: arguments.depth)
        guard result.depth <= Self.depthLimit else {
            throw tooDeep(at: reference.range)
        }
        return result
    }

    private func startsTestArgument() -> Bool {
        switch token.kind {
        case .name(let name): !Self.reserved.contains(name) && name != "recursive"
        case .string, .integer, .number, .sign(.openBracket), .sign(.openBrace): true
        default: false
        }
    }

    // MARK: Arguments

    mutating func parseArguments() throws(Stop) -> Expression.Arguments {
        var arguments = Expression.Arguments()
        try expect(.openParenthesis)
        var isFirst = true
        while !isSign(.closeParenthesis) {
            if !isFirst {
                try expect(.comma)
                if isSign(.closeParenthesis) { break }
            }
            isFirst = false
            try parseArgument(into: &arguments)
        }
        try expect(.closeParenthesis)
        return arguments
    }

    private mutating func parseArgument(
        into arguments: inout Expression.Arguments
    ) throws(Stop) {
        let start = token
        if skip(.times) {
            guard arguments.list.isEmpty, arguments.dictionary.isEmpty else {
                throw complain(.positionalAfterKeyword, at: start.range)
            }
            arguments.list = [try parseExpression()]
        } else if skip(.power) {
            guard arguments.dictionary.isEmpty else {
                throw complain(.positionalAfterKeyword, at: start.range)
            }
            arguments.dictionary = [try parseExpression()]
        } else if case .name(let name) = start.kind, token(after: 1).kind == .sign(.assign) {
            advance()
            advance()
            if arguments.keywords.contains(where: { $0.name.name == name }) {
                throw complain(.argumentGivenTwice(name), at: start.range)
            }
            let reference = Expression.Reference(name: name, range: start.range)
            arguments.keywords.append(
                Expression.Keyword(name: reference, value: try parseExpression()))
        } else {
            guard arguments.list.isEmpty, arguments.dictionary.isEmpty, arguments.keywords.isEmpty
            else { throw complain(.positionalAfterKeyword, at: start.range) }
            arguments.positional.append(try parseExpression())
        }
    }

    // MARK: Targets

    mutating func parseTarget(
        allowsTuple: Bool, allowsAttribute: Bool = false
    ) throws(Stop) -> Statement.Target {
        try nested { parser throws(Stop) in
            var targets: [Statement.Target] = []
            var isTuple = false
            while true {
                if isTuple,
                    parser.isName("in") || parser.isSign(.assign)
                        || parser.isSign(.closeParenthesis)
                {
                    break
                }
                targets.append(try parser.parseOneTarget(allowsAttribute: allowsAttribute))
                guard allowsTuple, parser.skip(.comma) else { break }
                isTuple = true
            }
            return isTuple ? .tuple(targets) : targets[0]
        }
    }

    private mutating func parseOneTarget(allowsAttribute: Bool) throws(Stop) -> Statement.Target {
        let start = token
        switch start.kind {
        case .name(let name):
            guard !Self.reserved.contains(name) else { throw unexpected("a name") }
            guard Self.constant(name) == nil else {
                throw complain(.notAssignable("'\(name)'"), at: start.range)
            }
            advance()
            guard allowsAttribute, skip(.dot) else { return .name(name) }
            return .attribute(of: name, try expectName().name)
        case .sign(.openParenthesis):
            advance()
            let target = try parseTarget(allowsTuple: true, allowsAttribute: allowsAttribute)
            try expect(.closeParenthesis)
            return target
        case .string, .integer, .number, .sign(.openBracket), .sign(.openBrace):
            throw complain(.notAssignable(start.description), at: start.range)
        default: throw unexpected("a name")
        }
    }
}
