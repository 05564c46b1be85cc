#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension [UInt8] {
    /// Whether the byte occurs, by the system's own search: many bytes at a
    /// time, where a loop looks at each.
    package func holds(_ byte: UInt8) -> Bool {
        withUnsafeBytes { bytes in
            bytes.baseAddress.map { memchr($0, Int32(byte), bytes.count) != nil } ?? false
        }
    }

    /// Whether the two bytes occur one behind the other.
    package func holds(_ byte: UInt8, then next: UInt8) -> Bool {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            var place = 0
            while let found = memchr(start + place, Int32(byte), bytes.count - place) {
                place = UnsafeRawPointer(found) - start + 1
                if place >= bytes.count { return false }
                if bytes[place] == next { return true }
            }
            return false
        }
    }

    /// Whether a run of bytes occurs; the empty one always does.
    package func holds(_ run: [UInt8]) -> Bool {
        guard let first = run.first else { return true }
        return withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            var place = 0
            while place + run.count <= bytes.count,
                let found = memchr(start + place, Int32(first), bytes.count - place - run.count + 1)
            {
                place = UnsafeRawPointer(found) - start
                if bytes[place..<place + run.count].elementsEqual(run) { return true }
                place += 1
            }
            return false
        }
    }

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
