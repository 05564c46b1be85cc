import Bytes
import Foundation
import Synchronization
import Testing

@Suite struct `Files` {
    private let path: String
    private let folder: Folder

    init() throws {
        path =
            FileManager.default.temporaryDirectory.appending(path: "files-\(UUID().uuidString)")
            .path
        try FilePath.makeFolders(path + "/a/b")
        folder = try Folder(path)
    }

    @Test func `files are written, read, renamed and removed below a folder`() throws {
        try folder.write(Array("one".utf8), to: "a/x")
        #expect(try folder.read("a/x") == Array("one".utf8))
        try folder.write(Array("two longer".utf8), to: "a/x")
        try folder.write(Array("2".utf8), to: "a/x")
        #expect(try folder.read("a/x") == Array("2".utf8))
        try folder.rename("a/x", to: "a/b/y", in: folder)
        #expect(folder.status("a/x") == nil)
        #expect(try folder.entries(of: "a/b").map(\.name) == ["y"])
        #expect(!folder.removeEmptyFolder("a/b"))
        try folder.remove("a/b/y")
        try folder.remove("a/b/y")
        #expect(folder.removeEmptyFolder("a/b"))
        try folder.removeTree("a")
        #expect(folder.status("a") == nil)
    }

    @Test func `a folder that was let go can be taken at once, whatever starts meanwhile`()
        throws
    {
        let isDone = Atomic(false)
        let starts = Atomic(0)
        let thread = Thread {
            // What is started holds all that is open here, until it runs.
            while !isDone.load(ordering: .relaxed) {
                let process = Process()
                process.executableURL = URL(filePath: "/bin/true")
                if (try? process.run()) != nil { starts.add(1, ordering: .relaxed) }
                process.waitUntilExit()
            }
        }
        thread.start()
        defer {
            isDone.store(true, ordering: .relaxed)
            while !thread.isFinished { usleep(1000) }
        }
        while starts.load(ordering: .relaxed) < 40 {
            guard try Folder(path).lock() else {
                Issue.record("the folder was still taken")
                return
            }
        }
    }

    @Test func `an error names what was tried, the path and the reason`() {
        #expect(throws: FileError("cannot read", path + "/none", code: 2)) {
            try folder.read("none")
        }
        #expect(
            FileError("cannot read", "n", code: 2).message
                == "cannot read n: No such file or directory")
    }

    @Test func `writing never follows a link`() throws {
        try folder.write(Array("kept".utf8), to: "target")
        try FileManager.default.createSymbolicLink(
            atPath: path + "/link", withDestinationPath: path + "/target")
        #expect(throws: FileError.self) { try folder.write([1], to: "link") }
        #expect(try folder.read("target") == Array("kept".utf8))
    }

    @Test func `a pipe is no file to read`() {
        #expect(mkfifo(path + "/pipe", 0o600) == 0)
        #expect(throws: FileError.self) { try folder.read("pipe") }
    }

    @Test(arguments: [
        ("/a/b", "/a", true), ("/a", "/a", true), ("/ab", "/a", false), ("/a", "/", true),
        ("/a", "/a/b", false),
    ])
    func `inside means below or the same`(_ path: String, _ folder: String, _ expected: Bool) {
        #expect(FilePath.isInside(path, folder) == expected)
    }

    // `ü` is two bytes, three where it is `u` with U+0308; those are two names to
    // the system. A name may begin with a sign that joins the slash before it.
    @Test(arguments: [
        ("/a/b/c", "/a", "b/c"), ("/a", "/a", ""), ("/ab", "/a", nil), ("/a", "/a/b", nil),
        ("/a/b", "/", "a/b"), ("/", "/", ""), ("a/b", "", "a/b"), ("a/b", "a", "b"),
        ("a/b", "a/", "b"), ("/ü/März/x", "/ü/März", "x"), ("/ü/x", "/u\u{308}", nil),
        ("/u\u{308}/x", "/u\u{308}", "x"), ("/a/\u{308}b", "/a", "\u{308}b"),
        ("/日本/republic/n.md", "/日本", "republic/n.md"), ("/ü", "/ü/", nil),
    ])
    func `a path as seen from a folder`(_ path: String, _ folder: String, _ expected: String?) {
        let found = FilePath.relative(path, to: folder)
        #expect(found.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
        if !folder.isEmpty { #expect(FilePath.isInside(path, folder) == (expected != nil)) }
    }

    @Test(arguments: [
        ("/a/b", "/a", "b"), ("/a", "/", "a"), ("/ä/\u{308}b", "/ä", "\u{308}b"), ("/", "/", ""),
    ])
    func `a path is a folder and a name`(_ path: String, _ folder: String, _ name: String) {
        #expect(FilePath.folder(of: path) == folder)
        #expect(Array(FilePath.name(of: path).utf8) == Array(name.utf8))
    }

    @Test func `a file moved to a free place replaces nothing`() throws {
        try folder.write(Array("one".utf8), to: "a/x")
        try folder.write(Array("two".utf8), to: "a/b/x")
        let inner = try folder.makeAndOpenFolder("a").makeAndOpenFolder("b")
        let error = #expect(throws: FileError.self) {
            try folder.move("a/x", toFree: "x", in: inner)
        }
        #expect(error?.isOccupied == true)
        #expect(try folder.read("a/x") == Array("one".utf8))
        #expect(try folder.read("a/b/x") == Array("two".utf8))
        try folder.move("a/x", toFree: "x 2", in: inner)
        #expect(try folder.read("a/b/x 2") == Array("one".utf8))
        #expect(folder.status("a/x") == nil)
        // A file that is gone takes no place.
        #expect(throws: FileError.self) { try folder.move("a/x", toFree: "x 3", in: inner) }
        #expect(inner.status("x 3") == nil)
    }

    @Test func `a folder is opened through no link`() throws {
        try FileManager.default.createSymbolicLink(
            atPath: path + "/l", withDestinationPath: path + "/a")
        #expect(throws: FileError("cannot open", path + "/l", code: 20)) {
            _ = try folder.makeAndOpenFolder("l")
        }
        #expect(try FilePath.makeFolders(path + "/a/n/m") == [path + "/a/n", path + "/a/n/m"])
        #expect(try FilePath.makeFolders(path + "/a/n/m").isEmpty)
    }
}
