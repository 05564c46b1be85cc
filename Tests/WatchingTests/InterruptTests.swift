import Foundation
import Testing

@testable import Watching

/// How other threads reach the one that waits.
@Suite struct `A wait ends` {
    @Test func `when the time has gone by`() throws {
        let folder = try WatchedFolder()
        var watch = folder.watch()
        #expect(watch.next(within: 0) == .elapsed)
        #expect(watch.next(within: 20) == .elapsed)
    }

    @Test func `when another thread says so`() throws {
        let folder = try WatchedFolder()
        var watch = folder.watch()
        let interrupt = folder.interrupt
        Thread.detachNewThread { interrupt.wake() }
        #expect(watch.next() == .woken)
        Thread.detachNewThread { interrupt.stop() }
        #expect(watch.next() == .stopped)
    }

    @Test func `at once, when it was said before`() throws {
        let folder = try WatchedFolder()
        var watch = folder.watch()
        folder.interrupt.wake()
        folder.interrupt.wake()
        #expect(watch.next() == .woken)
        #expect(watch.next(within: 0) == .elapsed)
        folder.interrupt.wake()
        folder.interrupt.stop()
        #expect(watch.next() == .stopped)
    }

    @Test func `by a change, though nobody polls`() throws {
        let folder = try WatchedFolder()
        try folder.write("content/a.md")
        var watch = folder.watch()
        let path = folder.content + "/a.md"
        Thread.detachNewThread { try? Data("y".utf8).write(to: URL(filePath: path)) }
        #expect(watch.next() == .changed(.paths([path])))
    }

    @Test func `with everything, once other places are watched`() throws {
        let folder = try WatchedFolder()
        var watch = folder.watch()
        watch.follow(
            WatchedPlaces(anchor: folder.root, folders: [folder.root + "/notes"]))
        #expect(folder.told(&watch) { $0.isEverything }.isEverything)
        try folder.write("notes/a.md")
        #expect(folder.told(&watch, until: "notes/a.md").covers("notes/a.md"))
    }
}
