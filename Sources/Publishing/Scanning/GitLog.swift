import Bytes
import Notes

/// Follows files through the history of a repository, from the latest commit
/// back to the first.
///
/// Fed with what `git log -z --name-status -M` prints, newest first, in pieces
/// of any size; `GitHistory` has the whole command.
struct GitLog {
    /// A file's first and latest commit so far.
    private struct Span {
        var written: String
        var updated: String?
    }

    /// What a token is the next part of.
    private enum Expected { case header, path, newPath(old: String) }

    private var spans: [String: Span] = [:]
    /// What a file was called at the commit in work, by what it is called now;
    /// nil where it was not yet, or is another one of the same name.
    private var current: [String: String?] = [:]
    private var date = ""
    private var status: UInt8 = 0
    private var isPureMove = false
    private var expected = Expected.header
    private var rest: [UInt8] = []

    /// Takes a piece of what git prints.
    mutating func read(_ bytes: UnsafeRawBufferPointer) {
        var bytes = bytes[...]
        while let end = bytes.firstIndex(of: 0) {
            rest += bytes[..<end]
            token(rest[...])
            rest.removeAll(keepingCapacity: true)
            bytes = bytes[(end + 1)...]
        }
        rest += bytes
    }

    /// The marker that a commit's date begins with.
    static let marker: UInt8 = 2

    private mutating func token(_ bytes: ArraySlice<UInt8>) {
        switch expected {
        case .header:
            // The first status of a commit stands on a line of its own.
            let bytes = bytes.drop { $0 == UInt8(ascii: "\n") }
            guard let first = bytes.first else { return }
            if first == Self.marker {
                date = String(decoding: bytes.dropFirst(), as: UTF8.self)
            } else {
                status = first
                isPureMove = bytes.elementsEqual("R100".utf8)
                expected = .path
            }
        case .path:
            let path = String(decoding: bytes, as: UTF8.self)
            if status == UInt8(ascii: "R") || status == UInt8(ascii: "C") {
                expected = .newPath(old: path)
            } else {
                change(path)
                expected = .header
            }
        case .newPath(let old):
            rename(old, to: String(decoding: bytes, as: UTF8.self))
            expected = .header
        }
    }

    /// What a file of this commit is called now; nil where it is no more.
    private func name(of path: String) -> String? {
        current[path].map { $0 } ?? .some(path)
    }

    private mutating func touch(_ name: String, isEdit: Bool = true) {
        var span = spans[name] ?? Span(written: date)
        span.written = date
        if isEdit { span.updated = span.updated ?? date }
        spans[name] = span
    }

    private mutating func change(_ path: String) {
        switch status {
        case UInt8(ascii: "A"):
            if let name = name(of: path) { touch(name) }
            // What bore the name before was another file.
            current[path] = .some(nil)
        case UInt8(ascii: "D"): current[path] = .some(nil)
        default: if let name = name(of: path) { touch(name) }
        }
    }

    private mutating func rename(_ old: String, to new: String) {
        let name = name(of: new)
        if let name { touch(name, isEdit: !isPureMove) }
        // A copy leaves the other file what it is.
        if status == UInt8(ascii: "R") { current[old] = .some(name) }
        current[new] = .some(nil)
    }

    /// The dates of the files in a folder of the repository, which ends in `/`
    /// or is empty, by their paths in it.
    func dates(in folder: String) -> [String: HistoryDates] {
        var result: [String: HistoryDates] = [:]
        for (path, span) in spans {
            guard let path = FilePath.relative(path, to: folder), NotePath.isNote(path),
                let written = try? NoteDate(parsing: span.written)
            else { continue }
            let updated = span.updated == span.written ? nil : span.updated
            result[path] = HistoryDates(
                written: written, updated: updated.flatMap { try? NoteDate(parsing: $0) })
        }
        return result
    }
}
