import Bytes

/// What turns a page, as a browser shows it, into its next version.
///
/// Nodes are named by the places of elements among their parents' elements, from
/// `html` down. All of them are meant in the old page, so whoever applies the
/// steps finds every node before it changes one.
struct PagePatch: Equatable {
    /// One change.
    enum Step: Equatable {
        /// A text node, by its place among the children of an element, has other
        /// words. Both are source, with entities.
        case text(in: [Int], at: Int, from: String, to: String)
        /// Attributes of an element; nil takes one away.
        case attributes(of: [Int], [Attribute])
        /// Children of an element, by their places, give way to others. `count` is
        /// how many it has.
        case children(of: [Int], count: Int, Range<Int>, html: String)
    }

    struct Attribute: Equatable {
        var name: String
        var value: String?
    }

    var steps: [Step] = []

    /// The steps as the page's script takes them.
    var json: JSONValue {
        .array(
            steps.map { step in
                switch step {
                case .text(let path, let place, let old, let new):
                    .array([.text("t"), Self.json(path), .number(place), .text(old), .text(new)])
                case .attributes(let path, let attributes):
                    .array([
                        .text("a"), Self.json(path),
                        .object(attributes.map { ($0.name, .optional($0.value)) }),
                    ])
                case .children(let path, let count, let range, let html):
                    .array([
                        .text("c"), Self.json(path), .number(count), .number(range.lowerBound),
                        .number(range.count), .text(html),
                    ])
                }
            })
    }

    private static func json(_ path: [Int]) -> JSONValue { .array(path.map { .number($0) }) }
}
