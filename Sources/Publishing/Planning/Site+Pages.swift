import Bytes
import Notes

extension Site {
    /// The page at an output path.
    package func page(at output: String) -> Page? { pageNumber(at: output).map { pages[$0] } }

    /// The number of the page at an output path.
    func pageNumber(at output: String) -> Int? {
        let number = (0..<pages.count).partitionPoint {
            pages[$0].address.outputFile.precedes(output)
        }
        guard number < pages.count, pages[number].address.outputFile.isExactly(output)
        else { return nil }
        return number
    }
}
