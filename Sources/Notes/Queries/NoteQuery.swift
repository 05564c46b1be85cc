/// A question for notes: which, in what order, in which sections, how many.
///
/// A value that can be compared and hashed, so that equal questions are
/// answered once.
package struct NoteQuery: Hashable, Sendable {
    /// Which notes: those that meet all of the conditions.
    package var conditions: [Condition]
    /// The order, the first key first. Ties end in the note's path. Without
    /// keys the candidates' own order stays.
    package var sort: [SortKey]
    /// What makes the sections; nil for a single one.
    package var grouping: Grouping?
    /// At most so many notes, counted before they are grouped.
    package var limit: Int?

    /// A question for all notes that meet `conditions`.
    package init(
        _ conditions: [Condition] = [], sort: [SortKey] = [.newestFirst],
        by grouping: Grouping? = nil,
        limit: Int? = nil
    ) {
        self.conditions = conditions
        self.sort = sort
        self.grouping = grouping
        self.limit = limit
    }

    /// A field of a note that conditions and orders compare.
    package enum Key: Hashable, Sendable {
        /// A field with a meaning of its own.
        case title, date, updated, expires, order, path, folder, name, tags, lang, layout
        case authors, draft, pin, image, summary, aliases, cssclasses, toc, noindex
        /// Any other key of the front matter.
        case extra(String)

        /// The names of fields with a meaning of their own, for finding the
        /// closest to one that is mistyped.
        package static let names = [
            "title", "date", "updated", "expires", "order", "path", "folder", "name", "tags",
            "lang", "layout", "authors", "draft", "pin", "image", "summary", "aliases",
            "cssclasses", "toc", "noindex",
            // Other spellings that are taken too.
            "weight", "tag", "author", "description",
        ]

        /// The key as templates and settings name it.
        package init(_ name: String) {
            self =
                switch name {
                case "title": .title
                case "date": .date
                case "updated": .updated
                case "order", "weight": .order
                case "path": .path
                case "folder": .folder
                case "name": .name
                case "tags", "tag": .tags
                case "lang": .lang
                case "layout": .layout
                case "authors", "author": .authors
                case "draft": .draft
                case "pin": .pin
                case "expires": .expires
                case "image": .image
                case "summary", "description": .summary
                case "aliases": .aliases
                case "cssclasses": .cssclasses
                case "toc": .toc
                case "noindex": .noindex
                default: .extra(name.hasPrefix("extra.") ? String(name.dropFirst(6)) : name)
                }
        }
    }

    /// One condition.
    package struct Condition: Hashable, Sendable {
        /// How a value is compared.
        package enum Relation: String, Hashable, Sendable, CaseIterable {
            /// The same; of a list, one of its members. Of tags and folders,
            /// nested ones too.
            case equal = "=="
            /// Not ``equal``.
            case unequal = "!="
            /// Smaller.
            case less = "<"
            /// Smaller or the same.
            case lessOrEqual = "<="
            /// Larger.
            case greater = ">"
            /// Larger or the same.
            case greaterOrEqual = ">="
            /// There, and not empty.
            case exists
            /// Absent or empty.
            case absent
        }

        /// What is compared.
        package var key: Key
        /// How.
        package var relation: Relation
        /// With what; text that looks like a number compares as one with
        /// numbers.
        package var value: String

        /// A condition on `key`.
        package init(_ key: Key, _ relation: Relation, _ value: String = "") {
            self.key = key
            self.relation = relation
            self.value = value
        }
    }

    /// One key of an order.
    package struct SortKey: Hashable, Sendable {
        /// What is compared.
        package var key: Key
        /// Whether the largest comes first. Notes without a value come last
        /// either way.
        package var isDescending: Bool

        /// An order by `key`.
        package init(_ key: Key, descending: Bool = false) {
            self.key = key
            isDescending = descending
        }

        /// Newest first; undated notes last.
        package static let newestFirst = SortKey(.date, descending: true)
    }

    /// What makes the sections. Sections follow the order of their first notes;
    /// notes without a value come in a last one, whose key is empty.
    package enum Grouping: Hashable, Sendable {
        /// By `2024`.
        case year
        /// By `2024-03`.
        case month
        /// By tag; a note with several is in several.
        case tag
        /// By folder.
        case folder
        /// By the value of any key; a note with several is in several.
        case key(Key)
    }
}
