package import Bytes
import Notes

/// Where removed notes go: `.trash/` in the site folder, which is never content.
package struct Trash: Sendable {
    /// The folder's name.
    package static let name = ".trash"

    /// The site folder, links resolved.
    private let site: String
    /// The content folder, from there.
    private let content: String

    /// The trash of a site.
    package init(_ source: SiteSource) {
        site = source.path
        content = source.contentPath
    }

    /// Moves a note there, under its path in the content folder; a number parts
    /// it from one that was removed before. The new path in the site folder.
    package func take(note path: String) throws(FileError) -> String {
        let site = try Folder(self.site)
        // Step by step: a link below the trash could lead anywhere.
        var folder = try site.makeAndOpenFolder(Self.name)
        for part in path.split(separator: "/").dropLast() {
            folder = try folder.makeAndOpenFolder(String(part))
        }
        let name = NotePath.fileName(of: path)
        let stem = NotePath.withoutEnding(name)
        var place = name
        var number = 2
        while true {
            do throws(FileError) {
                try site.move(NotePath.joined(content, path), toFree: place, in: folder)
                return NotePath.joined(NotePath.joined(Self.name, NotePath.folder(of: path)), place)
            } catch {
                guard error.isOccupied else { throw error }
                place = "\(stem) \(number)\(name.dropFirst(stem.count))"
                number += 1
            }
        }
    }

    /// Moves what ``take(note:)`` gave a path back to where it was; an error where
    /// something else is there by now, or nothing in the trash.
    package func giveBack(_ place: String, toNote path: String) throws(FileError) {
        let root = site + (content.isEmpty ? "" : "/" + content)
        let target = try NoteFolder(NotePath.folder(of: path), in: Folder(root), root: site)
        do throws(FileError) {
            // The folder is followed, what lies in it not: a note may be a link.
            let trash = site + "/" + Self.name
            let parent = FilePath.resolved(site + "/" + NotePath.folder(of: place)) ?? ""
            let kind = try Folder(site).status(place)?.kind
            guard parent == trash || FilePath.isInside(parent, trash),
                kind == .file || kind == .link
            else { throw FileError("cannot find", place, code: 2) }
            try Folder(site).move(place, toFree: NotePath.fileName(of: path), in: target.folder)
        } catch {
            target.discard()
            throw error
        }
    }
}
