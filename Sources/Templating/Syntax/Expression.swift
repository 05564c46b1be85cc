/// An expression as the parser read it.
struct Expression {
    enum Constant {
        case none
        case boolean(Bool)
        case integer(Int)
        case number(Double)
        case string(String)
    }

    enum Unary: String {
        case not
        case negate = "-"
        case plus = "+"
    }

    enum Binary: String {
        case add = "+"
        case subtract = "-"
        case multiply = "*"
        case divide = "/"
        case floorDivide = "//"
        case modulo = "%"
        case power = "**"
    }

    enum Comparison: UInt8 {
        case equal, unequal, less, lessOrEqual, greater, greaterOrEqual, isIn, isNotIn
    }

    indirect enum Form {
        case constant(Constant)
        case name(String)
        case list([Expression])
        case tuple([Expression])
        case dictionary([Pair])
        case member(Expression, String)
        case item(Expression, Expression)
        case slice(Expression, start: Expression?, stop: Expression?, step: Expression?)
        case call(Expression, Arguments)
        case filter(Expression, Reference, Arguments)
        case test(Expression, Reference, Arguments, isNegated: Bool)
        /// The text of the block that a filter tag or a `set` tag surrounds.
        case captured
        case unary(Unary, Expression)
        case binary(Binary, Expression, Expression)
        case concat([Expression])
        case comparison(Expression, [ComparisonStep])
        case and([Expression])
        case or([Expression])
        case conditional(test: Expression, then: Expression, otherwise: Expression?)
    }

    /// A name of a filter, test or template, and where it stands.
    struct Reference {
        var name: String
        var range: Range<Int>
    }

    struct Pair {
        var key: Expression
        var value: Expression
    }

    /// One operator of a chain of comparisons, with its right side.
    struct ComparisonStep {
        var operation: Comparison
        var operand: Expression
    }

    struct Keyword {
        var name: Reference
        var value: Expression
    }

    struct Arguments {
        var positional: [Expression] = []
        var keywords: [Keyword] = []
        /// What stands behind `*` and `**`.
        var list: [Expression] = []
        var dictionary: [Expression] = []

        var depth: Int {
            let all = positional + keywords.map(\.value) + list + dictionary
            return all.map(\.depth).max() ?? 0
        }
    }

    var form: Form
    /// Bytes of the source; of an operation, the part that can fail.
    var range: Range<Int>
    /// How many expressions lie within each other here.
    var depth = 1

    /// Makes an expression around others.
    init(_ form: Form, _ range: Range<Int>, around inner: [Expression] = [], depth: Int = 0) {
        self.form = form
        self.range = range
        self.depth = max(depth, inner.map(\.depth).max() ?? 0) + 1
    }
}
