/// What kind of picture some bytes are, by how they begin; what a browser calls
/// them is not believed.
enum PictureKind: String {
    case png, jpg, gif, webp, avif

    init?(_ bytes: [UInt8]) {
        func begins(_ mark: [UInt8], at place: Int = 0) -> Bool {
            bytes.count >= place + mark.count && bytes[place...].starts(with: mark)
        }
        if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if begins([0xFF, 0xD8, 0xFF]) {
            self = .jpg
        } else if begins(Array("GIF8".utf8)) {
            self = .gif
        } else if begins(Array("RIFF".utf8)), begins(Array("WEBP".utf8), at: 8) {
            self = .webp
        } else if begins(Array("ftypavif".utf8), at: 4) {
            self = .avif
        } else {
            return nil
        }
    }

    /// The ending of such files' names.
    var ending: String { rawValue }
}
