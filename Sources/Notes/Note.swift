package import Bytes
package import Diagnostics
package import Markup

/// The number that stands for a note's path while a program runs.
///
/// Comparing and looking up a number costs a tenth of what a path costs. The
/// store gives numbers out; they say nothing of any order.
package struct NoteID: Hashable, Sendable {
    /// The slot in the store.
    package let rawValue: Int

    /// The note in slot `rawValue`.
    package init(rawValue: Int) {
        self.rawValue = rawValue
    }
}

/// A note as it stands in its file: immutable, whatever becomes of it in a
/// site.
///
/// A class only so that handing one on costs one reference count; all of it is
/// constant, so it behaves as a value.
package final class Note: Sendable {
    /// The path of the file in the content folder, parts separated by `/`.
    package let path: String
    /// The folder part of ``path``; empty at the root.
    package let folder: String
    /// The file's name without its folder and its ending.
    package let name: String
    /// The path of the file in the site folder, as messages name it.
    package let file: String
    /// What the front matter says.
    package let frontMatter: FrontMatter
    /// The title, or nil where it is the site's: an index note at the root that
    /// names none.
    package let title: String?
    /// Where ``title`` comes from.
    package let titleOrigin: TitleOrigin
    /// The day and time, from the front matter or the file's name.
    package let date: NoteDate?
    /// All tags, from the front matter and the text, each once, in order.
    package let tags: [Tag]
    /// The summary as plain text; empty where there is none.
    package let summary: String
    /// The body. Where the title is its first heading, pages leave out
    /// ``MarkupDocument/leadingHeading``.
    package let body: MarkupDocument
    /// Where the body begins in the file, in bytes.
    package let bodyOffset: Int
    /// The headings by what links call them.
    package let headings: HeadingIndex
    /// The fingerprints of the fields, by ``NoteField/rawValue``. In the note
    /// itself: a look at an array would count a reference.
    private let fingerprints: NoteField.Fingerprints

    /// Where a title comes from.
    package enum TitleOrigin: Sendable {
        /// The front matter.
        case frontMatter
        /// A level-1 heading that opens the body.
        case heading
        /// The file's name.
        case fileName
        /// The folder's name, of an index note.
        case folderName
        /// The site's title, of an index note at the root.
        case site
    }

    init(
        path: String, file: String, frontMatter: FrontMatter, title: String?,
        titleOrigin: TitleOrigin, date: NoteDate?, tags: [Tag], summary: String,
        body: MarkupDocument, bodyOffset: Int, bodyFingerprint: Fingerprint
    ) {
        self.path = path
        self.file = file
        folder = NotePath.folder(of: path)
        name = NotePath.name(of: path)
        self.frontMatter = frontMatter
        self.title = title
        self.titleOrigin = titleOrigin
        self.date = date
        self.tags = tags
        self.summary = summary
        self.body = body
        self.bodyOffset = bodyOffset
        headings = HeadingIndex(body.headings)
        fingerprints = NoteField.fingerprints(
            title: title, date: date, tags: tags, summary: summary, frontMatter: frontMatter,
            titleIsHeading: titleOrigin == .heading, body: body, bodyFingerprint: bodyFingerprint)
    }

    /// The fingerprint of one field: equal exactly where the values are.
    package func fingerprint(of field: NoteField) -> Fingerprint {
        fingerprints[Int(field.rawValue)]
    }

    /// A place of the body as a place of the file.
    package func span(ofBody range: Range<Int>) -> SourceSpan {
        SourceSpan(file: file, range: range.lowerBound + bodyOffset..<range.upperBound + bodyOffset)
    }

    /// The body's HTML range that a page shows under the title.
    package var shownHTML: Range<Int> {
        if titleOrigin == .heading, let heading = body.leadingHeading {
            return heading.upperBound..<body.bodyEnd
        }
        return 0..<body.bodyEnd
    }

    /// Whether the file's name makes it the page of its folder, and how
    /// strongly: `_index` before `index` before `README`; nil where it does not.
    package var indexRank: Int? {
        NotePath.indexRank(ofName: name)
    }
}

/// Parts of paths in a content folder.
package enum NotePath {
    /// The folder part; empty at the root.
    package static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(path[..<slash])
    }

    /// The folders that a path lies in, innermost first.
    package static func folders(above path: String) -> [String] {
        var result: [String] = []
        var folder = folder(of: path)
        while !folder.isEmpty {
            result.append(folder)
            folder = Self.folder(of: folder)
        }
        return result
    }

    /// The last part.
    package static func fileName(of path: String) -> String { FilePath.name(of: path) }

    /// The last part without its ending.
    package static func name(of path: String) -> String {
        withoutEnding(fileName(of: path))
    }

    /// A path without its ending: `a/b.md` gives `a/b`, `.hidden` stays.
    package static func withoutEnding(_ path: String) -> String {
        guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")), dot > path.utf8.startIndex,
            path.utf8[path.utf8.index(before: dot)] != UInt8(ascii: "/"),
            !path.utf8[dot...].contains(UInt8(ascii: "/"))
        else { return path }
        return String(path[..<dot])
    }

    /// The ending in lower case without its dot; empty where there is none.
    package static func ending(of path: String) -> String {
        let name = fileName(of: path)
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.utf8.startIndex
        else { return "" }
        return name[name.utf8.index(after: dot)...].lowercased()
    }

    /// Whether the file is a note by its ending.
    package static func isNote(_ path: String) -> Bool {
        switch ending(of: path) {
        case "md", "markdown", "mdown": true
        default: false
        }
    }

    /// Joins two parts with one `/`; either may be empty.
    package static func joined(_ folder: String, _ rest: String) -> String {
        folder.isEmpty ? rest : rest.isEmpty ? folder : folder + "/" + rest
    }

    /// See ``Note/indexRank``.
    package static func indexRank(ofName name: String) -> Int? {
        // Every name is asked; few are as long.
        guard (5...6).contains(name.utf8.count) else { return nil }
        return switch name.lowercased() {
        case "_index": 0
        case "index": 1
        case "readme": 2
        default: nil
        }
    }

    /// A relative path taken from a folder, with `.` and `..` resolved; nil
    /// where it climbs above the root. A leading `/` starts at the root.
    package static func resolved(_ path: String, from folder: String) -> String? {
        // Most links climb a few folders and then only go down.
        var base = Substring(folder)
        var rest = Substring(path)
        while rest.utf8.starts(with: "../".utf8) {
            guard !base.isEmpty else { return nil }
            base = base.utf8.lastIndex(of: UInt8(ascii: "/")).map { base[..<$0] } ?? ""
            rest = Substring(rest.utf8.dropFirst(3))
        }
        if isPlain(rest.utf8) { return base.isEmpty ? String(rest) : base + "/" + rest }
        var parts =
            path.hasPrefix("/") ? [] : folder.split(separator: "/", omittingEmptySubsequences: true)
        for part in path.split(separator: "/", omittingEmptySubsequences: true) {
            switch part {
            case ".": continue
            case "..":
                guard parts.popLast() != nil else { return nil }
            default: parts.append(part)
            }
        }
        return parts.joined(separator: "/")
    }

    /// Whether no part of a path is empty or starts with a dot.
    private static func isPlain(_ path: Substring.UTF8View) -> Bool {
        var previous = UInt8(ascii: "/")
        for byte in path {
            if previous == UInt8(ascii: "/"), byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".")
            {
                return false
            }
            previous = byte
        }
        return previous != UInt8(ascii: "/")
    }
}
