import Bytes
import Diagnostics

extension Evaluator {
    /// Begins to run a function.
    mutating func enter(
        _ index: Int, _ kind: Frame.Kind, context: RenderContext, escaping: Escaping?,
        captureStart: Int?
    ) throws(TemplateProblem) {
        guard memory.frames.count < host.limits.depth else {
            throw .tooDeep(limit: host.limits.depth)
        }
        let function = program.functions[index]
        memory.frames.append(
            Frame(
                kind: kind, function: index, template: function.template,
                slotBase: memory.slots.count, context: context, escaping: self.escaping,
                returnPlace: place, captureStart: captureStart, isMarkup: self.escaping != nil))
        slotBase = memory.slots.count
        for _ in 0..<function.slotCount { memory.slots.append(.unset) }
        place = function.entry
        self.context = context
        self.escaping = escaping
    }

    /// Ends the innermost function, or goes on with the template it extends.
    /// True once the render is done.
    mutating func finish(_ output: inout ByteBuffer) throws(TemplateProblem) -> Bool {
        let last = memory.frames.count - 1
        if let parent = memory.frames[last].parent {
            try continueWith(parent)
            return false
        }
        let frame = memory.frames.removeLast()
        memory.slots.removeLast(memory.slots.count - frame.slotBase)
        place = frame.returnPlace
        escaping = frame.escaping
        guard let outer = memory.frames.last else { return true }
        slotBase = outer.slotBase
        let finished = context
        context = outer.context
        if case .module(let template) = frame.kind {
            let start = frame.captureStart ?? output.count
            host.takePrints(from: start, count: output.count)
            output.truncate(to: start)
            push(.make(.module(module(of: template, finished))))
        } else if let start = frame.captureStart {
            push(try takeText(from: start, frame.isMarkup, &output))
        }
        return false
    }

    private mutating func module(of template: Int, _ context: RenderContext) -> TemplateModule {
        let name = program.templates[template].source.name
        let module = TemplateModule(context, template: name, program: program)
        if context.isAlone { memory.modules[template] = module }
        return module
    }

    /// Runs the extended template in the place of the one that extends it.
    private mutating func continueWith(_ parent: Int) throws(TemplateProblem) {
        try host.charge(1)
        let root = program.templates[parent].root
        let last = memory.frames.count - 1
        memory.frames[last].parent = nil
        memory.frames[last].function = root
        memory.frames[last].template = parent
        memory.slots.removeLast(memory.slots.count - slotBase)
        for _ in 0..<program.functions[root].slotCount { memory.slots.append(.unset) }
        escaping = program.templates[parent].escaping
        place = program.functions[root].entry
    }

    // MARK: Failures

    /// What went wrong, where, and what led there.
    func failure(_ problem: TemplateProblem) -> TemplateFailure {
        var chain: [(note: Diagnostic.Note, count: Int)] = []
        // A frame's caller stands before the place it returns to.
        for place in memory.frames.indices.dropFirst().reversed() {
            let frame = memory.frames[place]
            let caller = memory.frames[place - 1]
            let note = Diagnostic.Note(
                chainWords(frame), at: span(before: frame.returnPlace, in: caller))
            // A macro that calls itself is one link of the chain.
            if chain.last?.note == note {
                chain[chain.count - 1].count += 1
            } else {
                chain.append((note, 1))
            }
        }
        let notes = chain.map { note, count in
            count == 1
                ? note : Diagnostic.Note("\(note.message), \(count) times over", at: note.span)
        }
        let place = memory.frames.indices.last.map {
            span(before: self.place, in: memory.frames[$0])
        }
        var diagnostic = explained(problem).diagnostic(at: place)
        diagnostic.notes = notes
        return TemplateFailure(diagnostic)
    }

    private func span(before place: Int, in frame: Frame) -> SourceSpan {
        let index = max(place - 1, 0)
        let template = templateOf(instruction: index) ?? frame.template
        return SourceSpan(
            file: program.templates[template].source.file, range: program.places[index].range)
    }

    /// A frame that went on with its parent has left its own template.
    private func templateOf(instruction index: Int) -> Int? {
        var low = 0
        var high = program.functionsByEntry.count
        while low < high {
            let middle = (low + high) / 2
            if program.functions[program.functionsByEntry[middle]].entry <= index {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low > 0 ? program.functions[program.functionsByEntry[low - 1]].template : nil
    }

    private func chainWords(_ frame: Frame) -> String {
        let name = program.functions[frame.function].name
        let template = program.templates[frame.template].source.name
        return switch frame.kind {
        case .template, .include: "'\(template)' is included here"
        case .module: "'\(template)' is imported here"
        case .macro: "macro '\(name)' is called here"
        case .block: "block '\(name)' is printed here"
        case .loop: "the recursive loop is entered here"
        }
    }

    /// Adds the names in sight to what is undefined.
    private func explained(_ problem: TemplateProblem) -> TemplateProblem {
        guard case .undefinedName(let name, _, _) = problem else { return problem }
        let symbol = program.symbols.symbol(of: name)
        let isInRender =
            context.value(of: symbol) == nil
            && memory.frames.contains { $0.context.value(of: symbol) != nil }
        let candidates =
            context.names + program.natives.functions.keys.sorted()
            + (memory.frames.last.map { program.variableNames(of: $0.function) } ?? [])
        return .undefinedName(name, candidates: candidates, isInRender: isInRender)
    }
}
