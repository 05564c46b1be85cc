// The wall around libyaml: no other file imports it, and no pointer leaves
// this one.
import CYAML

/// A YAML document read whole.
package struct YAMLDocument: Sendable, Equatable {
    /// How deep lists and mappings may be nested.
    package static let maximalDepth = 64
    /// How many values a document may hold once its aliases are resolved.
    package static let maximalNodes = 100_000

    /// The root; nil where the text is empty or holds comments only.
    package var root: YAMLNode?

    /// Reads the bytes of `source` at `range`; only the first document of
    /// several counts.
    ///
    /// Places in the result count from the start of `source`. Costs one copy of
    /// the scalars; a typical front matter takes about 5 µs.
    package init(parsing source: [UInt8], in range: Range<Int>) throws(YAMLError) {
        var reader = EventReader(source: source, range: range)
        root = try reader.readRoot()
    }
}

/// Builds a tree from libyaml's events, without recursion.
private struct EventReader {
    private let source: [UInt8]
    private let range: Range<Int>
    private let places: Places
    private var open: [OpenNode] = []
    private var anchors: [String: (node: YAMLNode, size: Int, depth: Int)] = [:]
    private var nodeCount = 0

    private struct OpenNode {
        var node: YAMLNode
        var anchor: String?
        /// The key that waits for its value, in a mapping.
        var key: (text: String, range: Range<Int>)?
        /// Keys so far; a dictionary only once a mapping is large.
        var keys: [String: Range<Int>] = [:]
        var nodesBefore: Int
        /// How many levels it has, as far as it was read: aliases bring theirs.
        var depth = 1
    }

    init(source: [UInt8], range: Range<Int>) {
        self.source = source
        self.range = range
        places = Places(source, range)
    }

    mutating func readRoot() throws(YAMLError) -> YAMLNode? {
        var parser = yaml_parser_t()
        guard yaml_parser_initialize(&parser) == 1 else {
            throw YAMLError(
                reason: .syntax(problem: "out of memory", character: nil), range: range)
        }
        defer { yaml_parser_delete(&parser) }
        // libyaml keeps the pointer until it is deleted: the events are read
        // inside the closure that lends it.
        let result = source.withUnsafeBufferPointer { bytes -> Result<YAMLNode?, YAMLError> in
            let part = UnsafeBufferPointer(rebasing: bytes[range])
            yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
            yaml_parser_set_input_string(&parser, part.baseAddress, part.count)
            do throws(YAMLError) {
                return .success(try readEvents(&parser))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private mutating func readEvents(_ parser: inout yaml_parser_t) throws(YAMLError) -> YAMLNode? {
        while true {
            var event = yaml_event_t()
            guard yaml_parser_parse(&parser, &event) == 1 else { throw syntaxError(parser) }
            defer { yaml_event_delete(&event) }
            let start = places.offset(event.start_mark)
            let place = start..<max(start, places.offset(event.end_mark))
            let finished: YAMLNode?
            switch event.type {
            case YAML_SCALAR_EVENT:
                let scalar = event.data.scalar
                let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
                let node = YAMLNode(
                    .scalar(
                        YAMLScalar(
                            text: String(decoding: bytes, as: UTF8.self),
                            isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE
                                && !Self.isStringTag(scalar.tag))),
                    at: place)
                nodeCount += 1
                if let anchor = Self.text(scalar.anchor) { anchors[anchor] = (node, 1, 0) }
                finished = try add(node)
            case YAML_SEQUENCE_START_EVENT:
                let anchor = Self.text(event.data.sequence_start.anchor)
                try push(YAMLNode(.sequence([]), at: place), anchor: anchor)
                finished = nil
            case YAML_MAPPING_START_EVENT:
                let anchor = Self.text(event.data.mapping_start.anchor)
                try push(YAMLNode(.mapping([]), at: place), anchor: anchor)
                finished = nil
            case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
                finished = try pop(endingAt: place)
            case YAML_ALIAS_EVENT:
                let name = Self.text(event.data.alias.anchor) ?? ""
                guard let (target, size, depth) = anchors[name] else {
                    throw YAMLError(reason: .unknownAnchor(name), range: place)
                }
                guard open.count + depth <= YAMLDocument.maximalDepth else {
                    throw YAMLError(reason: .tooDeep, range: place)
                }
                deepen(by: depth)
                nodeCount += size
                guard nodeCount <= YAMLDocument.maximalNodes else {
                    throw YAMLError(reason: .tooLarge, range: place)
                }
                finished = try add(YAMLNode(target.content, at: place))
            case YAML_DOCUMENT_END_EVENT, YAML_STREAM_END_EVENT:
                return nil
            default:
                finished = nil
            }
            if let finished {
                // What follows the root must be readable too, up to the end of
                // the document.
                yaml_event_delete(&event)
                guard yaml_parser_parse(&parser, &event) == 1 else { throw syntaxError(parser) }
                return finished
            }
        }
    }

    private mutating func push(_ node: YAMLNode, anchor: String?) throws(YAMLError) {
        guard open.count < YAMLDocument.maximalDepth else {
            throw YAMLError(reason: .tooDeep, range: node.range)
        }
        if let last = open.last, case .mapping = last.node.content, last.key == nil {
            throw YAMLError(reason: .keyIsNotText, range: node.range)
        }
        nodeCount += 1
        open.append(OpenNode(node: node, anchor: anchor, nodesBefore: nodeCount - 1))
    }

    private mutating func pop(endingAt place: Range<Int>) throws(YAMLError) -> YAMLNode? {
        guard var closed = open.popLast() else { return nil }
        let start = closed.node.range.lowerBound
        var end = max(start, place.upperBound)
        // Block collections end where the next token starts: give back the
        // blank space before it.
        while end > start, source[end - 1] <= 0x20 { end -= 1 }
        closed.node.range = start..<end
        if let anchor = closed.anchor {
            anchors[anchor] = (closed.node, nodeCount - closed.nodesBefore, closed.depth)
        }
        deepen(by: closed.depth)
        return try add(closed.node)
    }

    /// Takes note that the innermost open value holds one of `depth` levels.
    private mutating func deepen(by depth: Int) {
        guard let last = open.indices.last else { return }
        open[last].depth = max(open[last].depth, depth + 1)
    }

    /// Puts a finished value where it belongs; returns it if it is the root.
    private mutating func add(_ node: YAMLNode) throws(YAMLError) -> YAMLNode? {
        guard let last = open.indices.last else { return node }
        switch open[last].node.content {
        case .sequence(var items):
            open[last].node.content = .sequence([])
            items.append(node)
            open[last].node.content = .sequence(items)
        case .mapping(var entries):
            if let key = open[last].key {
                open[last].node.content = .mapping([])
                entries.append(YAMLEntry(key: key.text, keyRange: key.range, value: node))
                open[last].node.content = .mapping(entries)
                open[last].key = nil
            } else {
                guard let scalar = node.scalar else {
                    throw YAMLError(reason: .keyIsNotText, range: node.range)
                }
                if let first = open[last].keys.updateValue(node.range, forKey: scalar.text) {
                    throw YAMLError(
                        reason: .duplicateKey(scalar.text, first: first), range: node.range)
                }
                open[last].key = (scalar.text, node.range)
            }
        case .scalar:
            preconditionFailure("only lists and mappings are ever open")
        }
        return nil
    }

    private func syntaxError(_ parser: yaml_parser_t) -> YAMLError {
        let problem = parser.problem.map { String(cString: $0) } ?? "unreadable YAML"
        let offset: Int
        if parser.error == YAML_READER_ERROR {
            offset = range.lowerBound + min(Int(parser.problem_offset), range.count)
        } else if problem.hasPrefix("found unexpected end of stream")
            || problem.hasPrefix("did not find expected ','")
            || problem.hasPrefix("could not find expected ':'")
        {
            // The place that helps is where the quote, bracket or line begins.
            offset = places.offset(parser.context_mark)
        } else {
            offset = places.offset(parser.problem_mark)
        }
        let rest = source[offset..<range.upperBound].prefix(4)
        let character = String(decoding: rest, as: UTF8.self).first
        let length = character.map { $0.utf8.count } ?? 0
        return YAMLError(
            reason: .syntax(problem: problem, character: character),
            range: offset..<min(offset + max(length, 0), range.upperBound))
    }

    private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        pointer.map { String(cString: $0) }
    }

    private static func isStringTag(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> Bool {
        text(pointer) == "tag:yaml.org,2002:str"
    }
}

/// Turns libyaml's marks, which count characters, into byte offsets.
private struct Places {
    private let start: Int
    private let end: Int
    /// The byte offset of each character; empty where every character is one
    /// byte, which is the common case.
    private var characters: [Int32] = []

    init(_ source: [UInt8], _ range: Range<Int>) {
        start = range.lowerBound
        end = range.upperBound
        guard source[range].contains(where: { $0 >= 0x80 }) else { return }
        characters.reserveCapacity(range.count)
        for index in range where source[index] & 0xC0 != 0x80 {
            characters.append(Int32(index - start))
        }
    }

    func offset(_ mark: yaml_mark_t) -> Int {
        let index = Int(mark.index)
        if characters.isEmpty { return min(start + index, end) }
        return index < characters.count ? start + Int(characters[index]) : end
    }
}
