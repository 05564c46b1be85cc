import Bytes
import Diagnostics
import Notes
import Publishing

/// What the serving thread knows of the site: constant, put in place as a whole
/// by the thread that builds.
struct PreviewSnapshot: Sendable {
    /// The output folder, links resolved.
    var output = ""
    /// The site that the output shows; nil before the first build.
    var site: Site?
    /// What is wrong with files, as drawn, by the files' paths in the site folder.
    var faults: [String: [String]] = [:]
    /// What is wrong with everything: settings, templates, the output.
    var general: [String] = []

    /// The note that the page of an output file shows.
    func note(ofPage output: String) -> Note? {
        guard let site else { return nil }
        var (low, high) = (0, site.pages.count)
        while low < high {
            let middle = (low + high) / 2
            if site.pages[middle].address.outputFile.precedes(output) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        guard low < site.pages.count, site.pages[low].address.outputFile == output else {
            return nil
        }
        if case .note(let id) = site.pages[low].kind { return site.store[id] }
        return site.pages[low].introduction.flatMap { site.store[$0] }
    }

    /// What is to be laid over a page: what is wrong with its note and with
    /// everything; on a page that is not there whatever is wrong at all.
    func faults(onPage output: String, isThere: Bool) -> [String] {
        if !isThere { return general + faults.sorted { $0.key.precedes($1.key) }.flatMap(\.value) }
        if faults.isEmpty { return general }
        return general + (note(ofPage: output).flatMap { faults[$0.file] } ?? [])
    }
}
