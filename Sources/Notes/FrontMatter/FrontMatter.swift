package import YAML

/// What the front matter of a note says, typed by the table of
/// ``FrontMatterKeys``.
///
/// An empty or null value counts as absent.
package struct FrontMatter: Sendable {
    /// `title`.
    package var title: String?
    /// `date` and its other names.
    package var date: NoteDate?
    /// `updated` and its other names.
    package var updated: NoteDate?
    /// `expires` and its other names.
    package var expires: NoteDate?
    /// Whether it says that it is not to be published.
    package var isDraft = false
    /// Whether it says `publish: true`, which sites with `opt-in` ask for.
    package var isOptedIn = false
    /// `tags`, in order, each once.
    package var tags: [Tag] = []
    /// `aliases`, in order.
    package var aliases: [String] = []
    /// `slug`, as typed.
    package var slug: String?
    /// `permalink` or `url`, as typed.
    package var permalink: String?
    /// `description` and its other names.
    package var summary: String?
    /// `weight` and its other names.
    package var order: Double?
    /// `layout`: the template to render with.
    package var layout: String?
    /// `lang`.
    package var lang: String?
    /// `image`.
    package var image: String?
    /// `author` or `authors`.
    package var authors: [String] = []
    /// `cssclasses`.
    package var cssclasses: [String] = []
    /// `toc`.
    package var showsContents: Bool?
    /// `noindex`.
    package var isHiddenFromSearch = false
    /// `pin`.
    package var isPinned = false
    /// Keys with no meaning of their own, in order.
    package var extra: [YAMLEntry] = []
    /// Which key set which field, and where its value stands in the file.
    package var origins: [Origin] = []

    /// Keys that would have set a field, had another not come first in the
    /// table of keys, in the order of the file.
    package var passedOver: [Origin] = []

    /// A key that set a field.
    package struct Origin: Sendable, Equatable {
        /// The field.
        package var field: NoteField
        /// The key as typed.
        package var key: String
        /// The value's place in the file, in bytes.
        package var range: Range<Int>
    }

    /// A front matter that says nothing.
    package init() {}

    /// The keys with no meaning of their own, each with its value as text (a
    /// list or mapping by its kind) and the key's place in the file.
    package var extraTexts: [(key: String, text: String, range: Range<Int>)] {
        extra.map { ($0.key, $0.value.scalar?.text ?? $0.value.kindName, $0.keyRange) }
    }

    /// The place of the value that set `field`.
    package func range(of field: NoteField) -> Range<Int>? {
        origins.first { $0.field == field }?.range
    }
}
