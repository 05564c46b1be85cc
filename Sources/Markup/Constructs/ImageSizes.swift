import Bytes

/// `![alt|300](image.png)` and `![[image.png|300x200]]`.
extension PictureSize {
    /// Reads `300` or `300x200`; nil where `text` is anything else.
    init?(_ text: some Collection<UInt8>) {
        var numbers = [0]
        var digits = 0
        for byte in text {
            if byte.isDigit {
                digits += 1
                // No picture is wider than five digits say.
                guard digits <= 5 else { return nil }
                numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte - 48)
            } else if byte == .ascii("x"), digits > 0, numbers.count == 1 {
                numbers.append(0)
                digits = 0
            } else {
                return nil
            }
        }
        guard digits > 0, numbers.allSatisfy({ $0 > 0 }) else { return nil }
        self.init(width: numbers[0], height: numbers.count > 1 ? numbers[1] : nil)
    }
}

extension HTMLRenderer {
    /// Takes the size off the alternative text in ``scratch``.
    mutating func takePictureSize() -> PictureSize? {
        guard let bar = scratch.lastIndex(of: .ascii("|")),
            let size = PictureSize(scratch[(bar + 1)...])
        else { return nil }
        scratch.removeSubrange(bar...)
        return size
    }

    /// Writes the attributes of a size.
    mutating func append(_ size: PictureSize) {
        html.append(" width=\"")
        html.append(decimal: size.width)
        html.append(.ascii("\""))
        guard let height = size.height else { return }
        html.append(" height=\"")
        html.append(decimal: height)
        html.append(.ascii("\""))
    }
}
