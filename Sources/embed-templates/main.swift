import Bytes

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

// embed-templates FOLDER OUTPUT NAME: writes a Swift file whose type NAME holds
// the files of FOLDER as text literals. Runs at build time only.

func fail(_ message: String) -> Never {
    let line = "embed-templates: \(message)\n"
    _ = line.withCString { write(2, $0, strlen($0)) }
    exit(1)
}

/// Paths below a folder, sorted.
func files(in folder: Folder, at path: String = "") throws(FileError) -> [String] {
    var found: [String] = []
    for (name, kind) in try folder.entries(of: path) where !name.hasPrefix(".") {
        let inner = path.isEmpty ? name : path + "/" + name
        if kind == .folder {
            found += try files(in: folder, at: inner)
        } else {
            found.append(inner)
        }
    }
    return found
}

guard CommandLine.arguments.count == 4 else {
    fail("expected a folder, an output file and a name")
}
do throws(FileError) {
    let folder = try Folder(CommandLine.arguments[1])
    var source = "/// Files that are part of the program, by path: made at build time.\n"
    source +=
        "enum \(CommandLine.arguments[3]) {\n    static let files: [(path: String, text: StaticString)] = [\n"
    for path in try files(in: folder).sorted() {
        let text = String(decoding: try folder.read(path), as: UTF8.self)
        guard text.hasSuffix("\n") else { fail("\(path) does not end with a line break") }
        var fence = "#"
        while text.contains("\"\"\"" + fence) || text.contains("\\" + fence) { fence += "#" }
        source += "(\"\(path)\", \(fence)\"\"\"\n\(text)\n\"\"\"\(fence)),\n"
    }
    source += "]\n}\n"
    let output = CommandLine.arguments[2]
    let (bytes, place) = (Array(source.utf8), try Folder(FilePath.folder(of: output)))
    let name = FilePath.name(of: output)
    // Run anew whenever any variable of the environment differs: a file that is as
    // it was must stay so, or all that stands on it is compiled again.
    if (try? place.read(name)) != bytes { try place.write(bytes, to: name) }
} catch {
    fail(error.message)
}
