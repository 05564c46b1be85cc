package import Notes

/// A page of the site as planned: what it shows, where it goes, what renders
/// it.
package struct Page: Sendable, Hashable {
    /// What a page shows.
    package enum Kind: Sendable, Hashable {
        /// One note.
        case note(NoteID)
        /// The home page, or one of its numbered followers, from 1.
        case home(number: Int)
        /// The index of years.
        case archive
        /// The notes of a year, by its name.
        case year(String)
        /// A folder, by its path in the content folder.
        case folder(String)
        /// The index of tags.
        case tags
        /// A tag, by its key.
        case tag(String)
        /// A named query of the settings, by its address.
        case collection(String)
        /// An old address that leads to a note.
        case redirect(NoteID)
        /// An Atom feed: of a tag by its key, or of the site where nil.
        case feed(tag: String?)
        /// A JSON feed: of a tag by its key, or of the site where nil.
        case jsonFeed(tag: String?)
        /// All addresses.
        case sitemap
        /// What crawlers are told.
        case robots
        /// What a server shows where there is no page.
        case notFound
    }

    /// What it shows.
    package var kind: Kind
    /// Where it stands.
    package var address: AddressPath
    /// The template that renders it.
    package var template: String
    /// The note whose body introduces it, where it is not a note's own page.
    package var introduction: NoteID?

    /// The folder that the page is about.
    var folder: String? {
        if case .folder(let path) = kind { path } else { nil }
    }

    /// The key of the tag that the page is about.
    var tagKey: String? {
        switch kind {
        case .tag(let key), .feed(tag: let key?), .jsonFeed(tag: let key?): key
        default: nil
        }
    }

    /// The kind as templates and messages name it.
    package var kindName: String {
        switch kind {
        case .note: "note"
        case .home: "home"
        case .archive: "archive"
        case .year: "year"
        case .folder: "folder"
        case .tags: "tags"
        case .tag: "tag"
        case .collection: "collection"
        case .redirect: "redirect"
        case .feed: "feed"
        case .jsonFeed: "json-feed"
        case .sitemap: "sitemap"
        case .robots: "robots"
        case .notFound: "404"
        }
    }
}
