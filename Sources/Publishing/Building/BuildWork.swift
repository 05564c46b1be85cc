import Bytes
import Diagnostics
import Notes
import Templating

/// What a build has to do.
struct BuildWork {
    /// The site.
    let site: Site
    /// The compiled templates.
    let library: TemplateLibrary
    /// Whether the plan is that of the latest build.
    let isPlanKept: Bool
    /// The notes whose fields differ, where it is.
    var changed: [NoteID: NoteFingerprints] = [:]
    /// What is known of the output, in the order of the new plan.
    var files: OutputFiles
    /// Whether the list of what was written names just those files.
    var isListed = false
    /// What is to be remembered and said, as far as it is known.
    var summary: BuildSummary
    /// The numbers of the pages to render.
    private(set) var stale: Set<Int> = []
    /// Why, as far as there was something before.
    private(set) var wakes: [Int: Wake] = [:]
    /// What puts them right without rendering, where that is known.
    private(set) var corrections: [Int: PageCorrection] = [:]
    /// What is remembered of the other pages, by their numbers, where the plan is
    /// new.
    private(set) var kept: [PageMemory?] = []
    /// Whether notes that were read again were as they were the first time.
    var isAsRead = true
    /// Whether copied files may differ from their sources.
    var copiesFiles = true

    /// Work on a site of which nothing is known to be stale yet.
    init(
        _ site: Site, _ library: TemplateLibrary, isPlanKept: Bool, files: OutputFiles,
        summary: BuildSummary
    ) {
        self.site = site
        self.library = library
        self.isPlanKept = isPlanKept
        self.files = files
        self.files.list.findEncoded(in: site)
        self.summary = summary
    }

    /// Takes over which pages must be rendered.
    mutating func take(_ found: StalePages.Found) {
        wakes = found.wakes
        corrections = found.corrections
        kept = found.kept
        stale = found.isAll ? Set(site.pages.indices) : Set(found.wakes.keys)
    }

    /// Pages whose file is not as it was left are rendered too.
    mutating func wakePagesWithoutFile() {
        for (page, place) in files.list.pages.enumerated()
        where !files.isKnown(place) && stale.insert(page).inserted {
            wakes[page] = .output
        }
    }

    /// Takes over what was said of pages that are as they were. `earlier` are
    /// the pages of the latest build, `changed` the files that differ. Places
    /// move with edits: a page whose messages point into a file that changed says
    /// them anew.
    mutating func recallMessages(
        of earlier: BinaryRows<Page>, _ latest: LatestBuild, changed files: Set<String>
    ) {
        let said = latest.summary.pageMessages
        summary.pageMessages = [:]
        guard !said.isEmpty else { return }
        let numbers =
            isPlanKept
            ? nil
            : Dictionary(
                site.pages.enumerated().map { ($1.address.outputFile, $0) },
                uniquingKeysWith: { first, _ in first })
        for (page, messages) in said where page < earlier.count {
            let kept = numbers.map { $0[earlier[page].address.outputFile] } ?? page
            guard let number = kept, !stale.contains(number) else { continue }
            if messages.contains(where: { !files.isDisjoint(with: $0.files) }) {
                stale.insert(number)
                wakes[number] = .message
            } else {
                summary.pageMessages[number] = messages
            }
        }
    }
}
