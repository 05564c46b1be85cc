import Notes

/// What kind of file it is, as browsers are told.
enum MediaType {
    /// The type of a file by its name.
    static func of(_ path: String) -> String {
        let type = types[NotePath.ending(of: path)] ?? "application/octet-stream"
        return type.hasPrefix("text/") || type.hasSuffix("+xml") || type.hasSuffix("json")
            || type.hasSuffix("javascript") ? type + "; charset=utf-8" : type
    }

    static let html = "text/html; charset=utf-8"

    private static let types = [
        "html": "text/html", "htm": "text/html", "css": "text/css", "js": "text/javascript",
        "mjs": "text/javascript", "json": "application/json", "map": "application/json",
        "xml": "application/xml", "atom": "application/atom+xml", "rss": "application/rss+xml",
        "txt": "text/plain", "md": "text/markdown", "csv": "text/csv", "ics": "text/calendar",
        "vtt": "text/vtt", "webmanifest": "application/manifest+json",
        "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg",
        "gif": "image/gif", "webp": "image/webp", "avif": "image/avif", "ico": "image/x-icon",
        "bmp": "image/bmp", "apng": "image/apng",
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "ogg": "audio/ogg", "oga": "audio/ogg",
        "opus": "audio/ogg", "wav": "audio/wav", "flac": "audio/flac",
        "mp4": "video/mp4", "m4v": "video/mp4", "webm": "video/webm", "ogv": "video/ogg",
        "mov": "video/quicktime",
        "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf", "otf": "font/otf",
        "pdf": "application/pdf", "wasm": "application/wasm", "zip": "application/zip",
    ]
}
