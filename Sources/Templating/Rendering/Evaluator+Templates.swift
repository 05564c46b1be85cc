extension Evaluator {
    mutating func runTemplate(
        _ instruction: Instruction, _ outputCount: Int
    ) throws(TemplateProblem) {
        try host.charge(1)
        try checkOutput(outputCount)
        switch instruction.operation {
        case .block: try runBlock(instruction)
        case .extends: try extend(instruction)
        case .include: try include(instruction)
        case .importing: try importModule(instruction, outputCount)
        case .exported:
            guard case .engine(let value)? = memory.stack.last,
                case .module(let module) = value.kind
            else { return }
            let symbol = Symbol(rawValue: instruction.symbol)
            let name = program.symbols.name(of: symbol)
            push(
                module.exported(symbol)
                    ?? .undefined(
                        UndefinedName(
                            .export(
                                name, template: module.template, candidates: module.exportedNames)
                        )))
        default: return
        }
    }

    /// Takes note that a template takes part, unless it has errors.
    func use(_ template: Int) throws(TemplateProblem) {
        host.noteUse(of: template)
        // Names that stand in it and no template has: one that comes changes what
        // this renders.
        for name in program.templates[template].missing { host.noteAbsence(of: name) }
        guard program.templates[template].isSound else {
            throw .unsoundTemplate(program.templates[template].source.name)
        }
    }

    private mutating func runBlock(_ instruction: Instruction) throws(TemplateProblem) {
        let name = Symbol(rawValue: instruction.symbol)
        guard let functions = context.functions(ofBlock: name), let first = functions.first else {
            throw .unknownBlock(program.symbols.name(of: name), candidates: context.blockNames)
        }
        let function = program.functions[first]
        let template = program.templates[function.template]
        if functions.count == 1,
            template.blocks.contains(where: { $0.name == name && $0.isRequired })
        {
            throw .requiredBlockMissing(program.symbols.name(of: name))
        }
        var blockContext = context
        if instruction.operand >= 0 {
            blockContext = context.derived()
            give(instruction, to: blockContext)
        }
        try enter(
            first, .block, context: blockContext, escaping: template.escaping, captureStart: nil)
    }

    /// Hands the locals in sight on.
    private func give(_ instruction: Instruction, to context: RenderContext) {
        guard instruction.operand >= 0 else { return }
        var last: Symbol?
        for local in program.localMaps[Int(instruction.operand)] {
            let value = shared(memory.slots[slotBase + local.slot])
            // Of several slots of one name the innermost set one counts.
            guard value.isSet, local.name != last else { continue }
            last = local.name
            context.give(local.name, value)
        }
    }

    private mutating func extend(_ instruction: Instruction) throws(TemplateProblem) {
        guard let parent = try namedTemplate(instruction) else { return }
        let last = memory.frames.count - 1
        guard memory.frames[last].parent == nil else { throw .extendsTwice }
        memory.frames[last].parent = parent
        try use(parent)
        context.add(program.templates[parent])
        memory.extendsLeft -= 1
        if memory.extendsLeft < 0 { throw .tooDeep(limit: host.limits.depth) }
    }

    private mutating func include(_ instruction: Instruction) throws(TemplateProblem) {
        guard let template = try namedTemplate(instruction) else { return }
        let withContext = instruction.flag & Instruction.TemplateFlag.withContext != 0
        let inner = RenderContext(program: program, parent: withContext ? context : nil)
        if withContext { give(instruction, to: inner) }
        try run(template, .include, inner, captureStart: nil)
    }

    private mutating func importModule(
        _ instruction: Instruction, _ outputCount: Int
    ) throws(TemplateProblem) {
        guard let template = try namedTemplate(instruction) else { return }
        let withContext = instruction.flag & Instruction.TemplateFlag.withContext != 0
        if !withContext, let module = memory.modules[template] {
            return push(.make(.module(module)))
        }
        let inner = RenderContext(program: program, parent: withContext ? context : nil)
        if withContext {
            memory.watch(context)
            give(instruction, to: inner)
        }
        try run(template, .module(template: template), inner, captureStart: outputCount)
    }

    private mutating func run(
        _ template: Int, _ kind: Frame.Kind, _ inner: RenderContext, captureStart: Int?
    ) throws(TemplateProblem) {
        try use(template)
        inner.add(program.templates[template])
        try enter(
            program.templates[template].root, kind, context: inner,
            escaping: program.templates[template].escaping, captureStart: captureStart)
    }

    /// The template an instruction names; nil where it is missing and that is
    /// no harm.
    private mutating func namedTemplate(
        _ instruction: Instruction
    ) throws(TemplateProblem) -> Int? {
        if instruction.flag & Instruction.TemplateFlag.isKnown != 0 {
            return Int(instruction.symbol)
        }
        let value = pop()
        var names: [String] = []
        switch value {
        case .string(let name): names = [name]
        case .markup(let name): names = [name.text]
        case .list(let elements), .tuple(let elements):
            for element in elements { names.append(try element.text(host)) }
        default:
            try value.requireDefined()
            throw .expected("the name of a template", found: value.kindName, by: "the tag")
        }
        for name in names {
            try host.charge(1)
            if let template = program.templatePlaces[name] { return template }
            host.noteAbsence(of: name)
        }
        if instruction.flag & Instruction.TemplateFlag.ignoresMissing != 0 { return nil }
        // A message names a few of very many.
        throw .unknownTemplate(
            Array(names.prefix(8)), candidates: program.templatePlaces.keys.sorted())
    }
}
