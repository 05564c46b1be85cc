import Bytes

/// What differs between two versions of a page.
enum PageComparison: Equatable {
    /// These steps lead from one to the other.
    case patch(PagePatch)
    /// A script differs, which only a page that is loaded anew would run.
    case scripts
    /// The trees cannot be told: the page has to be fetched and compared where it
    /// is shown.
    case unknown

    /// What differs between a page and what it became, and the tree of that, to compare
    /// the next version with.
    static func compare(
        _ old: HTMLTree?, with page: [UInt8]
    ) -> (comparison: PageComparison, tree: HTMLTree?) {
        if let (tree, step) = old?.changed(to: page) {
            return (.patch(PagePatch(steps: [step])), tree)
        }
        let tree = HTMLTree(page)
        return (PageComparison(from: old, to: tree), tree)
    }

    /// Compares two versions by their trees; nil is one that cannot be told.
    init(from old: HTMLTree?, to new: HTMLTree?) {
        guard let one = old, let other = new else {
            self = .unknown
            return
        }
        var comparer = TreeComparer(one, other)
        comparer.compare(one.root, other.root, at: [])
        self = comparer.touchesScripts ? .scripts : .patch(comparer.patch)
    }
}

private struct TreeComparer {
    private let old: HTMLTree
    private let new: HTMLTree
    var patch = PagePatch()
    var touchesScripts = false

    init(_ old: HTMLTree, _ new: HTMLTree) {
        self.old = old
        self.new = new
    }

    /// Compares two elements of one name.
    mutating func compare(_ one: Int, _ other: Int, at path: [Int]) {
        let (before, after) = (old.attributes(of: one), new.attributes(of: other))
        if before != after { compareAttributes(before, after, at: path) }
        let (mine, theirs) = (old.children(of: one), new.children(of: other))
        var start = 0
        while start < mine.count, start < theirs.count, isSame(mine[start], theirs[start]) {
            start += 1
        }
        var (end, otherEnd) = (mine.count, theirs.count)
        while end > start, otherEnd > start, isSame(mine[end - 1], theirs[otherEnd - 1]) {
            end -= 1
            otherEnd -= 1
        }
        guard end > start || otherEnd > start else { return }
        // The place of the next element among the elements, as the page goes on.
        var places = ElementPlaces(mine, in: old)
        var next = (start, start)
        for anchor in anchors(mine, start..<end, theirs, start..<otherEnd) {
            compareGap(
                mine, next.0..<anchor.0, theirs, next.1..<anchor.1, at: path, &places)
            next = (anchor.0 + 1, anchor.1 + 1)
        }
        compareGap(mine, next.0..<end, theirs, next.1..<otherEnd, at: path, &places)
    }

    /// Compares children between two that are the same in both.
    private mutating func compareGap(
        _ mine: [Int], _ range: Range<Int>, _ theirs: [Int], _ otherRange: Range<Int>,
        at path: [Int], _ places: inout ElementPlaces
    ) {
        guard !range.isEmpty || !otherRange.isEmpty else { return }
        let pairs = zip(range, otherRange)
        guard range.count == otherRange.count,
            pairs.allSatisfy({ isComparable(mine[$0], theirs[$1]) })
        else {
            replace(mine, range, theirs[otherRange], at: path)
            return
        }
        for (place, otherPlace) in pairs where !isSame(mine[place], theirs[otherPlace]) {
            let (one, other) = (mine[place], theirs[otherPlace])
            if old.kind(of: one) == .text {
                patch.steps.append(
                    .text(in: path, at: place, from: old.source(one), to: new.source(other)))
            } else if old.kind(of: one) == .element {
                compare(one, other, at: path + [places.place(ofChild: place)])
            } else {
                replace(mine, place..<place + 1, theirs[otherPlace...otherPlace], at: path)
            }
        }
    }

    private mutating func replace(
        _ mine: [Int], _ range: Range<Int>, _ theirs: ArraySlice<Int>, at path: [Int]
    ) {
        for node in mine[range] where runs(node, in: old) { touchesScripts = true }
        for node in theirs where runs(node, in: new) { touchesScripts = true }
        patch.steps.append(
            .children(
                of: path, count: mine.count, range, html: theirs.map { new.source($0) }.joined()))
    }

    /// Whether a node is, or holds, a script that browsers run.
    private func runs(_ node: Int, in tree: HTMLTree) -> Bool {
        guard tree.isElement(node) else { return false }
        if tree.key(of: node) == HTMLTag.script {
            let attributes = String(decoding: tree.attributes(of: node), as: UTF8.self)
            return !attributes.lowercased().contains("json")
        }
        return tree.children(of: node).contains { runs($0, in: tree) }
    }

    private func isSame(_ one: Int, _ other: Int) -> Bool {
        old.bytes(of: one) == new.bytes(of: other)
    }

    /// Whether one node can become the other by changes inside it.
    private func isComparable(_ one: Int, _ other: Int) -> Bool {
        let kind = old.kind(of: one)
        guard kind == new.kind(of: other) else { return false }
        if kind == .text { return true }
        guard kind != .comment else { return false }
        let key = old.key(of: one)
        return key != 0 && key == new.key(of: other)
    }

    // MARK: What is the same in both

    /// Pairs of children that are the same, in order: those that occur once in
    /// both, less those that changed their order.
    private func anchors(
        _ mine: [Int], _ range: Range<Int>, _ theirs: [Int], _ otherRange: Range<Int>
    ) -> [(Int, Int)] {
        // Nothing to look for where one of them is all new.
        guard range.count > 1 || otherRange.count > 1, !range.isEmpty, !otherRange.isEmpty else {
            return []
        }
        var seen: [Fingerprint: (mine: Int, theirs: Int, count: Int)] = [:]
        for place in range {
            let print = fingerprint(mine[place], in: old)
            let count = seen[print]?.count ?? 0
            seen[print] = (place, -1, count + 1)
        }
        for place in otherRange {
            let print = fingerprint(theirs[place], in: new)
            guard let entry = seen[print] else { continue }
            seen[print] = (entry.mine, place, entry.theirs < 0 ? entry.count : entry.count + 1)
        }
        let pairs = seen.values.filter { $0.count == 1 && $0.theirs >= 0 }
            .map { ($0.mine, $0.theirs) }.sorted { $0.0 < $1.0 }
        return Self.longestRise(pairs)
    }

    private func fingerprint(_ node: Int, in tree: HTMLTree) -> Fingerprint {
        tree.bytes(of: node).withUnsafeBytes { Fingerprint(of: $0) }
    }

    /// The longest run of pairs, not all of them neighbours, whose second numbers
    /// rise as their first do.
    private static func longestRise(_ pairs: [(Int, Int)]) -> [(Int, Int)] {
        /// The pair that ends the best run of each length.
        var ends: [Int] = []
        var before = [Int](repeating: -1, count: pairs.count)
        for (index, pair) in pairs.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if pairs[ends[middle]].1 < pair.1 { low = middle + 1 } else { high = middle }
            }
            if low > 0 { before[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var result: [(Int, Int)] = []
        var index = ends.last ?? -1
        while index >= 0 {
            result.append(pairs[index])
            index = before[index]
        }
        return result.reversed()
    }

    // MARK: Attributes

    private mutating func compareAttributes(
        _ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>, at path: [Int]
    ) {
        let before = HTMLAttributes(one).all
        let after = HTMLAttributes(other).all
        var changes: [PagePatch.Attribute] = []
        for (name, value) in after
        where !before.contains(where: { $0.name == name && $0.value.utf8.elementsEqual(value.utf8) }
        ) {
            changes.append(.init(name: name, value: value))
        }
        for (name, _) in before where !after.contains(where: { $0.name == name }) {
            changes.append(.init(name: name, value: nil))
        }
        if !changes.isEmpty { patch.steps.append(.attributes(of: path, changes)) }
    }
}

/// The places of children among those that are elements, told from left to right.
private struct ElementPlaces {
    private let children: [Int]
    private let tree: HTMLTree
    private var reached = 0
    private var count = 0

    init(_ children: [Int], in tree: HTMLTree) {
        self.children = children
        self.tree = tree
    }

    mutating func place(ofChild child: Int) -> Int {
        while reached < child {
            if tree.isElement(children[reached]) { count += 1 }
            reached += 1
        }
        return count
    }
}
