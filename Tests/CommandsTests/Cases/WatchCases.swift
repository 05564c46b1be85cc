import Foundation
import Testing

/// Cases of tools of this kind that lose or misread changes while they watch.
@Suite struct `Cases of the watch` {
    /// Told by the system, and by polling.
    enum Way: CaseIterable {
        case told, poll
    }

    private func watch(_ notes: [String: String], _ way: Way) throws -> WatchedSite {
        let site = try TestSite(notes: notes)
        switch way {
        case .told: return try WatchedSite(site)
        case .poll: return try WatchedSite(site, ["--poll"])
        }
    }

    /// Looks at a page again and again, and notes whether it was ever away.
    private final class Onlooker: @unchecked Sendable {
        private let lock = NSLock()
        private var isDone = false
        private var misses = 0
        private let finished = DispatchSemaphore(value: 0)

        init(_ file: URL) {
            Thread.detachNewThread { [self] in
                while lock.withLock({ !isDone }) {
                    if (try? Data(contentsOf: file))?.isEmpty ?? true {
                        lock.withLock { misses += 1 }
                    }
                    usleep(10_000)
                }
                finished.signal()
            }
        }

        func end() -> Int {
            lock.withLock { isDone = true }
            finished.wait()
            return misses
        }
    }

    // That a GET never gives 404 is asserted with the preview; here, that the
    // file is never away.
    @Test(arguments: Way.allCases) func `H-WA-1 atomic saves, three in a row`(way: Way) throws {
        let watched = try watch(["a.md": "rev 0\n", "b.md": "# B\n"], way)
        let onlooker = Onlooker(watched.site.output.appending(path: "a/index.html"))
        for number in 1...3 {
            try watched.shell("echo 'rev \(number)' > .a.tmp\(number) && mv .a.tmp\(number) a.md")
            try watched.expectExact("save \(number) by rename")
            #expect(watched.site.page("a/").contains("rev \(number)"))
        }
        for number in 4...6 {
            try watched.shell("mv a.md a.md~ && echo 'rev \(number)' > a.md && rm a.md~")
            try watched.expectExact("save \(number) by backup")
            #expect(watched.site.page("a/").contains("rev \(number)"))
        }
        #expect(onlooker.end() == 0)
    }

    @Test(arguments: Way.allCases) func `H-WA-2 a folder tree arrives at once`(way: Way) throws {
        let watched = try watch(["a.md": "# A\n"], way)
        for tree in ["t", "u"] {
            for folder in 1...5 {
                for note in 1...6 {
                    try watched.site.write(
                        "\(tree)/\(folder)/\(note).md", "\(tree) ![](../p.png)\n")
                }
            }
            try watched.site.write("\(tree)/p.png", "image")
        }
        try watched.shell("cp -r ../t t")
        try watched.expectExact("a copied tree")
        #expect(watched.site.exists("t/5/6/index.html") && watched.site.exists("t/p.png"))
        try watched.shell("mkdir -p x/y/z && echo hi > x/y/z/n.md")
        try watched.expectExact("a tree made step by step")
        #expect(watched.site.page("x/y/z/n/").contains("hi"))
        try watched.shell("mv ../u u")
        try watched.expectExact("a tree moved in")
        #expect(watched.site.exists("u/1/1/index.html"))
        try watched.shell("echo hello again > x/y/z/n.md")
        try watched.expectExact("an edit in it")
        #expect(watched.site.page("x/y/z/n/").contains("hello again"))
    }

    @Test(arguments: Way.allCases) func `H-WA-3 swap, backup and temporary files`(way: Way) throws {
        let watched = try watch(["n.md": "One.\n"], way)
        let paths = watched.site.paths
        for name in [
            ".n.md.swp", "n.md~", "#n.md#", "4913", ".goutputstream-ABC", "n.md.tmp",
            "n.md1AbCdE.bck", "n.md___jb_tmp___",
        ] {
            try watched.shell("echo 1 > '\(name)'; echo 2 >> '\(name)'; rm '\(name)'")
        }
        try watched.shell("ln -s someone@host.1:2 '.#n.md'")
        try watched.shell("echo left > n.md~")
        // A real edit afterwards, whose build is the first there is.
        try watched.shell("echo Two. > n.md")
        try watched.wait("the real edit") { watched.site.page("n/").contains("Two.") }
        try watched.wait("its line") { watched.builds == 1 }
        #expect(watched.errors.contains("content/n.md: "))
        #expect(watched.site.paths == paths)
        #expect(!watched.errors.contains("error"))
        try watched.expectExact("the end")
        #expect(watched.builds == 1)
    }

    // The overlay over the last good page is asserted with the preview; here,
    // that the page stays.
    @Test(arguments: Way.allCases) func `H-WA-4 a half-written and a broken save`(way: Way) throws {
        let watched = try watch(["a.md": "First.\n", "b.md": "Bee.\n"], way)
        let onlooker = Onlooker(watched.site.output.appending(path: "a/index.html"))
        try watched.shell(": > a.md; sleep 0.4; printf -- '---\\ntitle: Ne' > a.md; sleep 0.4")
        try watched.wait("the error") { watched.errors.contains("a.md:1:1: error") }
        try watched.shell("printf -- '---\\ntitle: New\\n---\\nWhole.\\n' > a.md")
        try watched.wait("the rest") { watched.site.page("a/").contains("Whole.") }
        try watched.expectExact("the whole save")
        try watched.shell("printf -- '---\\ntitle: [x\\n---\\nBroken.\\n' > a.md")
        try watched.wait("the error") { watched.errors.contains(/a\.md:[23]:\d+: error/) }
        try watched.shell("echo Buzz. > b.md")
        try watched.wait("the edit of another note") {
            watched.errors.contains("content/b.md: nothing was published")
        }
        #expect(watched.site.page("a/").contains("Whole."))
        #expect(watched.site.page("b/").contains("Bee."))
        try watched.shell("printf -- '---\\ntitle: Mended\\n---\\nGood.\\n' > a.md")
        try watched.wait("the mended note") { watched.site.page("a/").contains("Good.") }
        try watched.expectExact("the mended save")
        #expect(watched.site.page("b/").contains("Buzz."))
        #expect(onlooker.end() == 0)
    }

    @Test(arguments: Way.allCases) func `H-WA-5 a folder is deleted, then put back`(way: Way) throws
    {
        let watched = try watch(
            [
                "a.md": "# A\n", "sec/index.md": "# Section\n", "sec/1.md": "one\n",
                "sec/2.md": "two\n", "sec/3.md": "three\n",
            ], way)
        try watched.shell("cp -r sec ../kept && rm -r sec")
        try watched.expectExact("the folder gone")
        #expect(!watched.site.exists("sec"))
        try watched.shell("cp -r ../kept sec")
        try watched.expectExact("the folder back")
        #expect(watched.site.page("sec/3/").contains("three"))
        try watched.shell("echo changed > sec/3.md")
        try watched.expectExact("an edit in it")
        #expect(watched.site.page("sec/3/").contains("changed"))
    }

    // The rest of H-IS-8, a touch that writes nothing, is asserted of builds.
    @Test(arguments: Way.allCases) func `H-IS-8 an older file of the same size takes its place`(
        way: Way
    ) throws {
        let watched = try watch(["a.md": "cat\n"], way)
        try watched.shell("echo dog > ../dog && touch -d '1 day ago' ../dog && mv ../dog a.md")
        try watched.expectExact("the older file")
        #expect(watched.site.page("a/").contains("dog"))
    }
}
