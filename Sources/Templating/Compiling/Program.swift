import Bytes

/// All templates of a library, compiled. Immutable, shared by all threads.
final class Program: Sendable {
    let code: [Instruction]
    /// By instruction: the bytes of the template it came from.
    let places: [CodePlace]
    /// All static text, and the pieces of it.
    let text: [UInt8]
    let texts: [Range<Int>]
    let constants: [Expression.Constant]
    let functions: [FunctionCode]
    /// Functions in the order of their code.
    let functionsByEntry: [Int]
    let templates: [CompiledTemplate]
    let templatePlaces: [String: Int]
    let shapes: [CallShape]
    let sites: [NativeCallSite]
    /// Locals that are handed to included templates and scoped blocks.
    let localMaps: [[LocalName]]
    let symbols: SymbolTable
    let natives: NativeTable
    /// Functions that every template sees, by symbol.
    let globals: [UInt16: NativeCallable]

    init(_ builder: ProgramBuilder) {
        code = builder.code
        places = builder.places
        text = builder.text
        texts = builder.texts
        constants = builder.constants
        functions = builder.functions
        functionsByEntry = builder.functions.indices.sorted {
            builder.functions[$0].entry < builder.functions[$1].entry
        }
        templates = builder.templates
        templatePlaces = builder.templatePlaces
        shapes = builder.shapes
        sites = builder.sites
        localMaps = builder.localMaps
        symbols = builder.symbols
        natives = builder.natives
        var globals: [UInt16: NativeCallable] = [:]
        for (name, callable) in builder.natives.functions {
            globals[builder.symbols.symbol(of: name).rawValue] = callable
        }
        self.globals = globals
    }

    /// The variables of a function, for messages.
    func variableNames(of function: Int) -> [String] {
        functions[function].variableNames
    }
}

/// The bytes of a template that an instruction came from.
struct CodePlace: Sendable {
    var start: UInt32
    var end: UInt32

    init(_ range: Range<Int>) {
        start = UInt32(clamping: range.lowerBound)
        end = UInt32(clamping: range.upperBound)
    }

    var range: Range<Int> { Int(start)..<max(Int(start), Int(end)) }
}

/// A local variable that is handed on under its name.
struct LocalName: Sendable {
    var name: Symbol
    var slot: Int
}

/// A template, a block, a macro, or the body of a recursive loop.
struct FunctionCode: Sendable {
    struct Parameter: Sendable {
        var name: String
        var hasDefault: Bool
    }

    var name: String
    var template: Int
    var entry = 0
    var slotCount = 0
    /// They take the first slots.
    var parameters: [Parameter] = []
    /// Slots for what else a macro may be given; nil where it does not ask.
    var callerSlot: Int?
    var varargsSlot: Int?
    var kwargsSlot: Int?
    /// Slots of the function around it that it shares.
    var captures: [(outer: Int, inner: Int)] = []
    /// All variables that have slots, for messages.
    var variableNames: [String] = []
}

/// A template's parts.
struct CompiledTemplate: Sendable {
    struct Block: Sendable {
        var name: Symbol
        var function: Int
        var isRequired: Bool
    }

    var source: TemplateSource
    var root = 0
    var blocks: [Block] = []
    /// How printed values are escaped; nil: not at all.
    var escaping: Escaping?
    /// Whether it was compiled without complaint; what was not is never run.
    var isSound = true
    /// Templates named by constants, each once, in order.
    var references: [Int] = []
    /// Names it gives that no template has, where that is no error.
    var missing: [String] = []
}

/// What the compiler adds to.
struct ProgramBuilder {
    var code: [Instruction] = []
    var places: [CodePlace] = []
    var text: [UInt8] = []
    var texts: [Range<Int>] = []
    var constants: [Expression.Constant] = []
    var functions: [FunctionCode] = []
    var templates: [CompiledTemplate] = []
    var templatePlaces: [String: Int] = [:]
    var shapes: [CallShape] = []
    var sites: [NativeCallSite] = []
    var localMaps: [[LocalName]] = []
    var symbols: SymbolTable
    var natives: NativeTable
}
