import Bytes

/// Finds the site that a command about one note means.
enum SiteFolder {
    /// The site folder for a command that was started in `folder`: `folder`
    /// itself where it has settings or `content/`; else the nearest one upwards
    /// that has settings, or `content/` and leads down to `folder` by one of a
    /// site's own folders; else `folder` itself.
    ///
    /// Any other folder beside a `content/` is no part of a site: it may be
    /// somebody's plain folder of notes.
    static func found(from folder: String) -> String {
        var place = folder
        var below: String?
        while true {
            if FilePath.status(place + "/daybook.yml")?.kind == .file { return place }
            if below.map({ ["content", "static", "Templates"].contains($0) }) ?? true,
                FilePath.status(place + "/content")?.kind == .folder
            {
                return place
            }
            guard let slash = place.lastIndex(of: "/"), slash > place.startIndex else {
                return folder
            }
            below = String(place[place.index(after: slash)...])
            place = String(place[..<slash])
        }
    }
}
