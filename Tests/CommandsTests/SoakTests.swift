import Foundation
import Synchronization
import Testing

/// Many edits, on disk and in the editor by turns, while a client reads pages all
/// the time. `DAYBOOK_SOAK` says how many, `DAYBOOK_SEED` which.
@Suite struct SoakTests {
    /// What the client saw that must not be.
    private final class Crawler: Sendable {
        private let state = Mutex<(asked: Int, faults: [String], isOver: Bool)>((0, [], false))

        var asked: Int { state.withLock { $0.asked } }
        var faults: [String] { state.withLock { $0.faults } }
        func end() { state.withLock { $0.isOver = true } }

        /// Asks for pages that exist all the time, one after the other.
        func run(_ port: Int, _ pages: [String]) {
            while !state.withLock({ $0.isOver }) {
                guard let connection = try? HTTPConnection(port) else {
                    state.withLock { $0.faults.append("no connection") }
                    return
                }
                for page in pages where !state.withLock({ $0.isOver }) {
                    let answer = try? connection.ask("GET", page)
                    let text = answer?.text ?? ""
                    let isWhole =
                        text.hasPrefix("<!doctype html>") && text.hasSuffix("</html>")
                    state.withLock {
                        $0.asked += 1
                        if answer?.status != 200 || !isWhole {
                            $0.faults.append(
                                "\(page): \(answer?.status ?? 0), \(text.count) characters")
                        }
                    }
                    if answer == nil { break }
                }
            }
        }
    }

    private static let environment = ProcessInfo.processInfo.environment
    private static let count = environment["DAYBOOK_SOAK"].flatMap { Int($0) } ?? 40
    private static let seed = environment["DAYBOOK_SEED"].flatMap { UInt64($0) } ?? 1

    private static func note(_ number: Int) -> String {
        """
        ---
        title: Note \(number)
        date: 2025-\(number % 12 + 1)-\(number % 27 + 1)
        tags: [t\(number % 7), all]
        ---
        Of note \(number): [[n\((number + 1) % 90)]] and [[n\(number % 9)|others]].

        """
    }

    @Test func `many edits leave every answer whole and the site exact`() throws {
        let notes = Dictionary(
            uniqueKeysWithValues: (0..<90).map { ("n\($0).md", Self.note($0)) })
        let settings = "title: Soak\n"
        let served = try ServedSite(notes: notes, settings: settings)
        let editor = try EditorClient(served)
        let crawler = Crawler()
        // The first 30 are edited, never moved or deleted.
        let pages = ["/", "/archive/", "/tags/", "/tags/all/"] + (0..<30).map { "/n\($0)/" }
        let port = served.port
        let client = Thread { crawler.run(port, pages) }
        client.start()
        defer { crawler.end() }

        var random = SplitMix(seed: Self.seed)
        // More than fit in a list that is rendered as fast as it is corrected.
        var numbers = 90..<90
        var memory: [Int] = []
        for step in 0..<Self.count {
            try edit(step, served, editor, &random, &numbers)
            // Most edits meet a build that is under way.
            if random.below(4) == 0 { usleep(UInt32(random.below(30_000))) }
            memory.append(served.watched.memory)
        }
        try served.watched.wait("all pages") { crawler.asked > Self.count * 2 }
        let fresh = try TestSite(["daybook.yml": settings])
        try FileManager.default.copyItem(
            at: served.site.root.appending(path: "content"),
            to: fresh.root.appending(path: "content"))
        let clean = try ServedSite(fresh)
        let output = ".daybook/preview/public"
        func tree(_ site: TestSite) -> [String: Data] {
            // The folder's name is one that trees are read without.
            let folder = FileManager.default.temporaryDirectory.appending(
                path: "daybook-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            try? FileManager.default.copyItem(at: site.root.appending(path: output), to: folder)
            return site.tree(folder)
        }
        let expected = tree(clean.site)
        #expect(expected.count > 90)
        try served.watched.wait("the tree of a clean build") { tree(served.site) == expected }
        crawler.end()
        #expect(crawler.faults.isEmpty, "\(crawler.faults.prefix(5)) seed \(Self.seed)")
        // Until then the pages that are kept for those that come back take more, up
        // to their limit.
        guard Self.count >= 4000 else { return }
        // Flat: the last fifth holds no more than the second did, beyond what an
        // allocator keeps for itself.
        let fifth = memory.count / 5
        let early = memory[fifth..<2 * fifth].max() ?? 0
        let late = memory[(4 * fifth)...].max() ?? 0
        print("memory in KB: \(early) early, \(late) late; \(crawler.asked) answers")
        #expect(late < early + early / 10 + 4096, "\(early) KB early, \(late) KB late")
    }

    /// Nobody else writes meanwhile, so a conflict would be a fault.
    private func mustSave(_ path: String, _ changes: [String: Any], _ editor: EditorClient) throws {
        let saved = try editor.save(path, changes)
        #expect(saved.status == 200, "\(saved.text)")
    }

    private func edit(
        _ step: Int, _ served: ServedSite, _ editor: EditorClient, _ random: inout SplitMix,
        _ others: inout Range<Int>
    ) throws {
        let path = "n\(random.below(90)).md"
        let url = served.site.root.appending(path: "content/\(path)")
        let text = try String(contentsOf: url, encoding: .utf8)
        switch random.below(10) {
        case 0: try served.site.write("content/\(path)", text + "Line \(step).\n")
        case 1:
            try Data(text.replacing(/title: .*/, with: "title: Disk \(step)").utf8)
                .write(to: url, options: .atomic)
        case 2:
            try Data(text.replacing(/tags: .*/, with: "tags: [all, s\(step % 5)]").utf8)
                .write(to: url, options: .atomic)
        case 3:
            try served.site.write("content/new/x\(others.upperBound).md", Self.note(step))
            others = others.lowerBound..<others.upperBound + 1
            // The site stays as large as it is, so that memory tells something.
            guard others.count > 5 else { return }
            try served.site.remove("content/new/x\(others.lowerBound).md")
            others = others.dropFirst()
        case 4 where !others.isEmpty:
            try served.site.remove("content/new/x\(others.lowerBound).md")
            others = others.dropFirst()
        case 5:
            try mustSave(path, ["title": "Saved \(step)"], editor)
        case 6:
            let day = "2025-\(10 + step % 3)-\(10 + step % 18)"
            try mustSave(path, ["date": day], editor)
        case 7:
            let body = "Written \(step), to [[n\(random.below(90))]].\n"
            try mustSave(path, ["body": body], editor)
        case 8:
            let made = try editor.post(
                "create", ["title": "Made \(step)", "folder": "made", "body": "x\n"])
            #expect(made.status == 201, "\(made.text)")
            let gone = try editor.post("delete", ["path": made["path"]])
            #expect(gone.status == 200, "\(gone.text)")
            guard random.below(2) == 0 else { return }
            let back = try editor.post("undo", ["path": made["path"], "trash": gone["trash"]])
            #expect(back.status == 200, "\(back.text)")
            try served.site.remove("content/" + made["path"])
        default:
            try served.site.write(
                "content/n\(30 + random.below(30)).md", Self.note(random.below(90)))
        }
    }
}

/// SplitMix64: the same sequence on every machine.
private struct SplitMix {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    /// A number from 0 to below `limit`.
    mutating func below(_ limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((bits ^ bits >> 31) >> 33) % limit
    }
}
