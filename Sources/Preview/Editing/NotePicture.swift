import Bytes
import Notes

/// A picture that came with a note, to be placed beside it.
struct NotePicture: Sendable {
    /// The name under which the note's text shows it.
    var name: String
    /// What it consists of.
    var bytes: [UInt8]

    /// The first name of its own that is free in a folder: `photo.png`, else
    /// `photo-2.png`. Its ending is that of what the bytes are; nil where they are no
    /// picture.
    func freeName(isFree: (String) -> Bool) -> String? {
        guard let kind = PictureKind(bytes) else { return nil }
        let stem = Slug.make(from: NotePath.withoutEnding(NotePath.fileName(of: name)))
        var number = 1
        while true {
            let free = (number == 1 ? stem : "\(stem)-\(number)") + "." + kind.ending
            if isFree(free) { return free }
            number += 1
        }
    }

    /// A note that shows the picture under another name. Only where the name stands
    /// by itself: `photo.png` is no part of `old/photo.png` or `my-photo.png`.
    func renamed(_ new: String, in note: [UInt8]) -> [UInt8] {
        let old = Array(name.utf8)
        guard new != name, !old.isEmpty else { return note }
        func isPartOfName(_ byte: UInt8?) -> Bool {
            guard let byte else { return false }
            return switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
            default: "-_/.".utf8.contains(byte)
            }
        }
        var result: [UInt8] = []
        var place = 0
        while place < note.count {
            let end = place + old.count
            if note[place] == old[0], end <= note.count, note[place..<end].elementsEqual(old),
                !isPartOfName(place > 0 ? note[place - 1] : nil),
                !isPartOfName(end < note.count ? note[end] : nil)
                    || note[end] == UInt8(ascii: ".")
            {
                result += Array(new.utf8)
                place = end
            } else {
                result.append(note[place])
                place += 1
            }
        }
        return result
    }
}
