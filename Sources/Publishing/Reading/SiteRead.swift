package import Notes
package import Tracking

/// A question that rendering asks of the site: the only door to it.
///
/// Narrow on purpose: a page depends on the answers it was given, so the less
/// a question covers, the fewer edits wake the page. Names things by what
/// stays theirs from build to build (paths, keys, names), never by positions.
package enum SiteRead: Hashable, Sendable {
    /// A field of a note.
    case field(NoteField, NoteID)
    /// The value of a key of a note's front matter that has no meaning of its
    /// own.
    case extra(String, NoteID)
    /// A part of a note's body: the section of a heading's anchor, or a block
    /// (`^id`).
    case part(String, NoteID)
    /// The address of a note.
    case address(NoteID)
    /// What one of a note's links leads to, by its position.
    case link(NoteID, Int)
    /// The sentence around one of a note's links, by its position.
    case sentence(NoteID, Int)
    /// What a note's `image:` leads to.
    case image(NoteID)
    /// The notes before and after a note in the list of all.
    case neighbours(NoteID)
    /// Which notes link to a note, by which of their links.
    case backlinks(NoteID)
    /// How many notes a list has.
    case count(NoteList)
    /// The notes of a part of a list.
    case slice(NoteList, Range<Int>)
    /// The keys of a list's sections.
    case sections(NoteList)
    /// How a tag is spelt, where its page is, and that there is one.
    case tag(String)
    /// The tags nested directly in a tag.
    case tagChildren(String)
    /// All tags.
    case tags
    /// The year so many places on in the list of years.
    case yearBeside(String, Int)
    /// How many notes are dated.
    case datedCount
    /// Where the home page lists the site's folders; absent where it lists none.
    case folderIndex
    /// The years with notes.
    case years
    /// The folders directly in a folder.
    case folderChildren(String)
    /// How many notes are in a folder and below.
    case folderCount(String)
    /// The introduction of a folder, where its page is, and that it is there.
    case folder(String)
    /// A setting.
    case setting(Setting)
    /// A value under `extra:` of the settings.
    case extraSetting(String)
    /// A named query of the settings, by its address.
    case collection(String)
    /// The names and addresses of all named queries of the settings.
    case collections
    /// Whether a generated page or a file of the site is there.
    case output(String)
    /// The numbered pages of the home list.
    case pageCount
    /// The text of a template.
    case template(String)

    /// A setting that pages read.
    package enum Setting: UInt8, CaseIterable, Sendable {
        case title, description, author, language, baseURL, basePath, origin, content
        case paginate, feedLimit, feedHasFullContent, timezone
    }
}

/// A list of notes that pages show.
package indirect enum NoteList: Hashable, Sendable {
    /// All listed notes, newest first.
    case listed
    /// All published notes, by path, introductions included.
    case published
    /// Those of a year.
    case year(String)
    /// Those that carry a tag or one nested in it.
    case tag(String)
    /// Those in a folder, less its introduction.
    case folder(String)
    /// Part of a list.
    case slice(NoteList, Range<Int>)
    /// What a query makes of a list.
    case query(NoteQuery, of: NoteList)
    /// A section of a list.
    case section(NoteList, key: String)
}

/// A dependency of a page.
package typealias PageDependency = Dependency<SiteRead>
