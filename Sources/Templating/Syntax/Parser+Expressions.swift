// Expressions, by precedence climbing: one level of recursion for each level
// of nesting, not one for each level of precedence.

extension Parser {
    /// How tightly each operator binds; from loosest to tightest.
    private enum Precedence: Int, Comparable {
        case or, and, not, comparison, sum, concat, product, power

        static func < (one: Precedence, other: Precedence) -> Bool {
            one.rawValue < other.rawValue
        }
    }

    /// An expression, and several with commas between them as a tuple.
    mutating func parseTuple(
        allowsConditional: Bool = true, ends: [String] = [], isParenthesized: Bool = false
    ) throws(Stop) -> Expression {
        let start = token.range
        var elements: [Expression] = []
        var isTuple = false
        while true {
            if isTupleEnd(ends) { break }
            elements.append(
                allowsConditional ? try parseExpression() : try parseUnconditional())
            guard skip(.comma) else { break }
            isTuple = true
        }
        if !isTuple, let only = elements.first { return only }
        if elements.isEmpty, !isParenthesized { throw unexpected("an expression") }
        let stop = tokens[max(position - 1, 0)].range.upperBound
        return try checked(
            Expression(
                .tuple(elements), start.lowerBound..<max(stop, start.upperBound),
                around: elements))
    }

    private func isTupleEnd(_ ends: [String]) -> Bool {
        switch token.kind {
        case .printEnd, .tagEnd, .sign(.closeParenthesis): true
        case .name(let name): ends.contains(name)
        default: false
        }
    }

    /// Refuses what the compiler could not walk on a small stack.
    private mutating func checked(_ expression: Expression) throws(Stop) -> Expression {
        guard expression.depth <= Self.depthLimit else {
            throw tooDeep(at: expression.range)
        }
        return expression
    }

    /// An expression with `… if … else …`.
    mutating func parseExpression() throws(Stop) -> Expression {
        try nested { parser throws(Stop) in
            var result = try parser.parseBinary(.or)
            while parser.skip(name: "if") {
                let test = try parser.parseBinary(.or)
                let otherwise = parser.skip(name: "else") ? try parser.parseExpression() : nil
                let inner = [result, test] + (otherwise.map { [$0] } ?? [])
                result = try parser.checked(
                    Expression(
                        .conditional(test: test, then: result, otherwise: otherwise),
                        result.range, around: inner))
            }
            return result
        }
    }

    private mutating func parseUnconditional() throws(Stop) -> Expression {
        try nested { parser throws(Stop) in try parser.parseBinary(.or) }
    }

    private mutating func parseBinary(_ lowest: Precedence) throws(Stop) -> Expression {
        var left: Expression
        if lowest <= .not, isName("not") {
            let range = token.range
            advance()
            let operand = try nested { parser throws(Stop) in try parser.parseBinary(.not) }
            left = try checked(Expression(.unary(.not, operand), range, around: [operand]))
        } else {
            left = try parseUnary()
        }
        while let precedence = operatorHere(), precedence >= lowest {
            left = try parseOperation(precedence, left)
        }
        return left
    }

    private func operatorHere() -> Precedence? {
        switch token.kind {
        case .name("or"): .or
        case .name("and"): .and
        case .name("in"): .comparison
        case .name("not") where isName("in", after: 1): .comparison
        case .sign(.equal), .sign(.unequal), .sign(.less), .sign(.lessOrEqual), .sign(.greater),
            .sign(.greaterOrEqual):
            .comparison
        case .sign(.plus), .sign(.minus): .sum
        case .sign(.concat): .concat
        case .sign(.times), .sign(.divide), .sign(.floorDivide), .sign(.modulo): .product
        case .sign(.power): .power
        default: nil
        }
    }

    /// All operations of one level that follow `left`.
    private mutating func parseOperation(
        _ precedence: Precedence, _ left: Expression
    ) throws(Stop) -> Expression {
        let range = token.range
        let tighter = Precedence(rawValue: precedence.rawValue + 1)
        switch precedence {
        case .or, .and, .concat:
            var operands = [left]
            while operatorHere() == precedence {
                advance()
                operands.append(try parseBinary(tighter ?? .power))
            }
            let form: Expression.Form =
                switch precedence {
                case .or: .or(operands)
                case .and: .and(operands)
                default: .concat(operands)
                }
            return try checked(Expression(form, range, around: operands))
        case .comparison:
            var operands: [Expression.ComparisonStep] = []
            while operatorHere() == .comparison {
                let operation = takeComparison()
                operands.append(
                    Expression.ComparisonStep(
                        operation: operation, operand: try parseBinary(.sum)))
            }
            return try checked(
                Expression(
                    .comparison(left, operands), range,
                    around: [left] + operands.map(\.operand)))
        case .sum, .product, .power, .not:
            guard case .sign(let sign) = token.kind,
                let operation = Expression.Binary(rawValue: sign.rawValue)
            else { throw unexpected("an operator") }
            advance()
            let right =
                precedence == .power
                ? try parseUnary() : try parseBinary(tighter ?? .power)
            return try checked(
                Expression(.binary(operation, left, right), range, around: [left, right]))
        }
    }

    private mutating func takeComparison() -> Expression.Comparison {
        defer { advance() }
        switch token.kind {
        case .sign(.equal): return .equal
        case .sign(.unequal): return .unequal
        case .sign(.less): return .less
        case .sign(.lessOrEqual): return .lessOrEqual
        case .sign(.greater): return .greater
        case .sign(.greaterOrEqual): return .greaterOrEqual
        case .name("not"):
            advance()
            return .isNotIn
        default: return .isIn
        }
    }

    /// A sign, a primary expression, and what follows it directly. Behind a
    /// sign, filters and tests wait for the whole: `-1 | abs` is 1.
    private mutating func parseUnary(takesFilters: Bool = true) throws(Stop) -> Expression {
        var result: Expression
        if isSign(.minus) || isSign(.plus) {
            let range = token.range
            let operation: Expression.Unary = isSign(.minus) ? .negate : .plus
            advance()
            let operand = try nested { parser throws(Stop) in
                try parser.parseUnary(takesFilters: false)
            }
            result = try checked(
                Expression(.unary(operation, operand), range, around: [operand]))
        } else {
            result = try parsePrimary()
        }
        result = try parsePostfix(result)
        guard takesFilters else { return result }
        while true {
            if skip(.pipe) {
                result = try parseOneFilter(on: result)
            } else if isName("is") {
                result = try parseTest(on: result)
            } else if isSign(.openParenthesis) {
                result = try parseCall(of: result)
            } else {
                return result
            }
        }
    }

    /// Members, elements and calls behind an expression.
    mutating func parsePostfix(_ base: Expression) throws(Stop) -> Expression {
        var result = base
        while true {
            if skip(.dot) {
                result = try parseMember(of: result)
            } else if isSign(.openBracket) {
                result = try parseSubscript(of: result)
            } else if isSign(.openParenthesis) {
                result = try parseCall(of: result)
            } else {
                return result
            }
        }
    }

    private mutating func parseMember(of base: Expression) throws(Stop) -> Expression {
        let range = token.range
        switch token.kind {
        case .name(let name):
            advance()
            return try checked(Expression(.member(base, name), range, around: [base]))
        case .integer(let index):
            advance()
            let key = Expression(.constant(.integer(index)), range)
            return try checked(Expression(.item(base, key), range, around: [base]))
        default: throw unexpected("the name of a member")
        }
    }

    private mutating func parseSubscript(of base: Expression) throws(Stop) -> Expression {
        let start = token.range
        advance()
        var bounds: [Expression?] = [nil]
        if !isSign(.colon) { bounds[0] = try parseTuple(ends: []) }
        while bounds.count < 3, skip(.colon) {
            bounds.append(isSign(.colon) || isSign(.closeBracket) ? nil : try parseExpression())
        }
        let range = start.lowerBound..<token.range.upperBound
        try expect(.closeBracket)
        if bounds.count == 1, let key = bounds[0] {
            return try checked(Expression(.item(base, key), range, around: [base, key]))
        }
        return try checked(
            Expression(
                .slice(
                    base, start: bounds[0], stop: bounds[1],
                    step: bounds.count > 2 ? bounds[2] : nil),
                range, around: [base] + bounds.compactMap(\.self)))
    }

    private mutating func parseCall(of callee: Expression) throws(Stop) -> Expression {
        let arguments = try parseArguments()
        return try checked(
            Expression(
                .call(callee, arguments), callee.range, around: [callee],
                depth: arguments.depth))
    }
}
