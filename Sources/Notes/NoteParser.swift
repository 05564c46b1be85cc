package import Diagnostics
package import Markup
package import Bytes
import YAML

/// Turns the bytes of a note's file into a ``Note``.
///
/// Holds a ``MarkupParser`` with its buffers: keep one for each thread. The
/// result depends on the arguments alone.
package struct NoteParser: ~Copyable {
    private var markup = MarkupParser()
    private let dialect: Dialect
    private let history: [String: HistoryDates]

    /// A parser for bodies in `dialect`. `history` has dates for notes that name
    /// none, by the notes' paths.
    package init(dialect: Dialect, history: [String: HistoryDates] = [:]) {
        self.dialect = dialect
        self.history = history
    }

    /// Reads the note at `path` of the content folder; `file` is its path as
    /// messages name it.
    ///
    /// A note with an error is nil; its messages hold at least one error, and
    /// all that were found.
    package mutating func parse(
        _ bytes: [UInt8], path: String, file: String
    ) -> (note: Note?, messages: [Diagnostic]) {
        if let fault = Self.encodingFault(in: bytes, file: file) { return (nil, [fault]) }
        var messages: [Diagnostic] = []
        let block = FrontMatterBlock(in: bytes)
        var bodyStart = block.bodyStart
        var frontMatter = FrontMatter()
        func read(_ entries: [YAMLEntry]) {
            let reader = FrontMatterReader(entries)
            frontMatter = reader.result
            messages += reader.faults.map { fault, range in
                Diagnostic(
                    .error, fault.id, fault.message,
                    at: SourceSpan(file: file, range: range), help: fault.help)
            }
            messages += reader.misspelt.map { entry, key in
                Diagnostic(
                    .warning, "unknown-key", "the key `\(entry.key)` hides nothing",
                    at: SourceSpan(file: file, range: entry.keyRange),
                    help: "did you mean `\(key)`?")
            }
        }
        switch block.finding {
        case .none: break
        case .unclosed:
            messages.append(Self.unclosed(bytes: bytes, file: file))
            return (nil, messages)
        case .toml(let range):
            do throws(TOMLError) {
                read(try TOMLDocument(parsing: bytes, in: range).entries)
            } catch {
                messages.append(error.diagnostic(in: file))
                return (nil, messages)
            }
        case .yaml(let range), .json(let range):
            do throws(YAMLError) {
                // YAML reads JSON.
                let root = try YAMLDocument(parsing: bytes, in: range).root
                switch root?.content {
                case nil: break
                case .mapping(let entries)?: read(entries)
                case .scalar(let scalar)? where scalar.isNull: break
                default:
                    // Two rules with prose between them: all of it is text.
                    bodyStart = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
                }
            } catch {
                if block.opensWithKey || block.finding == .json(range) {
                    messages.append(Self.message(of: error, bytes: bytes, file: file))
                    return (nil, messages)
                }
                bodyStart = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            }
        }
        let body = markup.parse(bytes, in: bodyStart..<bytes.count, dialect: dialect)
        let note = Self.note(
            path: path, file: file, frontMatter: frontMatter, body: body, bodyStart: bodyStart,
            history: history[path])
        messages += body.messages.map { message in
            Diagnostic(
                .warning, message.kind.id, message.kind.message,
                at: note.span(ofBody: message.span),
                help: message.kind.help)
        }
        return (messages.contains { $0.severity == .error } ? nil : note, messages)
    }

    private static func note(
        path: String, file: String, frontMatter: FrontMatter, body: MarkupDocument, bodyStart: Int,
        history: HistoryDates?
    ) -> Note {
        var frontMatter = frontMatter
        frontMatter.updated = frontMatter.updated ?? history?.updated
        if path.utf8.split(separator: UInt8(ascii: "/")).dropLast()
            .contains(where: { $0.elementsEqual("_drafts".utf8) })
        {
            frontMatter.isDraft = true
        }
        let name = NotePath.name(of: path)
        let leading = NoteDate.leading(in: name)
        let (title, origin) = Self.title(
            frontMatter: frontMatter, body: body, path: path, name: name, leading: leading?.length)
        var tags = frontMatter.tags
        if !body.tags.isEmpty {
            var seen = Set(tags.map(\.key))
            for inline in body.tags {
                if let tag = Tag(inline.name), seen.insert(tag.key).inserted { tags.append(tag) }
            }
        }
        // The holes are part of what a page shows of a body.
        var fingerprint = Fingerprint(of: body.html)
        fingerprint.combine(body.holesFingerprint)
        // A heading that became the title is not shown in the body.
        fingerprint.combine(origin == .heading ? 1 : 0)
        return Note(
            path: path, file: file, frontMatter: frontMatter, title: title, titleOrigin: origin,
            date: frontMatter.date ?? leading.map { NoteDate(day: $0.day) } ?? history?.written,
            tags: tags,
            summary: frontMatter.summary ?? body.summary, body: body, bodyOffset: bodyStart,
            bodyFingerprint: fingerprint)
    }

    private static func title(
        frontMatter: FrontMatter, body: MarkupDocument, path: String, name: String, leading: Int?
    ) -> (String?, Note.TitleOrigin) {
        if let title = frontMatter.title, !title.isEmpty { return (title, .frontMatter) }
        if body.leadingHeading != nil, let heading = body.headings.first, !heading.text.isEmpty {
            return (heading.text, .heading)
        }
        if NotePath.indexRank(ofName: name) != nil {
            let folder = NotePath.folder(of: path)
            if folder.isEmpty { return (nil, .site) }
            return (NotePath.fileName(of: folder), .folderName)
        }
        let rest = name.utf8.dropFirst(leading ?? 0)
        return (rest.isEmpty ? name : String(Substring(rest)), .fileName)
    }

    // MARK: Faults of the file as a whole

    private static func encodingFault(in bytes: [UInt8], file: String) -> Diagnostic? {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return Diagnostic(
                .error, "encoding", "the file is in UTF-16; expected UTF-8",
                at: SourceSpan(file: file, range: 0..<2), help: "save it as UTF-8")
        }
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span)
            return nil
        } catch {
            let range = error.byteOffsets
            let byte = String(bytes[range.lowerBound], radix: 16, uppercase: true)
            return Diagnostic(
                .error, "encoding",
                "byte \(range.lowerBound) (0x\(byte.count < 2 ? "0" : "")\(byte)) is not valid UTF-8",
                at: SourceSpan(file: file, range: range), help: "save the file as UTF-8")
        }
    }

    /// What is wrong with front matter. To YAML a `{{date}}` that another tool fills in
    /// is a mapping in the place of a key.
    private static func message(of error: YAMLError, bytes: [UInt8], file: String) -> Diagnostic {
        var message = error.diagnostic(in: file)
        let place = error.range.lowerBound
        let braces = bytes[max(0, place - 1)..<min(place + 1, bytes.count)]
        if error.reason == .keyIsNotText, braces.elementsEqual("{{".utf8) {
            message.help =
                "where this is a template for new notes, leave its folder out by `ignore:` in daybook.yml"
        }
        return message
    }

    private static func unclosed(bytes: [UInt8], file: String) -> Diagnostic {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let marker =
            switch bytes[start] {
            case UInt8(ascii: "+"): "`+++`"
            case UInt8(ascii: "{"): "`}`"
            default: "`---`"
            }
        return Diagnostic(
            .error, "front-matter", "the front matter that opens here is never closed",
            at: SourceSpan(file: file, range: start..<min(start + 3, bytes.count)),
            help: "end it with a line of \(marker)")
    }
}

extension MarkupDocument {
    /// The fingerprint of a part of the body: of its HTML, and of all that its
    /// holes show and do not ask the site for. Footnotes stand behind the body:
    /// a part that refers to one shows any of them.
    package func fingerprint(ofPart part: Range<Int>) -> Fingerprint {
        var result = html.withUnsafeBytes { bytes in
            Fingerprint(of: UnsafeRawBufferPointer(rebasing: bytes[part]))
        }
        var digest = FieldDigest()
        var hasFootnotes = false
        for hole in holes where part.contains(hole.offset) || hole.offset == part.upperBound {
            let (kind, index) = hole.kind.digits
            digest.add(hole.offset - part.lowerBound)
            digest.add(kind)
            digest.add(index)
            switch hole.kind {
            case .linkStart(let link), .linkEnd(let link), .address(let link), .embed(let link, _):
                if link < links.count { links[link].add(to: &digest) }
            case .tagStart(let tag), .tagEnd(let tag):
                if tag < tags.count { digest.add(tags[tag].name) }
            case .footnoteReference, .footnoteBacklinks: hasFootnotes = true
            case .idPrefix: break
            }
        }
        result.combine(digest.fingerprint)
        if hasFootnotes {
            result.combine(Fingerprint(of: html))
            result.combine(holesFingerprint)
        }
        return result
    }

    /// What the holes and links add to what a page shows.
    var holesFingerprint: Fingerprint {
        var digest = FieldDigest()
        for hole in holes {
            digest.add(hole.offset)
            let (kind, index) = hole.kind.digits
            digest.add(kind)
            digest.add(index)
        }
        digest.add(bodyEnd)
        for range in footnotes {
            digest.add(range.lowerBound)
            digest.add(range.upperBound)
        }
        for footnote in footnoteReferences { digest.add(footnote) }
        for link in links { link.add(to: &digest) }
        return digest.fingerprint
    }
}

extension Link {
    /// Adds what a page shows of the link.
    fileprivate func add(to digest: inout FieldDigest) {
        digest.add(destination)
        digest.add(title == nil ? 0 : 1)
        digest.add(title)
        digest.add(form.digit * 2 + (hasText ? 1 : 0))
        digest.add(size?.width ?? -1)
        digest.add(size?.height ?? -1)
        digest.add(text)
    }
}

extension Hole.Kind {
    /// The kind and what it indexes as numbers, for digests.
    fileprivate var digits: (kind: Int, index: Int) {
        switch self {
        case .linkStart(let index): (0, index)
        case .linkEnd(let index): (1, index)
        case .address(let index): (2, index)
        case .embed(let index, .block): (3, index)
        case .embed(let index, .paragraph): (4, index)
        case .embed(let index, .cell): (8, index)
        case .embed(let index, .phrase): (9, index)
        case .footnoteReference(let index): (10, index)
        case .footnoteBacklinks(let index, let isInParagraph): (isInParagraph ? 11 : 12, index)
        case .tagStart(let index): (5, index)
        case .tagEnd(let index): (6, index)
        case .idPrefix: (7, 0)
        }
    }
}

extension MarkupMessage.Kind {
    /// The message's lasting name.
    var id: String {
        switch self {
        case .unclosed: "unclosed"
        case .notExecuted: "not-executed"
        }
    }

    /// The message's words.
    var message: String {
        switch self {
        case .unclosed(let mark): "`\(mark)` opens here and is never closed"
        case .notExecuted(let name): "`\(name)` is shown as code: Daybook runs no such tag"
        }
    }

    /// The likely fix.
    var help: String? {
        switch self {
        case .unclosed(let mark): "close it with `\(mark)`, or escape it with a backslash"
        case .notExecuted: nil
        }
    }
}
