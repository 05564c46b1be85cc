import Notes
import Testing

private func store(_ texts: [String: String]) -> NoteStore {
    NoteStore(texts.compactMap { parseNote($0.value, path: $0.key).note })
}

private func paths(_ results: QueryResults, _ store: NoteStore) -> [String] {
    results.ids.compactMap { store[$0]?.path }
}

@Suite struct `Queries` {
    private let notes = store([
        "a.md": "---\ndate: 2024-03-02\ntags: [x, y/z]\nrating: 5\n---\n",
        "b.md": "---\ndate: 2024-03-01T10:00+02:00\ntags: [y]\nrating: 10\n---\n",
        "c.md": "---\ndate: 2024-03-01\nweight: 1\n---\n", "d/e.md": "---\ntitle: Zed\n---\n",
        "d/f.md": "---\ndate: 2023-12-31\nrating: 7\n---\n",
    ])

    private func answer(_ query: NoteQuery) -> [String] {
        paths(query.results(among: notes.ids, in: notes, zone: .utc), notes)
    }

    @Test func `newest first, undated last, ties by path`() {
        // b is at 08:00 UTC of the same day as c, whose day begins at 00:00.
        #expect(answer(NoteQuery()) == ["a.md", "b.md", "c.md", "d/f.md", "d/e.md"])
    }

    @Test func `several sort keys, notes without a value last either way`() {
        #expect(
            answer(NoteQuery(sort: [.init(.extra("rating"), descending: true)])) == [
                "b.md", "d/f.md", "a.md", "c.md", "d/e.md",
            ])
        #expect(
            answer(NoteQuery(sort: [.init(.extra("rating"))])) == [
                "a.md", "d/f.md", "b.md", "c.md", "d/e.md",
            ])
        #expect(
            answer(NoteQuery(sort: [.init(.order), .init(.title, descending: true)])).first
                == "c.md")
    }

    @Test(arguments: [
        (NoteQuery.Condition(.tags, .equal, "y"), ["a.md", "b.md"]),
        (.init(.tags, .equal, "Y/Z"), ["a.md"]),
        (.init(.tags, .unequal, "y"), ["c.md", "d/f.md", "d/e.md"]),
        (.init(.folder, .equal, "d"), ["d/f.md", "d/e.md"]),
        (.init(.extra("rating"), .greaterOrEqual, "7"), ["b.md", "d/f.md"]),
        (.init(.extra("rating"), .less, "7"), ["a.md"]),
        (.init(.date, .absent), ["d/e.md"]),
        (.init(.date, .exists), ["a.md", "b.md", "c.md", "d/f.md"]),
        (.init(.date, .equal, "2024-03-01"), ["b.md", "c.md"]),
        (.init(.date, .less, "2024-01-01"), ["d/f.md"]),
        (.init(.title, .equal, "Zed"), ["d/e.md"]),
    ])
    func `conditions choose notes`(_ condition: NoteQuery.Condition, _ expected: [String]) {
        #expect(answer(NoteQuery([condition])) == expected)
    }

    private func sections(_ grouping: NoteQuery.Grouping) -> [String] {
        NoteQuery(by: grouping).results(among: notes.ids, in: notes, zone: .utc).sections.map {
            section in
            section.key + ":" + section.ids.compactMap { notes[$0]?.name }.joined(separator: ",")
        }
    }

    @Test func `groups by year, month, tag, folder and any field`() {
        #expect(sections(.year) == ["2024:a,b,c", "2023:f", ":e"])
        #expect(sections(.month) == ["2024-03:a,b,c", "2023-12:f", ":e"])
        #expect(sections(.tag) == ["x:a", "y/z:a", "y:b", ":c,f,e"])
        #expect(sections(.folder) == [":a,b,c", "d:f,e"])
        #expect(sections(.key(.extra("rating"))) == ["5:a", "10:b", "7:f", ":c,e"])
    }

    @Test func `limits, slices and counts`() {
        let limited = NoteQuery(limit: 2).results(among: notes.ids, in: notes, zone: .utc)
        #expect(paths(limited, notes) == ["a.md", "b.md"])
        let all = NoteQuery().results(among: notes.ids, in: notes, zone: .utc)
        #expect(all.count == 5)
        #expect(all.slice(3..<99).count == 2)
        #expect(all.slice(9..<12).isEmpty)
    }

    @Test func `the order of candidates does not matter`() {
        let one = NoteQuery().results(among: notes.ids, in: notes, zone: .utc)
        #expect(one == NoteQuery().results(among: notes.ids.reversed(), in: notes, zone: .utc))
    }
}

@Suite struct `Changes` {
    @Test func `a change set names exactly the fields that differ`() throws {
        let before = store(["a.md": "---\ntitle: A\n---\nbody\n", "b.md": "b\n", "c.md": "c\n"])
        let changed = [
            "a.md": "---\ntitle: A2\ntags: [t]\n---\nbody\n", "b.md": "b\n", "d.md": "d\n",
        ]
        let set = ChangeSet(
            from: before, changed: changed.compactMap { parseNote($0.value, path: $0.key).note },
            deleted: ["c.md", "never.md"])
        #expect(set.changes.map(\.path) == ["a.md", "c.md", "d.md"])
        guard case .update(_, let fields) = set.changes[0].kind else {
            Issue.record("expected an update")
            return
        }
        #expect(fields == [.title, .tags])
        let after = before.applying(set)
        #expect(after.ids.compactMap { after[$0]?.path } == ["a.md", "b.md", "d.md"])
        #expect(after.id(ofPath: "a.md") == before.id(ofPath: "a.md"))
        #expect(after.id(ofPath: "c.md") == nil)
    }

    @Test(arguments: [
        ("text", "text two", [NoteField.body, .summary]),
        ("# H\n\ntext", "# I\n\ntext", [.title, .body, .headings]),
        ("## H\n\ntext", "## I\n\ntext", [.body, .headings]),
        ("see [[a]]", "see [[b]]", [.body, .links, .summary]),
        ("x #t", "x #u", [.tags, .body, .summary]),
    ])
    func `an edit of the body names what it touches`(
        _ old: String, _ new: String, _ expected: [NoteField]
    ) {
        let before = store(["a.md": old])
        let set = ChangeSet(
            from: before, changed: [parseNote(new, path: "a.md").note].compactMap { $0 },
            deleted: [])
        guard case .update(_, let fields)? = set.changes.first?.kind else {
            Issue.record("expected an update")
            return
        }
        #expect(fields == Set(expected))
    }

    // A heading that is the title is not shown in the body; one that is not, is.
    @Test func `a title above an equal heading changes the body that is shown`() {
        let before = store(["a.md": "# Same\n\ntext"])
        let note = parseNote("---\ntitle: Same\n---\n# Same\n\ntext", path: "a.md").note
        let set = ChangeSet(from: before, changed: [note].compactMap { $0 }, deleted: [])
        guard case .update(_, let fields)? = set.changes.first?.kind else {
            Issue.record("expected an update")
            return
        }
        #expect(fields == [.body, .headings])
    }

    private func results(_ numbers: [Int]) -> QueryResults {
        QueryResults(
            sections: numbers.isEmpty
                ? [] : [.init(key: "", ids: numbers.map { NoteID(rawValue: $0) })])
    }

    @Test func `one note that moves is one move`() {
        let changes = results([1, 2, 5, 3, 4]).changes(
            from: results([1, 2, 3, 4, 5]), updated: [:])
        #expect(changes == [.move(NoteID(rawValue: 5), from: 4, to: 2)])
    }

    @Test func `inserts, deletes and updates are told apart`() {
        let changes = results([1, 9, 3]).changes(
            from: results([1, 2, 3]),
            updated: [NoteID(rawValue: 3): [.title], NoteID(rawValue: 2): [.title]])
        #expect(
            changes == [
                .delete(NoteID(rawValue: 2), at: 1), .insert(NoteID(rawValue: 9), at: 1),
                .update(NoteID(rawValue: 3), at: 2, [.title]),
            ])
    }

    @Test func `equal answers make no change`() {
        #expect(results([3, 1, 2]).changes(from: results([3, 1, 2]), updated: [:]).isEmpty)
    }

    // The changes, applied as their documentation says, give the new answer.
    @Test func `changes lead from any answer to any other`() {
        var seed: UInt64 = 42
        func next(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % bound
        }
        for _ in 0..<3000 {
            // With repeats: a note may stand in several sections.
            let old = (0..<next(9)).map { _ in next(7) }
            let new = (0..<next(9)).map { _ in next(7) }
            var list = old
            var moved: [Int] = []
            let changes = results(new).changes(from: results(old), updated: [:])
            for change in changes {
                switch change {
                case .delete(let id, let position):
                    #expect(old[position] == id.rawValue)
                    moved.append(position)
                case .move(let id, let from, _):
                    #expect(old[from] == id.rawValue)
                    moved.append(from)
                case .insert, .update: continue
                }
            }
            for position in moved.sorted().reversed() { list.remove(at: position) }
            for change in changes {
                switch change {
                case .insert(let id, let position), .move(let id, _, let position):
                    list.insert(id.rawValue, at: position)
                case .delete, .update: continue
                }
            }
            #expect(list == new, "\(old) → \(new)")
        }
    }
}
