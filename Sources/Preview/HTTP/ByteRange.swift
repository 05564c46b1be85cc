/// The part of a file that a request asks for (RFC 9110, section 14).
enum ByteRange: Equatable {
    /// All of it: nothing was asked for, or nothing that is understood.
    case whole
    /// These bytes.
    case part(Range<Int64>)
    /// None of it: it begins behind the end.
    case unsatisfiable

    /// The part that a `Range` header names of a file of `size` bytes. Of several
    /// parts none is given: the whole is a good answer too.
    init(_ header: String?, of size: Int64) {
        self = .whole
        guard let header, header.hasPrefix("bytes=") else { return }
        let sides = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return }
        let digits = sides.map { side in
            side.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? Int64(side) : nil
        }
        switch (digits[0], digits[1]) {
        case (let start?, let end?):
            guard start <= end else { return }
            self = start < size ? .part(start..<min(end, size - 1) + 1) : .unsatisfiable
        case (let start?, nil):
            guard sides[1].isEmpty else { return }
            self = start < size ? .part(start..<size) : .unsatisfiable
        case (nil, let count?):
            guard sides[0].isEmpty else { return }
            self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
        case (nil, nil): return
        }
    }
}
