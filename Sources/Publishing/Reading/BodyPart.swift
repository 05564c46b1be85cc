import Bytes
import Markup

extension MarkupDocument {
    /// Where a part stands in the HTML: the section of a heading's anchor, or a
    /// block (`^id`); nil where there is none such.
    func part(_ anchor: String) -> Range<Int>? {
        if anchor.hasPrefix("^") { return blocks.first { $0.id == anchor.dropFirst() }?.range }
        return headings.first { $0.id == anchor }?.section
    }

    /// The fingerprint of a part: of its HTML, of what its holes show, and of
    /// the footnotes that it refers to. What the holes lead to are reads of
    /// their own.
    func fingerprint(ofPart part: Range<Int>) -> Fingerprint {
        var result = Fingerprint(bits: 1)
        let list = FootnoteList(of: self, in: part)
        combine(part, list, into: &result)
        for footnote in list.shown { combine(footnotes[footnote], list, into: &result) }
        return result
    }

    private func combine(
        _ part: Range<Int>, _ list: FootnoteList, into result: inout Fingerprint
    ) {
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
            // A part counts its own footnotes, from 1.
            switch kind {
            case .footnoteReference(let reference):
                result.combine(UInt64(list.number(ofReference: reference, in: self)))
                kind = .footnoteReference(0)
            case .footnoteBacklinks(_, let isInParagraph):
                kind = .footnoteBacklinks(0, isInParagraph: isInParagraph)
            default: break
            }
            result.combine(Fingerprint(of: "\(kind)"))
            result.combine(UInt64(hole.offset - part.lowerBound))
        }
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
