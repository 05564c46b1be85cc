import Notes

/// Lists the pages that a site has.
struct PagePlan {
    let settings: SiteSettings
    let store: NoteStore
    let addresses: SiteAddresses
    let groups: SiteGroups
    /// The templates at hand. A note may come from a tool with others: its
    /// `layout` then means the ordinary one.
    let templateNames: Set<String>

    /// All pages but the redirects, notes first, so that of two that want one
    /// address the note is named.
    func pages(_ published: [NoteID]) -> [Page] {
        var pages: [Page] = []
        for id in published where !addresses.introductions.contains(id) {
            guard let note = store[id], let address = addresses.byNote[id.rawValue] else {
                continue
            }
            pages.append(Page(kind: .note(id), address: address, template: template(of: note)))
        }
        let on = settings.pages
        if on.contains(.home) { pages += homePages() }
        if on.contains(.archive) { pages += archivePages() }
        if on.contains(.tags) { pages += tagPages() }
        for collection in settings.collections {
            pages.append(
                Page(
                    kind: .collection(collection.url),
                    address: AddressPath(wellFormed: collection.url),
                    template: collection.template))
        }
        if on.contains(.feeds), settings.baseURL != nil { pages += feedPages() }
        if on.contains(.sitemap), settings.baseURL != nil {
            pages.append(page(.sitemap, "sitemap.xml", "sitemap.xml"))
        }
        if on.contains(.robots) { pages.append(page(.robots, "robots.txt", "robots.txt")) }
        if on.contains(.notFound) {
            pages.append(page(.notFound, "404.html", "404.html"))
        }
        // Last: they yield to pages that are there whatever folders are called.
        if on.contains(.folders) {
            for folder in groups.folders.entries where !folder.path.isEmpty {
                pages.append(
                    Page(
                        kind: .folder(folder.path), address: folder.address,
                        template: "folder.html",
                        introduction: folder.introduction))
            }
        }
        return pages
    }

    private func page(_ kind: Page.Kind, _ path: String, _ template: String) -> Page {
        Page(
            kind: kind, address: AddressPath(wellFormed: path), template: template,
            introduction: addresses.generatedIntroductions[path])
    }

    private func template(of note: Note) -> String {
        guard let layout = note.frontMatter.layout, !layout.isEmpty else { return "note.html" }
        let name = layout.contains(".") ? layout : layout + ".html"
        return templateNames.contains(name) ? name : "note.html"
    }

    /// The address of a numbered home page.
    static func homeAddress(_ number: Int) -> AddressPath {
        AddressPath(wellFormed: number == 1 ? "" : "page/\(number)/")
    }

    private func homePages() -> [Page] {
        let introduction = addresses.folderNotes[""]
        let size = settings.paginate ?? .max
        let count =
            settings.paginate == nil ? 1 : max(1, (groups.listed.results.count + size - 1) / size)
        return (1...count).map { number in
            Page(
                kind: .home(number: number),
                address: Self.homeAddress(number), template: "home.html",
                introduction: number == 1 ? introduction : nil)
        }
    }

    private func archivePages() -> [Page] {
        guard groups.listed.datedCount > 0 || addresses.generatedIntroductions["archive/"] != nil
        else {
            return []
        }
        return [page(.archive, "archive/", "archive.html")]
            + groups.listed.years.map { year in
                Page(
                    kind: .year(year.name),
                    address: AddressPath(wellFormed: "archive/\(year.name)/"),
                    template: "year.html")
            }
    }

    private func tagPages() -> [Page] {
        guard !groups.tags.entries.isEmpty || addresses.generatedIntroductions["tags/"] != nil
        else {
            return []
        }
        return [page(.tags, "tags/", "tags.html")]
            + groups.tags.entries.map { tag in
                Page(kind: .tag(tag.key), address: tag.address, template: "tag.html")
            }
    }

    private func feedPages() -> [Page] {
        var pages = [
            page(.feed(tag: nil), "feed.xml", "feed.xml"),
            page(.jsonFeed(tag: nil), "feed.json", "feed.json"),
        ]
        guard settings.pages.contains(.tags), settings.feedsForTags else { return pages }
        for tag in groups.tags.entries {
            let folder = tag.address.path
            pages.append(page(.feed(tag: tag.key), folder + "feed.xml", "feed.xml"))
            pages.append(page(.jsonFeed(tag: tag.key), folder + "feed.json", "feed.json"))
        }
        return pages
    }
}
