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
        /// The notes of a year; indexes ``Site/years``.
        case year(Int)
        /// A folder; indexes ``Site/folders``.
        case folder(Int)
        /// The index of tags.
        case tags
        /// A tag; indexes ``Site/tags``.
        case tag(Int)
        /// A named query; indexes the settings' collections.
        case collection(Int)
        /// An old address that leads to a note.
        case redirect(NoteID)
        /// An Atom feed: of a tag, or of the site where nil.
        case feed(tag: Int?)
        /// A JSON feed: of a tag, or of the site where nil.
        case jsonFeed(tag: Int?)
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
