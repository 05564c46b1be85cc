import Bytes
import Notes

/// What a target lacks, and in which order it is sent so that no reader meets a
/// page that leads to nothing.
struct UploadPlan: Equatable {
    /// Files that make room: where a file gives way to a folder of its name, or
    /// a folder to a file. Removed before anything is sent.
    var early: [String] = []
    /// Images, styles, downloads: what pages show.
    var assets: [String] = []
    /// Pages that the target does not have: nothing there leads to them yet.
    var newPages: [String] = []
    /// Pages that the target has otherwise: from here on the new ones are found.
    var changedPages: [String] = []
    /// Feeds and the sitemap, which tell of pages.
    var announcements: [String] = []
    /// What is no longer part of the site. Removed when nothing leads there.
    var removed: [String] = []
    /// Folders that hold nothing of ours any more, deepest first.
    var emptied: [String] = []

    /// What leads from `target`'s files to those of `site`; all paths sorted.
    /// Where `sendsAll`, what the target is said to have is not believed.
    init(from target: OutputManifest, to site: OutputManifest, sendsAll: Bool = false) {
        for path in site.files.keys.sorted(by: { $0.precedes($1) }) {
            let there = target.files[path]
            let isSame = there.map { $0 != nil && $0 == site.files[path] } ?? false
            if isSame, !sendsAll { continue }
            switch Self.kind(of: path) {
            case .asset: assets.append(path)
            case .announcement: announcements.append(path)
            case .page where there == nil: newPages.append(path)
            case .page: changedPages.append(path)
            }
        }
        let gone = target.files.keys.filter { site.files[$0] == nil }.sorted { $0.precedes($1) }
        let sent = Set(self.sent)
        let sentFolders = Set(self.sent.flatMap { NotePath.folders(above: $0) })
        for path in gone {
            let makesRoom =
                sentFolders.contains(path)
                || NotePath.folders(above: path).contains { sent.contains($0) }
            if makesRoom { early.append(path) } else { removed.append(path) }
        }
        let kept = Set(site.files.keys.flatMap { NotePath.folders(above: $0) })
        emptied = Set(gone.flatMap { NotePath.folders(above: $0) }).subtracting(kept)
            .sorted { one, other in
                let depths = (one.utf8.count { $0 == 0x2F }, other.utf8.count { $0 == 0x2F })
                return depths.0 == depths.1 ? one.precedes(other) : depths.0 > depths.1
            }
    }

    /// Those of the emptied folders that a file takes the place of.
    var foldersMakingRoom: [String] {
        let sent = Set(self.sent)
        return emptied.filter { folder in
            sent.contains(folder) || NotePath.folders(above: folder).contains { sent.contains($0) }
        }
    }
    /// All files that are sent, in their order.
    var sent: [String] { assets + newPages + changedPages + announcements }
    /// All files that are removed.
    var gone: [String] { (early + removed).sorted { $0.precedes($1) } }
    /// Whether the target has everything.
    var isEmpty: Bool { sent.isEmpty && early.isEmpty && removed.isEmpty }

    private enum Kind { case asset, page, announcement }

    private static func kind(of path: String) -> Kind {
        var name = NotePath.fileName(of: path)
        for ending in [".br", ".gz"] where name.hasSuffix(ending) {
            name = String(name.dropLast(ending.count))
        }
        if name.hasSuffix(".html") { return .page }
        return name.hasSuffix(".xml") || name == "feed.json" ? .announcement : .asset
    }
}
