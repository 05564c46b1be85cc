/// What a source of events says happened to a path, from the root.
///
/// A path that ends in `/` is a folder.
package enum FileEvent: Sendable, Hashable {
    /// A file was written and closed, or moved here.
    case written(String)
    /// Something is there that was not, and is not complete: a file that is
    /// still being written, a folder whose files are told one by one.
    case appeared(String)
    /// Only attributes changed: a permission, a time.
    case touched(String)
    /// Something was removed, or moved to where nobody watches.
    case vanished(String)
    /// Something was renamed; what came of it at its new name is told besides.
    case moved(from: String, to: String)
    /// Events were lost.
    case lost
}
