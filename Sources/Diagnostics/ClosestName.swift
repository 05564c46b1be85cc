/// The name among `candidates` that `name` was probably meant to be, or nil
/// where none is close.
///
/// Close means at most a third of the longer name's characters differ
/// (inserted, deleted, replaced or two neighbours swapped; case counts half).
/// Of equally close names the first in order of text wins, so that the answer
/// does not depend on the order of `candidates`.
///
/// Costs a few comparisons for most candidates: one is given up as soon as it
/// can no longer be as close as the closest so far.
package func closestName(to name: String, among candidates: some Sequence<String>) -> String? {
    let typed = ComparedName(name)
    var distance = EditDistance()
    var best: (distance: Int, name: String)?
    for candidate in candidates where candidate != name {
        let count = min(candidate.unicodeScalars.count, ComparedName.maximalLength)
        let longer = max(typed.scalars.count, count)
        // Half steps: a difference in case is 1, any other edit 2.
        let limit = min(longer * 2 / 3, longer * 2 - 1, best?.distance ?? .max)
        guard abs(typed.scalars.count - count) * 2 <= limit,
            typed.letters.leastDistance(to: LetterSet(candidate)) <= limit,
            let found = distance.between(typed, ComparedName(candidate), atMost: limit)
        else { continue }
        if let best, (best.distance, best.name) <= (found, candidate) { continue }
        best = (found, candidate)
    }
    return best?.name
}

/// A name as it is compared: its scalars, and the same in lower case.
private struct ComparedName {
    private(set) var scalars: [UInt32] = []
    private(set) var lowered: [UInt32] = []
    let letters: LetterSet

    /// What is longer is compared by its beginning.
    static let maximalLength = 100

    init(_ name: String) {
        letters = LetterSet(name)
        for scalar in name.unicodeScalars.prefix(Self.maximalLength) {
            scalars.append(scalar.value)
            lowered.append(Self.lowered(scalar))
        }
    }

    private static func lowered(_ scalar: Unicode.Scalar) -> UInt32 {
        if scalar.isASCII {
            return (0x41...0x5A).contains(scalar.value) ? scalar.value | 0x20 : scalar.value
        }
        let mapping = scalar.properties.lowercaseMapping.unicodeScalars
        return mapping.count == 1 ? mapping.first?.value ?? scalar.value : scalar.value
    }
}

/// The ASCII characters of a name, each a bit: tells most names apart without
/// comparing them.
private struct LetterSet {
    private var bits: (UInt64, UInt64) = (0, 0)
    /// Whether they are those of all that is compared.
    private let isWhole: Bool

    init(_ name: String) {
        isWhole = name.utf8.count <= ComparedName.maximalLength
        for byte in name.utf8.prefix(ComparedName.maximalLength) where byte < 0x80 {
            let byte = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            if byte < 64 { bits.0 |= 1 << byte } else { bits.1 |= 1 << (byte - 64) }
        }
    }

    /// No two names with these letters are closer, in half steps: each letter
    /// that only one of them has costs an edit.
    func leastDistance(to other: LetterSet) -> Int {
        guard isWhole, other.isWhole else { return 0 }
        let mine =
            (bits.0 & ~other.bits.0).nonzeroBitCount + (bits.1 & ~other.bits.1).nonzeroBitCount
        let theirs =
            (other.bits.0 & ~bits.0).nonzeroBitCount + (other.bits.1 & ~bits.1).nonzeroBitCount
        return max(mine, theirs) * 2
    }
}

/// Works out edit distances in half steps, in rows that are used again.
private struct EditDistance {
    private var beforeLast: [Int] = []
    private var last: [Int] = []
    private var current: [Int] = []

    /// The distance between two names; nil where it is more than `limit`.
    mutating func between(_ one: ComparedName, _ other: ComparedName, atMost limit: Int) -> Int? {
        let width = other.scalars.count
        last = (0...width).map { $0 * 2 }
        beforeLast = last
        current = last
        for row in one.scalars.indices {
            current[0] = (row + 1) * 2
            var least = current[0]
            for column in 0..<width {
                var cost = min(
                    last[column] + Self.replacing(one, row, by: other, column),
                    last[column + 1] + 2, current[column] + 2)
                if row > 0, column > 0, one.scalars[row - 1] == other.scalars[column],
                    one.scalars[row] == other.scalars[column - 1]
                {
                    cost = min(cost, beforeLast[column - 1] + 2)
                }
                current[column + 1] = cost
                least = min(least, cost)
            }
            // Later rows build on this one and on the one before.
            if least > limit, last.allSatisfy({ $0 > limit }) { return nil }
            (beforeLast, last, current) = (last, current, beforeLast)
        }
        return last[width] <= limit ? last[width] : nil
    }

    private static func replacing(
        _ one: ComparedName, _ row: Int, by other: ComparedName, _ column: Int
    ) -> Int {
        if one.scalars[row] == other.scalars[column] { return 0 }
        return one.lowered[row] == other.lowered[column] ? 1 : 2
    }
}
