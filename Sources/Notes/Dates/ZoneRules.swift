package import Bytes

/// The offsets from UTC that a time zone has had and will have.
///
/// Read from the system's TZif data (RFC 8536) by whoever builds a site, and
/// an input like any other: nothing here asks for the machine's own zone.
package struct ZoneRules: Sendable, Hashable {
    /// The name it was asked for by, such as `Europe/Paris`.
    package let name: String
    /// The instants (seconds since 1970) at which another offset begins.
    private let transitions: [Int64]
    /// The offset before the first transition, then the one from each on.
    private let offsets: [Int]
    /// The rule for all times behind the last transition.
    private let rule: RecurringRule?
    /// Stands for the rules, not for the name alone: the system's data may
    /// change under a name.
    package let fingerprint: Fingerprint

    /// Universal time.
    package static let utc = ZoneRules(name: "UTC", offset: 0)

    /// A zone with one offset for ever, in seconds east of UTC.
    package init(name: String, offset: Int) {
        self.name = name
        transitions = []
        offsets = [offset]
        rule = nil
        fingerprint = Self.fingerprint(of: name, "\(offset)")
    }

    /// Reads `+02:00`, `-0330`, `UTC` or `Z`; nil for anything else.
    package init?(fixed name: String) {
        switch name {
        case "UTC", "Z", "Etc/UTC", "GMT":
            self.init(name: name, offset: 0)
        default:
            guard name.hasPrefix("+") || name.hasPrefix("-"),
                let date = try? NoteDate(parsing: "2000-01-01T00:00" + name),
                let offset = date.time?.offset
            else { return nil }
            self.init(name: name, offset: offset)
        }
    }

    /// Reads the bytes of a TZif file of version 2 or later (RFC 8536, section
    /// 3); nil where they are none.
    package init?(name: String, tzif bytes: [UInt8]) {
        self.name = name
        var reader = BigEndianReader(bytes)
        guard let first = reader.header(), first.version >= 0x32 else { return nil }
        // The first block holds 32-bit times for old readers: step over it.
        reader.skip(
            first.timeCount * 5 + first.typeCount * 6 + first.characterCount
                + first.leapCount * 8 + first.standardCount + first.universalCount)
        guard let header = reader.header(), header.typeCount > 0 else { return nil }
        var transitions: [Int64] = []
        for _ in 0..<header.timeCount {
            guard let time = reader.number(8) else { return nil }
            transitions.append(time)
        }
        var kinds: [Int] = []
        for _ in 0..<header.timeCount {
            guard let kind = reader.number(1) else { return nil }
            kinds.append(Int(kind & 0xFF))
        }
        var types: [Int] = []
        for _ in 0..<header.typeCount {
            guard let offset = reader.number(4), reader.number(2) != nil else { return nil }
            types.append(Int(offset))
        }
        guard kinds.allSatisfy({ $0 < types.count }) else { return nil }
        reader.skip(
            header.characterCount + header.leapCount * 12 + header.standardCount
                + header.universalCount)
        self.transitions = transitions
        offsets = [types[0]] + kinds.map { types[$0] }
        rule = RecurringRule(posix: reader.footer())
        var fingerprint = Fingerprint(of: name)
        fingerprint.combine(Fingerprint(of: bytes))
        self.fingerprint = fingerprint
    }

    private static func fingerprint(of name: String, _ rules: String) -> Fingerprint {
        var result = Fingerprint(of: name)
        result.combine(Fingerprint(of: rules))
        return result
    }

    /// Seconds east of UTC at an instant.
    package func offset(at instant: Instant) -> Int {
        let seconds = instant.seconds
        if let rule, seconds >= transitions.last ?? .min { return rule.offset(at: seconds) }
        // The number of transitions that are not later.
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return offsets[low]
    }

    /// The instant of a local time, given in milliseconds since 1970 as if it
    /// were UTC. A time that occurs twice means the first; one that a clock
    /// change leaves out means the instant of the change.
    package func instant(atLocalMilliseconds local: Int64) -> Instant {
        let day: Int64 = 86_400_000
        let before = offset(at: Instant(milliseconds: local - day))
        let after = offset(at: Instant(milliseconds: local + day))
        let early = Instant(milliseconds: local - Int64(before) * 1000)
        if before == after || offset(at: early) == before { return early }
        let late = Instant(milliseconds: local - Int64(after) * 1000)
        if offset(at: late) == after { return late }
        // In the gap: search for the instant at which the offset changes.
        var low = local - day
        var high = local + day
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if offset(at: Instant(milliseconds: middle)) == before {
                low = middle
            } else {
                high = middle
            }
        }
        return Instant(milliseconds: high)
    }

    /// The first instant of a day: midnight, or what follows a clock change
    /// that leaves midnight out.
    package func firstInstant(of day: CalendarDay) -> Instant {
        instant(atLocalMilliseconds: Int64(day.ordinal) * 86_400_000)
    }
}

/// The part of a TZif header that says how much follows.
private struct TZifHeader {
    var version: UInt8
    var universalCount, standardCount, leapCount, timeCount, typeCount, characterCount: Int
}

private struct BigEndianReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func skip(_ count: Int) {
        index = min(index + max(count, 0), bytes.count)
    }

    mutating func number(_ width: Int) -> Int64? {
        guard index + width <= bytes.count else { return nil }
        var value: Int64 = bytes[index] & 0x80 != 0 && width > 1 ? -1 : 0
        for byte in bytes[index..<index + width] { value = value << 8 | Int64(byte) }
        index += width
        return value
    }

    mutating func header() -> TZifHeader? {
        guard bytes[index...].starts(with: Array("TZif".utf8)), index + 44 <= bytes.count
        else { return nil }
        let version = bytes[index + 4]
        index += 20
        var counts: [Int] = []
        for _ in 0..<6 {
            guard let count = number(4), count >= 0, count <= bytes.count else { return nil }
            counts.append(Int(count))
        }
        return TZifHeader(
            version: version, universalCount: counts[0], standardCount: counts[1],
            leapCount: counts[2], timeCount: counts[3], typeCount: counts[4],
            characterCount: counts[5])
    }

    func footer() -> String {
        guard index < bytes.count, bytes[index] == 0x0A,
            let end = bytes[(index + 1)...].firstIndex(of: 0x0A)
        else { return "" }
        return String(decoding: bytes[index + 1..<end], as: UTF8.self)
    }
}
