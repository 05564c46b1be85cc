package import Notes

/// Whether a note is published at some moment, and for how long that holds.
package struct Publication: Sendable, Equatable {
    /// Whether, and why not.
    package enum State: Sendable, Equatable {
        /// It is on the site.
        case published
        /// It says that it is a draft.
        case draft
        /// The site publishes only notes that say so, and this one does not.
        case notOptedIn
        /// Its date is later than now.
        case scheduled
        /// Its `expires` has come.
        case expired
    }

    /// Whether, and why not.
    package var state: State
    /// The next instant at which the answer changes by itself; nil where it
    /// never does.
    package var changesAt: Instant?

    /// Judges a note at `now`.
    ///
    /// The answer is a read of the clock that holds from `now` up to
    /// ``changesAt``, which itself no longer belongs to it.
    package init(of note: Note, settings: SiteSettings, now: Instant) {
        let start = settings.future ? nil : note.date?.start(in: settings.zone)
        let end = note.frontMatter.expires?.start(in: settings.zone)
        if note.frontMatter.isDraft, !settings.drafts {
            state = .draft
            return
        }
        if settings.optIn, !note.frontMatter.isOptedIn {
            state = .notOptedIn
            return
        }
        if let end, end <= now {
            state = .expired
            return
        }
        if let start, start > now {
            state = .scheduled
            // One that expires before it starts never shows.
            if let end, end <= start { return }
            changesAt = start
            return
        }
        state = .published
        changesAt = end
    }
}
