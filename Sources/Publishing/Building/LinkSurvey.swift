import Bytes
package import Diagnostics
import Markup
import Notes

/// How the notes of a site hang together: what `daybook check` tells beside
/// what is wrong.
package struct LinkSurvey: Sendable {
    /// A link or an embed from one published note to another.
    package struct Link: Sendable, Equatable {
        /// The file that links, and the file linked to, in the site folder.
        package var source: String
        package var target: String
    }

    /// The files of published notes that no other note links to or embeds, by
    /// path. Notes that are the page of a folder are left out: lists lead there.
    package private(set) var orphans: [String] = []
    /// Where published notes link to notes that are held back. Only the words
    /// of such a link are shown.
    package private(set) var leaks: [SourceSpan] = []
    /// All links between notes, in the order of the files; a note's links to
    /// itself are left out.
    package private(set) var links: [Link] = []

    init(_ site: Site) {
        for id in site.published {
            guard let note = site.store[id] else { continue }
            if site.backlinks[id.rawValue].isEmpty, !site.introductions.contains(id) {
                orphans.append(note.file)
            }
            for (index, target) in site.links[id.rawValue].enumerated() {
                switch target {
                case .note(let other, _) where other != id:
                    guard let linked = site.store[other] else { continue }
                    links.append(Link(source: note.file, target: linked.file))
                case .hidden where index < note.body.links.count:
                    leaks.append(note.span(ofBody: note.body.links[index].span))
                default: break
                }
            }
        }
    }
}
