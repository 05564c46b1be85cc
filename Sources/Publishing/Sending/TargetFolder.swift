import Bytes

/// The folder of this machine that a target is, for those that are one.
enum TargetFolder {
    /// The folder that an rsync place names; nil where it is on another machine.
    /// One that is not named from the root is taken from the site folder.
    static func ofRsync(_ place: String, site: String) -> String? {
        RsyncPlace.host(of: place) == nil ? resolved(place, site) : nil
    }

    /// What comes before the path in an rclone remote that is a folder here, and
    /// the folder; nil of other remotes. rclone itself would take a path that is
    /// not named from the root from wherever it is run.
    ///
    /// These are `/srv/www`, `local:/srv/www` and `:local,links=true:/srv/www`.
    static func ofRclone(_ remote: String, site: String) -> (prefix: String, path: String)? {
        if remote.hasPrefix("/") { return ("", resolved(remote, site)) }
        let isBuiltIn = remote.hasPrefix(":")
        let name = remote.dropFirst(isBuiltIn ? 1 : 0)
        guard name.hasPrefix("local"), let end = endOfName(name),
            name[..<end] == "local" || name.hasPrefix("local,")
        else { return nil }
        let start = name.index(after: end)
        return (String(remote[..<start]), resolved(String(name[start...]), site))
    }

    /// The colon that ends a remote's name with its parameters, whose values may
    /// stand in quotes.
    private static func endOfName(_ name: Substring) -> Substring.Index? {
        var quote: Character?
        for index in name.indices {
            let sign = name[index]
            if let open = quote {
                if sign == open { quote = nil }
            } else if sign == "'" || sign == "\"" {
                quote = sign
            } else if sign == ":" {
                return index
            }
        }
        return nil
    }

    private static func resolved(_ path: String, _ site: String) -> String {
        FilePath.resolvedAsFarAsItExists(path.hasPrefix("/") ? path : site + "/" + path)
    }
}
