#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension [UInt8] {
    /// How many bytes are the same from the start of both.
    package func commonPrefix(with other: [UInt8]) -> Int {
        commonRun(with: other) { same, _ in (same, same) }
    }

    /// How many bytes are the same to the end of both.
    package func commonSuffix(with other: [UInt8]) -> Int {
        commonRun(with: other) { same, size in
            (count - same - size, other.count - same - size)
        }
    }

    /// How many bytes are the same, piece by piece: after so many, a piece of so many
    /// more begins at `places` in both. By the system's own comparison, which looks at
    /// many bytes at a time.
    private func commonRun(
        with other: [UInt8], places: (_ same: Int, _ size: Int) -> (Int, Int)
    ) -> Int {
        let limit = Swift.min(count, other.count)
        var (same, size) = (0, 4096)
        while same < limit {
            size = Swift.min(size, limit - same)
            let (place, otherPlace) = places(same, size)
            if self[place..<place + size].holdsSame(as: other[otherPlace..<otherPlace + size]) {
                same += size
            } else if size == 1 {
                break
            } else {
                // The difference is in this piece.
                size /= 2
            }
        }
        return same
    }
}

extension ArraySlice<UInt8> {
    /// Whether both, which are of one length, hold the same bytes.
    fileprivate func holdsSame(as other: ArraySlice<UInt8>) -> Bool {
        withUnsafeBytes { mine in
            other.withUnsafeBytes { theirs in
                guard let one = mine.baseAddress, let two = theirs.baseAddress else { return true }
                return memcmp(one, two, mine.count) == 0
            }
        }
    }
}
