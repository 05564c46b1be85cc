/// What tells one build of a program from another.
package enum ProgramIdentity {
    /// The identity that the linker wrote into a program for Linux (its GNU build
    /// id, a digest of the whole), found at the front of its file; nil where
    /// there is none.
    ///
    /// `head` is the file's first bytes; 64 KB hold the notes of every program
    /// that a linker lays out as usual. The form is that of the ELF
    /// specification: the header names the program headers, those of type 4
    /// hold notes, and the note of type 3 of the owner `GNU` is the identity.
    package static func buildID(inELF head: [UInt8]) -> [UInt8]? {
        func number(_ offset: Int, _ size: Int) -> Int? {
            guard offset >= 0, offset <= head.count - size else { return nil }
            var result: UInt64 = 0
            for index in (0..<size).reversed() {
                result = result << 8 | UInt64(head[offset + index])
            }
            return Int(exactly: result)
        }
        // A file for 64 bits, least significant byte first.
        guard head.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]), let table = number(32, 8),
            let size = number(54, 2), let count = number(56, 2), size >= 56
        else { return nil }
        for index in 0..<count {
            let header = table.addingReportingOverflow(index * size)
            guard !header.overflow, number(header.partialValue, 4) == 4,
                var place = number(header.partialValue + 8, 8),
                let length = number(header.partialValue + 32, 8), length <= head.count
            else { continue }
            let end = min(place + length, head.count)
            while place + 12 <= end, let nameSize = number(place, 4),
                let size = number(place + 4, 4), let type = number(place + 8, 4)
            {
                let name = place + 12
                let value = name + (nameSize + 3) / 4 * 4
                guard value + size <= end else { break }
                if type == 3, head[name..<name + nameSize].elementsEqual([0x47, 0x4E, 0x55, 0]) {
                    return Array(head[value..<value + size])
                }
                place = value + (size + 3) / 4 * 4
            }
        }
        return nil
    }
}
