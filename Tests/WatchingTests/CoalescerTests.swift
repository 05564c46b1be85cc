import Testing

@testable import Watching

/// The machine by itself: events and times in, batches out.
@Suite struct `Events become batches` {
    private var coalescer = Coalescer()

    /// What is taken at a time.
    private mutating func take(_ now: Int64) -> ChangedPaths? { coalescer.take(at: now) }

    @Test mutating func `a lone save is ready at once`() {
        coalescer.receive([.written("/n/a.md")], at: 1000)
        #expect(coalescer.due == 1000)
        #expect(take(1000) == .paths(["/n/a.md"]))
        #expect(take(1000) == nil)
        #expect(coalescer.due == nil)
    }

    @Test mutating func `nothing is ready where nothing happened`() {
        #expect(coalescer.due == nil)
        #expect(take(5000) == nil)
        coalescer.receive([.appeared("/n/x/")], at: 1)
        #expect(coalescer.due == nil)
    }

    @Test mutating func `a file that came and was not closed is looked at a little later`() {
        coalescer.receive([.appeared("/n/a.md")], at: 0)
        #expect(coalescer.due == 250)
        #expect(take(249) == nil)
        #expect(take(250) == .paths(["/n/a.md"]))
        #expect(coalescer.due == nil)
        // And again when it is closed.
        coalescer.receive([.written("/n/a.md")], at: 900)
        #expect(take(900) == .paths(["/n/a.md"]))
    }

    @Test mutating func `a save by a temporary file and a rename is one save`() {
        coalescer.receive(
            [
                .appeared("/n/a.md.tmp"), .written("/n/a.md.tmp"),
                .moved(from: "/n/a.md.tmp", to: "/n/a.md"), .written("/n/a.md"),
            ], at: 10)
        #expect(take(10) == .paths(["/n/a.md"]))
        #expect(coalescer.due == nil)
    }

    @Test mutating func `vim's dance is one save, though the note is away for a moment`() {
        coalescer.receive([.appeared("/n/4913"), .vanished("/n/4913")], at: 0)
        coalescer.receive(
            [.moved(from: "/n/a.md", to: "/n/a.md~"), .written("/n/a.md~")], at: 1)
        #expect(take(1) == nil)
        #expect(coalescer.due == 101)
        coalescer.receive([.appeared("/n/a.md")], at: 2)
        #expect(coalescer.due == 252)
        coalescer.receive(
            [.written("/n/a.md"), .touched("/n/a.md"), .vanished("/n/a.md~")], at: 3)
        #expect(take(3) == .paths(["/n/a.md"]))
        coalescer.receive([.touched("/n/a.md")], at: 4)
        #expect(coalescer.due == nil)
    }

    @Test mutating func `a backup that may have been seen is told when it goes`() {
        coalescer.receive(
            [
                .moved(from: "/n/a.css", to: "/n/a.css~"), .written("/n/a.css~"),
                .written("/n/a.css"),
            ], at: 0)
        #expect(take(0) == .paths(["/n/a.css"]))
        coalescer.receive([.vanished("/n/a.css~")], at: 1)
        #expect(take(101) == .paths(["/n/a.css~"]))
        #expect(coalescer.due == nil)
    }

    @Test mutating func `a file that is called like a backup and stays is told, and when it goes`()
    {
        coalescer.receive([.appeared("/n/dump.bak"), .written("/n/dump.bak")], at: 0)
        #expect(take(999) == nil)
        #expect(take(1000) == .paths(["/n/dump.bak"]))
        coalescer.receive([.written("/n/dump.bak")], at: 2000)
        #expect(take(3000) == .paths(["/n/dump.bak"]))
        // It was there before: gone at once after a write it is gone all the same.
        coalescer.receive([.written("/n/dump.bak"), .vanished("/n/dump.bak")], at: 4000)
        #expect(take(4100) == .paths(["/n/dump.bak"]))
    }

    @Test mutating func `a disappearance waits, and is told when nothing returns`() {
        coalescer.receive([.vanished("/n/a.md")], at: 50)
        #expect(take(149) == nil)
        #expect(coalescer.due == 150)
        #expect(take(150) == .paths(["/n/a.md"]))
        #expect(coalescer.due == nil)
    }

    @Test mutating func `a second disappearance does not put the first off`() {
        coalescer.receive([.vanished("/n/a.md")], at: 0)
        coalescer.receive([.vanished("/n/a.md")], at: 90)
        #expect(take(100) == .paths(["/n/a.md"]))
    }

    @Test mutating func `a file that is removed and written again was changed`() {
        coalescer.receive(
            [.vanished("/n/a.md"), .appeared("/n/a.md"), .written("/n/a.md")], at: 0)
        #expect(take(0) == .paths(["/n/a.md"]))
        #expect(take(1000) == nil)
    }

    @Test mutating func `a folder that returns is told as gone, for it may hold less`() {
        coalescer.receive([.vanished("/n/x/")], at: 0)
        coalescer.receive([.appeared("/n/x/"), .written("/n/x/b.md")], at: 10)
        #expect(take(10) == .paths(["/n/x/b.md"]))
        #expect(take(100) == .paths(["/n/x/"]))
    }

    @Test mutating func `a save does not wait for a disappearance, nor that for a save`() {
        coalescer.receive([.vanished("/n/gone.md")], at: 0)
        coalescer.receive([.written("/n/a.md")], at: 60)
        #expect(take(60) == .paths(["/n/a.md"]))
        #expect(take(100) == .paths(["/n/gone.md"]))
    }

    @Test mutating func `a rename is one batch of both names`() {
        coalescer.receive(
            [.moved(from: "/n/a.md", to: "/n/b.md"), .written("/n/b.md")], at: 5)
        #expect(take(5) == .paths(["/n/a.md", "/n/b.md"]))
        coalescer.receive([.moved(from: "/n/x/", to: "/n/y/"), .appeared("/n/y/")], at: 500)
        #expect(take(500) == .paths(["/n/x/"]))
    }

    @Test mutating func `a folder that is called like a backup is no backup`() {
        coalescer.receive([.vanished("/n/old.bak/")], at: 0)
        #expect(take(100) == .paths(["/n/old.bak/"]))
    }

    @Test(arguments: [
        ".n.md.swp", ".n.md.swx", "n.md~", "#n.md#", "4913", "5036", ".goutputstream-ABC",
        "n.md.tmp", "n.md1AbCdE.bck", "n.md___jb_tmp___", "n.md___jb_old___", ".#n.md", "sedAb3xYz",
        "~$n.md", ".~lock.n.md#", "n.md.kate-swp", "a.part",
    ])
    mutating func `what editors leave for themselves makes no batch`(_ name: String) {
        #expect(TransientName.matches("/n/" + name))
        let path = "/n/" + name
        coalescer.receive(
            [.appeared(path), .written(path), .touched(path), .vanished(path)], at: 0)
        #expect(coalescer.due == nil)
        #expect(take(10_000) == nil)
    }

    @Test(arguments: [
        "n.md", "4914", "2024", "49130", "sediment", "sedimenta", "#1", "tmp", "swp.md", "~x.md",
        "x.tmp/n.md", "C#.md",
    ])
    func `what only looks like it is not passed over`(_ name: String) {
        #expect(!TransientName.matches("/n/" + name))
    }

    @Test mutating func `what happens while nobody takes is one batch afterwards`() {
        coalescer.receive([.written("/n/a.md")], at: 0)
        #expect(take(0) == .paths(["/n/a.md"]))
        // A build of two seconds.
        coalescer.receive([.written("/n/b.md")], at: 500)
        coalescer.receive([.written("/n/a.md")], at: 900)
        coalescer.receive([.vanished("/n/c.md")], at: 1000)
        coalescer.receive([.written("/n/b.md")], at: 1500)
        #expect(take(2000) == .paths(["/n/a.md", "/n/b.md", "/n/c.md"]))
        #expect(coalescer.due == nil)
    }

    @Test mutating func `a burst is waited for until it is quiet`() {
        coalescer.receive((0..<40).map { .written("/n/\($0).md") }, at: 0)
        #expect(take(0) == nil)
        coalescer.receive((40..<80).map { .written("/n/\($0).md") }, at: 20)
        #expect(take(44) == nil)
        #expect(coalescer.due == 45)
        #expect(take(45) == .paths(Set((0..<80).map { "/n/\($0).md" })))
    }

    @Test mutating func `a burst that does not end is not waited for for ever`() {
        var time: Int64 = 0
        var batches = 0
        var paths: Set<String> = []
        while time < 1000 {
            coalescer.receive([.written("/n/\(time).md")], at: time)
            if case .paths(let batch) = take(time) {
                batches += 1
                paths.formUnion(batch)
            }
            time += 5
        }
        // The first file is told at once; then a batch for each stretch.
        #expect((4...6).contains(batches))
        while let due = coalescer.due {
            if case .paths(let batch) = take(due) { paths.formUnion(batch) }
        }
        #expect(paths.count == 200)
    }

    @Test mutating func `a file that is written over and over settles as well`() {
        coalescer.receive([.written("/n/a.md")], at: 0)
        #expect(take(0) == .paths(["/n/a.md"]))
        coalescer.receive([.written("/n/a.md")], at: 10)
        #expect(take(10) == nil)
        coalescer.receive([.written("/n/a.md")], at: 20)
        #expect(take(35) == nil)
        #expect(take(45) == .paths(["/n/a.md"]))
    }

    @Test mutating func `saves that are well apart are each told at once`() {
        for time in stride(from: Int64(0), to: 1000, by: 100) {
            coalescer.receive([.written("/n/a.md")], at: time)
            #expect(take(time) == .paths(["/n/a.md"]))
        }
    }

    @Test mutating func `lost events are told as everything, once it is quiet`() {
        coalescer.receive([.written("/n/a.md"), .lost], at: 0)
        #expect(take(0) == nil)
        coalescer.receive([.written("/n/b.md")], at: 10)
        #expect(take(35) == .everything)
        #expect(coalescer.due == nil)
    }

    @Test mutating func `a permission alone is looked at a little later`() {
        coalescer.receive([.touched("/n/a.md")], at: 0)
        #expect(take(99) == nil)
        #expect(take(100) == .paths(["/n/a.md"]))
    }

    @Test mutating func `what is taken does not come back`() {
        coalescer.receive([.touched("/n/a.md"), .vanished("/n/b.md")], at: 0)
        coalescer.receive([.written("/n/a.md"), .written("/n/b.md")], at: 50)
        #expect(take(50) == .paths(["/n/a.md", "/n/b.md"]))
        #expect(take(1000) == nil)
    }

    @Test func `changes add up`() {
        var changes = ChangedPaths.paths(["/a"])
        changes.formUnion(.paths(["/b"]))
        #expect(changes == .paths(["/a", "/b"]))
        changes.formUnion(.everything)
        #expect(changes == .everything)
        changes.formUnion(.paths(["/c"]))
        #expect(changes == .everything)
    }

    /// Random events: nothing that was written last is ever left untold.
    @Test(arguments: 1...40)
    mutating func `every write is told after it, whatever else happens`(_ seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15
        func random(_ bound: UInt64) -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state % bound
        }
        var time: Int64 = 0
        var open: Set<String> = []
        for _ in 0..<400 {
            time += Int64(random(60))
            let path = "/n/\(random(6)).md"
            switch random(6) {
            case 0: coalescer.receive([.vanished(path)], at: time)
            case 1: coalescer.receive([.touched(path)], at: time)
            case 2: coalescer.receive([.moved(from: path, to: path + "~")], at: time)
            case 3: coalescer.receive([.appeared(path)], at: time)
            default:
                coalescer.receive([.written(path)], at: time)
                open.insert(path)
            }
            if random(3) == 0, case .paths(let batch) = take(time) { open.subtract(batch) }
        }
        while let due = coalescer.due {
            time = max(time, due)
            guard case .paths(let batch) = take(time) else { break }
            open.subtract(batch)
        }
        #expect(open.isEmpty)
        #expect(coalescer.due == nil)
    }
}
