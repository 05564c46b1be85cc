/// Why a `permalink` or an alias cannot be an address.
package enum AddressError: Error, Equatable, Sendable {
    /// It has a part `.` or `..`.
    case dots
    /// It has a character that no address may hold as it is.
    case character(Unicode.Scalar)
    /// It names nothing.
    case empty
    /// It names another site.
    case otherSite
    /// It leads into a folder of version control.
    case versionControl

    /// What is wrong with `text`.
    package func message(for text: String) -> String {
        switch self {
        case .dots: "`\(text)` climbs: an address has no part `.` or `..`"
        case .character(let scalar):
            "`\(text)` holds \(Self.name(scalar)), which no address may hold"
        case .empty: "`\(text)` names no address"
        case .otherSite: "`\(text)` is an address of another site"
        case .versionControl: "`\(text)` leads into `.git`, which is git's own"
        }
    }

    /// What to write instead.
    package static let help = "write a path inside the site, such as /2024/my-note/"

    private static func name(_ scalar: Unicode.Scalar) -> String {
        scalar.value < 0x20 || scalar.value == 0x7F
            ? "a control character" : scalar == " " ? "a blank" : "`\(scalar)`"
    }
}

/// A place in the site as an author typed it, made safe: parts without `.` and
/// `..`, in NFC, no longer than a file's name may be.
package struct AddressPath: Hashable, Sendable {
    /// The address without the base and without a leading `/`: `2024/my-note/`
    /// for a folder with an index page, `feed.xml` for a file, empty for home.
    package let path: String

    /// Endings that name a file; an address with any other part last is a
    /// folder with an `index.html` in it.
    private static let fileEndings = ["html", "htm", "xml", "txt", "json"]

    /// Reads `/2024/my-note/`, `2024/my-note`, `/404.html`. Case stays as typed.
    package init(permalink text: String) throws(AddressError) {
        // An address of another site would become folders of this one.
        if text.contains("://") || text.hasPrefix("//") { throw .otherSite }
        var parts: [String] = []
        for part in text.split(separator: "/", omittingEmptySubsequences: true) {
            if part.allSatisfy({ $0 == "." }) { throw .dots }
            // The output may be a working copy: its inside is not ours.
            if part.lowercased() == ".git" { throw .versionControl }
            for scalar in part.unicodeScalars {
                switch scalar {
                case "\\", "%", "?", "#", "\"", "<", ">", " ": throw .character(scalar)
                case _ where scalar.value < 0x20 || scalar.value == 0x7F: throw .character(scalar)
                default: continue
                }
            }
            parts.append(Slug.shortened(Slug.composed(String(part))))
        }
        if parts.isEmpty {
            guard text.contains("/") else { throw .empty }
            path = ""
            return
        }
        let isFile =
            !text.hasSuffix("/")
            && Self.fileEndings.contains(NotePath.ending(of: parts[parts.count - 1]))
        if isFile, parts[parts.count - 1].lowercased() == "index.html" {
            path = parts.count == 1 ? "" : parts.dropLast().joined(separator: "/") + "/"
        } else {
            path = parts.joined(separator: "/") + (isFile ? "" : "/")
        }
    }

    /// Takes a path that is known to be well-formed.
    package init(wellFormed path: String) {
        self.path = path
    }

    /// The output file that a server shows at the address.
    package var outputFile: String {
        path.isEmpty || path.hasSuffix("/") ? path + "index.html" : path
    }
}
