import Bytes

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where a symbolic link leads, there or not yet, and the other links that lead
/// there: whichever of them becomes another, what is found is another.
struct LinkWay {
    /// What it leads to: a path without links.
    let target: String
    /// The further links on the way, each by its place, without links itself.
    let links: [String]

    /// The way of what is at a path from the root; nil where no link is there, or
    /// one that leads round in a ring.
    init?(from path: String) {
        let start = FilePath.resolvedAsFarAsItExists(FilePath.folder(of: path))
        guard let first = Self.contents(ofLink: path) else { return nil }
        var place = Self.start(of: first, in: start)
        var rest = Self.parts(first)
        var links: [String] = []
        while let part = rest.popLast() {
            if part == "." { continue }
            if part == ".." {
                place = FilePath.folder(of: place)
                continue
            }
            let next = place == "/" ? "/" + part : place + "/" + part
            guard let contents = Self.contents(ofLink: next) else {
                place = next
                continue
            }
            links.append(next)
            // As many as the system itself follows.
            guard links.count < 40 else { return nil }
            place = Self.start(of: contents, in: place)
            rest += Self.parts(contents)
        }
        target = place
        self.links = links
    }

    private static func start(of contents: String, in folder: String) -> String {
        contents.utf8.first == UInt8(ascii: "/") ? "/" : folder
    }

    /// The parts of what a link holds, the first one last.
    private static func parts(_ contents: String) -> [String] {
        contents.utf8.split(separator: UInt8(ascii: "/")).reversed().map { String(Substring($0)) }
    }

    /// What a link holds; nil of anything else.
    private static func contents(ofLink path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
