extension Evaluator {
    mutating func runVariable(_ instruction: Instruction) throws(TemplateProblem) {
        let slot = slotBase + Int(instruction.symbol)
        switch instruction.operation {
        case .loadSlotOrContinue:
            let value = shared(memory.slots[slot])
            guard value.isSet else { return }
            push(value)
            place = Int(instruction.operand)
        case .loadName: push(value(named: Symbol(rawValue: instruction.symbol)))
        case .loadSelf:
            memory.watch(context)
            push(.make(.blocks(context)))
        case .storeSlot: store(pop(), in: slot)
        case .storeName:
            let value = pop()
            try value.checkDepth(host)
            context.set(Symbol(rawValue: instruction.symbol), value)
        case .clearSlots:
            for place in slot..<slot + Int(instruction.operand) { memory.slots[place] = .unset }
        case .storeAttribute:
            let target = pop()
            let value = pop()
            guard case .engine(let engine) = target, case .namespace(let namespace) = engine.kind
            else {
                try target.requireDefined()
                throw .expected("a namespace", found: target.kindName, by: "'set' of an attribute")
            }
            try value.checkDepth(host)
            memory.watch(namespace)
            namespace.attributes[program.symbols.names[Int(instruction.symbol)]] = value
        case .jumpIfSet:
            if shared(memory.slots[slot]).isSet { place = Int(instruction.operand) }
        case .declareSuper:
            guard instruction.flag == 1 else { return }
            let frame = memory.frames[memory.frames.count - 1]
            let name = program.symbols.symbol(of: program.functions[frame.function].name)
            memory.watch(frame.context)
            memory.slots[slot] = parentBlock(name, of: frame)
        default: return
        }
    }

    /// What `super` is in a block that runs.
    private func parentBlock(_ name: Symbol, of frame: Frame) -> TemplateValue {
        let functions = frame.context.functions(ofBlock: name) ?? []
        let depth = functions.firstIndex(of: frame.function).map { $0 + 1 } ?? 0
        return .make(.block(BlockReference(name: name, depth: depth, context: frame.context)))
    }

    func value(named symbol: Symbol) -> TemplateValue {
        if let value = context.value(of: symbol) { return value }
        if let callable = program.globals[symbol.rawValue] { return .make(.native(callable)) }
        return .undefined(UndefinedName(.name(program.symbols.name(of: symbol))))
    }

    mutating func store(_ value: TemplateValue, in slot: Int) {
        if case .engine(let engine) = memory.slots[slot], case .cell(let cell) = engine.kind {
            memory.cells[cell] = value
        } else {
            memory.slots[slot] = value
        }
    }

    /// What a slot holds, or what it shares.
    func shared(_ value: TemplateValue) -> TemplateValue {
        guard case .engine(let engine) = value, case .cell(let cell) = engine.kind else {
            return value
        }
        return memory.cells[cell]
    }

    /// Moves a slot's value to where macros can share it.
    mutating func share(_ slot: Int) -> Int {
        let value = memory.slots[slot]
        if case .engine(let engine) = value, case .cell(let cell) = engine.kind { return cell }
        memory.cells.append(value)
        memory.slots[slot] = .make(.cell(memory.cells.count - 1))
        return memory.cells.count - 1
    }
}

extension TemplateValue {
    var isSet: Bool {
        if case .engine(let engine) = self, case .unset = engine.kind { return false }
        return true
    }
}
