import Templating

/// The names by which templates read notes, pages and the site.
///
/// Given to the template compiler first, so that a symbol's number is the
/// case's number and no text is compared while a page renders.
enum Member: UInt16, CaseIterable {
    case title, description, author, language, generator, url, basePath, baseURL, notes, datedCount
    case tags, years, folder, collections, homeURLs, extra, archiveURL, foldersURL, tagsURL,
        feedURL,
        jsonFeedURL, sitemapURL,
        customCSS
    case kind, absoluteURL, lang, note, number, count, newerURL, olderURL, year, newerYear,
        olderYear
    case tag, breadcrumbs, target, updated, sections
    case path, name, file, date, expires, draft, aliases, summary, order, image, imageAbsolute,
        authors
    case cssclasses, toc, noindex, pin, body, feedBody, headings, contents, backlinks, older, newer,
        words
    case children, parent, depth, key, month, day, iso, rfc3339, sentence, site, page
    case level, id, text, html

    /// The name in templates.
    var name: String { Self.names[Int(rawValue)] }

    /// The names of all, by number: in snake case, as Jinja's users write them.
    static let names: [String] = allCases.map { member in
        var result = ""
        var previousIsUpper = true
        for scalar in "\(member)".unicodeScalars {
            let isUpper = scalar.properties.isUppercase
            if isUpper, !previousIsUpper { result += "_" }
            result += scalar.properties.lowercaseMapping
            previousIsUpper = isUpper
        }
        return result
    }

    init?(_ symbol: Symbol) {
        self.init(rawValue: symbol.rawValue)
    }

    /// The symbol that the compiler gave the name.
    var symbol: Symbol { Symbol(rawValue: rawValue) }
}
