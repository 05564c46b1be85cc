/// The answer to a ``NoteQuery``: sections of notes, in order.
package struct QueryResults: Sendable, Equatable {
    /// Notes with one section key.
    package struct Section: Sendable, Equatable {
        /// `2024`, `2024-03`, a tag's key, a folder, a value; empty for notes
        /// without one, and where nothing was asked to make sections.
        package var key: String
        /// The notes, in order.
        package var ids: [NoteID]

        /// A section of `ids` under `key`.
        package init(key: String, ids: [NoteID]) {
            self.key = key
            self.ids = ids
        }
    }

    /// The sections, in order; none is empty.
    package let sections: [Section]
    /// The notes of all sections, in order.
    package let ids: [NoteID]
    /// The places of the sections by their keys.
    private let places: [String: Int]

    /// An answer of `sections`.
    package init(sections: [Section]) {
        self.sections = sections
        ids = sections.count == 1 ? sections[0].ids : sections.flatMap(\.ids)
        places = Dictionary(
            zip(sections.map(\.key), sections.indices), uniquingKeysWith: { first, _ in first })
    }

    /// The section of a key; nil where no note has it.
    package func section(_ key: String) -> Section? {
        places[key].map { sections[$0] }
    }

    /// The number of notes; one in several sections counts in each.
    package var count: Int { ids.count }

    /// The notes at `range`, clamped to what is there.
    package func slice(_ range: Range<Int>) -> ArraySlice<NoteID> {
        ids[range.clamped(to: 0..<ids.count)]
    }
}
