import Foundation
import Testing

/// What tests of the editor begin with.
enum EditorSite {
    /// A note whose front matter and line ends say where an edit touched them.
    static let note = """
        ---
        # mine
        title: "One" # kept
        date: 2024-03-01 10:30
        custom: {a: 1}
        tags:
        - river
        ---

        Hello.

        """

    /// The text of a note as it is on the disk.
    static func text(_ served: ServedSite, _ path: String) -> String? {
        try? String(
            contentsOf: served.site.root.appending(path: "content/" + path), encoding: .utf8)
    }

    /// The paths of all that is in the content folder.
    static func files(_ served: ServedSite) -> [String] {
        served.site.tree(served.site.root.appending(path: "content")).keys.sorted()
    }
}
