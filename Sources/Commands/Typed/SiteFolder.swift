import Bytes

/// Finds the site that a command about one note means.
enum SiteFolder {
    /// The site folder for a command that was started in `folder`: the nearest
    /// one upwards that has settings, or whose `content/` leads down to
    /// `folder`; else `folder` itself.
    static func found(from folder: String) -> String {
        var place = folder
        var below = ""
        while true {
            if FilePath.status(place + "/daybook.yml")?.kind == .file { return place }
            if below == "content" { return place }
            guard let slash = place.lastIndex(of: "/"), slash > place.startIndex else {
                return folder
            }
            below = String(place[place.index(after: slash)...])
            place = String(place[..<slash])
        }
    }
}
