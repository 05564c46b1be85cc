#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension [UInt8] {
    /// How many bytes are the same from the start of both.
    package func commonPrefix(with other: [UInt8]) -> Int {
        let limit = Swift.min(count, other.count)
        var same = 0
        withUnsafeBytes { mine in
            other.withUnsafeBytes { theirs in
                // As much at once as is cheap to look at again byte by byte.
                while same < limit {
                    let size = Swift.min(256, limit - same)
                    let (one, two) = (mine[same..<same + size], theirs[same..<same + size])
                    guard let first = UnsafeRawBufferPointer(rebasing: one).baseAddress,
                        let second = UnsafeRawBufferPointer(rebasing: two).baseAddress,
                        memcmp(first, second, size) == 0
                    else { break }
                    same += size
                }
                while same < limit, mine[same] == theirs[same] { same += 1 }
            }
        }
        return same
    }

    /// How many bytes are the same to the end of both.
    package func commonSuffix(with other: [UInt8]) -> Int {
        let limit = Swift.min(count, other.count)
        var same = 0
        withUnsafeBytes { mine in
            other.withUnsafeBytes { theirs in
                while same < limit {
                    let size = Swift.min(256, limit - same)
                    let (end, otherEnd) = (mine.count - same, theirs.count - same)
                    guard
                        let first = UnsafeRawBufferPointer(rebasing: mine[end - size..<end])
                            .baseAddress,
                        let second = UnsafeRawBufferPointer(
                            rebasing: theirs[otherEnd - size..<otherEnd]
                        ).baseAddress,
                        memcmp(first, second, size) == 0
                    else { break }
                    same += size
                }
                while same < limit,
                    mine[mine.count - 1 - same] == theirs[theirs.count - 1 - same]
                {
                    same += 1
                }
            }
        }
        return same
    }
}
