extension Evaluator {
    mutating func runIteration(
        _ instruction: Instruction, _ outputCount: Int
    ) throws(TemplateProblem) {
        let last = memory.iterations.count - 1
        switch instruction.operation {
        case .loopStart:
            let items = try pop().elements(host)
            guard !items.isEmpty else {
                place = Int(instruction.operand)
                return
            }
            var iteration = Iteration(items: items)
            if instruction.flag == 1 {
                let frame = memory.frames[memory.frames.count - 1]
                let loop = LoopState(items, depth: frame.loopDepth, recursion: frame.loop)
                iteration.loop = loop
                store(.make(.loop(loop)), in: slotBase + Int(instruction.symbol))
            }
            memory.iterations.append(iteration)
        case .collectStart:
            memory.iterations.append(Iteration(items: try pop().elements(host), collected: []))
        case .loopNext:
            try host.charge(1)
            try checkOutput(outputCount)
            let next = memory.iterations[last].next
            guard next < memory.iterations[last].items.count else {
                if let collected = memory.iterations.removeLast().collected {
                    push(.list(collected))
                }
                place = Int(instruction.operand)
                return
            }
            memory.iterations[last].next = next + 1
            memory.iterations[last].loop?.index = next
            push(memory.iterations[last].items[next])
        case .collect:
            guard try pop().truth() else { return }
            let item = memory.iterations[last].items[memory.iterations[last].next - 1]
            memory.iterations[last].collected?.append(item)
        default: return
        }
    }
}
