import Bytes

/// Turns the statements of templates into instructions, and finds what can be
/// found wrong without rendering: unknown filters, tests and templates,
/// arguments nobody takes, names in the wrong place.
struct Compiler {
    var builder: ProgramBuilder
    var diagnostics: [PlacedProblem] = []
    /// The template at hand.
    var template = 0
    /// The functions that are open, outermost first.
    var functions: [FunctionScope] = []
    var extending = Extending.no
    /// Open branches and loops: what stands in them may not be reached.
    var conditions = 0
    /// The blocks of the template at hand.
    var blockNames: Set<String> = []
    /// Templates that a template cannot do without, with the place that says so.
    var needs: [(from: Int, to: Int, range: Range<Int>)] = []

    init(_ builder: ProgramBuilder) {
        self.builder = builder
    }

    /// Compiles one template; its source is in the builder already.
    mutating func compile(_ statements: [Statement], template index: Int) {
        template = index
        extending = .no
        conditions = 0
        blockNames = []
        functions = [FunctionScope(.root, FunctionCode(name: "", template: index))]
        compile(statements)
        builder.templates[index].root = closeFunction(at: 0..<0)
    }

    mutating func complain(_ problem: TemplateProblem, at range: Range<Int>) {
        diagnostics.append(PlacedProblem(problem: problem, range: range))
    }

    // MARK: Code

    var function: FunctionScope {
        get { functions[functions.count - 1] }
        _modify { yield &functions[functions.count - 1] }
    }

    /// Where the next instruction goes, from the function's start.
    var here: Int { function.code.count }

    @discardableResult
    mutating func emit(
        _ operation: Instruction.Operation, _ range: Range<Int>, flag: UInt8 = 0,
        symbol: UInt16 = 0, operand: Int = 0
    ) -> Int {
        function.code.append(
            Instruction(
                operation: operation, flag: flag, symbol: symbol,
                operand: Int32(clamping: operand)))
        function.places.append(CodePlace(range))
        return function.code.count - 1
    }

    /// Lets the jump at `place` lead to the next instruction.
    mutating func land(_ place: Int) {
        function.code[place].operand = Int32(clamping: here)
    }

    func slot(_ slot: Int) -> UInt16 {
        UInt16(clamping: slot)
    }

    mutating func symbol(_ name: String) -> UInt16 {
        builder.symbols.intern(name).rawValue
    }

    /// Ends the innermost function and adds its code to the program's.
    mutating func closeFunction(at range: Range<Int>) -> Int {
        emit(.finish, range)
        var done = functions.removeLast()
        if done.slotCount > Int(UInt16.max) {
            complain(.tooLargeToCompile(limit: Int(UInt16.max)), at: range)
        }
        let base = builder.code.count
        for var instruction in done.code {
            if instruction.operation.jumps { instruction.operand += Int32(clamping: base) }
            builder.code.append(instruction)
        }
        builder.places += done.places
        done.function.entry = base
        done.function.slotCount = done.slotCount
        done.function.captures = done.captured.map { ($0.key, $0.value) }
            .sorted { $0.inner < $1.inner }
        builder.functions.append(done.function)
        return builder.functions.count - 1
    }

    // MARK: Output

    /// Compiles what writes output, unless it cannot appear.
    mutating func compileOutput(_ range: Range<Int>, _ body: (inout Compiler) -> Void) {
        guard function.kind == .root, extending != .no else { return body(&self) }
        guard extending == .perhaps else { return }
        let jump = emit(.jumpIfExtending, range)
        body(&self)
        land(jump)
    }

    mutating func emitText(_ bytes: [UInt8], _ range: Range<Int>) {
        guard !bytes.isEmpty else { return }
        let start = builder.text.count
        builder.text += bytes
        builder.texts.append(start..<builder.text.count)
        emit(.text, range, operand: builder.texts.count - 1)
    }

    // MARK: Names

    /// The slots a name may be in, innermost first, at an open function.
    mutating func slots(of name: String, at level: Int) -> [Int] {
        var slots = functions[level].scopes.reversed().compactMap { $0[name] }
        functions[level].used.formUnion(slots)
        guard functions[level].kind == .closure, level > 0 else { return slots }
        for outer in self.slots(of: name, at: level - 1) {
            if let inner = functions[level].captured[outer] {
                slots.append(inner)
            } else {
                let inner = functions[level].makeSlot()
                functions[level].captured[outer] = inner
                slots.append(inner)
            }
        }
        return slots
    }

    mutating func emitLoad(_ name: String, _ range: Range<Int>) {
        if name == "self" {
            emit(.loadSelf, range)
            return
        }
        let slots = slots(of: name, at: functions.count - 1)
        let jumps = slots.map { emit(.loadSlotOrContinue, range, symbol: slot($0)) }
        emit(.loadName, range, symbol: symbol(name))
        for jump in jumps { land(jump) }
    }

    /// Whether a variable set here goes to the context.
    var isTopLevel: Bool {
        function.kind == .root && function.scopes.isEmpty
    }

    /// Takes the top into a variable of the innermost scope.
    mutating func emitStore(_ name: String, _ range: Range<Int>) {
        if isTopLevel {
            emit(.storeName, range, symbol: symbol(name))
        } else {
            emit(.storeSlot, range, symbol: slot(function.declare(name)))
        }
    }

    mutating func emitStore(_ target: Statement.Target, _ range: Range<Int>) {
        switch target {
        case .name(let name): emitStore(name, range)
        case .tuple(let targets):
            emit(.unpack, range, operand: targets.count)
            for target in targets { emitStore(target, range) }
        case .attribute(let namespace, let name):
            emitLoad(namespace, range)
            emit(.storeAttribute, range, symbol: symbol(name))
        }
    }

    /// Opens a scope in which `names` are set somewhere: they are known, and
    /// unset, from its start.
    mutating func openScope(_ names: [String], _ range: Range<Int>) {
        function.scopes.append([:])
        let first = function.slotCount
        for name in names { _ = function.declare(name) }
        let count = function.slotCount - first
        if count > 0 { emit(.clearSlots, range, symbol: slot(first), operand: count) }
    }

    mutating func closeScope() {
        function.scopes.removeLast()
    }

    /// The locals in sight, for a template or block that may read any of them.
    mutating func emitLocalMap() -> Int {
        var names: Set<String> = []
        for level in functions.indices.reversed() {
            for scope in functions[level].scopes { names.formUnion(scope.keys) }
            if functions[level].kind != .closure { break }
        }
        names.remove("super")
        var map: [LocalName] = []
        for name in names.sorted() {
            let symbol = builder.symbols.intern(name)
            for slot in slots(of: name, at: functions.count - 1) {
                map.append(LocalName(name: symbol, slot: slot))
            }
        }
        guard !map.isEmpty else { return -1 }
        builder.localMaps.append(map)
        return builder.localMaps.count - 1
    }
}
