import YAML

/// Tags are a list in brackets, a list of lines, or a text: each is changed entry
/// by entry, so that those which stay keep their bytes.
extension FrontMatterText {
    /// Makes a value name just `tags`: others are taken out, new ones put behind.
    mutating func replaceTags(
        _ node: YAMLNode, with tags: [String]
    ) throws(FrontMatterEditError) {
        let wanted = tags.compactMap { Tag($0) }
        guard wanted.count == tags.count else { throw .notUnderstood }
        let keys = Set(wanted.map(\.key))
        switch node.content {
        case .mapping: throw .unusualValue(key(of: node))
        case .scalar(let scalar): try replaceText(node, scalar.text, keeping: keys, wanted)
        case .sequence(let items):
            var known: Set<String> = []
            var removed: [Int] = []
            for (index, item) in items.enumerated() {
                guard let name = item.scalar?.text, let tag = Tag(name.trimmingWhitespace()) else {
                    continue
                }
                // Of two spellings of one tag the first is enough.
                if keys.contains(tag.key), known.insert(tag.key).inserted { continue }
                removed.append(index)
            }
            let added = wanted.filter { !known.contains($0.key) }.map(\.name)
            if bytes[node.range.lowerBound] == UInt8(ascii: "[") {
                replaceInBrackets(node, items, removed, added)
            } else {
                try replaceLines(node, items, removed, added)
            }
        }
    }

    // MARK: A text

    private mutating func replaceText(
        _ node: YAMLNode, _ text: String, keeping keys: Set<String>, _ wanted: [Tag]
    ) throws(FrontMatterEditError) {
        let hasCommas = text.contains(",")
        let parts =
            hasCommas
            ? text.split(separator: ",").map { String($0).trimmingWhitespace() }
            : text.split(whereSeparator: \.isWhitespace).map { String($0) }
        let kept = parts.filter { part in Tag(part).map { keys.contains($0.key) } ?? false }
        let known = Set(kept.compactMap { Tag($0)?.key })
        let all = kept + wanted.filter { !known.contains($0.key) }.map(\.name)
        let needsCommas = hasCommas || all.contains { $0.contains(where: \.isWhitespace) }
        // One name with blanks would be read as several without a comma.
        let isAlone = needsCommas && all.count == 1
        let text = all.joined(separator: needsCommas ? ", " : " ") + (isAlone ? "," : "")
        // Commas mean nothing to YAML outside of brackets.
        if node.scalar?.isPlain == true, all.allSatisfy({ YAMLText.isPlain($0) }), !isAlone {
            replace(node.range.lowerBound..<end(of: node), with: text)
        } else {
            try replace(node, with: text)
        }
    }

    // MARK: `[a, b]`

    private mutating func replaceInBrackets(
        _ node: YAMLNode, _ items: [YAMLNode], _ removed: [Int], _ added: [String]
    ) {
        let stays = items.indices.filter { !removed.contains($0) }
        for index in removed {
            let range = items[index].range.lowerBound..<end(of: items[index])
            if let line = ownLine(of: range) {
                // The comma of the entry before may stand at the end of the list.
                replace(line, with: "")
            } else if stays.contains(where: { $0 > index }) {
                // With the comma behind it; where no entry that stays follows, with
                // the one before it.
                replace(range.lowerBound..<items[index + 1].range.lowerBound, with: "")
            } else if stays.isEmpty {
                // With all up to the next, and the comma behind the last.
                let next = index + 1 < items.count ? items[index + 1].range.lowerBound : nil
                replace(range.lowerBound..<(next ?? behindComma(range.upperBound)), with: "")
            } else {
                replace(end(of: items[index - 1])..<range.upperBound, with: "")
            }
        }
        guard !added.isEmpty else { return }
        let new = added.map { name in
            stays.first.map { written(name, like: items[$0].range.lowerBound) }
                ?? YAMLText.scalar(name)
        }
        let text = new.joined(separator: ", ")
        if let last = stays.last {
            let place = end(of: items[last])
            replace(place..<place, with: ", " + text)
        } else {
            // Where the first one stood, unless its whole line goes.
            let first = items.first.map { $0.range.lowerBound..<end(of: $0) }
            let place =
                first.flatMap { ownLine(of: $0) == nil ? $0.lowerBound : nil }
                ?? node.range.lowerBound + 1
            replace(place..<place, with: text)
        }
    }

    /// The place behind the comma that follows, on the same line; `place` itself
    /// where there is none.
    private func behindComma(_ place: Int) -> Int {
        var next = place
        while next < bytes.count, bytes[next] == 0x20 || bytes[next] == 0x09 { next += 1 }
        return next < bytes.count && bytes[next] == UInt8(ascii: ",") ? next + 1 : place
    }

    /// The line that an entry in brackets has for itself, with its comma and its
    /// comment; nil where something else stands there.
    private func ownLine(of entry: Range<Int>) -> Range<Int>? {
        var start = entry.lowerBound
        while start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
        guard start > 0, bytes[start - 1] == 0x0A else { return nil }
        var end = behindComma(entry.upperBound)
        while end < bytes.count, bytes[end] == 0x20 || bytes[end] == 0x09 { end += 1 }
        if end < bytes.count, bytes[end] == UInt8(ascii: "#") {
            while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
        }
        if end < bytes.count, bytes[end] == 0x0D { end += 1 }
        guard end < bytes.count, bytes[end] == 0x0A else { return nil }
        return start..<end + 1
    }

    // MARK: `- a`

    private mutating func replaceLines(
        _ node: YAMLNode, _ items: [YAMLNode], _ removed: [Int], _ added: [String]
    ) throws(FrontMatterEditError) {
        let stays = items.indices.filter { !removed.contains($0) }
        guard let last = stays.last else {
            // No entry is left to write others like: the list becomes another.
            let text = added.map { YAMLText.scalar($0) }.joined(separator: ", ")
            var start = node.range.lowerBound
            while start > 0, bytes[start - 1] <= 0x20 { start -= 1 }
            replace(start..<end(of: node), with: " [\(text)]")
            return
        }
        for index in removed {
            let line = try line(of: items[index], key: key(of: node))
            replace(line.start..<line.next, with: "")
        }
        guard !added.isEmpty else { return }
        let line = try line(of: items[last], key: key(of: node))
        let lead = String(decoding: bytes[line.start..<line.text], as: UTF8.self)
        let end = String(decoding: bytes[line.end..<line.next], as: UTF8.self)
        for name in added {
            let text = lead + written(name, like: items[last].range.lowerBound)
            replace(line.next..<line.next, with: text + (end.isEmpty ? "\n" : end))
        }
    }

    /// The line of an entry, which has it for itself.
    private func line(
        of item: YAMLNode, key: String
    ) throws(FrontMatterEditError) -> (start: Int, text: Int, end: Int, next: Int) {
        var start = item.range.lowerBound
        while start > 0, bytes[start - 1] != 0x0A, bytes[start - 1] != 0x0D { start -= 1 }
        let lead = bytes[start..<item.range.lowerBound]
        guard lead.contains(UInt8(ascii: "-")),
            lead.allSatisfy({ $0 == UInt8(ascii: "-") || $0 == 0x20 || $0 == 0x09 }),
            !item.range.isEmpty
        else { throw .unusualValue(key) }
        var end = self.end(of: item)
        while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
        var next = end
        if next < bytes.count {
            next += bytes[next] == 0x0D && next + 1 < bytes.count && bytes[next + 1] == 0x0A ? 2 : 1
        }
        return (start, item.range.lowerBound, end, next)
    }
}
