import Bytes

extension Evaluator {
    // MARK: Natives

    /// Takes the arguments and the value a native callable is applied to.
    mutating func nativeCall(
        _ callable: NativeCallable, _ shape: CallShape
    ) throws(TemplateProblem) -> NativeCall {
        let arguments = try takeArguments(callable, shape)
        return NativeCall(
            value: pop(), arguments: arguments, escaping: escaping, host: host)
    }

    private mutating func takeArguments(
        _ callable: NativeCallable, _ shape: CallShape
    ) throws(TemplateProblem) -> CallArguments {
        if shape.count == 0, callable.requiredCount == 0 {
            return CallArguments(
                callee: callable.description, parameters: callable.parameters, values: [])
        }
        // Nearly all calls give a few values by position.
        if shape.isPlain, shape.positional <= callable.parameters.count,
            shape.positional >= callable.requiredCount
        {
            let first = memory.stack.count - shape.positional
            var values: [TemplateValue?] = []
            values.reserveCapacity(shape.positional)
            for place in first..<memory.stack.count { values.append(memory.stack[place]) }
            memory.stack.removeLast(shape.positional)
            return CallArguments(
                callee: callable.description, parameters: callable.parameters, values: values)
        }
        let (positional, keywords) = try takeArguments(shape)
        return try callable.bind(positional, keywords)
    }

    /// Takes the arguments of a call, lists and dictionaries spread out.
    private mutating func takeArguments(
        _ shape: CallShape
    ) throws(TemplateProblem) -> (
        positional: [TemplateValue], keywords: [(name: String, value: TemplateValue)]
    ) {
        let dictionary = shape.hasDictionary ? pop() : nil
        let list = shape.hasList ? pop() : nil
        let named = pop(shape.keywords.count)
        var positional = pop(shape.positional)
        if let list { positional += try list.elements(host) }
        var keywords: [(name: String, value: TemplateValue)] = []
        for (place, name) in shape.keywords.enumerated() { keywords.append((name, named[place])) }
        if let dictionary {
            guard case .dictionary(let dictionary) = dictionary else {
                throw .expected("a dictionary", found: dictionary.kindName, by: "'**'")
            }
            for (place, key) in dictionary.keys.enumerated() {
                guard case .string(let name) = key else {
                    throw .expected("texts as keys", found: key.kindName, by: "'**'")
                }
                if keywords.contains(where: { $0.name == name }) {
                    throw .argumentGivenTwice(name)
                }
                keywords.append((name, dictionary.values[place]))
            }
        }
        return (positional, keywords)
    }

    // MARK: Calls of values

    mutating func runCall(
        _ instruction: Instruction, prints: Bool, _ output: inout ByteBuffer
    ) throws(TemplateProblem) {
        let shape = program.shapes[Int(instruction.operand)]
        let callee = memory.stack[memory.stack.count - 1 - shape.count]
        try call(callee, shape, prints: prints, &output)
    }

    mutating func runMemberCall(
        _ instruction: Instruction, prints: Bool, _ output: inout ByteBuffer
    ) throws(TemplateProblem) {
        let shape = program.shapes[Int(instruction.operand)]
        let receiver = memory.stack[memory.stack.count - 1 - shape.count]
        let symbol = Symbol(rawValue: instruction.symbol)
        let name = program.symbols.names[Int(instruction.symbol)]
        if let method = receiver.nativeMethod(name, program) {
            let call = try nativeCall(method, shape)
            return try deliver(try method.call(call), prints: prints, &output)
        }
        if case .engine(let value) = receiver, value.hasMethod(name) {
            let (items, _) = try takeArguments(shape)
            memory.stack.removeLast()
            if case .loop(let loop) = value.kind { memory.watch(loop) }
            let result = try value.callMethod(name, items, host)
            return try deliver(result ?? .none, prints: prints, &output)
        }
        try call(try receiver.member(symbol, name, program), shape, prints: prints, &output)
    }

    private mutating func deliver(
        _ result: TemplateValue, prints: Bool, _ output: inout ByteBuffer
    ) throws(TemplateProblem) {
        if prints { try print(result, &output) } else { push(result) }
    }

    /// Calls a value; the arguments are on the stack, with one more value
    /// below them.
    private mutating func call(
        _ callee: TemplateValue, _ shape: CallShape, prints: Bool, _ output: inout ByteBuffer
    ) throws(TemplateProblem) {
        try host.charge(1)
        try checkOutput(output.count)
        guard case .engine(let value) = callee else {
            if case .missing = callee {
                memory.stack.removeLast(shape.count + 1)
                return try deliver(.missing, prints: prints, &output)
            }
            try callee.requireDefined()
            throw .notCallable(callee.kindName)
        }
        switch value.kind {
        case .native(let callable):
            let call = try nativeCall(callable, shape)
            try deliver(try callable.call(call), prints: prints, &output)
        case .method(let method):
            var call = try nativeCall(method.callable, shape)
            call.value = method.receiver
            try deliver(try method.callable.call(call), prints: prints, &output)
        case .macro(let macro):
            let (positional, keywords) = try takeArguments(shape)
            memory.stack.removeLast()
            try call(macro, positional, keywords, captureStart(prints, output))
        case .block(let block):
            _ = try takeArguments(shape)
            memory.stack.removeLast()
            try call(block, captureStart(prints, output))
        case .loop(let loop):
            guard let recursion = loop.recursion else { throw .loopNotRecursive }
            let (positional, _) = try takeArguments(shape)
            memory.stack.removeLast()
            guard let sequence = positional.first else {
                throw .missingArgument(callee: "'loop'", name: "iterable")
            }
            push(sequence)
            push(.make(.macro(recursion)))
            try runLoopCall(
                depth: loop.depth + 1, captureStart: captureStart(prints, output))
        case .joiner(let joiner):
            _ = try takeArguments(shape)
            memory.stack.removeLast()
            try deliver(joiner.next(), prints: prints, &output)
        default: throw .notCallable(callee.kindName)
        }
    }

    /// Where the callee's text begins if it becomes a value. What is printed
    /// is written directly: as a value it would be markup.
    private func captureStart(_ prints: Bool, _ output: borrowing ByteBuffer) -> Int? {
        prints ? nil : output.count
    }

    private mutating func call(
        _ block: BlockReference, _ captureStart: Int?
    ) throws(TemplateProblem) {
        guard let function = block.function else {
            throw .noParentBlock(program.symbols.name(of: block.name))
        }
        try enter(
            function, .block, context: block.context,
            escaping: program.templates[program.functions[function].template].escaping,
            captureStart: captureStart)
    }

    /// Takes closure and sequence and runs one level of a recursive loop.
    mutating func runLoopCall(depth: Int, captureStart: Int?) throws(TemplateProblem) {
        guard case .engine(let value) = pop(), case .macro(let loop) = value.kind else { return }
        try enter(
            loop, kind: .loop, captureStart: captureStart)
        memory.frames[memory.frames.count - 1].loop = loop
        memory.frames[memory.frames.count - 1].loopDepth = depth
    }

    // MARK: Macros

    mutating func makeMacro(_ index: Int) {
        let function = program.functions[index]
        let cells = function.captures.map { share(slotBase + $0.outer) }
        memory.watch(context)
        push(
            .make(
                .macro(
                    Macro(
                        function: function, cells: cells, context: context, escaping: escaping,
                        index: index))))
    }

    private mutating func call(
        _ macro: Macro, _ positional: [TemplateValue],
        _ keywords: [(name: String, value: TemplateValue)], _ captureStart: Int?
    ) throws(TemplateProblem) {
        let function = macro.function
        let extras = positional.dropFirst(function.parameters.count)
        if !extras.isEmpty, function.varargsSlot == nil {
            throw .tooManyArguments(
                callee: "macro '\(function.name)'", limit: function.parameters.count)
        }
        let (places, rest) = try sorted(keywords, positional.count, function)
        try enter(macro, kind: .macro, captureStart: captureStart)
        for (place, value) in positional.prefix(function.parameters.count).enumerated() {
            memory.slots[slotBase + place] = value
        }
        for (place, parameter) in function.parameters.enumerated().dropFirst(positional.count)
        where !parameter.hasDefault {
            memory.slots[slotBase + place] = .undefined(UndefinedName(.parameter(parameter.name)))
        }
        if let slot = function.callerSlot {
            memory.slots[slotBase + slot] = .undefined(UndefinedName(.caller))
        }
        for (slot, value) in places { memory.slots[slotBase + slot] = value }
        if let slot = function.varargsSlot {
            memory.slots[slotBase + slot] = .tuple(Array(extras))
        }
        if let slot = function.kwargsSlot {
            memory.slots[slotBase + slot] = .dictionary(TemplateDictionary(rest))
        }
    }

    /// The slots that named arguments go to, and the arguments that are left
    /// for `kwargs`.
    private func sorted(
        _ keywords: [(name: String, value: TemplateValue)], _ positionalCount: Int,
        _ function: FunctionCode
    ) throws(TemplateProblem) -> (
        places: [(slot: Int, value: TemplateValue)], rest: [(String, TemplateValue)]
    ) {
        var places: [(slot: Int, value: TemplateValue)] = []
        var rest: [(String, TemplateValue)] = []
        for (name, value) in keywords {
            if let place = function.parameters.firstIndex(where: { $0.name == name }) {
                guard place >= positionalCount else { throw .argumentGivenTwice(name) }
                places.append((place, value))
            } else if name == "caller", let slot = function.callerSlot {
                places.append((slot, value))
            } else if function.kwargsSlot != nil {
                rest.append((name, value))
            } else if name == "caller" {
                throw .callerNotTaken(macro: function.name)
            } else {
                throw .unknownArgument(
                    callee: "macro '\(function.name)'", name: name,
                    candidates: function.parameters.map(\.name))
            }
        }
        return (places, rest)
    }

    private mutating func enter(
        _ macro: Macro, kind: Frame.Kind, captureStart: Int?
    ) throws(TemplateProblem) {
        let isMarkup = escaping != nil
        try enter(
            macro.index, kind, context: macro.context, escaping: macro.escaping,
            captureStart: captureStart)
        memory.frames[memory.frames.count - 1].isMarkup = isMarkup
        for (place, capture) in macro.function.captures.enumerated() {
            memory.slots[slotBase + capture.inner] = .make(.cell(macro.cells[place]))
        }
    }
}
