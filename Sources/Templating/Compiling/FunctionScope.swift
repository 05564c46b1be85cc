/// A function while it is compiled: its code and the variables in sight.
///
/// Every variable has a slot of its own. What a macro uses of the function
/// around it becomes a captured slot of its own, which shares the value.
struct FunctionScope {
    enum Kind {
        /// A template. Variables outside any inner scope go to the context.
        case root
        /// A block: sees nothing of what is around it.
        case block
        /// A macro, a call's body or a recursive loop: sees all around it.
        case closure
    }

    let kind: Kind
    var function: FunctionCode
    var code: [Instruction] = []
    var places: [CodePlace] = []
    /// The variables of each open scope, outermost first.
    var scopes: [[String: Int]] = []
    var slotCount = 0
    var used: Set<Int> = []
    /// By slot of the function around this one.
    var captured: [Int: Int] = [:]

    init(_ kind: Kind, _ function: FunctionCode) {
        self.kind = kind
        self.function = function
    }

    mutating func makeSlot() -> Int {
        slotCount += 1
        return slotCount - 1
    }

    /// Declares a variable in the innermost scope; again is no harm.
    mutating func declare(_ name: String) -> Int {
        let last = scopes.count - 1
        if let slot = scopes[last][name] { return slot }
        let slot = makeSlot()
        scopes[last][name] = slot
        if !function.variableNames.contains(name) { function.variableNames.append(name) }
        return slot
    }
}

/// Whether what is printed in a template's root still appears.
enum Extending {
    case no
    /// A template may be extended already; known at run time.
    case perhaps
    /// Nothing printed from here on appears.
    case yes
}
