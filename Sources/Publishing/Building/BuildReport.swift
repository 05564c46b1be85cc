import Bytes
package import Diagnostics
package import Notes

/// What a build did and found.
package struct BuildReport: Sendable {
    /// The number of notes of the site.
    package var notes = 0
    /// How many of their files were read.
    package var notesRead = 0
    /// The output paths of all pages, sorted.
    package var planned: [String] = []
    /// The output paths of the pages that were rendered, sorted.
    package var rendered: [String] = []
    /// Those of them that needed no more than other words where they print a field of
    /// a note; sorted.
    package var corrected: [String] = []
    /// Why each of them was rendered.
    package var wakes: [Wake] = []
    /// The site that they were rendered from, which words name things by.
    package var site: Site?
    /// The output paths of files that were written, sorted.
    package var written: [String] = []
    /// The output paths of files that were removed, sorted.
    package var removed: [String] = []
    /// Notes that are not published, and why, by path.
    package var heldBack: [HeldBack] = []
    /// What is to be said, sorted by place.
    package var messages: [Diagnostic] = []
    /// When the site changes by itself next, and because of which note.
    package var nextDue: (text: String, note: String)?
    /// From when on a build of the same files may come to something else; nil
    /// where that is never.
    package var changesAt: Instant?
    /// How the notes hang together; only where nothing is written.
    package var survey: LinkSurvey?
    /// The output folder.
    package var output = ""
    /// What became of the output.
    package var outcome = Outcome.untouched
    /// Whether nothing was published because another process had the output:
    /// another build, or one that sends it. The same build may come to something
    /// else as soon as that is done.
    package var foundOutputTaken = false
    /// Whether the build is no success: something is an error, or anything is
    /// to be said and the build is strict.
    package var hasFailed = false
    /// Whether nothing was published for errors that a build can leave out: the
    /// rest is published where that is asked for.
    package var couldGoOn = false

    /// What a build did to the output as a whole.
    package enum Outcome: Sendable, Equatable {
        /// Nothing was to be written.
        case checked
        /// Nothing was published: the output is as it was.
        case untouched
        /// The output is the site, less what was left out.
        case published
        /// Placing files broke off: the next build completes it.
        case interrupted
    }

    /// A note that is not published.
    package struct HeldBack: Sendable, Equatable {
        /// The path of its file in the site folder.
        package var file: String
        /// Why.
        package var reason: Publication.State
    }

    /// Whether anything is an error.
    package var hasErrors: Bool { messages.contains { $0.severity == .error } }

    /// Whether there is an output now.
    package var isOutputThere: Bool { FilePath.status(output) != nil }

    /// Whether the output can be taken now.
    package var isOutputFree: Bool {
        // Where there is none, a build says so itself.
        (try? Folder(output))?.lock() ?? true
    }
}
