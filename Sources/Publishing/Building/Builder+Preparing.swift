import Bytes
import Notes
import Templating

/// What there is time for between builds.
extension Builder {
    /// Prepares one of the pages at `outputs` for edits of titles that it prints, if
    /// nobody knows yet where it does; whether there may be more of them.
    ///
    /// A page that an earlier process rendered is rendered once more, to nowhere. That
    /// takes as long as it does, and whatever is to be built meanwhile waits for it; so
    /// it is done only where a correction would save as much.
    func preparePage(at outputs: Set<String>) -> Bool {
        guard let (parts, files, library) = latestPages else { return false }
        let site = parts.site
        for output in outputs {
            guard let number = site.pageNumber(at: output), parts.memories[number].printed == nil
            else { continue }
            let memory = parts.memories[number]
            guard memory.reads.bytes.count >= options.leastPrints * ReadRecord.leastSize else {
                parts.setPrinted(.none, ofPage: number)
                continue
            }
            let renderer = PageRenderer(
                site, library: library, keepsRecords: true, leastPrints: options.leastPrints)
            var buffer = ByteBuffer(capacity: 64 * 1024)
            let reads = renderer.render(site.pages[number], into: &buffer).reads
            // As it was rendered the last time, or nothing is known of that.
            let hash = buffer.withBytes { ContentHash(of: UnsafeRawBufferPointer($0)) }
            let isSame =
                files.hashes[files.list.pages[number]] == hash
                && reads.record.bytes == memory.reads.bytes
            parts.setPrinted(isSame ? reads.printed ?? .none : .none, ofPage: number)
            return true
        }
        return false
    }
}
