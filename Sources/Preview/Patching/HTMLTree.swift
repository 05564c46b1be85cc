import Bytes

/// A page's HTML as the tree of nodes that a browser makes of it.
///
/// Only of pages of which that can be told without the many rules by which
/// browsers mend faults: where a tag would close another by itself, or text would
/// be moved out of a table, there is no tree, and such a page is taken as a whole.
struct HTMLTree: Equatable {
    /// What a node is.
    enum Kind: UInt8 {
        /// An element whose children are nodes.
        case element
        /// An element that is compared as a whole: what is in it is text to a
        /// browser, or follows rules of its own.
        case opaque
        case text
        case comment
    }

    /// A node, with its places in the bytes. Small, since pages have many: what can
    /// be read from the bytes is not kept.
    struct Node: Equatable {
        var kind: Kind
        /// All of it.
        var start: Int32
        var end: Int32
        /// Where an element's name ends and its attributes begin.
        var nameEnd: Int32 = 0
        /// Where they end.
        var attributesEnd: Int32 = 0
        /// The number of the first node that is neither this nor in it.
        var next: Int32 = 0
    }

    /// The page.
    let bytes: [UInt8]
    /// All nodes, in the order of the page: what is in a node follows it. The first
    /// is `html`.
    private(set) var nodes: [Node]

    /// The tree of a page; nil where it cannot be told.
    init?(_ bytes: [UInt8]) {
        guard bytes.count < Int32.max else { return nil }
        self.bytes = bytes
        var builder = HTMLTreeBuilder(bytes)
        guard builder.build() else { return nil }
        nodes = builder.nodes
    }

    /// A tree whose nodes are known.
    init(_ bytes: [UInt8], _ nodes: [Node]) {
        self.bytes = bytes
        self.nodes = nodes
    }

    /// The number of `html`.
    var root: Int { 0 }

    /// What a node is.
    func kind(of node: Int) -> Kind { nodes[node].kind }

    /// Whether a node counts among its parent's elements.
    func isElement(_ node: Int) -> Bool { kind(of: node) == .element || kind(of: node) == .opaque }

    /// The source of a node.
    func bytes(of node: Int) -> ArraySlice<UInt8> {
        bytes[Int(nodes[node].start)..<Int(nodes[node].end)]
    }

    /// The source of an element's attributes.
    func attributes(of node: Int) -> ArraySlice<UInt8> {
        bytes[Int(nodes[node].nameEnd)..<Int(nodes[node].attributesEnd)]
    }

    /// What stands for an element's name; see ``HTMLTag/key``.
    func key(of node: Int) -> UInt128 {
        HTMLTag.key(of: bytes[Int(nodes[node].start) + 1..<Int(nodes[node].nameEnd)])
    }

    /// The text of a node's source.
    func source(_ node: Int) -> String { String(decoding: bytes(of: node), as: UTF8.self) }

    /// The children of a node.
    func children(of node: Int) -> [Int] {
        var result: [Int] = []
        var child = node + 1
        while child < Int(nodes[node].next) {
            result.append(child)
            child = Int(nodes[child].next)
        }
        return result
    }
}
