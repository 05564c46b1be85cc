/// A tag, a printed expression or a stretch of text, as the parser read it.
struct Statement {
    typealias Body = [Statement]

    enum Form {
        case text([UInt8])
        case print([Expression])
        case loop(Loop)
        case branch([(test: Expression, body: Body)], otherwise: Body)
        case set(Target, Expression)
        case setBlock(Target, Expression, Body)
        case block(Block)
        case extends(Expression)
        case include(Inclusion, ignoresMissing: Bool)
        case importing(Inclusion, as: String)
        case importingNames(Inclusion, [(name: Expression.Reference, alias: String)])
        case macro(Macro)
        case call(Expression, Macro)
        case filter(Expression, Body)
        case with([(target: Target, value: Expression)], Body)
        case autoescape(Expression, Body)
    }

    indirect enum Target {
        case name(String)
        case tuple([Target])
        case attribute(of: String, String)
    }

    struct Loop {
        var target: Target
        var sequence: Expression
        var condition: Expression?
        var isRecursive = false
        var body: Body = []
        var otherwise: Body = []
    }

    struct Block {
        var name: String
        var isScoped = false
        var isRequired = false
        var body: Body = []
    }

    struct Inclusion {
        var template: Expression
        var withContext: Bool
    }

    struct Macro {
        var name: String
        var parameters: [(name: String, fallback: Expression?)] = []
        var body: Body = []
    }

    var form: Form
    /// Bytes of the source: the tag's inside, without its marks.
    var range: Range<Int>
}
