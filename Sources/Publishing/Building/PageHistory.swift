import Bytes
import Notes
import Tracking

/// What is remembered of a page: why it was last rendered, and what it read.
package struct PageHistory: Sendable {
    /// Why it was rendered the last time.
    package let reason: String
    /// What it read, in the order of the first time.
    package let reads: [Read]

    /// One thing that it read.
    package struct Read: Sendable {
        /// What was asked: `the title of content/b.md`.
        package let words: String
        /// The file that the answer stands in; nil where it follows from many.
        package let file: String?
        /// Whether the answer was that there is none.
        package let isAbsent: Bool
    }
}

extension Builder {
    /// What the latest build left of the page at an output path; nil where it
    /// left no state, or had no such page.
    package func history(ofPageAt output: String) -> PageHistory? {
        var options = options
        options.isDryRun = false
        options.startsClean = false
        let latest = StateKeeper(options, source).open(workers)
        guard let number = latest.outputs.list.pagePaths.firstIndex(of: output),
            let memory = latest.parts?.pages([number])?.first,
            let site = latest.parts?.site(showing: [], latest.notes, source)
        else { return nil }
        let reads = memory.reads.dependencies.map { dependency in
            let file = dependency.read.file(in: site)
            // Templates of the built-in look, and settings, may have none.
            let isThere = file.map { source.stamp(of: $0, at: .max) != .unknown } ?? false
            return PageHistory.Read(
                words: dependency.read.words(in: site), file: isThere ? file : nil,
                isAbsent: dependency.seen == .absent)
        }
        return PageHistory(reason: memory.wake.words(in: site), reads: reads)
    }
}
