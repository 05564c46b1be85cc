import Diagnostics
import Foundation
import Testing

@testable import Watching

/// What a watch does where it is not told, or not told all.
@Suite struct `Where telling fails` {
    @Test func `a watch polls once the limit is reached at its start, and says so`() throws {
        let folder = try WatchedFolder()
        for number in 0..<6 { try folder.write("content/\(number)/a.md") }
        var watch = folder.watch(limit: 4)
        #expect(watch.pollingReason == .limit(folders: 4))
        #expect(
            watch.pollingReason?.message?.message
                == "the system's limit of watches is reached after 4 folders; files are looked at again instead"
        )
        try folder.write("content/5/a.md", "another")
        #expect(folder.told(&watch, until: "content/5/a.md").paths == ["content/5/a.md"])
    }

    @Test func `a watch polls once the limit is reached later, and nothing is lost`() throws {
        let folder = try WatchedFolder()
        var watch = folder.watch(limit: 5)
        #expect(watch.pollingReason == nil)
        for number in 0..<6 { try folder.write("content/\(number)/a.md") }
        let told = folder.told(&watch) { $0.isEverything }
        #expect(told.isEverything)
        #expect(watch.pollingReason == .limit(folders: 5))
        try folder.write("content/5/a.md", "another")
        #expect(folder.told(&watch, until: "content/5/a.md").paths == ["content/5/a.md"])
    }

    #if os(Linux)
        @Test func `lost events are told as such, and all is watched again`() throws {
            let folder = try WatchedFolder()
            var source = try InotifySource.make(folder.places)
            try folder.write("content/new/a.md")
            #expect(try source.tell([.lost]) == [.lost])
            try folder.write("content/new/a.md", "another")
            let end = WatchedFolder.clock() + 20_000
            var events: [FileEvent] = []
            while events.isEmpty, WatchedFolder.clock() < end { events = try source.read() }
            #expect(events.contains(.written(folder.content + "/new/a.md")))
        }

        @Test func `events of a watch that is no more are nobody's`() throws {
            let folder = try WatchedFolder()
            var source = try InotifySource.make(folder.places)
            let event = InotifyEvent(watch: 4711, mask: 8, name: "a.md")
            #expect(try source.tell([event]).isEmpty)
        }
    #endif

    private let mounts = MountTable(
        reading: """
            22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/root rw
            36 22 0:32 / /mnt/nas rw,relatime shared:2 - nfs4 nas:/home rw
            37 22 0:33 / /mnt/a\\040b rw - fuse.sshfs host: rw
            38 36 8:2 / /mnt/nas/local rw - xfs /dev/sdb rw
            39 22 0:34 / /overlay rw - overlay overlay rw
            40 22 0:35 / /mnt/twice rw - ext4 /dev/sdc rw
            41 40 0:36 / /mnt/twice rw - virtiofs share rw
            42 22 0:37 / /mnt/ntfs rw - fuseblk /dev/sdd rw
            """)

    @Test(arguments: [
        ("/home/notes", false), ("/mnt/nas/notes", true), ("/mnt/nas", true), ("/mnt/nasty", false),
        ("/mnt/a b/c", true), ("/mnt/nas/local/x", false), ("/overlay/x", false),
        ("/mnt/twice/x", true), ("/mnt/ntfs/x", false),
    ])
    func `files on a network are polled, by what is mounted where`(
        _ path: String, _ isRemote: Bool
    ) throws {
        #expect(MountTable.isRemote(try #require(mounts.type(of: path))) == isRemote)
    }

    @Test func `a watch of files on a network polls, and says so`() throws {
        let folder = try WatchedFolder()
        let mounts = MountTable(reading: "36 22 0:32 / \(folder.root) rw - nfs4 nas:/home rw")
        let watch = Watch(
            folder.places, interrupt: folder.interrupt, mounts: mounts, clock: WatchedFolder.clock)
        #expect(watch.pollingReason == .remote(path: folder.content, type: "nfs4"))
        #expect(watch.pollingReason?.message?.message.contains("nfs4") == true)
    }

    @Test func `a table that is none says nothing`() {
        #expect(MountTable(reading: "").type(of: "/x") == nil)
        #expect(MountTable(reading: "what is\n this - \n\n").type(of: "/x") == nil)
    }
}
