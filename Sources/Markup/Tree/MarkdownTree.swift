// The wall around cmark: no other file of this target imports it.
import CArena
import CCmark

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The tree that cmark makes of a text, as plain values in document order.
///
/// Nodes stand in one array, each before its children; their texts stand in
/// one run of bytes. So no pointer of cmark's leaves this file, the walk needs
/// no recursion however deep an author nests, and a subtree is a range.
/// Copying the tree out costs about a twentieth of parsing it.
///
/// The arrays keep their memory: one tree serves all notes of a thread.
struct MarkdownTree {
    /// What a node is; cmark's kinds.
    enum Kind: UInt8 {
        case document, blockQuote, list, item, codeBlock, htmlBlock, paragraph, heading
        case thematicBreak
        case text, softBreak, lineBreak, code, htmlInline, emphasis, strong, link, image
    }

    /// One node. Numbers are 32 bits wide: cmark itself takes no longer text.
    struct Node {
        /// What it is.
        var kind: Kind
        /// Of a list: whether its items are tight.
        var isTight = false
        /// Of a list: whether it is ordered.
        var isOrdered = false
        /// Of a link or picture: whether a title was written, be it empty.
        var hasTitle = false
        /// A heading's level, an ordered list's first number, else 0.
        var number: Int32 = 0
        /// The line it starts on, from 1; right for blocks only.
        var line: Int32 = 0
        /// The index behind the last node of its subtree.
        var end: Int32 = 0
        /// Its text in ``bytes``: a literal, or an address.
        var textStart: Int32 = 0
        var textEnd: Int32 = 0
        /// A title or an info string; it follows the text in ``bytes``.
        var titleEnd: Int32 = 0

        /// Where its text stands in ``MarkdownTree/bytes``.
        var text: Range<Int> { Int(textStart)..<Int(textEnd) }
        /// Where its title or info string stands in ``MarkdownTree/bytes``.
        var title: Range<Int> { Int(textEnd)..<Int(titleEnd) }
    }

    /// The nodes, the document first.
    private(set) var nodes: [Node] = []
    /// The texts of all nodes.
    private(set) var bytes: [UInt8] = []
    private var open: [Int] = []

    /// Parses `text`, forgetting the tree held before.
    mutating func parse(_ text: UnsafeBufferPointer<UInt8>) {
        nodes.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        open.removeAll(keepingCapacity: true)
        bytes.reserveCapacity(text.count + text.count / 4)
        // All that cmark allocates below goes back at once, also its parser.
        defer { daybook_arena_reset() }
        let parser = cmark_parser_new_with_mem(CMARK_OPT_DEFAULT, daybook_arena_mem())
        text.withMemoryRebound(to: CChar.self) { text in
            cmark_parser_feed(parser, text.baseAddress, text.count)
        }
        guard let root = cmark_parser_finish(parser) else { return }
        copy(root)
    }

    /// Copies the tree in document order, without recursion.
    private mutating func copy(_ root: OpaquePointer) {
        var node = root
        while true {
            append(node)
            if let child = cmark_node_first_child(node) {
                open.append(nodes.count - 1)
                node = child
                continue
            }
            nodes[nodes.count - 1].end = Int32(nodes.count)
            while true {
                if let next = cmark_node_next(node) {
                    node = next
                    break
                }
                guard let parent = open.popLast(), let above = cmark_node_parent(node) else {
                    return
                }
                nodes[parent].end = Int32(nodes.count)
                node = above
            }
        }
    }

    private mutating func append(_ node: OpaquePointer) {
        let type = cmark_node_get_type(node)
        var copy = Node(kind: Kind(type))
        copy.line = cmark_node_get_start_line(node)
        copy.textStart = Int32(bytes.count)
        switch copy.kind {
        case .text, .code, .htmlInline, .htmlBlock:
            append(cmark_node_get_literal(node))
        case .codeBlock:
            append(cmark_node_get_literal(node))
            copy.textEnd = Int32(bytes.count)
            append(cmark_node_get_fence_info(node))
        case .link, .image:
            append(cmark_node_get_url(node))
            copy.textEnd = Int32(bytes.count)
            let title = cmark_node_get_title(node)
            append(title)
            copy.hasTitle = title?.pointee != 0 || title != Self.missingTitle
        case .list:
            copy.isTight = cmark_node_get_list_tight(node) != 0
            copy.isOrdered = cmark_node_get_list_type(node) == CMARK_ORDERED_LIST
            copy.number = cmark_node_get_list_start(node)
        case .heading:
            copy.number = cmark_node_get_heading_level(node)
        default:
            break
        }
        copy.titleEnd = Int32(bytes.count)
        if copy.kind != .codeBlock, copy.kind != .link, copy.kind != .image {
            copy.textEnd = copy.titleEnd
        }
        nodes.append(copy)
    }

    private mutating func append(_ text: UnsafePointer<CChar>?) {
        // cmark ends its texts with NUL and tells no length.
        guard let text else { return }
        let count = strlen(text)
        text.withMemoryRebound(to: UInt8.self, capacity: count) {
            bytes.append(contentsOf: UnsafeBufferPointer(start: $0, count: count))
        }
    }

    /// What cmark answers for a link without a title.
    ///
    /// It answers an empty text for an empty title as well, but prints
    /// `title=""` for that one only; the address tells them apart.
    private static var missingTitle: UnsafePointer<CChar>? {
        let link = cmark_node_new_with_mem(CMARK_NODE_LINK, daybook_arena_mem())
        return cmark_node_get_title(link)
    }
}

extension MarkdownTree.Kind {
    fileprivate init(_ type: cmark_node_type) {
        switch type {
        case CMARK_NODE_TEXT: self = .text
        case CMARK_NODE_SOFTBREAK: self = .softBreak
        case CMARK_NODE_PARAGRAPH: self = .paragraph
        case CMARK_NODE_CODE: self = .code
        case CMARK_NODE_EMPH: self = .emphasis
        case CMARK_NODE_STRONG: self = .strong
        case CMARK_NODE_LINK: self = .link
        case CMARK_NODE_IMAGE: self = .image
        case CMARK_NODE_LINEBREAK: self = .lineBreak
        case CMARK_NODE_HTML_INLINE: self = .htmlInline
        case CMARK_NODE_BLOCK_QUOTE: self = .blockQuote
        case CMARK_NODE_LIST: self = .list
        case CMARK_NODE_ITEM: self = .item
        case CMARK_NODE_CODE_BLOCK: self = .codeBlock
        case CMARK_NODE_HTML_BLOCK: self = .htmlBlock
        case CMARK_NODE_HEADING: self = .heading
        case CMARK_NODE_THEMATIC_BREAK: self = .thematicBreak
        // The parser makes no custom nodes, which leaves the document.
        default: self = .document
        }
    }
}
