import Bytes

/// Bare addresses, by GFM's rules.
extension InlinePass {
    /// Finds `https://host/path` at the colon at hand.
    mutating func findAddress() -> Bool {
        guard peek(position + 1) == .ascii("/"), peek(position + 2) == .ascii("/") else {
            return false
        }
        var start = position
        // Longer words than the schemes need not be read to their start.
        while start > lastEnd, position - start < 6, text[start - 1].isLetter { start -= 1 }
        let scheme = text[start..<position].map(\.lowercased)
        guard Self.schemes.contains(scheme), isHostCharacter(at: position + 3),
            let host = hostEnd(from: position + 3, needsDot: false)
        else { return false }
        return addAddress(start, host: host)
    }

    private static let schemes = [Array("http".utf8), Array("https".utf8), Array("ftp".utf8)]

    /// Finds `www.host/path` at the `w` at hand.
    mutating func findNetworkName() -> Bool {
        guard peek(position + 1) == .ascii("w"), peek(position + 2) == .ascii("w"),
            peek(position + 3) == .ascii(".")
        else { return false }
        if position > 0 {
            switch text[position - 1] {
            case .ascii("*"), .ascii("_"), .ascii("~"), .ascii("("), .ascii("="): break
            case let byte where byte.isSpace: break
            default: return false
            }
        }
        guard position >= lastEnd, let host = hostEnd(from: position, needsDot: true) else {
            return false
        }
        return addAddress(position, host: host)
    }

    /// The index behind a host, or nil where none stands.
    ///
    /// An underscore in one of its last two parts makes it none.
    private func hostEnd(from start: Int, needsDot: Bool) -> Int? {
        var index = start
        var dots = 0
        var underscores = (0, 0)
        while index < text.count {
            switch text[index] {
            case .ascii("_"):
                underscores.1 += 1
                index += 1
            case .ascii("."):
                underscores = (underscores.1, 0)
                dots += 1
                index += 1
            case .ascii("-"):
                index += 1
            default:
                guard isHostCharacter(at: index) else {
                    guard underscores == (0, 0), !needsDot || dots > 0 else { return nil }
                    return index
                }
                index += Unicode.Scalar(utf8: text, at: index)?.utf8Count ?? 1
            }
        }
        guard underscores == (0, 0), !needsDot || dots > 0 else { return nil }
        return index
    }

    private func isHostCharacter(at index: Int) -> Bool {
        index < text.count && CharacterClass(of: text, at: index) == .other
            && text[index] >= 32
    }

    private mutating func addAddress(_ start: Int, host: Int) -> Bool {
        var end = host
        let isBracketed = !brackets.isEmpty
        while end < text.count, !text[end].isSpace, text[end] != .ascii("<") {
            if isBracketed, text[end] == .ascii("[") || text[end] == .ascii("]") { break }
            end += 1
        }
        end = trimmedEnd(start..<end)
        guard end > position else { return false }
        addresses.append(findings.count)
        add(.address, start..<end)
        return true
    }

    /// Leaves off what is rather the sentence's than the address's.
    private func trimmedEnd(_ range: Range<Int>) -> Int {
        var end = range.upperBound
        var surplus: Int?
        while end > range.lowerBound {
            switch text[end - 1] {
            case let byte where Self.trailing.contains(byte):
                end -= 1
            case .ascii(";"):
                var start = end - 1
                while start > range.lowerBound, text[start - 1].isLetter { start -= 1 }
                let isEntity =
                    start < end - 1 && start > range.lowerBound
                    && text[start - 1] == .ascii("&")
                end = isEntity ? start - 1 : end - 1
            case .ascii(")"):
                // Counted once: what is cut off below holds no bracket else.
                var more =
                    surplus
                    ?? text[range.lowerBound..<end].reduce(0) { count, byte in
                        count + (byte == .ascii(")") ? 1 : byte == .ascii("(") ? -1 : 0)
                    }
                guard more > 0 else { return end }
                more -= 1
                surplus = more
                end -= 1
            default:
                return end
            }
        }
        return end
    }

    private static let trailing = ByteSet("?!.,:*_~'\"")
}

extension HTMLRenderer {
    /// Writes a bare address as a link out of the site.
    mutating func append(address mark: Mark) {
        guard linkDepth == 0 else {
            append(text: marks.bytes, mark.text)
            return
        }
        let shown = Self.decodingEntities(marks.bytes[mark.text])
        let isNetworkName = shown.first == .ascii("w")
        append(externalLink: isNetworkName ? "http://" : "", shown, 0..<shown.count)
    }

    private mutating func append(
        externalLink prefix: StaticString, _ bytes: [UInt8], _ range: Range<Int>
    ) {
        let start = html.count
        html.append("<a href=\"")
        html.append(prefix)
        html.append(address: bytes, range)
        html.append("\">")
        headingCuts.append(start..<html.count)
        append(text: bytes, range)
        let end = html.count
        html.append("</a>")
        headingCuts.append(end..<html.count)
    }

    /// The address with the entities undone that addresses are written with.
    private static func decodingEntities(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard bytes.contains(.ascii("&")) else { return Array(bytes) }
        var result: [UInt8] = []
        var rest = bytes
        while let byte = rest.first {
            if byte == .ascii("&"),
                let entity = entities.first(where: { rest.starts(with: $0.name.utf8) })
            {
                result.append(entity.byte)
                let name = entity.name.utf8
                rest = rest.dropFirst(name.count)
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return result
    }

    private static let entities: [(name: String, byte: UInt8)] = [
        ("&amp;", 38), ("&quot;", 34), ("&apos;", 39), ("&lt;", 60), ("&gt;", 62),
        ("&#38;", 38), ("&#39;", 39), ("&#x27;", 39), ("&#x26;", 38), ("&#34;", 34),
    ]

    /// Writes text in which mail addresses become links.
    mutating func append(prose bytes: [UInt8], _ range: Range<Int>) {
        guard linkDepth == 0, dialect.contains(.autolinks) else {
            append(text: bytes, range)
            return
        }
        var written = range.lowerBound
        var search = range.lowerBound
        while let at = bytes[search..<range.upperBound].firstIndex(of: .ascii("@")) {
            search = at + 1
            guard let address = Self.mailAddress(in: bytes, around: at, written..<range.upperBound)
            else { continue }
            append(text: bytes, written..<address.lowerBound)
            append(externalLink: "mailto:", bytes, address)
            written = address.upperBound
            search = written
        }
        append(text: bytes, written..<range.upperBound)
    }

    private static func mailAddress(
        in bytes: [UInt8], around at: Int, _ limits: Range<Int>
    ) -> Range<Int>? {
        var start = at
        while start > limits.lowerBound,
            bytes[start - 1].isAlphanumeric || mailPunctuation.contains(bytes[start - 1])
        {
            start -= 1
        }
        guard start < at else { return nil }
        var end = at + 1
        var dots = 0
        scanning: while end < limits.upperBound {
            let byte = bytes[end]
            switch byte {
            case _ where byte.isAlphanumeric: break
            case .ascii("@"): return nil
            case .ascii(".") where end + 1 < limits.upperBound && bytes[end + 1].isAlphanumeric:
                dots += 1
            case .ascii("-"), .ascii("_"): break
            default: break scanning
            }
            end += 1
        }
        guard dots > 0, end > at + 2, bytes[end - 1].isLetter else { return nil }
        return start..<end
    }

    private static let mailPunctuation = ByteSet(".+-_")
}
