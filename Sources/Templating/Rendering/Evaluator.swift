import Bytes

/// Runs a program: a loop over instructions with stacks of its own.
///
/// Calls of macros, blocks and templates push a frame and never recurse, so
/// that a small thread stack suffices however deep templates nest.
struct Evaluator {
    let program: Program
    let host: RenderHost
    var memory: EvaluatorMemory
    /// The next instruction.
    var place = 0
    /// The innermost frame's, for speed.
    var slotBase = 0
    var escaping: Escaping?
    var context: RenderContext
    let outputStart: Int

    init(program: Program, host: RenderHost, context: RenderContext, outputStart: Int) {
        self.program = program
        self.host = host
        self.context = context
        self.outputStart = outputStart
        memory = host.memory
        host.memory = EvaluatorMemory()
        memory.extendsLeft = host.limits.depth * 10
    }

    /// Renders a template.
    mutating func render(
        _ template: Int, into output: inout ByteBuffer
    ) throws(TemplateFailure) {
        defer {
            memory.clear()
            host.memory = memory
        }
        do throws(TemplateProblem) {
            try use(template)
            let compiled = program.templates[template]
            context.add(compiled)
            try enter(
                compiled.root, .template, context: context, escaping: compiled.escaping,
                captureStart: nil)
            try run(&output)
        } catch {
            throw failure(error)
        }
    }

    // MARK: The stack

    mutating func push(_ value: TemplateValue) {
        memory.stack.append(value)
    }

    mutating func pop() -> TemplateValue {
        memory.stack.removeLast()
    }

    mutating func pop(_ count: Int) -> [TemplateValue] {
        let values = Array(memory.stack.suffix(count))
        memory.stack.removeLast(count)
        return values
    }

    // MARK: The loop

    private mutating func run(_ output: inout ByteBuffer) throws(TemplateProblem) {
        // Held here: each look through the program would count a reference, on
        // a line of memory that all workers write to.
        let code = program.code
        let (text, texts) = (program.text, program.texts)
        let (names, sites) = (program.symbols.names, program.sites)
        while true {
            let instruction = code[place]
            place += 1
            switch instruction.operation {
            case .text: output.append(text, texts[Int(instruction.operand)])
            case .print: try print(pop(), &output)
            case .printMember:
                let symbol = Symbol(rawValue: instruction.symbol)
                try printMember(symbol, names[Int(instruction.symbol)], &output)
            case .constant: push(program.constants[Int(instruction.operand)].value)
            case .loadSlotOrContinue, .loadName, .loadSelf, .storeSlot, .storeName,
                .clearSlots, .storeAttribute, .jumpIfSet, .declareSuper:
                try runVariable(instruction)
            case .pop: memory.stack.removeLast()
            case .member:
                let symbol = Symbol(rawValue: instruction.symbol)
                push(try pop().member(symbol, names[Int(instruction.symbol)], program))
            case .jump: place = Int(instruction.operand)
            case .jumpIfFalse:
                if try !pop().truth() { place = Int(instruction.operand) }
            case .jumpIfFalseKeeping, .jumpIfTrueKeeping:
                let isTrue = try memory.stack[memory.stack.count - 1].truth()
                if isTrue == (instruction.operation == .jumpIfTrueKeeping) {
                    place = Int(instruction.operand)
                } else {
                    memory.stack.removeLast()
                }
            case .item, .slice, .makeList, .makeTuple, .makeDictionary, .unpack, .not, .negate,
                .plus, .binary, .concat, .compare, .compareOrJump:
                try runOperator(instruction)
            case .filter, .test:
                let site = sites[Int(instruction.operand)]
                let call = try nativeCall(site.callable, site.shape)
                push(try site.callable.call(call))
            case .call: try runCall(instruction, prints: false, &output)
            case .callPrinting: try runCall(instruction, prints: true, &output)
            case .callMember: try runMemberCall(instruction, prints: false, &output)
            case .callMemberPrinting: try runMemberCall(instruction, prints: true, &output)
            case .callLoop: try runLoopCall(depth: 0, captureStart: nil)
            case .loopStart, .collectStart, .loopNext, .collect:
                try runIteration(instruction, output.count)
            case .makeMacro: makeMacro(Int(instruction.operand))
            case .finish: if try finish(&output) { return }
            case .block, .extends, .include, .importing, .exported:
                try runTemplate(instruction, output.count)
            case .jumpIfExtending:
                if memory.frames[memory.frames.count - 1].parent != nil {
                    place = Int(instruction.operand)
                }
            case .captureStart: memory.captures.append(output.count)
            case .captureEnd:
                push(try takeText(from: memory.captures.removeLast(), escaping != nil, &output))
            case .escapingStart:
                memory.escapings.append(escaping)
                escaping = try pop().truth() ? escaping ?? .template : nil
            case .escapingEnd: escaping = memory.escapings.removeLast()
            }
        }
    }

    /// Prints a member of the top, and writes down where, if whoever renders wants
    /// to know that.
    private mutating func printMember(
        _ symbol: Symbol, _ name: String, _ output: inout ByteBuffer
    ) throws(TemplateProblem) {
        let owner = pop()
        guard host.isRecordingPrints, case .object(let object) = owner,
            let (number, text) = object.printed(symbol)
        else { return try print(owner.member(symbol, name, program), &output) }
        let start = output.count
        append(text, &output)
        host.note(PrintedMember(number: number, escaping: escaping, range: start..<output.count))
    }

    /// Prints a value, escaped as the place asks.
    mutating func print(
        _ value: TemplateValue, _ output: inout ByteBuffer
    ) throws(TemplateProblem) {
        switch value {
        case .markup(let markup): output.append(markup.bytes)
        case .string(let text): append(text, &output)
        case .integer(let number): output.append(decimal: number)
        case .missing: break
        default: append(try value.text(host), &output)
        }
    }

    private func append(_ text: String, _ output: inout ByteBuffer) {
        if let escaping {
            output.append(text, escaping: escaping)
        } else {
            output.append(text)
        }
    }

    /// Takes what has been written since `start` back, as a value.
    func takeText(
        from start: Int, _ isMarkup: Bool, _ output: inout ByteBuffer
    ) throws(TemplateProblem) -> TemplateValue {
        let bytes = output.copy(from: start)
        host.takePrints(from: start, count: output.count)
        output.truncate(to: start)
        try host.checkSize(bytes.count)
        try host.charge(bytes.count >> 6)
        if isMarkup { return .markup(MarkupBytes(bytes)) }
        return .string(String(decoding: bytes, as: UTF8.self))
    }

    func checkOutput(_ count: Int) throws(TemplateProblem) {
        if count - outputStart > host.limits.outputSize {
            throw .outputTooLarge(limit: host.limits.outputSize)
        }
    }
}

extension Expression.Constant {
    /// The value it stands for.
    var value: TemplateValue {
        switch self {
        case .none: TemplateValue.none
        case .boolean(let flag): .boolean(flag)
        case .integer(let number): .integer(number)
        case .number(let number): .number(number)
        case .string(let text): .string(text)
        }
    }
}
