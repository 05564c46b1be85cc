import Bytes

/// The preview's own files, which are part of the program.
enum PreviewPage {
    /// The text of a file; empty where there is none.
    static func text(_ name: String) -> String {
        PreviewPages.files.first { $0.path == name }.map { "\($0.text)" } ?? ""
    }

    /// A response of one or more files, one behind the other.
    static func response(of names: [String], to request: HTTPRequest) -> HTTPResponse {
        let bytes = names.flatMap { Array(text($0).utf8) }
        let tag = bytes.withUnsafeBytes { ContentHash(of: $0) }.hexadecimal
        return FileResponse.make(
            request, .ok, MediaType.of(names.last ?? ""), tag: tag, size: Int64(bytes.count)
        ) { .bytes(Array(bytes[Int($0.lowerBound)..<Int($0.upperBound)])) }
    }
}
