import Bytes

/// A macro with what it captured where it was defined.
final class Macro {
    let function: FunctionCode
    /// Its place in the program.
    let index: Int
    /// Cells of the variables it shares, in the order of its captures.
    let cells: [Int]
    let context: RenderContext
    /// Whether its text is escaped, as where it was defined.
    let escaping: Escaping?

    init(
        function: FunctionCode, cells: [Int], context: RenderContext, escaping: Escaping?,
        index: Int
    ) {
        self.function = function
        self.index = index
        self.cells = cells
        self.context = context
        self.escaping = escaping
    }
}

/// What an imported template exports.
final class TemplateModule {
    private let context: RenderContext
    let template: String
    private let program: Program

    init(_ context: RenderContext, template: String, program: Program) {
        self.context = context
        self.template = template
        self.program = program
    }

    /// Nil for what it does not set and for names with a leading underscore.
    func exported(_ symbol: Symbol) -> TemplateValue? {
        guard context.exports.contains(symbol),
            !program.symbols.name(of: symbol).hasPrefix("_")
        else { return nil }
        return context.value(of: symbol)
    }

    var exportedNames: [String] {
        context.exports.map { program.symbols.name(of: $0) }.filter { !$0.hasPrefix("_") }
    }
}

/// A bag of variables that loops and blocks can change: `namespace(count=0)`.
final class Namespace: RingMember {
    var attributes: [String: TemplateValue]
    var isWatched = false

    init(_ attributes: [String: TemplateValue]) {
        self.attributes = attributes
    }

    func clear() {
        attributes = [:]
    }
}

/// Goes round through values: `cycler('odd', 'even')`.
final class Cycler {
    private let items: [TemplateValue]
    private var place = 0

    init(_ items: [TemplateValue]) {
        self.items = items
    }

    var current: TemplateValue { items[place] }

    func next() -> TemplateValue {
        defer { place = (place + 1) % items.count }
        return items[place]
    }

    func reset() {
        place = 0
    }
}

/// Yields nothing the first time, then its text: `joiner(', ')`.
final class Joiner {
    private let separator: TemplateValue
    private var wasUsed = false

    init(_ separator: TemplateValue) {
        self.separator = separator
    }

    func next() -> TemplateValue {
        defer { wasUsed = true }
        return wasUsed ? separator : .string("")
    }
}
