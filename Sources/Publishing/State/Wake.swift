import Bytes

/// Why a page was rendered.
package enum Wake: Sendable, Hashable {
    /// Nothing was known of the page: it is new, or the build remembered
    /// nothing.
    case first
    /// It is another page than the one that stood at its address: it shows
    /// something else, or by another template.
    case planned
    /// Its file was not as it was left.
    case output
    /// What was said of it points into a file that changed.
    case message
    /// Something it read is answered otherwise.
    case read(SiteRead)

    func write(to writer: inout BinaryWriter) {
        switch self {
        case .first: writer.write(byte: 0)
        case .planned: writer.write(byte: 1)
        case .output: writer.write(byte: 2)
        case .message: writer.write(byte: 3)
        case .read(let read):
            writer.write(byte: 4)
            read.write(to: &writer)
        }
    }

    init(from reader: inout BinaryReader) {
        switch reader.byte() {
        case 1: self = .planned
        case 2: self = .output
        case 3: self = .message
        case 4: self = SiteRead(from: &reader).map { .read($0) } ?? .first
        default: self = .first
        }
    }
}
