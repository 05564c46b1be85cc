import Bytes
import Notes

/// Where a site's sources are, for whoever waits for changes of them.
///
/// Says the same of what is left out as the scanner does, as far as names alone
/// tell: looking at a file too many costs a build that changes nothing, one too
/// few a stale page.
package struct SourcePlaces: Sendable, Equatable {
    /// The site folder, links resolved.
    package let site: String
    /// The folders of notes, templates and static files, from the root. None need
    /// be there.
    package let folders: [String]
    /// Single files that are read, from the root.
    package let files: [String]
    /// The real paths of the folders that links may lead into.
    package let reach: [String]

    private let content: String
    private let leftOut: LeftOutPaths
    /// What the program itself writes, from the root.
    private let written: [String]

    /// The places of `source`, in which a build also writes to `written`: the
    /// state, and files that tell of it.
    package init(_ source: SiteSource, written: [String]) {
        let site = source.path
        func place(_ name: String) -> String { name.isEmpty ? site : site + "/" + name }
        let content = place(source.contentPath)
        (self.site, self.content) = (site, content)
        // A folder `content` that comes later may be the content from then on.
        let later = content == place("content") ? [] : [place("content")]
        folders = [content] + later + [place("Templates"), place("static")]
        // Where dates are git's, a commit changes them and no note.
        files =
            [place(SiteSource.settingsFile), place("daybook.yaml")] + source.history.files
        reach = [site] + source.followed
        leftOut = source.leftOut
        self.written = [source.output] + written.map { FilePath.resolvedAsFarAsItExists($0) }
    }

    /// Whether a path in one of the folders is no source, with all below it.
    package func leavesOut(_ path: String, isFolder: Bool) -> Bool {
        if written.contains(where: { FilePath.isInside(path, $0) }) { return true }
        let name = NotePath.fileName(of: path)
        if FilePath.isInside(path, site + "/static"), path != site + "/static" {
            return name == ".git"
        }
        let isHidden = name.hasPrefix(".")
        if FilePath.isInside(path, site + "/Templates"), path != site + "/Templates" {
            return isHidden
        }
        guard let inside = FilePath.relative(path, to: content), !inside.isEmpty else {
            return isHidden
        }
        if isHidden { return !leftOut.isSiteFolder || name != ".gitignore" }
        return leftOut.holds(inside, isFolder: isFolder)
    }
}
