import Bytes
import Diagnostics
import Notes
import Templating

/// What a build has to do.
struct BuildWork {
    /// What it is made from.
    let inputs: BuildInputs
    /// The compiled templates.
    let library: TemplateLibrary
    /// What is in the output.
    let found: OutputInspection
    /// The output folder, where this build holds it already.
    var output: Folder?
    /// The site.
    var site: Site?
    /// The plan, where it is that of the latest build.
    var plan: KeptPlan?
    /// What is to be remembered and said, as far as it is known.
    var summary = SavedBuild.Summary()
    /// The numbers of the pages to render.
    var stale: Set<Int> = []
    /// What the other pages read, by their numbers, where the plan is new.
    var records: [ReadRecord?] = []

    /// Takes over the plan of the latest build, and finds out which pages show
    /// what differs.
    mutating func keep(
        _ plan: KeptPlan, _ remembered: SavedBuild, _ source: SiteSource, _ workers: Workers
    ) {
        self.plan = plan
        site = plan.site
        let templateMessages = summary.templateMessages
        summary = remembered.summary
        summary.templateMessages = templateMessages
        for place in inputs.changedNotes {
            let entry = inputs.notes.entries[place]
            let messages = entry.messages ?? []
            summary.noteMessages[entry.file.path] = messages.isEmpty ? nil : messages
        }
        stale = StalePages(
            remembered: remembered, site: plan.site, templates: inputs.templates, workers: workers
        )
        .afterEdits(of: Set(plan.changed.keys))
        recallMessages(of: plan.site.pages, remembered, source)
    }

    /// Takes over what was said of pages that are as they were. `earlier` are
    /// the pages of the latest build. Places move with edits: a page whose
    /// messages point into a file that changed says them anew.
    mutating func recallMessages(
        of earlier: [Page], _ remembered: SavedBuild, _ source: SiteSource
    ) {
        summary.pageMessages = [:]
        guard let site, !remembered.summary.pageMessages.isEmpty else { return }
        let files = inputs.changedFiles(source)
        let numbers = Dictionary(
            site.pages.enumerated().map { ($1.address.outputFile, $0) },
            uniquingKeysWith: { first, _ in first })
        for (page, messages) in remembered.summary.pageMessages where page < earlier.count {
            guard let number = numbers[earlier[page].address.outputFile], !stale.contains(number)
            else { continue }
            if messages.contains(where: { !files.isDisjoint(with: $0.files) }) {
                stale.insert(number)
            } else {
                summary.pageMessages[number] = messages
            }
        }
    }
}
