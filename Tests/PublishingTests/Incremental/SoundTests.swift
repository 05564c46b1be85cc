import Diagnostics
import Foundation
import Publishing
import Testing

/// Promise 1: an incremental build leaves the output as a clean build would,
/// whatever happened since.
@Suite struct `Incremental builds equal clean ones` {
    /// How many sequences of edits; `DAYBOOK_SEQUENCES=3000` is the long mode.
    static let count =
        ProcessInfo.processInfo.environment["DAYBOOK_SEQUENCES"].flatMap { Int($0) } ?? 40
    static let firstSeed =
        ProcessInfo.processInfo.environment["DAYBOOK_SEED"].flatMap { UInt64($0) } ?? 1

    @Test(arguments: (0..<UInt64(count)).map { firstSeed + $0 })
    func `after random edits, deletions, moves, clock changes and harm`(_ seed: UInt64) throws {
        let site = try RandomSite(seed: seed)
        for step in 0..<8 {
            if step > 0 {
                for _ in 0...Int.random(in: 0...2, using: &site.random) { try site.edit() }
            }
            let keepsGoing = Double.random(in: 0..<1, using: &site.random) < 0.7
            let before = site.tree("site/public")
            let built = try site.build(keepsGoing: keepsGoing)
            let anew = try site.buildAnew(keepsGoing: keepsGoing)
            let context = "seed \(seed), step \(step): \(site.log.joined(separator: "; "))"
            #expect(
                built.report.messages == anew.report.messages,
                "messages differ, \(context)")
            #expect(built.report.hasErrors == anew.report.hasErrors)
            if built.report.hasErrors, !keepsGoing {
                #expect(
                    site.tree("site/public") == before,
                    "a failed build changed something, \(context)")
                continue
            }
            let paths = Set(built.tree.keys).union(anew.tree.keys)
            let different = paths.filter { built.tree[$0] != anew.tree[$0] }.sorted()
            #expect(different.isEmpty, "\(different.prefix(5)) differ, \(context)")
            #expect(built.report.planned == anew.report.planned, "\(context)")
            #expect(built.report.heldBack == anew.report.heldBack, "\(context)")
            #expect(built.report.nextDue?.text == anew.report.nextDue?.text, "\(context)")
            #expect(built.report.notes == anew.report.notes, "\(context)")
            guard different.isEmpty else { return }
            // Never a changed file that was not rendered or copied.
            #expect(Set(built.report.written).isSubset(of: built.tree.keys))
        }
    }

    @Test(arguments: (0..<UInt64(count)).map { firstSeed + $0 })
    func `of one process that is told what changed, too`(_ seed: UInt64) throws {
        let site = try RandomSite(seed: seed &+ 1_000_000)
        let keepsGoing = Double.random(in: 0..<1, using: &site.random) < 0.5
        var session = site.session(keepsGoing: keepsGoing)
        var changes = BuildSession.Changes.everything
        for step in 0..<14 {
            if step > 0 {
                let before = site.sources()
                for _ in 0...Int.random(in: 0...1, using: &site.random) {
                    if Double.random(in: 0..<1, using: &site.random) < 0.65 {
                        try site.smallEdit()
                    } else {
                        try site.edit(ofSources: true)
                    }
                }
                let after = site.sources()
                changes = .paths(
                    Set(before.keys).union(after.keys).filter { before[$0] != after[$0] })
            }
            // Now and then the process ends, and another goes on.
            if step > 0, Double.random(in: 0..<1, using: &site.random) < 0.1 {
                if Double.random(in: 0..<1, using: &site.random) < 0.7 { session.save() }
                session = site.session(keepsGoing: keepsGoing)
                changes = .everything
            } else if Double.random(in: 0..<1, using: &site.random) < 0.3 {
                // What a preview does while it has time.
                while session.preparePage(at: Set(site.outputs)) {}
            }
            let before = site.tree("site/public")
            let report = try session.build(after: changes, at: site.now)
            let tree = site.tree("site/public")
            let anew = try site.buildAnew(keepsGoing: keepsGoing)
            let context = "seed \(seed), step \(step): \(site.log.joined(separator: "; "))"
            #expect(report.messages == anew.report.messages, "messages differ, \(context)")
            if anew.report.hasErrors, !keepsGoing {
                #expect(tree == before, "a failed build changed something, \(context)")
                continue
            }
            let paths = Set(tree.keys).union(anew.tree.keys)
            let different = paths.filter { tree[$0] != anew.tree[$0] }.sorted()
            #expect(different.isEmpty, "\(different.prefix(5)) differ, \(context)")
            #expect(report.planned == anew.report.planned, "\(context)")
            #expect(report.heldBack == anew.report.heldBack, "\(context)")
            #expect(report.nextDue?.text == anew.report.nextDue?.text, "\(context)")
            #expect(report.notes == anew.report.notes, "\(context)")
            guard different.isEmpty else { return }
        }
    }
}
