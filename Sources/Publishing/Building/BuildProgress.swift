/// How far a build is.
package enum BuildProgress: Sendable, Equatable {
    /// So many of the notes are read.
    case reading(Int, of: Int)
    /// The notes are read; addresses, groups and links are worked out.
    case planning
    /// So many of the pages are rendered.
    case rendering(Int, of: Int)
    /// All is rendered; files are placed.
    case placing
}
