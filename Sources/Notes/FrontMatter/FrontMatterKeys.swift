/// The keys of front matter and the fields they set: the one table that the
/// reader, the closest-name search and the guide's test use.
package enum FrontMatterKeys {
    /// Keys by field; of several in one note the first in this order wins.
    package static let all: [(field: NoteField, keys: [String])] = [
        (.title, ["title"]),
        (.date, ["date", "created", "date created", "publishDate", "pubdate", "published"]),
        (
            .updated,
            [
                "updated", "lastmod", "modified", "last_modified_at", "last-modified",
                "date modified",
            ]
        ),
        (.expires, ["expires", "expiryDate", "unpublishdate"]),
        (.draft, ["draft", "published", "publish"]),
        (.tags, ["tags", "tag"]),
        (.aliases, ["aliases", "alias", "redirect_from"]),
        (.slug, ["slug"]),
        (.permalink, ["permalink", "url"]),
        (.summary, ["description", "summary", "excerpt"]),
        (.order, ["weight", "order", "nav_order"]),
        (.layout, ["layout"]),
        (.lang, ["lang"]),
        (.image, ["image", "cover", "socialImage"]),
        (.authors, ["author", "authors"]),
        (.cssclasses, ["cssclasses", "cssclass"]),
        (.toc, ["toc", "enableToc"]),
        (.noindex, ["noindex"]),
        (.pin, ["pin"]),
    ]

    /// The field of each key, in lower case, and the key's place among those
    /// of its field. `published` and `publish` stand under ``NoteField/draft``
    /// too, whatever else they may mean.
    static let places: [String: [(field: NoteField, rank: Int)]] = {
        var places: [String: [(field: NoteField, rank: Int)]] = [:]
        for (field, keys) in all {
            for (rank, key) in keys.enumerated() {
                places[key.lowercased(), default: []].append((field, rank))
            }
        }
        return places
    }()
}
