/// What `loop` is inside a `for`.
final class LoopState: RingMember {
    let items: [TemplateValue]
    /// How many recursive loops lie around this one.
    let depth: Int
    /// The loop itself, where it may be called.
    let recursion: Macro?
    var index = 0
    private var lastChanged: [TemplateValue]?
    var isWatched = false

    init(_ items: [TemplateValue], depth: Int, recursion: Macro?) {
        self.items = items
        self.depth = depth
        self.recursion = recursion
    }

    func clear() {
        lastChanged = nil
    }

    static let memberNames = [
        "index", "index0", "revindex", "revindex0", "first", "last", "length", "previtem",
        "nextitem", "depth", "depth0", "cycle", "changed",
    ]

    func member(_ name: String) -> TemplateValue? {
        switch name {
        case "index": .integer(index + 1)
        case "index0": .integer(index)
        case "revindex": .integer(items.count - index)
        case "revindex0": .integer(items.count - index - 1)
        case "first": .boolean(index == 0)
        case "last": .boolean(index == items.count - 1)
        case "length": .integer(items.count)
        case "depth": .integer(depth + 1)
        case "depth0": .integer(depth)
        case "previtem":
            index > 0
                ? items[index - 1]
                : .undefined(UndefinedName(explanation: "there is no previous item"))
        case "nextitem":
            index + 1 < items.count
                ? items[index + 1]
                : .undefined(UndefinedName(explanation: "there is no next item"))
        default: nil
        }
    }

    /// The item whose turn it is: `loop.cycle('odd', 'even')`.
    func cycle(_ items: [TemplateValue]) throws(TemplateProblem) -> TemplateValue {
        guard !items.isEmpty else {
            throw .missingArgument(callee: "'loop.cycle'", name: "an item")
        }
        return items[index % items.count]
    }

    /// Whether the values differ from those of the last call.
    func changed(
        _ values: [TemplateValue], _ host: RenderHost
    ) throws(TemplateProblem) -> Bool {
        if let last = lastChanged, try TemplateValue.tuple(last).isEqual(to: .tuple(values), host) {
            return false
        }
        lastChanged = values
        return true
    }
}
