import Bytes
import Notes

extension Site {
    /// The page at an output path.
    package func page(at output: String) -> Page? { pageNumber(at: output).map { pages[$0] } }

    /// The number of the page at an output path.
    func pageNumber(at output: String) -> Int? {
        var (low, high) = (0, pages.count)
        while low < high {
            let middle = (low + high) / 2
            if pages[middle].address.outputFile.precedes(output) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        guard low < pages.count, pages[low].address.outputFile.isExactly(output) else { return nil }
        return low
    }
}
