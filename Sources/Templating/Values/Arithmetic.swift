#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A number as arithmetic sees it; booleans count as 0 and 1.
enum Numeric {
    case integer(Int)
    case number(Double)

    var double: Double {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        }
    }
}

extension TemplateValue {
    /// The number it is; nil for anything else.
    var numeric: Numeric? {
        switch self {
        case .integer(let number): .integer(number)
        case .number(let number): .number(number)
        case .boolean(let flag): .integer(flag ? 1 : 0)
        default: nil
        }
    }

    func negated() throws(TemplateProblem) -> TemplateValue {
        try requireDefined()
        switch numeric {
        case .integer(let number):
            guard number != .min else { throw .overflow("-") }
            return .integer(-number)
        case .number(let number): return .number(-number)
        case nil: throw .cannot("use '-' with", of: [kindName])
        }
    }

    func unsigned() throws(TemplateProblem) -> TemplateValue {
        try requireDefined()
        switch numeric {
        case .integer(let number): return .integer(number)
        case .number(let number): return .number(number)
        case nil: throw .cannot("use '+' with", of: [kindName])
        }
    }

    /// The result of a binary operator.
    func combined(
        _ operation: Expression.Binary, _ other: TemplateValue, _ host: RenderHost
    ) throws(TemplateProblem) -> TemplateValue {
        try requireDefined()
        if case .modulo = operation, let format = try percentFormatted(with: other, host) {
            return format
        }
        try other.requireDefined()
        if let one = numeric, let two = other.numeric {
            if case (.integer(let left), .integer(let right)) = (one, two) {
                return try Self.combine(operation, left, right)
            }
            return try Self.combine(operation, one.double, two.double)
        }
        switch operation {
        case .add: if let sum = try joined(with: other, host) { return sum }
        case .multiply:
            if case .integer(let count)? = other.numeric,
                let result = try repeated(count, host)
            {
                return result
            }
            if case .integer(let count)? = numeric, let result = try other.repeated(count, host) {
                return result
            }
        default: break
        }
        throw .cannot(operation.verb, of: [kindName, other.kindName])
    }

    private static func combine(
        _ operation: Expression.Binary, _ left: Int, _ right: Int
    ) throws(TemplateProblem) -> TemplateValue {
        let result: (partialValue: Int, overflow: Bool)
        switch operation {
        case .add: result = left.addingReportingOverflow(right)
        case .subtract: result = left.subtractingReportingOverflow(right)
        case .multiply: result = left.multipliedReportingOverflow(by: right)
        case .divide:
            guard right != 0 else { throw .divisionByZero }
            return .number(Double(left) / Double(right))
        case .floorDivide, .modulo:
            guard right != 0 else { throw .divisionByZero }
            if right == -1 {
                if case .modulo = operation { return .integer(0) }
                guard left != .min else { throw .overflow(operation.rawValue) }
                return .integer(-left)
            }
            // Python rounds down; the remainder has the divisor's sign.
            let (quotient, remainder) = left.quotientAndRemainder(dividingBy: right)
            let isBelow = remainder != 0 && (remainder < 0) != (right < 0)
            if case .modulo = operation {
                return .integer(isBelow ? remainder + right : remainder)
            }
            return .integer(isBelow ? quotient - 1 : quotient)
        case .power:
            guard right >= 0 else { return try combine(.power, Double(left), Double(right)) }
            return .integer(try power(left, right))
        }
        if result.overflow { throw .overflow(operation.rawValue) }
        return .integer(result.partialValue)
    }

    private static func power(_ base: Int, _ exponent: Int) throws(TemplateProblem) -> Int {
        if exponent == 0 || base == 1 { return 1 }
        if base == 0 { return 0 }
        if base == -1 { return exponent.isMultiple(of: 2) ? 1 : -1 }
        guard exponent < 64 else { throw .overflow("**") }
        var result = 1
        for _ in 0..<exponent {
            let (next, overflow) = result.multipliedReportingOverflow(by: base)
            if overflow { throw .overflow("**") }
            result = next
        }
        return result
    }

    private static func combine(
        _ operation: Expression.Binary, _ left: Double, _ right: Double
    ) throws(TemplateProblem) -> TemplateValue {
        switch operation {
        case .add: return .number(left + right)
        case .subtract: return .number(left - right)
        case .multiply: return .number(left * right)
        case .divide:
            guard right != 0 else { throw .divisionByZero }
            return .number(left / right)
        case .modulo, .floorDivide:
            guard right != 0 else { throw .divisionByZero }
            var remainder = left.truncatingRemainder(dividingBy: right)
            var quotient = (left - remainder) / right
            if remainder != 0, (remainder < 0) != (right < 0) {
                remainder += right
                quotient -= 1
            } else if remainder == 0 {
                remainder = right < 0 ? -0.0 : 0.0
            }
            if case .modulo = operation { return .number(remainder) }
            return .number(quotient.rounded(.toNearestOrAwayFromZero))
        case .power:
            if left == 0, right < 0 { throw .divisionByZero }
            let result = pow(left, right)
            guard !result.isNaN || left.isNaN || right.isNaN else {
                throw .invalidArgument("a negative number has no power with a fraction")
            }
            guard result.isFinite || !left.isFinite || !right.isFinite else {
                throw .overflow("**")
            }
            return .number(result)
        }
    }

    // MARK: Sequences

    private func joined(
        with other: TemplateValue, _ host: RenderHost
    ) throws(TemplateProblem) -> TemplateValue? {
        switch (self, other) {
        case (.string(let one), .string(let two)):
            try host.checkSize(one.utf8.count + two.utf8.count)
            return .string(one + two)
        case (.string, .markup), (.markup, .string), (.markup, .markup):
            let bytes = try escaped(host) + other.escaped(host)
            try host.checkSize(bytes.count)
            return .markup(MarkupBytes(bytes))
        case (.list(let one), .list(let two)):
            try host.checkSize(one.count + two.count)
            return .list(one + two)
        case (.tuple(let one), .tuple(let two)):
            try host.checkSize(one.count + two.count)
            return .tuple(one + two)
        default: return nil
        }
    }

    private func repeated(
        _ count: Int, _ host: RenderHost
    ) throws(TemplateProblem) -> TemplateValue? {
        let count = max(count, 0)
        func check(_ length: Int) throws(TemplateProblem) {
            let (total, overflow) = length.multipliedReportingOverflow(by: count)
            try host.checkSize(overflow ? .max : total)
        }
        switch self {
        case .string(let text):
            try check(text.utf8.count)
            return .string(String(repeating: text, count: text.isEmpty ? 0 : count))
        case .markup(let markup):
            try check(markup.bytes.count)
            let bytes = Array(repeatElement(markup.bytes, count: markup.bytes.isEmpty ? 0 : count))
            return .markup(MarkupBytes(Array(bytes.joined())))
        case .list(let elements), .tuple(let elements):
            try check(elements.count)
            let copies = repeatElement(elements, count: elements.isEmpty ? 0 : count)
            let joined = Array(copies.joined())
            if case .list = self { return .list(joined) }
            return .tuple(joined)
        default: return nil
        }
    }
}

extension Expression.Binary {
    /// What messages say cannot be done.
    var verb: String {
        switch self {
        case .add: "add"
        case .subtract: "subtract"
        case .multiply: "multiply"
        case .divide, .floorDivide: "divide"
        case .modulo: "take the remainder of"
        case .power: "raise to a power"
        }
    }
}
