import Bytes

/// Names of files that editors and tools make for a moment, or for themselves.
///
/// A source may be called so as well: one that stays is told, a little later.
package enum TransientName {
    private static let prefixes = [".#", ".goutputstream-", ".~lock.", "~$", ".syncthing."]
    private static let suffixes = [
        "~", ".swp", ".swo", ".swx", ".swpx", ".tmp", ".temp", ".bak", ".bck", ".part",
        ".crdownload", ".kate-swp", "___jb_tmp___", "___jb_old___", "___jb_bak___",
    ]

    /// Whether what stands at a path is such a file. Folders never are.
    package static func matches(_ path: String) -> Bool {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map { path[path.utf8.index(after: $0)...] } ?? path[...]
        if name.isEmpty { return false }
        // Emacs saves what was not saved yet in #note.md#.
        if name.hasPrefix("#"), name.hasSuffix("#") { return true }
        return prefixes.contains { name.hasPrefix($0) } || suffixes.contains { name.hasSuffix($0) }
            || isProbe(name) || isSedFile(name)
    }

    /// Vim makes a file named 4913, or a number above, to see whether it may.
    private static func isProbe(_ name: Substring) -> Bool {
        guard name.utf8.count == 4 || name.utf8.count == 5, let number = Int(name) else {
            return false
        }
        return number >= 4913 && (number - 4913) % 123 == 0
    }

    /// GNU sed edits in place by a file named `sed` and six letters.
    private static func isSedFile(_ name: Substring) -> Bool {
        name.utf8.count == 9 && name.hasPrefix("sed") && !name.contains(".")
            && name.dropFirst(3).contains { $0.isUppercase || $0.isNumber }
    }
}
