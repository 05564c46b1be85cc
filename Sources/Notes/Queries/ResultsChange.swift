/// How one answer to a query turned into the next.
///
/// Applied in their order to the old notes they give the new ones: first all
/// deletions, from the back, then all insertions, from the front. A move is a
/// deletion tied to an insertion, so a changed order can be told from an edit.
package enum ResultsChange: Hashable, Sendable {
    /// A note that is there no longer; the position is one in the old answer.
    case delete(NoteID, at: Int)
    /// A note that was not there; the position is one in the new answer.
    case insert(NoteID, at: Int)
    /// A note that stands elsewhere: from a position of the old answer to one
    /// of the new.
    case move(NoteID, from: Int, to: Int)
    /// A note that stands where it stood, with other fields; the position is
    /// one in the new answer.
    case update(NoteID, at: Int, Set<NoteField>)
}

extension QueryResults {
    /// The changes that turn `old` into this answer, given the notes whose
    /// fields changed.
    ///
    /// The longest run of notes that keep their order stays in place, so one
    /// note that moves is one move. Costs O(n log n).
    package func changes(
        from old: QueryResults, updated: [NoteID: Set<NoteField>]
    ) -> [ResultsChange] {
        // A note in several sections stands there several times: the nth
        // occurrence is followed as a thing of its own.
        let oldKeys = Self.occurrences(old.ids)
        let newKeys = Self.occurrences(ids)
        let oldPositions = Dictionary(uniqueKeysWithValues: zip(oldKeys, oldKeys.indices))
        let kept = newKeys.indices.filter { oldPositions[newKeys[$0]] != nil }
        let sources = kept.map { oldPositions[newKeys[$0]] ?? 0 }
        let staying = Set(Self.longestIncreasing(sources).map { kept[$0] })
        var changes: [ResultsChange] = []
        let newSet = Set(newKeys)
        for position in oldKeys.indices.reversed() where !newSet.contains(oldKeys[position]) {
            changes.append(.delete(old.ids[position], at: position))
        }
        for position in newKeys.indices {
            let id = ids[position]
            guard let source = oldPositions[newKeys[position]] else {
                changes.append(.insert(id, at: position))
                continue
            }
            if !staying.contains(position) {
                changes.append(.move(id, from: source, to: position))
            }
            if let fields = updated[id], !fields.isEmpty {
                changes.append(.update(id, at: position, fields))
            }
        }
        return changes
    }

    private struct Occurrence: Hashable {
        var id: NoteID
        var number: Int
    }

    private static func occurrences(_ ids: [NoteID]) -> [Occurrence] {
        var counts: [NoteID: Int] = [:]
        return ids.map { id in
            let number = counts[id, default: 0]
            counts[id] = number + 1
            return Occurrence(id: id, number: number)
        }
    }

    /// The indexes of a longest increasing run of `numbers`, which differ.
    private static func longestIncreasing(_ numbers: [Int]) -> [Int] {
        // tails[k] is the index of the smallest number that ends a run of k+1.
        var tails: [Int] = []
        var previous = [Int](repeating: -1, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            var low = 0
            var high = tails.count
            while low < high {
                let middle = (low + high) / 2
                if numbers[tails[middle]] < number { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = tails[low - 1] }
            if low == tails.count { tails.append(index) } else { tails[low] = index }
        }
        var run: [Int] = []
        var next = tails.last ?? -1
        while next >= 0 {
            run.append(next)
            next = previous[next]
        }
        return run.reversed()
    }
}
