import Bytes
import Notes
import Templating

/// The site as templates read it.
final class SiteObject: ScopedObject, TemplateObject {
    var typeName: String { "site" }

    static let members: [Member] = [
        .title, .description, .author, .language, .generator, .url, .basePath, .baseURL, .notes,
        .datedCount, .tags, .years, .folder, .collections, .homeURLs, .extra, .archiveURL,
        .foldersURL, .tagsURL,
        .feedURL, .jsonFeedURL,
        .sitemapURL, .customCSS,
    ]

    var memberNames: [String] { Self.members.map(\.name) }

    func value(of member: Symbol, named name: String) throws(TemplateFailure) -> TemplateValue? {
        switch Member(member) {
        case .title: .string(reader.text(.title))
        case .description: .string(reader.text(.description))
        case .author: .string(reader.text(.author))
        case .language: .string(reader.text(.language))
        case .generator: .string(Product.generator)
        case .url, .basePath: .string(scope.basePath)
        case .baseURL: scope.text(reader.baseURL)
        case .notes: scope.list(.listed)
        case .datedCount: .integer(reader.datedCount())
        case .tags: .list(reader.tagKeys().map { scope.tag($0) })
        case .years: .list(reader.years().map { .object(YearObject(scope, $0)) })
        case .folder: scope.folder("")
        case .collections: .list(collections)
        case .homeURLs: .list(homeURLs)
        case .extra: .object(SiteExtraObject(scope))
        case .archiveURL: scope.url(ofOutput: "archive/index.html", "archive/")
        case .foldersURL: scope.text(reader.folderIndex())
        case .tagsURL: scope.url(ofOutput: "tags/index.html", "tags/")
        case .feedURL: scope.url(ofOutput: "feed.xml")
        case .jsonFeedURL: scope.url(ofOutput: "feed.json")
        case .sitemapURL: scope.url(ofOutput: "sitemap.xml")
        case .customCSS: scope.url(ofOutput: "custom.css")
        default: nil
        }
    }

    /// The pages of collections, in the order of the settings.
    private var collections: [TemplateValue] {
        reader.collections().compactMap { name, path in
            let address = AddressPath(wellFormed: path)
            let url = scope.url(ofOutput: address.outputFile, path)
            guard case .string = url else { return nil }
            return .dictionary(TemplateDictionary([("name", .string(name)), ("url", url)]))
        }
    }

    /// The home page and the numbered ones behind it.
    private var homeURLs: [TemplateValue] {
        (1...reader.homePageCount()).compactMap { number in
            let address = PagePlan.homeAddress(number)
            let url = scope.url(ofOutput: address.outputFile, address.path)
            if case .string = url { return url }
            return nil
        }
    }
}

/// The values under `extra:` of the settings; one that is not there is false.
final class SiteExtraObject: ScopedObject, TemplateObject {
    var typeName: String { "mapping of extra settings" }

    func value(of member: Symbol, named name: String) throws(TemplateFailure) -> TemplateValue? {
        reader.extraSetting(name).map { ExtraValue.make($0) } ?? .missing
    }
}

/// What the program calls itself.
package enum Product {
    /// The version.
    package static let version = "0.1.0"
    /// The name with the version, as pages name what made them.
    package static let generator = "Daybook \(version)"
}
