import Bytes
import Markup
import Notes
import Templating

/// The page in work as templates read it.
final class PageObject: ScopedObject, TemplateObject {
    private let page: Page

    init(_ scope: PageScope, _ page: Page) {
        self.page = page
        super.init(scope)
    }

    var typeName: String { "page" }

    static let members: [Member] = [
        .kind, .title, .url, .absoluteURL, .description, .lang, .note, .notes, .number, .count,
        .newerURL, .olderURL, .year, .newerYear, .olderYear, .tag, .folder, .breadcrumbs, .target,
        .updated, .feedURL, .sections,
    ]

    var memberNames: [String] { Self.members.map(\.name) }

    private var noteID: NoteID? {
        switch page.kind {
        case .note(let id): id
        default: page.introduction
        }
    }

    func value(of member: Symbol, named name: String) throws(TemplateFailure) -> TemplateValue? {
        switch Member(member) {
        case .kind: return .string(page.kindName)
        case .title: return .string(title)
        case .url: return .string(url)
        case .absoluteURL: return scope.text(scope.absolute(url))
        case .description: return .string(description)
        case .lang:
            let own = noteID.flatMap { reader.note($0, reading: .lang)?.frontMatter.lang }
            return .string(own ?? reader.text(.language))
        case .note: return scope.note(noteID)
        case .notes: return scope.list(notes)
        case .number:
            if case .home(let number) = page.kind { return .integer(number) }
            return .integer(1)
        case .count:
            if case .home = page.kind { return .integer(reader.homePageCount()) }
            return .integer(1)
        case .newerURL: return pageURL(offset: -1)
        case .olderURL: return pageURL(offset: 1)
        case .year: return year().map { .object(YearObject(scope, $0)) } ?? TemplateValue.none
        case .newerYear:
            return year(offset: -1).map { .object(YearObject(scope, $0)) } ?? TemplateValue.none
        case .olderYear:
            return year(offset: 1).map { .object(YearObject(scope, $0)) } ?? TemplateValue.none
        case .tag: return tagKey.map { scope.tag($0) } ?? TemplateValue.none
        case .folder: return folderPath.map { scope.folder($0) } ?? TemplateValue.none
        case .breadcrumbs: return .list(breadcrumbs)
        case .target:
            if case .redirect(let id) = page.kind { return scope.note(id) }
            return TemplateValue.none
        case .updated: return scope.text(updated)
        case .feedURL: return feedURL
        case .sections: return sections
        default: return nil
        }
    }

    private var url: String { page.address.url(base: scope.basePath) }

    private var tagKey: String? { page.tagKey }
    private var folderPath: String? { page.folder }

    private var title: String {
        switch page.kind {
        case .note(let id), .redirect(let id): return reader.title(of: id)
        case .home, .feed(tag: nil), .jsonFeed(tag: nil): return reader.text(.title)
        default: break
        }
        if let introduction = page.introduction { return reader.title(of: introduction) }
        switch page.kind {
        case .archive: return "Archive"
        case .year: return year() ?? ""
        case .folder: return folderPath.map { FolderObject.title(of: $0, reader) } ?? ""
        case .tags: return "Tags"
        case .tag, .feed, .jsonFeed: return tagKey.map { reader.label(ofTag: $0) } ?? ""
        case .collection(let url): return reader.collection(at: url)?.name ?? ""
        case .sitemap: return "Sitemap"
        case .robots: return "Robots"
        case .notFound: return "Page not found"
        case .note, .home, .redirect: return ""
        }
    }

    private var description: String {
        if let noteID, let summary = reader.note(noteID, reading: .summary)?.summary,
            !summary.isEmpty
        {
            return summary
        }
        switch page.kind {
        case .home: return reader.text(.description)
        default: return ""
        }
    }

    // MARK: Lists

    private var notes: NoteList {
        switch page.kind {
        case .home(let number): return reader.homeList(number)
        case .year: return .year(year() ?? "")
        case .folder: return .folder(folderPath ?? "")
        case .tag: return .tag(tagKey ?? "")
        case .collection(let url):
            return .query(reader.collection(at: url)?.query ?? NoteQuery(), of: .listed)
        case .feed(let tag), .jsonFeed(let tag):
            // Undated notes have no place in a feed: entries must be dated.
            let dated = NoteQuery([.init(.date, .exists)], sort: [], limit: reader.feedLimit)
            return .query(dated, of: tag == nil ? .listed : .tag(tagKey ?? ""))
        case .sitemap: return .published
        case .archive, .tags, .note, .redirect, .robots, .notFound: return .listed
        }
    }

    private var sections: TemplateValue {
        guard case .collection(let url) = page.kind,
            reader.collection(at: url)?.query.grouping != nil
        else { return .none }
        return scope.list(notes)
    }

    private func year(offset: Int = 0) -> String? {
        guard case .year(let name) = page.kind else { return nil }
        // A page's own year is part of its plan; those beside it are reads.
        return offset == 0 ? name : reader.year(offset, from: name)
    }

    private func pageURL(offset: Int) -> TemplateValue {
        guard case .home(let number) = page.kind else { return .none }
        let wanted = number + offset
        guard wanted >= 1, wanted <= reader.homePageCount() else { return .none }
        return .string(PagePlan.homeAddress(wanted).url(base: scope.basePath))
    }

    // MARK: Feeds

    /// When the newest of the page's notes was written or changed.
    private var updated: String? {
        let zone = reader.zone
        let list = notes
        var newest: (Instant, NoteDate)?
        for id in reader.slice(0..<Int.max, of: list) {
            let date =
                reader.note(id, reading: .updated)?.frontMatter.updated
                ?? reader.note(id, reading: .date)?.date
            guard let date else { continue }
            let instant = date.start(in: zone)
            if newest.map({ instant > $0.0 }) ?? true { newest = (instant, date) }
        }
        return newest?.1.rfc3339(in: zone)
    }

    private var feedURL: TemplateValue {
        if let tagKey {
            let own = scope.url(ofOutput: "tags/\(tagKey)/feed.xml")
            if case .string = own { return own }
        }
        return scope.url(ofOutput: "feed.xml")
    }

    // MARK: Breadcrumbs

    private var breadcrumbs: [TemplateValue] {
        if case .home(number: 1) = page.kind { return [] }
        var crumbs = [crumb(reader.text(.title), .string(scope.basePath))]
        switch page.kind {
        case .note(let id):
            for path in Self.parents(of: reader.folder(of: id))
            // Where Jekyll keeps posts says nothing to who reads them.
            where NotePath.fileName(of: path) != "_posts" { crumbs.append(folderCrumb(path)) }
        case .folder:
            for path in Self.parents(of: NotePath.folder(of: folderPath ?? "")) {
                crumbs.append(folderCrumb(path))
            }
        case .year:
            crumbs.append(crumb("Archive", scope.url(ofOutput: "archive/index.html", "archive/")))
        case .tag:
            crumbs.append(crumb("Tags", scope.url(ofOutput: "tags/index.html", "tags/")))
            for key in Tag.ancestors(ofKey: tagKey ?? "").reversed() {
                let tag = reader.tag(key)
                crumbs.append(crumb(tag?.label ?? key, scope.text(tag?.url)))
            }
        default: break
        }
        return crumbs
    }

    private func folderCrumb(_ path: String) -> TemplateValue {
        crumb(FolderObject.title(of: path, reader), scope.text(reader.folder(path)?.url))
    }

    private func crumb(_ title: String, _ url: TemplateValue) -> TemplateValue {
        .dictionary(TemplateDictionary([("title", .string(title)), ("url", url)]))
    }

    /// `a/b/c` gives `a`, `a/b`, `a/b/c`.
    private static func parents(of folder: String) -> [String] {
        var paths: [String] = []
        for part in folder.split(separator: "/") {
            paths.append(NotePath.joined(paths.last ?? "", String(part)))
        }
        return paths
    }
}
