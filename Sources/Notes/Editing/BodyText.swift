/// Text between a file, whose lines end as they do, and a form, which knows one
/// line end.
enum BodyText {
    /// A line of a file: its text and what ends it.
    private struct Line {
        var text: ArraySlice<UInt8>
        var end: ArraySlice<UInt8>
    }

    private static func lines(_ bytes: ArraySlice<UInt8>) -> [Line] {
        var lines: [Line] = []
        var start = bytes.startIndex
        var index = start
        while index < bytes.endIndex {
            guard bytes[index] == 0x0A || bytes[index] == 0x0D else {
                index += 1
                continue
            }
            let isPair =
                bytes[index] == 0x0D && index + 1 < bytes.endIndex && bytes[index + 1] == 0x0A
            let next = index + (isPair ? 2 : 1)
            lines.append(Line(text: bytes[start..<index], end: bytes[index..<next]))
            (start, index) = (next, next)
        }
        lines.append(Line(text: bytes[start...], end: []))
        return lines
    }

    /// The text with every line ended by LF; bytes that are no text become U+FFFD.
    static func normalized(_ bytes: ArraySlice<UInt8>) -> String {
        let parts = lines(bytes).map { line in
            String(decoding: line.text, as: UTF8.self) + (line.end.isEmpty ? "" : "\n")
        }
        return parts.joined()
    }

    /// The bytes that say `text`: lines that are as they were keep theirs, new ones
    /// end as the others of the file do.
    static func replacing(_ bytes: ArraySlice<UInt8>, with text: String) -> [UInt8] {
        let old = lines(bytes)
        let new = lines(Array(text.utf8)[...])
        let ends = old.map(\.end).filter { !$0.isEmpty }
        let usual =
            ends.count(where: { $0.count == 2 }) * 2 > ends.count
            ? [0x0D, 0x0A] : ends.first.map { Array($0) } ?? [0x0A]
        func isSame(_ one: Line, _ other: Line) -> Bool {
            one.text == other.text && one.end.isEmpty == other.end.isEmpty
        }
        var start = 0
        while start < old.count, start < new.count, isSame(old[start], new[start]) { start += 1 }
        var (end, newEnd) = (old.count, new.count)
        while end > start, newEnd > start, isSame(old[end - 1], new[newEnd - 1]) {
            end -= 1
            newEnd -= 1
        }
        let changed = joined(Array(old[start..<end]), Array(new[start..<newEnd]), usual)
        return old[..<start].flatMap { $0.text + $0.end } + changed
            + old[end...].flatMap { $0.text + $0.end }
    }

    /// Beyond so many lines it is not looked for those that stayed between others
    /// that changed.
    private static let comparedLines = 4000

    /// The bytes of new lines: of those that are among the old ones with their
    /// ends.
    private static func joined(_ old: [Line], _ new: [Line], _ usual: [UInt8]) -> [UInt8] {
        var kept: [Int: Int] = [:]
        if max(old.count, new.count) <= comparedLines {
            let difference = new.map(\.text).difference(from: old.map(\.text))
            var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
            for change in difference {
                switch change {
                case .remove(let place, _, _): removed.insert(place)
                case .insert(let place, _, _): inserted.insert(place)
                }
            }
            let stays = old.indices.filter { !removed.contains($0) }
            let places = new.indices.filter { !inserted.contains($0) }
            for (place, line) in zip(places, stays) { kept[place] = line }
        }
        return new.enumerated().flatMap { place, line -> [UInt8] in
            guard !line.end.isEmpty else { return Array(line.text) }
            let end = kept[place].map { Array(old[$0].end) } ?? []
            return line.text + (end.isEmpty ? usual : end)
        }
    }
}
