import Foundation
import Testing

@testable import Watching

/// Real operations in real folders, told by inotify and by polling alike.
@Suite struct `A watch tells` {
    static let ways = [false, true]

    @Test(arguments: ways) func `a write in place, and nothing else`(polls: Bool) throws {
        let folder = try WatchedFolder()
        try folder.write("content/a.md")
        try folder.write("content/b.md")
        var watch = folder.watch(polls: polls)
        try folder.write("content/a.md", "another")
        #expect(folder.told(&watch, until: "content/a.md").paths == ["content/a.md"])
        #expect(folder.settled(&watch).batches == 0)
    }

    @Test(arguments: ways) func `saves by rename, the second and third too`(polls: Bool) throws {
        let folder = try WatchedFolder()
        try folder.write("content/a.md")
        var watch = folder.watch(polls: polls)
        for number in 0..<3 {
            try folder.write("content/.a.tmp\(number)", "rev \(number)")
            try folder.move("content/.a.tmp\(number)", to: "content/a.md")
            #expect(folder.told(&watch, until: "content/a.md").paths == ["content/a.md"])
        }
    }

    @Test(arguments: ways) func `saves by a backup, as one change of the note`(polls: Bool) throws {
        let folder = try WatchedFolder()
        try folder.write("content/a.md")
        var watch = folder.watch(polls: polls)
        for number in 0..<3 {
            try folder.move("content/a.md", to: "content/a.md~")
            try folder.write("content/a.md", "rev \(number) \(number)")
            try folder.remove("content/a.md~")
            #expect(folder.told(&watch, until: "content/a.md").paths == ["content/a.md"])
        }
        #expect(folder.settled(&watch).batches == 0)
    }

    @Test(arguments: ways) func `a tree that is made step by step`(polls: Bool) throws {
        let folder = try WatchedFolder()
        var watch = folder.watch(polls: polls)
        try folder.shell("mkdir -p content/x/y/z && echo hi > content/x/y/z/n.md")
        #expect(folder.told(&watch, until: "content/x/y/z/n.md").covers("content/x/y/z/n.md"))
        try folder.write("content/x/y/z/n.md", "more of it")
        #expect(folder.told(&watch, until: "content/x/y/z/n.md").covers("content/x/y/z/n.md"))
    }

    @Test(arguments: ways) func `a tree that is moved in at once`(polls: Bool) throws {
        let folder = try WatchedFolder()
        for place in ["1", "2/3"] {
            for number in 0..<6 { try folder.write("aside/\(place)/\(number).md") }
        }
        var watch = folder.watch(polls: polls)
        try folder.move("aside", to: "content/t")
        let told = folder.told(&watch, until: "content/t/1/0.md", "content/t/2/3/5.md")
        #expect(told.covers("content/t/1/5.md") && told.covers("content/t/2/3/0.md"))
        try folder.write("content/t/2/3/4.md", "later")
        #expect(folder.told(&watch, until: "content/t/2/3/4.md").batches > 0)
    }

    @Test(arguments: ways) func `a folder that is renamed, and what is written in it then`(
        polls: Bool
    ) throws {
        let folder = try WatchedFolder()
        try folder.write("content/old/in/a.md")
        var watch = folder.watch(polls: polls)
        try folder.move("content/old", to: "content/new")
        let told = folder.told(&watch, until: "content/old/in/a.md", "content/new/in/a.md")
        #expect(told.covers("content/old/in/a.md") && told.covers("content/new/in/a.md"))
        _ = folder.settled(&watch, within: 400)
        try folder.write("content/new/in/a.md", "another")
        #expect(
            folder.told(&watch, until: "content/new/in/a.md").paths == ["content/new/in/a.md"])
    }

    @Test(arguments: ways) func `a folder that is moved away, and nothing of it afterwards`(
        polls: Bool
    ) throws {
        let folder = try WatchedFolder()
        try folder.write("content/sec/a.md")
        var watch = folder.watch(polls: polls)
        try folder.move("content/sec", to: "away")
        #expect(folder.told(&watch, until: "content/sec/a.md").covers("content/sec/a.md"))
        _ = folder.settled(&watch, within: 400)
        try folder.write("away/a.md", "another")
        #expect(folder.settled(&watch).batches == 0)
    }

    @Test(arguments: ways) func `a folder that is removed and put back`(polls: Bool) throws {
        let folder = try WatchedFolder()
        try folder.write("content/sec/a.md")
        var watch = folder.watch(polls: polls)
        try folder.remove("content/sec")
        #expect(folder.told(&watch, until: "content/sec/a.md").covers("content/sec/a.md"))
        try folder.write("content/sec/a.md", "again")
        #expect(folder.told(&watch, until: "content/sec/a.md").covers("content/sec/a.md"))
        _ = folder.settled(&watch, within: 400)
        try folder.write("content/sec/a.md", "and again")
        #expect(folder.told(&watch, until: "content/sec/a.md").covers("content/sec/a.md"))
    }

    @Test(arguments: ways) func `a removal`(polls: Bool) throws {
        let folder = try WatchedFolder()
        try folder.write("content/a.md")
        var watch = folder.watch(polls: polls)
        try folder.remove("content/a.md")
        #expect(folder.told(&watch, until: "content/a.md").paths == ["content/a.md"])
    }

    @Test(arguments: ways) func `a single file that is replaced, and one that comes later`(
        polls: Bool
    ) throws {
        let folder = try WatchedFolder()
        var watch = folder.watch(polls: polls)
        try folder.write("daybook.yml", "title: A\n")
        #expect(folder.told(&watch, until: "daybook.yml").covers("daybook.yml"))
        for number in 0..<2 {
            try folder.write("daybook.yml.new", "title: B\(number)\n")
            try folder.move("daybook.yml.new", to: "daybook.yml")
            #expect(folder.told(&watch, until: "daybook.yml").paths == ["daybook.yml"])
        }
        try folder.write("other.yml", "x")
        #expect(folder.settled(&watch).batches == 0)
    }

    @Test(arguments: ways) func `a place that is removed and made again`(polls: Bool) throws {
        let folder = try WatchedFolder()
        try folder.write("content/a.md")
        var watch = folder.watch(polls: polls)
        try folder.remove("content")
        #expect(folder.told(&watch, until: "content/a.md").covers("content/a.md"))
        try folder.write("content/b.md")
        #expect(folder.told(&watch, until: "content/b.md").covers("content/b.md"))
        try folder.write("static/s.css")
        #expect(folder.told(&watch, until: "static/s.css").covers("static/s.css"))
        _ = folder.settled(&watch, within: 400)
        try folder.write("content/b.md", "another")
        #expect(folder.told(&watch, until: "content/b.md").covers("content/b.md"))
    }

    @Test(arguments: ways) func `what a link leads to, under each of its names`(polls: Bool) throws
    {
        let folder = try WatchedFolder()
        try folder.write("content/real/a.md")
        try folder.write("shared/s.md")
        try folder.write("shared/all/t.md")
        try folder.link("content/same", to: "real")
        try folder.link("content/s.md", to: "../shared/s.md")
        try folder.link("content/all", to: "../shared/all")
        // A ring, and a way out of the site.
        try folder.link("content/real/ring", to: "..")
        try folder.link("content/out", to: "/usr")
        var watch = folder.watch(polls: polls)
        try folder.write("content/real/a.md", "another")
        let both = folder.told(&watch, until: "content/real/a.md", "content/same/a.md")
        #expect(both.covers("content/real/a.md") && both.covers("content/same/a.md"))
        try folder.write("shared/s.md", "another")
        #expect(folder.told(&watch, until: "content/s.md").covers("content/s.md"))
        try folder.write("shared/s.md.new", "a third text")
        try folder.move("shared/s.md.new", to: "shared/s.md")
        #expect(folder.told(&watch, until: "content/s.md").covers("content/s.md"))
        try folder.write("shared/all/t.md", "another")
        #expect(folder.told(&watch, until: "content/all/t.md").covers("content/all/t.md"))
        try folder.remove("content/all")
        #expect(folder.told(&watch, until: "content/all/t.md").covers("content/all/t.md"))
    }

    @Test(arguments: ways) func `a link that comes later`(polls: Bool) throws {
        let folder = try WatchedFolder()
        try folder.write("shared/all/t.md")
        try folder.write("shared/s.md")
        var watch = folder.watch(polls: polls)
        try folder.link("content/all", to: "../shared/all")
        #expect(folder.told(&watch, until: "content/all/t.md").covers("content/all/t.md"))
        try folder.link("content/s.md", to: "../shared/s.md")
        #expect(folder.told(&watch, until: "content/s.md").covers("content/s.md"))
        _ = folder.settled(&watch, within: 400)
        try folder.write("shared/all/t.md", "another")
        try folder.write("shared/s.md", "another")
        let told = folder.told(&watch, until: "content/all/t.md", "content/s.md")
        #expect(told.covers("content/all/t.md") && told.covers("content/s.md"))
    }

    /// Checking out another branch and coming back does this.
    @Test(arguments: ways, ["shared", "shared/all"])
    func `what a link leads to, removed with the folders above it and made again`(
        polls: Bool, gone: String
    ) throws {
        let folder = try WatchedFolder()
        try folder.write("shared/all/t.md")
        try folder.write("content/a.md")
        try folder.link("content/linked", to: "../shared/all")
        var watch = folder.watch(polls: polls)
        let path = "content/linked/t.md"
        try folder.remove(gone)
        #expect(folder.told(&watch, until: path).covers(path))
        _ = folder.settled(&watch, within: 400)
        try folder.write("shared/all/t.md", "back")
        #expect(folder.told(&watch, until: path).covers(path))
        _ = folder.settled(&watch, within: 400)
        try folder.write("shared/all/t.md", "edited since")
        #expect(folder.told(&watch, until: path).covers(path))
    }

    @Test(arguments: ways) func `that a link on the way to what a link leads to is another`(
        polls: Bool
    ) throws {
        let folder = try WatchedFolder()
        for version in ["v1", "v2"] { try folder.write("\(version)/all/t.md", version) }
        try folder.link("current", to: "v1")
        try folder.link("content/linked", to: "../current/all")
        var watch = folder.watch(polls: polls)
        let path = "content/linked/t.md"
        try folder.link("next", to: "v2")
        try folder.move("next", to: "current")
        #expect(folder.told(&watch, until: path).covers(path))
        _ = folder.settled(&watch, within: 400)
        try folder.write("v2/all/t.md", "edited since")
        #expect(folder.told(&watch, until: path).covers(path))
    }

    @Test(arguments: ways) func `what a link leads to in the content, removed and made again`(
        polls: Bool
    ) throws {
        let folder = try WatchedFolder()
        try folder.write("content/x/sub/t.md")
        try folder.link("content/linked", to: "x/sub")
        var watch = folder.watch(polls: polls)
        let path = "content/linked/t.md"
        try folder.remove("content/x")
        #expect(folder.told(&watch, until: path).covers(path))
        try folder.write("content/x/sub/t.md", "back")
        _ = folder.told(&watch, until: path)
        _ = folder.settled(&watch, within: 400)
        try folder.write("content/x/sub/t.md", "edited since")
        #expect(folder.told(&watch, until: path).covers(path))
    }

    /// A folder that comes later is walked by itself: it follows the links that a
    /// walk of the whole would, and cuts the same rings.
    @Test func `in a folder by itself what a walk of the whole meets there`() throws {
        let folder = try WatchedFolder()
        try folder.write("geteilt ü/s/s.md")
        try folder.write("other ä/o/d/n.md")
        // content/l → s, s/m → o, o/d/ring → s: a ring through two links.
        try folder.link("content/l", to: "../geteilt ü/s")
        try folder.link("geteilt ü/s/m", to: "../../other ä/o")
        try folder.link("other ä/o/d/ring", to: "../../../geteilt ü/s")
        func files(_ place: String) -> Set<String> {
            var found: Set<String> = []
            FolderWalk(places: folder.places).visit(folder.root + "/" + place) { step in
                if case .file(let path, _) = step { found.insert(path) }
            }
            return found
        }
        let below = folder.root + "/content/l/m/d/"
        #expect(files("content/l/m/d") == [below + "n.md"])
        #expect(files("content").filter { $0.hasPrefix(below) } == files("content/l/m/d"))
    }

    @Test(arguments: ways) func `nothing of editors' own files or of what is passed over`(
        polls: Bool
    ) throws {
        let folder = try WatchedFolder()
        try folder.write("content/n.md")
        try folder.makeFolder("content/.git")
        var watch = folder.watch(polls: polls)
        for name in [
            ".n.md.swp", "n.md~", "#n.md#", "4913", ".goutputstream-ABC", "n.md.tmp",
            "n.md1AbCdE.bck", "n.md___jb_tmp___", ".git/index", ".hidden",
        ] {
            try folder.write("content/" + name)
            try folder.write("content/" + name, "another")
            if !name.hasPrefix(".git/") { try folder.remove("content/" + name) }
        }
        try folder.link("content/.#n.md", to: "someone@host.1:2")
        #expect(folder.settled(&watch).batches == 0)
        try folder.write("content/n.md", "real")
        #expect(folder.told(&watch, until: "content/n.md").paths == ["content/n.md"])
    }

    @Test(arguments: ways) func `a burst as one batch or a few`(polls: Bool) throws {
        let folder = try WatchedFolder()
        for number in 0..<300 { try folder.write("content/n\(number).md") }
        var watch = folder.watch(polls: polls)
        try folder.shell("for i in $(seq 0 299); do echo two > content/n$i.md; done")
        let told = folder.told(&watch) { told in
            (0..<300).allSatisfy { told.covers("content/n\($0).md") }
        }
        #expect(told.paths.count == 300)
        #expect((1...4).contains(told.batches))
    }

    @Test func `a hard link, and a file that becomes readable`() throws {
        let folder = try WatchedFolder()
        try folder.write("aside.md")
        try folder.write("content/a.md")
        var watch = folder.watch()
        try folder.shell("ln aside.md content/b.md")
        #expect(folder.told(&watch, until: "content/b.md").paths == ["content/b.md"])
        try folder.shell("chmod 600 content/a.md")
        #expect(folder.told(&watch, until: "content/a.md").paths == ["content/a.md"])
    }

    @Test func `a file that was written elsewhere and linked here`() throws {
        let folder = try WatchedFolder()
        try folder.write("aside.md", "whole")
        var watch = folder.watch()
        // By the time that anybody looks it has this name alone.
        try folder.shell("ln aside.md content/b.md; rm aside.md")
        #expect(folder.told(&watch, until: "content/b.md").paths == ["content/b.md"])
    }

    @Test(arguments: ways) func `a file that is called like a backup and stays`(polls: Bool) throws
    {
        let folder = try WatchedFolder()
        var watch = folder.watch(polls: polls)
        try folder.write("static/dump.bak")
        #expect(folder.told(&watch, until: "static/dump.bak").covers("static/dump.bak"))
        _ = folder.settled(&watch, within: 1500)
        try folder.write("static/dump.bak", "another")
        #expect(folder.told(&watch, until: "static/dump.bak").paths == ["static/dump.bak"])
        try folder.remove("static/dump.bak")
        #expect(folder.told(&watch, until: "static/dump.bak").paths == ["static/dump.bak"])
    }

    @Test func `that the whole site was replaced`() throws {
        let folder = try WatchedFolder()
        try folder.write("content/a.md")
        let places = WatchedPlaces(
            anchor: folder.root + "/site", folders: [folder.root + "/site/content"])
        try folder.write("site/content/a.md")
        var watch = folder.watch(places)
        try folder.move("site", to: "elsewhere")
        #expect(folder.told(&watch) { $0.isEverything }.isEverything)
        try folder.write("site/content/b.md")
        #expect(folder.told(&watch, until: "site/content/b.md").covers("site/content/b.md"))
        _ = folder.settled(&watch, within: 400)
        try folder.write("site/content/b.md", "another")
        #expect(
            folder.told(&watch, until: "site/content/b.md").paths == ["site/content/b.md"])
    }
}
