extension Range<Int> {
    /// The first index of which `isBefore` is not so, where it is so of those up to
    /// there and of none behind: found by halves.
    package func partitionPoint(_ isBefore: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
