package import Bytes
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
    /// How many prints of fields of notes a page must have for their places to be kept:
    /// a page with fewer is rendered as fast as it is corrected. Only where more builds
    /// follow.
    package var leastPrints = 64
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
