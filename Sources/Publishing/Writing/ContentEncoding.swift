import Bytes
import Notes

/// A form that web servers send a file in, kept beside it so that they need not
/// make it anew for each reader.
package enum ContentEncoding: String, CaseIterable, Sendable, Hashable {
    case brotli = "br"
    case gzip = "gzip"

    /// What the name of the file gets behind it.
    var ending: String {
        switch self {
        case .brotli: ".br"
        case .gzip: ".gz"
        }
    }

    /// The file's bytes in this form.
    func encoded(_ bytes: UnsafeBufferPointer<UInt8>, for path: String) throws(FileError)
        -> [UInt8]
    {
        let result =
            switch self {
            case .brotli: Brotli.compressed(bytes)
            case .gzip: Gzip.compressed(bytes)
            }
        guard let result else { throw FileError("cannot compress", path, code: 12) }
        return result
    }

    private static let endings: Set<String> = [
        "html", "css", "js", "mjs", "json", "xml", "svg", "txt", "md", "csv", "webmanifest",
    ]

    /// Whether a file is text, and long enough to gain by it. Which files have
    /// such forms is a matter of the plan, so it cannot hang on their bytes: what
    /// is a few hundred bytes by nature, `robots.txt` and redirects, is left out
    /// by whoever asks.
    static func gains(_ path: String) -> Bool {
        let name = NotePath.fileName(of: path)
        guard name != "robots.txt", let dot = name.lastIndex(of: ".") else { return false }
        return endings.contains(name[name.index(after: dot)...].lowercased())
    }
}

/// A file's form in an encoding.
struct EncodedForm: Sendable, Hashable {
    /// The form.
    var encoding: ContentEncoding
    /// Its place among the output files.
    var place: Int
}

extension OutputList {
    /// The paths of the encoded forms of pages and copied files; where another
    /// file has such a name already, that one stays.
    static func encodedPaths(
        of site: Site, in encodings: Set<ContentEncoding>
    ) -> [String] {
        guard !encodings.isEmpty else { return [] }
        let pages = site.pages.filter { $0.kindName != "redirect" }.map(\.address.outputFile)
        let taken = Set(site.pages.map(\.address.outputFile)).union(site.copies.keys)
        return (pages + site.copies.keys).filter { ContentEncoding.gains($0) }.flatMap { path in
            encodings.map { path + $0.ending }.filter { !taken.contains($0) }
        }
    }

    /// Finds out which files are forms of which: those that are neither pages
    /// nor copies. A list that knows already is of the same plan.
    mutating func findEncoded(in site: Site) {
        guard encoded.isEmpty, !site.settings.precompress.isEmpty else { return }
        let places = Dictionary(
            paths.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        for place in copies where site.copies[paths[place]] == nil {
            for encoding in ContentEncoding.allCases where paths[place].hasSuffix(encoding.ending) {
                let path = String(paths[place].dropLast(encoding.ending.count))
                guard let source = places[path] else { continue }
                encoded[source, default: []].append(.init(encoding: encoding, place: place))
            }
        }
    }
}
