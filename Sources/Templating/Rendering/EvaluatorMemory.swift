import Bytes

/// A function that is running.
struct Frame {
    enum Kind {
        case template
        case include
        case module(template: Int)
        case macro
        case block
        case loop
    }

    var kind: Kind
    var function: Int
    var template: Int
    /// The first of its slots.
    var slotBase: Int
    var context: RenderContext
    var escaping: Escaping?
    /// Where to go on in the calling function.
    var returnPlace: Int
    /// Where its text begins, if it becomes a value; nil: it is printed.
    var captureStart: Int?
    /// Whether the text it becomes is markup.
    var isMarkup = false
    /// The template it extends, once it does.
    var parent: Int?
    /// In a recursive loop: the loop, and how deep it is.
    var loop: Macro?
    var loopDepth = 0
}

/// A loop that is running.
struct Iteration {
    var items: [TemplateValue]
    var next = 0
    var loop: LoopState?
    /// The elements that met the condition, while collecting.
    var collected: [TemplateValue]?
}

/// Where the evaluator keeps what it works with, so that the memory can serve
/// the next render.
struct EvaluatorMemory {
    var stack: [TemplateValue] = []
    var slots: [TemplateValue] = []
    var frames: [Frame] = []
    var iterations: [Iteration] = []
    var captures: [Int] = []
    var escapings: [Escaping?] = []
    /// Variables that macros share with the function around them.
    var cells: [TemplateValue] = []
    /// What may hold itself, to be emptied when the render ends.
    var rings: [any RingMember] = []
    /// Templates imported without context, each run once.
    var modules: [Int: TemplateModule] = [:]
    /// How many more templates may be extended: dynamic names can form rings.
    var extendsLeft = 0

    /// Sees to it that what may hold itself is emptied when the render ends.
    mutating func watch(_ member: some RingMember) {
        guard !member.isWatched else { return }
        member.isWatched = true
        rings.append(member)
    }

    /// Forgets the values, keeps the memory.
    mutating func clear() {
        for member in rings { member.clear() }
        stack.removeAll(keepingCapacity: true)
        slots.removeAll(keepingCapacity: true)
        frames.removeAll(keepingCapacity: true)
        iterations.removeAll(keepingCapacity: true)
        captures.removeAll(keepingCapacity: true)
        escapings.removeAll(keepingCapacity: true)
        cells.removeAll(keepingCapacity: true)
        rings.removeAll(keepingCapacity: true)
        modules.removeAll(keepingCapacity: true)
    }
}

/// An object that values can be stored in after it was made, so that it can
/// come to hold itself: a context holds macros, which hold their context.
/// Whoever makes such a ring has it watched.
protocol RingMember: AnyObject {
    /// Whether it is to be emptied already.
    var isWatched: Bool { get set }
    /// Drops what it holds.
    func clear()
}
