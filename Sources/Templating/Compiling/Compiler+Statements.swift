extension Compiler {
    mutating func compile(_ statements: [Statement]) {
        for statement in statements { compile(statement) }
    }

    private mutating func compile(_ statement: Statement) {
        let range = statement.range
        switch statement.form {
        case .text(let bytes):
            compileOutput(range) { $0.emitText(bytes, range) }
        case .print(let expressions):
            compileOutput(range) { compiler in
                for expression in expressions { compiler.compilePrint(expression) }
            }
        case .loop(let loop): compile(loop, range)
        case .branch(let branches, let otherwise): compile(branches, otherwise, range)
        case .set(let target, let value):
            compile(value)
            emitStore(target, value.range)
        case .setBlock(let target, let value, let body):
            compileCapture(body, range)
            compile(value)
            emitStore(target, range)
        case .block(let block): compile(block, range)
        case .extends(let template): compileExtends(template, range)
        case .include(let inclusion, let ignoresMissing):
            compileOutput(range) { $0.compileInclude(inclusion, ignoresMissing, range) }
        case .importing(let inclusion, let name):
            compileImport(inclusion, range)
            emitStore(name, range)
        case .importingNames(let inclusion, let names):
            compileImport(inclusion, range)
            for (name, alias) in names {
                // The module stays below for the next name.
                emit(.exported, name.range, symbol: symbol(name.name))
                emitStore(alias, name.range)
            }
            emit(.pop, range)
        case .macro(let macro):
            let function = compile(macro, range)
            emit(.makeMacro, range, operand: function)
            emitStore(macro.name, range)
        case .call(let call, let macro):
            compileOutput(range) { $0.compileCallBlock(call, macro, range) }
        case .filter(let filters, let body):
            compileOutput(range) { compiler in
                compiler.compileCapture(body, range)
                compiler.compilePrint(filters)
            }
        case .with(let pairs, let body): compileWith(pairs, body, range)
        case .autoescape(let flag, let body):
            compile(flag)
            emit(.escapingStart, flag.range)
            compileScope(body, range)
            emit(.escapingEnd, range)
        }
    }

    /// Compiles statements in a scope of their own.
    private mutating func compileScope(_ body: [Statement], _ range: Range<Int>) {
        openScope(body.assignedNames, range)
        compile(body)
        closeScope()
    }

    /// Leaves the text that statements write as the top.
    private mutating func compileCapture(_ body: [Statement], _ range: Range<Int>) {
        emit(.captureStart, range)
        // What is captured does not appear, but is needed even where a
        // template is extended.
        let outer = extending
        extending = .no
        compileScope(body, range)
        extending = outer
        emit(.captureEnd, range)
    }

    private mutating func compile(
        _ branches: [(test: Expression, body: Statement.Body)], _ otherwise: [Statement],
        _ range: Range<Int>
    ) {
        conditions += 1
        var exits: [Int] = []
        for (test, body) in branches {
            compile(test)
            let next = emit(.jumpIfFalse, test.range)
            compile(body)
            exits.append(emit(.jump, range))
            land(next)
        }
        compile(otherwise)
        for exit in exits { land(exit) }
        conditions -= 1
    }

    private mutating func compileWith(
        _ pairs: [(target: Statement.Target, value: Expression)], _ body: [Statement],
        _ range: Range<Int>
    ) {
        // All values are those of the scope around the tag.
        for pair in pairs { compile(pair.value) }
        openScope(pairs.flatMap { $0.target.names } + body.assignedNames, range)
        for pair in pairs.reversed() { emitStore(pair.target, pair.value.range) }
        compile(body)
        closeScope()
    }

    // MARK: Loops

    private mutating func compile(_ loop: Statement.Loop, _ range: Range<Int>) {
        conditions += 1
        defer { conditions -= 1 }
        guard loop.isRecursive else {
            compile(loop.sequence)
            return compileRounds(loop, range)
        }
        compileOutput(range) { $0.compileRecursive(loop, range) }
    }

    private mutating func compileRecursive(_ loop: Statement.Loop, _ range: Range<Int>) {
        compile(loop.sequence)
        let code = FunctionCode(name: "loop", template: template)
        functions.append(FunctionScope(.closure, code))
        function.scopes.append([:])
        compileRounds(loop, range)
        let index = closeFunction(at: range)
        emit(.makeMacro, range, operand: index)
        emit(.callLoop, range)
    }

    /// Goes through the sequence that is the top.
    private mutating func compileRounds(_ loop: Statement.Loop, _ range: Range<Int>) {
        let place = loop.sequence.range
        if let condition = loop.condition {
            let start = emit(.collectStart, place)
            let next = emit(.loopNext, place)
            openScope(loop.target.names, range)
            emitStore(loop.target, place)
            compile(condition)
            closeScope()
            emit(.collect, condition.range)
            emit(.jump, range, operand: next)
            land(start)
            land(next)
        }
        let start = emit(.loopStart, place)
        let next = emit(.loopNext, place)
        openScope(loop.target.names + ["loop"] + loop.body.assignedNames, range)
        let loopSlot = function.declare("loop")
        // The clearing must not take the loop object, which lives on.
        clearAllBut(loopSlot)
        emitStore(loop.target, place)
        compile(loop.body)
        closeScope()
        emit(.jump, range, operand: next)
        land(start)
        if function.used.contains(loopSlot) { function.code[start].flag = 1 }
        function.code[start].symbol = slot(loopSlot)
        if !loop.otherwise.isEmpty { compileScope(loop.otherwise, range) }
        land(next)
    }

    /// Splits the clearing that opened the innermost scope around one slot.
    private mutating func clearAllBut(_ kept: Int) {
        let last = function.code.count - 1
        let clearing = function.code[last]
        let place = function.places[last]
        guard clearing.operation == .clearSlots else { return }
        let first = Int(clearing.symbol)
        let end = first + Int(clearing.operand)
        function.code[last].operand = Int32(clamping: kept - first)
        if end > kept + 1 {
            emit(.clearSlots, place.range, symbol: slot(kept + 1), operand: end - kept - 1)
        }
    }

    // MARK: Functions

    mutating func compile(_ macro: Statement.Macro, _ range: Range<Int>) -> Int {
        var code = FunctionCode(name: macro.name, template: template)
        code.parameters = macro.parameters.map {
            FunctionCode.Parameter(name: $0.name, hasDefault: $0.fallback != nil)
        }
        functions.append(FunctionScope(.closure, code))
        function.scopes.append([:])
        for parameter in macro.parameters { _ = function.declare(parameter.name) }
        let extras = ["caller", "varargs", "kwargs"].map { name in
            macro.parameters.contains { $0.name == name } ? nil : function.declare(name)
        }
        for (place, parameter) in macro.parameters.enumerated() {
            guard let fallback = parameter.fallback else { continue }
            let jump = emit(.jumpIfSet, fallback.range, symbol: slot(place))
            compile(fallback)
            emit(.storeSlot, fallback.range, symbol: slot(place))
            land(jump)
        }
        for name in macro.body.assignedNames { _ = function.declare(name) }
        compile(macro.body)
        let used = function.used
        let slots = extras.map { slot in slot.flatMap { used.contains($0) ? $0 : nil } }
        function.function.callerSlot = slots[0]
        function.function.varargsSlot = slots[1]
        function.function.kwargsSlot = slots[2]
        return closeFunction(at: range)
    }

    private mutating func compile(_ block: Statement.Block, _ range: Range<Int>) {
        guard blockNames.insert(block.name).inserted else {
            return complain(.blockDefinedTwice(block.name), at: range)
        }
        let name = symbol(block.name)
        let map = block.isScoped ? emitLocalMap() : -1
        functions.append(
            FunctionScope(.block, FunctionCode(name: block.name, template: template)))
        function.scopes.append([:])
        let superSlot = function.declare("super")
        let prologue = emit(.declareSuper, range, symbol: slot(superSlot))
        let (outerExtending, outerConditions) = (extending, conditions)
        extending = .no
        compileScope(block.body, range)
        (extending, conditions) = (outerExtending, outerConditions)
        if function.used.contains(superSlot) { function.code[prologue].flag = 1 }
        let index = closeFunction(at: range)
        builder.templates[template].blocks.append(
            CompiledTemplate.Block(
                name: Symbol(rawValue: name), function: index, isRequired: block.isRequired))
        compileOutput(range) { $0.emit(.block, range, symbol: name, operand: map) }
    }
}

extension Statement.Target {
    /// The variables it sets; attributes set none.
    var names: [String] {
        switch self {
        case .name(let name): [name]
        case .tuple(let targets): targets.flatMap(\.names)
        case .attribute: []
        }
    }
}

extension [Statement] {
    /// The variables that these statements set in the scope they stand in.
    var assignedNames: [String] {
        flatMap { statement -> [String] in
            switch statement.form {
            case .set(let target, _), .setBlock(let target, _, _): target.names
            case .macro(let macro): [macro.name]
            case .importing(_, let name): [name]
            case .importingNames(_, let names): names.map(\.alias)
            case .branch(let branches, let otherwise):
                branches.flatMap { $0.body.assignedNames } + otherwise.assignedNames
            default: []
            }
        }
    }
}
