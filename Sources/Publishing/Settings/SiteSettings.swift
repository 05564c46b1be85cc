package import Bytes
package import Markup
package import Notes
package import YAML

/// What `daybook.yml` says, typed, with the defaults where it says nothing.
package struct SiteSettings: Sendable {
    /// The site's title. Where the settings name none it is the home note's
    /// own, which the planner puts here.
    package var title = "Notes"
    /// Whether the settings name a title.
    package var namesTitle = false
    /// One sentence about the site; empty where there is none.
    package var description = ""
    /// The author; empty where there is none.
    package var author = ""
    /// The language of notes that name none (BCP 47).
    package var language = "en"
    /// The zone that times without an offset are in.
    package var zone = ZoneRules.utc
    /// Where the site will stand, ending in `/`; nil where that is unknown.
    package var baseURL: String? {
        didSet { (origin, basePath) = Self.parts(of: baseURL) }
    }
    /// The path of the base, which starts and ends in `/`: `/notes/` for
    /// `https://example.org/notes/`, `/` where no base URL is set.
    package private(set) var basePath = "/"
    /// The base URL without its path: `https://example.org`; empty where no
    /// base URL is set.
    package private(set) var origin = ""
    /// The folder of the notes, from the site folder; empty for the site folder
    /// itself; nil where the settings do not say.
    package var content: String?
    /// The output folder, from the site folder.
    package var output = "public"
    /// Notes on each numbered page of the home list; nil for one page.
    package var paginate: Int?
    /// The pattern of dated notes' addresses; nil for the path of the file.
    package var permalink: String?
    /// Patterns of files that are left out, as in `.gitignore`.
    package var ignore: [String] = []
    /// Folders outside the site folder that links may lead to.
    package var follow: [String] = []
    /// Whether notes dated later than now are published.
    package var future = false
    /// Whether drafts are published.
    package var drafts = false
    /// Whether only notes with `publish: true` are published.
    package var optIn = false
    /// The kinds of pages that are made.
    package var pages = Set(PageSwitch.allCases)
    /// The constructs that notes may use.
    package var dialect = Dialect.notes
    /// The number of entries in a feed.
    package var feedLimit = 20
    /// Whether feeds carry whole notes instead of summaries.
    package var feedHasFullContent = true
    /// Whether each tag has feeds of its own.
    package var feedsForTags = true
    /// Properties of the style sheet.
    package var theme = Theme()
    /// Named queries that become pages, by name.
    package var collections: [Collection] = []
    /// Where the settings ask for dates from git, in bytes; nil where they do
    /// not.
    package var gitDates: Range<Int>?
    /// The forms that text files are kept in besides.
    package var precompress: Set<ContentEncoding> = []
    /// Places to publish to, in the order of the settings.
    package var targets: [PublishTarget] = []
    /// Values for templates.
    package var extra: [YAMLEntry] = []

    /// Settings with all defaults.
    package init() {}

    /// A kind of generated page that can be turned off under `pages:`.
    package enum PageSwitch: String, CaseIterable, Sendable {
        case home, archive, folders, tags, redirects, feeds, sitemap, robots
        case notFound = "404"
    }

    /// A named query that becomes a page.
    package struct Collection: Sendable, Hashable {
        /// The name, which is its title and the last part of its address.
        package var name: String
        /// The question.
        package var query: NoteQuery
        /// The template; `collection.html` where none is named.
        package var template: String
        /// The address, without the base; from the name where none is given.
        package var url: String
        /// Where it stands in the settings file, in bytes.
        package var range: Range<Int>
        /// The fingerprint of all that the settings say of it.
        package var fingerprint = Fingerprint.absent
    }

    /// The named query whose page has an address.
    func collection(at url: String) -> Collection? {
        collections.first { $0.url == url }
    }

    private static func parts(of baseURL: String?) -> (origin: String, path: String) {
        guard let baseURL, let scheme = baseURL.range(of: "://"),
            let slash = baseURL[scheme.upperBound...].firstIndex(of: "/")
        else { return ("", "/") }
        return (String(baseURL[..<slash]), String(baseURL[slash...]))
    }

    /// Makes a base URL of what was typed: ends it in `/`; nil where it is no
    /// `http` or `https` address of a folder: one with a query, a fragment, or
    /// `.`, `..` and empty parts in its path names no place that pages lie
    /// below.
    package static func baseURL(_ text: String) -> String? {
        guard let scheme = text.range(of: "://"),
            ["http", "https"].contains(text[..<scheme.lowerBound].lowercased())
        else { return nil }
        let rest = text[scheme.upperBound...]
        let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.dropFirst().dropLast().contains(where: \.isEmpty),
            !parts.contains(where: { $0 == "." || $0 == ".." })
        else { return nil }
        guard let first = rest.first, first != "/",
            rest.utf8.allSatisfy({
                $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x3C && $0 != 0x3E
                    && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
            })
        else { return nil }
        let whole = text[..<scheme.upperBound] + rest
        return whole.hasSuffix("/") ? String(whole) : String(whole) + "/"
    }
}

extension String {
    /// The first place of `part`.
    fileprivate func range(of part: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(part) {
                return start..<index(start, offsetBy: part.count)
            }
            start = index(after: start)
        }
        return nil
    }
}
