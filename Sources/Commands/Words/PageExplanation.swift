import Bytes
import Notes
import Publishing

/// What `daybook explain` says of a page that shows no note of its own.
struct PageExplanation {
    private let page: Page
    private let url: String
    private let history: PageHistory?

    init(_ page: Page, _ site: ReadSite) {
        self.page = page
        url = page.address.url(base: site.plan.site.settings.basePath)
        history = site.builder.history(ofPageAt: page.address.outputFile)
    }

    var words: String {
        """
        \(url)
          kind      \(page.kindName), made by Daybook
          template  \(page.template)
          file      \(page.address.outputFile)

        """ + HistoryText.words(history)
    }

    var json: JSONValue {
        .object(
            [
                ("url", .text(url)), ("kind", .text(page.kindName)),
                ("template", .text(page.template)), ("output", .text(page.address.outputFile)),
            ] + HistoryText.json(history))
    }
}
