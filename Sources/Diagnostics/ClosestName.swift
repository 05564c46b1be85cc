/// The name among `candidates` that `name` was probably meant to be, or nil
/// where none is close.
///
/// Close means at most a third of the longer name's characters differ
/// (inserted, deleted, replaced or two neighbours swapped; case counts half).
/// Of equally close names the first in order of text wins, so that the answer
/// does not depend on the order of `candidates`.
///
/// Costs the product of the lengths for each candidate of similar length.
package func closestName(to name: String, among candidates: some Sequence<String>) -> String? {
    let typed = Array(name.unicodeScalars.prefix(100))
    var best: (distance: Int, name: String)?
    for candidate in candidates where candidate != name {
        let other = Array(candidate.unicodeScalars.prefix(100))
        // Half steps: a difference in case is 1, any other edit 2.
        let limit = max(typed.count, other.count) * 2 / 3
        guard abs(typed.count - other.count) * 2 <= limit else { continue }
        let distance = editDistance(typed, other)
        guard distance <= limit, distance < max(typed.count, other.count) * 2 else { continue }
        if let found = best, (found.distance, found.name) <= (distance, candidate) { continue }
        best = (distance, candidate)
    }
    return best?.name
}

private func editDistance(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
    var beforeLast = [Int](repeating: 0, count: other.count + 1)
    var last = (0...other.count).map { $0 * 2 }
    for (row, scalar) in one.enumerated() {
        var current = [(row + 1) * 2]
        current.reserveCapacity(other.count + 1)
        for (column, candidate) in other.enumerated() {
            let replace = last[column] + replacementCost(scalar, candidate)
            var cost = min(replace, last[column + 1] + 2, current[column] + 2)
            if row > 0, column > 0, one[row - 1] == candidate, scalar == other[column - 1] {
                cost = min(cost, beforeLast[column - 1] + 2)
            }
            current.append(cost)
        }
        (beforeLast, last) = (last, current)
    }
    return last[other.count]
}

private func replacementCost(_ one: Unicode.Scalar, _ other: Unicode.Scalar) -> Int {
    if one == other { return 0 }
    return one.properties.lowercaseMapping == other.properties.lowercaseMapping ? 1 : 2
}
