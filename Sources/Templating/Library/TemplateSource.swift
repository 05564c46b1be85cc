/// The text of one template, and what it is called.
package struct TemplateSource: Sendable, Equatable {
    /// What other templates call it: its path below the templates folder, such
    /// as `note.html`. The ending decides on autoescape.
    package var name: String
    /// Where messages place it, such as `Templates/note.html`.
    package var file: String
    /// The text, in UTF-8.
    package var bytes: [UInt8]

    /// Makes a source; `file` is `name` unless given.
    package init(name: String, file: String? = nil, bytes: [UInt8]) {
        self.name = name
        self.file = file ?? name
        self.bytes = bytes
    }
}

/// A template's place in its library.
package struct TemplateID: Hashable, Sendable {
    let index: Int
}
