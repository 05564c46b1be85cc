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

    /// The keys that can keep a note off the site.
    private static let hiding = ["draft", "publish", "published", "expires"]

    /// The key among those that can hide a note from which `key` (in lower
    /// case, and none of the known) is one letter away: too many, missing,
    /// another one, or two neighbours swapped.
    static func hidingKey(near key: String) -> String? {
        guard (4...10).contains(key.utf8.count) else { return nil }
        let typed = Array(key.utf8)
        return hiding.first { isOneLetter(typed, from: Array($0.utf8)) }
    }

    private static func isOneLetter(_ one: [UInt8], from other: [UInt8]) -> Bool {
        guard abs(one.count - other.count) <= 1 else { return false }
        // What is left between a common beginning and a common end.
        var start = 0
        while start < min(one.count, other.count), one[start] == other[start] { start += 1 }
        var (end, otherEnd) = (one.count, other.count)
        while end > start, otherEnd > start, one[end - 1] == other[otherEnd - 1] {
            end -= 1
            otherEnd -= 1
        }
        let (left, otherLeft) = (one[start..<end], other[start..<otherEnd])
        if max(left.count, otherLeft.count) == 1 { return true }
        return left.count == 2 && left.elementsEqual(otherLeft.reversed())
    }
}
