/// One step of a compiled template: eight bytes in one array.
///
/// The evaluator is a stack machine. What the comments call the top is the
/// end of its stack of values.
struct Instruction {
    enum Operation: UInt8 {
        // Output.
        /// Writes static text number `operand`.
        case text
        /// Takes the top and prints it.
        case print
        /// Takes the top and prints its member `symbol`.
        case printMember

        // Values.
        /// Pushes constant number `operand`.
        case constant
        /// Pushes slot `symbol` and jumps if it is set.
        case loadSlotOrContinue
        /// Pushes what the context has under `symbol`.
        case loadName
        /// Pushes `self`.
        case loadSelf
        /// Takes the top into slot `symbol`.
        case storeSlot
        /// Takes the top into the context, under `symbol`.
        case storeName
        /// Unsets `operand` slots from slot `symbol` on.
        case clearSlots
        case pop
        /// Replaces the top by its member `symbol`.
        case member
        /// Takes key and container, pushes the element.
        case item
        /// Takes step, stop, start and sequence, pushes the part.
        case slice
        /// Takes namespace and value; stores it as attribute `symbol`.
        case storeAttribute
        case makeList, makeTuple, makeDictionary
        /// Takes the top and pushes its `operand` elements, the first topmost.
        case unpack

        // Operators. `flag` is the operator of `binary` and `compare`.
        case not, negate, plus
        case binary
        /// Joins the topmost `operand` values as text.
        case concat
        case compare
        /// As `compare`, keeping the right side if true, else jumping with
        /// false as the top.
        case compareOrJump
        case jump, jumpIfFalse, jumpIfFalseKeeping, jumpIfTrueKeeping

        // Calls. `operand` is the call site.
        case filter, test
        case call
        /// A call whose result would be printed next: macros write directly.
        case callPrinting
        /// A call of member `symbol` of what lies below the arguments.
        case callMember
        /// As above, and prints the result.
        case callMemberPrinting
        /// Takes closure and sequence and runs a recursive loop.
        case callLoop

        // Loops.
        /// Takes a sequence and begins to go through it; jumps if it is empty.
        /// Slot `symbol` receives the loop object where `flag` is 1.
        case loopStart
        /// As above, to collect the elements that meet a condition.
        case collectStart
        /// Pushes the next element, or ends the loop and jumps.
        case loopNext
        /// Takes a truth and keeps the element at hand if it is true.
        case collect

        // Functions.
        /// Pushes function `operand` with what it captures.
        case makeMacro
        /// Ends the function.
        case finish
        /// Jumps if slot `symbol` is set.
        case jumpIfSet
        /// Sets slot `symbol` to the parent block if `flag` is 1.
        case declareSuper

        // Templates. `symbol` is the template where bit 2 of `flag` is set,
        // else its name is the top; `operand` is the map of locals to hand on,
        // or -1.
        /// Runs block `symbol`; `operand` is the map of locals, or -1.
        case block
        case extends
        /// Bit 0 of `flag`: a missing template is ignored. Bit 1: with context.
        case include
        case importing
        /// Pushes what the module that is the top exports as `symbol`.
        case exported
        /// Jumps if a template is extended already.
        case jumpIfExtending

        // Text kept as a value.
        case captureStart, captureEnd
        /// Takes a truth: whether to escape from here on.
        case escapingStart
        case escapingEnd

        var jumps: Bool {
            switch self {
            case .loadSlotOrContinue, .compareOrJump, .jump, .jumpIfFalse, .jumpIfFalseKeeping,
                .jumpIfTrueKeeping, .loopStart, .collectStart, .loopNext, .jumpIfSet,
                .jumpIfExtending:
                true
            default: false
            }
        }
    }

    /// Bits of `flag` where templates are named.
    enum TemplateFlag {
        static let ignoresMissing: UInt8 = 1
        static let withContext: UInt8 = 2
        static let isKnown: UInt8 = 4
    }

    var operation: Operation
    var flag: UInt8 = 0
    var symbol: UInt16 = 0
    var operand: Int32 = 0
}

/// How many arguments of which sort a call has. On the stack they lie in the
/// order positional, named, list, dictionary.
struct CallShape: Sendable {
    var positional = 0
    var keywords: [String] = []
    var hasList = false
    var hasDictionary = false

    /// Whether there are arguments by position only.
    var isPlain: Bool { keywords.isEmpty && !hasList && !hasDictionary }

    var count: Int { positional + keywords.count + (hasList ? 1 : 0) + (hasDictionary ? 1 : 0) }
}

/// A call of a filter or test: what is called, and how its arguments lie.
struct NativeCallSite: Sendable {
    var callable: NativeCallable
    var shape: CallShape
}
