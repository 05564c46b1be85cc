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
}
