import Bytes
import Notes
import Templating

/// What there is time for between builds.
extension Builder {
    /// Finds out where one of the pages at `outputs` prints fields of notes, as far as
    /// nobody has looked yet; whether there may be more.
    ///
    /// Pages that an earlier process rendered are looked at by rendering them once
    /// more, to nowhere, which takes as long as rendering them does.
    func findPrints(onPagesAt outputs: Set<String>) -> Bool {
        guard let (parts, files) = inMemory, let library else { return false }
        let site = parts.site
        for output in outputs {
            guard let number = site.pageNumber(at: output), parts.memories[number].printed == nil
            else { continue }
            let renderer = PageRenderer(
                site, library: library, keepsRecords: true, leastPrints: options.leastPrints)
            var buffer = ByteBuffer(capacity: 64 * 1024)
            let reads = renderer.render(site.pages[number], into: &buffer).reads
            // As it was rendered the last time, or nothing is known of that.
            let hash = buffer.withBytes { ContentHash(of: UnsafeRawBufferPointer($0)) }
            let isSame =
                files.hashes[files.list.pages[number]] == hash
                && reads.record.bytes == parts.memories[number].reads.bytes
            parts.know(prints: isSame ? reads.printed : nil, ofPage: number)
            return true
        }
        return false
    }
}
