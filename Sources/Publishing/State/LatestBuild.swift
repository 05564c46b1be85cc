import Bytes
import Notes

/// What the latest build saw and made, as the next one finds it: in memory, or
/// as an earlier process saved it.
///
/// All of it is a cache: whatever is not as it was left costs work, never
/// truth.
struct LatestBuild {
    /// What the build was and what it said.
    var summary = BuildSummary()
    /// The notes as they were read, by path.
    var notes: [SavedFile] = []
    /// The output files.
    var outputs = OutputFiles()
    /// The sources of the copied files.
    var sources: [SavedSource] = []
    /// The plan, and what its pages read; nil where there was no build.
    var parts: (any BuildParts)?

    /// The source of a file that is copied as it is.
    struct SavedSource: Sendable, Equatable {
        /// The place of the copy among the outputs.
        var place: Int
        /// The path in the site folder.
        var path: String
        /// What the system said of it; unknown where it must be read again.
        var stamp: FileStamp
    }

    /// Nothing.
    init() {}

    /// Whether there is anything.
    var isEmpty: Bool { parts == nil }
}

/// The parts of what a build left that are looked at only where something
/// changed.
///
/// Whatever cannot be had is nil; the build then does the work again. Belongs
/// to one build at a time.
protocol BuildParts: AnyObject {
    /// The plan over the notes that are there now: `changed` ones as given, all
    /// others as they were read from `files`.
    func site(
        showing changed: [Note], _ files: [SavedFile], _ source: SiteSource
    ) -> Site?

    /// The fingerprints of a note's fields.
    func fields(of id: NoteID) -> NoteFingerprints?

    /// The pages that read some of these words, each with those that it reads; more
    /// do no harm.
    func pages(reading words: [WordRead]) -> [Int: [WordRead]]?

    /// What is remembered of pages, by the pages' numbers.
    func pages(_ numbers: [Int]) -> [PageMemory]?

    /// The notes that are in memory as they were read.
    func notesAtHand() -> [ExactPath: Note]
}

/// What is remembered of a page.
struct PageMemory: Sendable {
    /// What it read when it was rendered.
    var reads: ReadRecord
    /// Why it was.
    var wake: Wake
    /// Where it prints fields as they are; nil where nobody has looked.
    var printed: PrintedFields?
}
