package import Bytes
package import Diagnostics
package import Notes

/// What a build was asked for, apart from the settings of the site.
package struct BuildOptions: Sendable {
    /// The site folder.
    package var folder: String
    /// The output folder instead of the one that the settings name.
    package var output: String?
    /// The base URL instead of the one that the settings name.
    package var baseURL: String?
    /// Have the site stand at the root of its server, wherever it will be
    /// published.
    package var standsAtRoot = false
    /// Publish drafts too.
    package var drafts = false
    /// Publish notes dated later than now too.
    package var future = false
    /// The moment of the build: an input, never the clock.
    package var now: Instant
    /// Publish what is good where something is not.
    package var keepsGoing = false
    /// Have a note that is broken keep what it said last, as far as that is
    /// remembered, where the build keeps going.
    package var keepsLastGood = false
    /// Publish nothing where anything is to be said.
    package var isStrict = false
    /// Write every file anew, though its bytes be the same.
    package var startsClean = false
    /// The number of workers.
    package var jobs = 1
    /// Write nothing.
    package var isDryRun = false
    /// The folder of the saved state; nothing is remembered and nothing saved
    /// where nil.
    package var state: String?
    /// Whether more builds follow in this process: what is remembered then stays
    /// in memory, and is saved when it is asked for.
    package var goesOn = false
    /// The variables that programs of the system are given.
    package var environment: [String: String] = [:]
    /// Stands for the program itself: what another one saved is not believed.
    package var program = Fingerprint.absent
    /// Is told how far the build is, by whichever worker gets there.
    package var progress: (@Sendable (BuildProgress) -> Void)?

    /// A build of the site in `folder` at `now`.
    package init(folder: String, now: Instant) {
        self.folder = folder
        self.now = now
    }
}

/// How far a build is.
package enum BuildProgress: Sendable, Equatable {
    /// So many of the notes are read.
    case reading(Int, of: Int)
    /// The notes are read; addresses, groups and links are worked out.
    case planning
    /// So many of the pages are rendered.
    case rendering(Int, of: Int)
    /// All is rendered; files are placed.
    case placing
}

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
    /// Whether the build is no success: something is an error, or anything is
    /// to be said and the build is strict.
    package var hasFailed = false

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
}
