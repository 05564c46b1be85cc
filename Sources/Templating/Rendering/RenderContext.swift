/// The variables of one template while it runs, and the blocks it can print.
///
/// An included template, and a scoped block, has a context of its own that
/// looks into the one around it.
final class RenderContext: RingMember {
    private(set) var symbols: [Symbol] = []
    private(set) var values: [TemplateValue] = []
    /// How many of the variables are the caller's, not the template's.
    private(set) var givenCount = 0
    private let parent: RenderContext?
    /// Blocks by name: what is called first, then what `super()` leads to.
    private(set) var blocks: [(name: Symbol, functions: [Int])] = []
    let program: Program
    var isWatched = false

    init(program: Program, parent: RenderContext? = nil) {
        self.program = program
        self.parent = parent
    }

    // MARK: Variables

    /// Whether it sees no variables but its own.
    var isAlone: Bool { parent == nil && givenCount == 0 }

    func value(of symbol: Symbol) -> TemplateValue? {
        var place = symbols.count
        while place > 0 {
            place -= 1
            if symbols[place] == symbol { return values[place] }
        }
        return parent?.value(of: symbol)
    }

    func set(_ symbol: Symbol, _ value: TemplateValue) {
        if let place = symbols.firstIndex(of: symbol), place >= givenCount {
            values[place] = value
            return
        }
        symbols.append(symbol)
        values.append(value)
    }

    /// Adds a variable of the caller's; a later one of the same name hides it.
    func give(_ symbol: Symbol, _ value: TemplateValue) {
        symbols.append(symbol)
        values.append(value)
        givenCount = symbols.count
    }

    /// Drops all variables.
    func clear() {
        symbols = []
        values = []
        givenCount = 0
    }

    /// What the template itself has set.
    var exports: ArraySlice<Symbol> { symbols[givenCount...] }

    /// All names in sight, for messages.
    var names: [String] {
        symbols.map { program.symbols.name(of: $0) } + (parent?.names ?? [])
    }

    // MARK: Blocks

    /// Adds a template's blocks behind those of the templates that extend it.
    func add(_ template: CompiledTemplate) {
        for block in template.blocks {
            if let place = blocks.firstIndex(where: { $0.name == block.name }) {
                blocks[place].functions.append(block.function)
            } else {
                blocks.append((block.name, [block.function]))
            }
        }
    }

    /// A context for a scoped block: the same blocks, more variables.
    func derived() -> RenderContext {
        let context = RenderContext(program: program, parent: self)
        context.blocks = blocks
        return context
    }

    func functions(ofBlock name: Symbol) -> [Int]? {
        blocks.first { $0.name == name }?.functions
    }

    func blockReference(_ name: Symbol) -> TemplateValue? {
        guard functions(ofBlock: name) != nil else { return nil }
        return .make(.block(BlockReference(name: name, depth: 0, context: self)))
    }

    var blockNames: [String] { blocks.map { program.symbols.name(of: $0.name) } }
}

/// A block that can be called: `self.title`, `super`.
final class BlockReference {
    let name: Symbol
    /// How many overriding blocks lie before it.
    let depth: Int
    let context: RenderContext

    init(name: Symbol, depth: Int, context: RenderContext) {
        self.name = name
        self.depth = depth
        self.context = context
    }

    var function: Int? {
        guard let functions = context.functions(ofBlock: name), depth < functions.count else {
            return nil
        }
        return functions[depth]
    }

    /// The block it overrides: `super.super`.
    var parent: TemplateValue {
        .make(.block(BlockReference(name: name, depth: depth + 1, context: context)))
    }
}
