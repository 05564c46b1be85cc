import Foundation
import Testing

@testable import Watching

/// A reader that looks only where it is told to knows all the same what is on
/// the disk, whatever was done there.
@Suite struct `Whoever looks only where it is told` {
    /// What is in the places, by path.
    private func contents(_ folder: WatchedFolder) -> [String: String] {
        var found: [String: String] = [:]
        for place in folder.places.folders {
            FolderWalk(places: folder.places).visit(place) { step in
                guard case .file(let path, _) = step else { return }
                found[path] = try? String(contentsOfFile: path, encoding: .utf8)
            }
        }
        return found
    }

    /// What `known` becomes by looking where `changed` says.
    private func look(
        _ changed: ChangedPaths, _ known: inout [String: String], _ folder: WatchedFolder
    ) {
        let now = contents(folder)
        guard case .paths(let paths) = changed else {
            known = now
            return
        }
        func isTold(_ path: String) -> Bool {
            paths.contains(path)
                || path.indices.contains {
                    path[$0] == "/" && paths.contains(String(path[...$0]))
                }
        }
        for path in known.keys where isTold(path) { known[path] = now[path] }
        for (path, text) in now where isTold(path) { known[path] = text }
    }

    private struct Dice {
        var state: UInt64
        mutating func roll(_ sides: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(sides))
        }
    }

    private func act(_ dice: inout Dice, _ folder: WatchedFolder, _ step: Int) {
        let names = ["a", "bü", "c"]
        func place() -> String {
            // Beside the content lies what links may lead to, a name of several
            // bytes among it.
            var path = dice.roll(4) == 0 ? "geteilt ä" : "content"
            for _ in 0..<dice.roll(3) { path += "/" + names[dice.roll(3)] }
            return path
        }
        func note() -> String { place() + "/\(dice.roll(4)).md" }
        // What cannot be done (a file in a folder's way, nothing to move) is not.
        switch dice.roll(13) {
        case 0, 1, 2: try? folder.write(note(), "step \(step)")
        case 3: try? folder.remove(note())
        case 4: try? folder.move(note(), to: note())
        case 5:
            let target = place()
            if target != "content" { try? folder.move(place(), to: target) }
        case 6:
            let target = place()
            if target != "content" || dice.roll(4) == 0 {
                try? folder.remove(target)
                // Put back by itself, as a branch that is checked out is.
                if dice.roll(2) == 0 { try? folder.write(target + "/0.md", "back \(step)") }
            }
        case 7: try? folder.link(note(), to: folder.root + "/" + note())
        case 9, 10:
            // A file that comes whole under another of its names, and one that
            // is called like a backup.
            let (old, new) = (note(), note() + (dice.roll(3) == 0 ? ".bak" : ""))
            try? FileManager.default.linkItem(
                atPath: folder.root + "/" + old, toPath: folder.root + "/" + new)
            if dice.roll(3) > 0 { try? folder.remove(old) }
        case 11: try? folder.remove(note() + ".bak")
        case 8:
            // To a place by its path, or through whatever link is on the way.
            let way = dice.roll(2) == 0 ? "" : "/l\(dice.roll(2))"
            try? folder.link(
                place() + "/l\(dice.roll(2))", to: folder.root + "/" + place() + way)
        default:
            let note = note()
            try? folder.move(note, to: note + "~")
            try? folder.write(note, "saved \(step)")
            try? folder.remove(note + "~")
        }
    }

    @Test(arguments: 1...40) func `misses nothing`(_ seed: UInt64) throws {
        let folder = try WatchedFolder()
        try folder.write("content/0.md")
        var known = contents(folder)
        var watch = folder.watch()
        var dice = Dice(state: seed &* 0x9E37_79B9_7F4A_7C15)
        for step in 0..<80 {
            act(&dice, folder, step)
            if dice.roll(4) == 0, case .changed(let changed) = watch.next(within: 0) {
                look(changed, &known, folder)
            }
        }
        let end = WatchedFolder.clock() + 20_000
        while known != contents(folder), WatchedFolder.clock() < end {
            if case .changed(let changed) = watch.next(within: 150) {
                look(changed, &known, folder)
            }
        }
        let now = contents(folder)
        let different = Set(known.keys).union(now.keys).filter { known[$0] != now[$0] }
        #expect(different.isEmpty, "seed \(seed)")
    }
}
