package import Bytes
import Diagnostics
package import Notes

/// One build after the other, in one process: each goes on from what the one
/// before left in memory.
package struct BuildSession {
    /// What may have changed since the latest build.
    package enum Changes: Sendable {
        /// Anything.
        case everything
        /// What is at these paths, from the root.
        case paths(Set<String>)
    }

    private var options: BuildOptions
    private var builder: Builder?
    /// What links of drafts mean, as long as the site is the same.
    private var resolver: DraftResolver?

    /// A session of builds that `options` describe; their moment is that of each
    /// build.
    package init(_ options: BuildOptions) {
        self.options = options
        self.options.goesOn = true
    }

    /// Builds the site at `now`, after `changes`, which are believed.
    ///
    /// Where nothing but words of some notes changed, nothing else is looked at.
    /// Fails where there is no such site folder any more.
    package mutating func build(
        after changes: Changes = .everything, at now: Instant
    ) throws(FileError) -> BuildReport {
        options.now = now
        if case .paths(let paths) = changes, var current = builder,
            let notes = current.source.notes(at: paths)
        {
            builder = nil
            current.options.now = now
            let report = current.rebuild(notes: notes)
            builder = current
            if let report { return report }
        }
        var next =
            if let builder { try Builder(options, after: builder) } else { try Builder(options) }
        builder = nil
        let report = next.build()
        // Asked for once, and done.
        options.startsClean = false
        next.options.startsClean = false
        next.settle()
        builder = next
        return report
    }

    /// Saves what the next process can go on from, where a state is kept.
    package func save() { builder?.save() }

    /// The sources as the latest build found them; nil before the first.
    package var source: SiteSource? { builder?.source }

    /// The site as the latest build left it; nil where nothing is remembered of
    /// it.
    package var site: Site? { builder?.rememberedSite }

    /// Brings up to `count` notes into memory that an earlier process read; whether
    /// there are more.
    ///
    /// A build that goes on from a saved state reads what it needs. Whoever has
    /// time reads the rest before it is needed.
    package func load(_ count: Int) -> Bool { builder?.loadNotes(count) ?? false }

    /// Prepares one of the pages at `outputs` for edits of titles that it prints;
    /// whether there may be more of them to prepare. Takes as long as rendering it.
    package func preparePage(at outputs: Set<String>) -> Bool {
        builder?.preparePage(at: outputs) ?? false
    }

    /// The page of a note as it would be with other words, for whoever writes it;
    /// nothing is written, and nothing remembered.
    ///
    /// A note that has no page, because it is new or not published, is shown in
    /// the place of another.
    package mutating func draft(ofNote path: String, text: [UInt8]) -> NoteDraftPage {
        guard let builder else { return NoteDraftPage() }
        return builder.draft(ofNote: path, text: text, &resolver)
    }

    /// The text of a source file, for showing a line of it in a message.
    package func text(of file: String) -> [UInt8]? { builder?.text(of: file) }
}
