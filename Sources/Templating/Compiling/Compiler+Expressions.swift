extension Compiler {
    /// Leaves the expression's value as the top.
    mutating func compile(_ expression: Expression) {
        let range = expression.range
        switch expression.form {
        case .constant(let constant): emitConstant(constant, range)
        case .name(let name): emitLoad(name, range)
        case .list(let elements): compile(elements, .makeList, range)
        case .tuple(let elements): compile(elements, .makeTuple, range)
        case .concat(let operands): compile(operands, .concat, range)
        case .dictionary(let pairs):
            for pair in pairs {
                compile(pair.key)
                compile(pair.value)
            }
            emit(.makeDictionary, range, operand: pairs.count)
        case .member(let base, let name):
            compile(base)
            emit(.member, range, symbol: symbol(name))
        case .item(let base, let key):
            compile(base)
            if case .constant(.string(let name)) = key.form { _ = symbol(name) }
            compile(key)
            emit(.item, range)
        case .slice(let base, let start, let stop, let step):
            compile(base)
            for bound in [start, stop, step] {
                if let bound { compile(bound) } else { emitConstant(.none, range) }
            }
            emit(.slice, range)
        case .call(let callee, let arguments):
            compileCall(callee, arguments, prints: false, range)
        case .filter(let base, let reference, let arguments):
            compile(base)
            compileFilter(reference, arguments)
        case .test(let base, let reference, let arguments, let isNegated):
            compile(base)
            compileTest(reference, arguments)
            if isNegated { emit(.not, range) }
        case .captured: break
        case .unary(let operation, let operand):
            compile(operand)
            switch operation {
            case .not: emit(.not, range)
            case .negate: emit(.negate, range)
            case .plus: emit(.plus, range)
            }
        case .binary(let operation, let left, let right):
            compile(left)
            compile(right)
            emit(.binary, range, flag: operation.code)
        case .comparison(let first, let rest): compileComparison(first, rest, range)
        case .and(let operands): compileChain(operands, .jumpIfFalseKeeping)
        case .or(let operands): compileChain(operands, .jumpIfTrueKeeping)
        case .conditional(let test, let then, let otherwise):
            compile(test)
            let toOtherwise = emit(.jumpIfFalse, test.range)
            compile(then)
            let toEnd = emit(.jump, range)
            land(toOtherwise)
            if let otherwise {
                compile(otherwise)
            } else {
                emitConstant(.string(""), range)
            }
            land(toEnd)
        }
    }

    private mutating func compile(
        _ operands: [Expression], _ operation: Instruction.Operation, _ range: Range<Int>
    ) {
        for operand in operands { compile(operand) }
        emit(operation, range, operand: operands.count)
    }

    /// Prints an expression; calls of macros write directly, and members are printed
    /// without being a value that anything else could be done with.
    mutating func compilePrint(_ expression: Expression) {
        switch expression.form {
        case .constant(.string(let text)) where text.utf8.allSatisfy(\.isPlainInMarkup):
            emitText(Array(text.utf8), expression.range)
        case .call(let callee, let arguments):
            compileCall(callee, arguments, prints: true, expression.range)
        case .member(let base, let name):
            compile(base)
            emit(.printMember, expression.range, symbol: symbol(name))
        default:
            compile(expression)
            emit(.print, expression.range)
        }
    }

    private mutating func emitConstant(_ constant: Expression.Constant, _ range: Range<Int>) {
        builder.constants.append(constant)
        emit(.constant, range, operand: builder.constants.count - 1)
    }

    private mutating func compileComparison(
        _ first: Expression, _ rest: [Expression.ComparisonStep],
        _ range: Range<Int>
    ) {
        compile(first)
        var exits: [Int] = []
        for (place, step) in rest.enumerated() {
            compile(step.operand)
            if place == rest.count - 1 {
                emit(.compare, range, flag: step.operation.rawValue)
            } else {
                exits.append(emit(.compareOrJump, range, flag: step.operation.rawValue))
            }
        }
        for exit in exits { land(exit) }
    }

    private mutating func compileChain(
        _ operands: [Expression], _ jump: Instruction.Operation
    ) {
        var exits: [Int] = []
        for (place, operand) in operands.enumerated() {
            compile(operand)
            if place < operands.count - 1 { exits.append(emit(jump, operand.range)) }
        }
        for exit in exits { land(exit) }
    }

    // MARK: Calls

    private mutating func compileCall(
        _ callee: Expression, _ arguments: Expression.Arguments, prints: Bool,
        _ range: Range<Int>
    ) {
        if case .member(let base, let name) = callee.form {
            compile(base)
            let shape = compileArguments(arguments)
            emit(
                prints ? .callMemberPrinting : .callMember, range, symbol: symbol(name),
                operand: shape)
        } else {
            if case .name("super") = callee.form, !isInBlock {
                complain(.misplaced("super", belongs: "in a block"), at: range)
            }
            compile(callee)
            let shape = compileArguments(arguments)
            emit(prints ? .callPrinting : .call, range, operand: shape)
        }
    }

    private var isInBlock: Bool {
        functions.contains { $0.kind == .block }
    }

    /// The call of a call tag: the body is handed on as `caller`.
    mutating func compileCallBlock(
        _ call: Expression, _ macro: Statement.Macro, _ range: Range<Int>
    ) {
        guard case .call(let callee, let arguments) = call.form else { return }
        compile(callee)
        let shape = compileShape(arguments) { compiler, shape in
            let function = compiler.compile(macro, range)
            compiler.emit(.makeMacro, range, operand: function)
            shape.keywords.append("caller")
        }
        builder.shapes.append(shape)
        emit(.callPrinting, call.range, operand: builder.shapes.count - 1)
    }

    private mutating func compileArguments(_ arguments: Expression.Arguments) -> Int {
        let shape = compileShape(arguments) { _, _ in }
        builder.shapes.append(shape)
        return builder.shapes.count - 1
    }

    private mutating func compileShape(
        _ arguments: Expression.Arguments,
        addingKeywords: (inout Compiler, inout CallShape) -> Void
    ) -> CallShape {
        var shape = CallShape()
        shape.positional = arguments.positional.count
        for argument in arguments.positional { compile(argument) }
        for argument in arguments.keywords {
            compile(argument.value)
            shape.keywords.append(argument.name.name)
        }
        addingKeywords(&self, &shape)
        for spread in arguments.list + arguments.dictionary { compile(spread) }
        shape.hasList = !arguments.list.isEmpty
        shape.hasDictionary = !arguments.dictionary.isEmpty
        return shape
    }

    private mutating func compileFilter(
        _ reference: Expression.Reference, _ arguments: Expression.Arguments
    ) {
        guard let callable = builder.natives.filters[reference.name] else {
            return complain(
                .unknownFilter(
                    reference.name, candidates: builder.natives.filters.keys.sorted(),
                    isTest: builder.natives.tests[reference.name] != nil),
                at: reference.range)
        }
        compileNative(.filter, callable, reference, arguments)
    }

    private mutating func compileTest(
        _ reference: Expression.Reference, _ arguments: Expression.Arguments
    ) {
        guard let callable = builder.natives.tests[reference.name] else {
            return complain(
                .unknownTest(
                    reference.name, candidates: builder.natives.tests.keys.sorted(),
                    isFilter: builder.natives.filters[reference.name] != nil),
                at: reference.range)
        }
        compileNative(.test, callable, reference, arguments)
    }

    private mutating func compileNative(
        _ operation: Instruction.Operation, _ callable: NativeCallable,
        _ reference: Expression.Reference, _ arguments: Expression.Arguments
    ) {
        let shape = compileShape(arguments) { _, _ in }
        if let problem = callable.problem(with: shape) {
            let keyword = arguments.keywords.first { argument in
                guard case .unknownArgument(_, let name, _) = problem else { return false }
                return argument.name.name == name
            }
            complain(problem, at: keyword?.name.range ?? reference.range)
        }
        checkNamedCallable(callable, arguments)
        builder.sites.append(NativeCallSite(callable: callable, shape: shape))
        emit(operation, reference.range, operand: builder.sites.count - 1)
    }

    /// Checks the filter or test that `map('upper')` and `select('odd')` name.
    private mutating func checkNamedCallable(
        _ callable: NativeCallable, _ arguments: Expression.Arguments
    ) {
        guard let place = callable.namedCallablePlace, place.position < arguments.positional.count,
            case .constant(.string(let name)) = arguments.positional[place.position].form
        else { return }
        let range = arguments.positional[place.position].range
        let natives = builder.natives
        if place.isTest, natives.tests[name] == nil {
            complain(
                .unknownTest(
                    name, candidates: natives.tests.keys.sorted(),
                    isFilter: natives.filters[name] != nil),
                at: range)
        } else if !place.isTest, natives.filters[name] == nil {
            complain(
                .unknownFilter(
                    name, candidates: natives.filters.keys.sorted(),
                    isTest: natives.tests[name] != nil),
                at: range)
        }
    }
}

extension Expression.Binary {
    private static let all: [Expression.Binary] = [
        .add, .subtract, .multiply, .divide, .floorDivide, .modulo, .power,
    ]

    /// How an instruction holds it.
    var code: UInt8 { UInt8(Self.all.firstIndex(of: self) ?? 0) }

    init(code: UInt8) { self = Self.all[Int(code)] }
}

extension UInt8 {
    fileprivate var isPlainInMarkup: Bool {
        switch self {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), Ascii.quote,
            Ascii.apostrophe, 0..<0x20:
            false
        default: true
        }
    }
}
