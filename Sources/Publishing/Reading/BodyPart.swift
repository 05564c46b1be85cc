import Bytes
import Markup

extension MarkupDocument {
    /// Where a part stands in the HTML: the section of a heading's anchor, or a
    /// block (`^id`); nil where there is none such.
    func part(_ anchor: String) -> Range<Int>? {
        if anchor.hasPrefix("^") { return blocks.first { $0.id == anchor.dropFirst() }?.range }
        return headings.first { $0.id == anchor }?.section
    }

    /// The fingerprint of a part: of its HTML and of what its holes show. What
    /// the holes lead to are reads of their own.
    func fingerprint(ofPart part: Range<Int>) -> Fingerprint {
        var result = Fingerprint(bits: 1)
        html.withUnsafeBytes { bytes in
            result.combine(Fingerprint(of: UnsafeRawBufferPointer(rebasing: bytes[part])))
        }
        for hole in holes where part.contains(hole.offset) || hole.offset == part.upperBound {
            var kind = hole.kind
            // Which of the note's links it is decides what is asked, and stands
            // in that question.
            if let link = kind.link, link < links.count {
                var shown = links[link]
                shown.sentence = ""
                shown.span = 0..<0
                result.combine(Fingerprint(of: "\(shown)"))
            }
            if let tag = kind.tag, tag < tags.count {
                result.combine(Fingerprint(of: tags[tag].name))
                kind = .tagStart(0)
            }
            result.combine(Fingerprint(of: "\(kind)"))
            result.combine(UInt64(hole.offset - part.lowerBound))
        }
        return result
    }
}

extension Hole.Kind {
    /// The link that the hole shows.
    fileprivate var link: Int? {
        switch self {
        case .linkStart(let index), .linkEnd(let index), .address(let index),
            .embed(let index, _):
            index
        default: nil
        }
    }

    /// The tag that the hole shows.
    fileprivate var tag: Int? {
        switch self {
        case .tagStart(let index), .tagEnd(let index): index
        default: nil
        }
    }
}
