import Diagnostics
import Notes

/// A pattern of addresses, read once: `/:year/:slug/`.
struct PermalinkPattern: Sendable {
    private enum Part {
        case literal(Substring)
        case year, month, day, slug, title, folder
    }

    private let parts: [Part]

    private static let variables: [(name: String, part: Part)] = [
        (":year", .year), (":month", .month), (":day", .day), (":slug", .slug), (":title", .title),
        (":folder", .folder),
    ]

    /// The variables that there are, for messages.
    static let names = variables.map(\.name).joined(separator: " ")

    init(_ text: String) {
        var parts: [Part] = []
        var rest = Substring(text)
        while !rest.isEmpty {
            if let (name, part) = Self.variables.first(where: { rest.hasPrefix($0.name) }) {
                parts.append(part)
                rest = rest.dropFirst(name.count)
                continue
            }
            let end = rest.dropFirst().firstIndex(of: ":") ?? rest.endIndex
            parts.append(.literal(rest[..<end]))
            rest = rest[end...]
        }
        self.parts = parts
    }

    /// The first word behind a colon that is no variable: a pattern would put it
    /// into every address as it stands.
    static func unknownVariable(in text: String) -> (name: String, closest: String?)? {
        var rest = Substring(text)
        while let colon = rest.firstIndex(of: ":") {
            let word = rest[colon...].dropFirst().prefix { $0.isLetter || $0 == "_" }
            let name = ":" + word
            if !word.isEmpty, !variables.contains(where: { name.hasPrefix($0.name) }) {
                return (name, closestName(to: name, among: variables.map(\.name)))
            }
            rest = rest[colon...].dropFirst()
        }
        return nil
    }

    /// What a pattern may come to, for telling whether it is an address at all.
    static func sample(_ text: String) -> String {
        PermalinkPattern(text).parts.map { part in
            if case .literal(let text) = part { String(text) } else { "x" }
        }.joined()
    }

    /// The address for a note; parts of the date are empty where it has none.
    func expanded(for note: Note, siteTitle: String) -> String {
        var result = ""
        for part in parts {
            switch part {
            case .literal(let text): result += text
            case .year: result += note.date.map { CalendarDay.padded($0.day.year, 4) } ?? ""
            case .month: result += note.date.map { CalendarDay.padded($0.day.month, 2) } ?? ""
            case .day: result += note.date.map { CalendarDay.padded($0.day.day, 2) } ?? ""
            case .slug: result += Slug.make(from: note.frontMatter.slug ?? note.nameWithoutDate)
            case .title: result += Slug.make(from: note.title ?? siteTitle)
            case .folder:
                let folder = SiteAddresses.folderAddress(note.folder).path
                result += folder.hasSuffix("/") ? folder.dropLast() : folder[...]
            }
        }
        return result
    }
}

extension Note {
    /// The file's name without its ending and a leading date; the date where
    /// nothing else is left.
    var nameWithoutDate: String {
        guard let (_, length) = NoteDate.leading(in: name), length < name.utf8.count else {
            return name
        }
        return String(Substring(name.utf8.dropFirst(length)))
    }
}
