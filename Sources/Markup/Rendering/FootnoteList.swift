package import Bytes

/// The footnotes that part of a document shows, as they are numbered there.
///
/// A page shows all of a body, an embed a section of one: each has the notes
/// that its own text refers to, counted from 1. So the marks, the ways back
/// and the list are written by whoever fills the holes, with this.
package struct FootnoteList {
    /// The footnotes in their order, as indexes of
    /// ``MarkupDocument/footnotes``.
    package private(set) var shown: [Int] = []
    /// Numbers by footnote, from 1.
    private var numbers: [Int: Int] = [:]
    /// Of each reference that is shown, how many to its footnote stand before.
    private var ordinals: [Int: Int] = [:]
    private var counts: [Int: Int] = [:]

    /// A list without footnotes.
    package init() {}

    /// The footnotes that `range` of a document's HTML refers to, and those
    /// that these refer to.
    package init(of document: MarkupDocument, in range: Range<Int>) {
        guard !document.footnotes.isEmpty else { return }
        count(document, range)
        var next = 0
        while next < shown.count {
            count(document, document.footnotes[shown[next]])
            next += 1
        }
    }

    private mutating func count(_ document: MarkupDocument, _ range: Range<Int>) {
        for hole in document.holes[document.holes.first(at: range.lowerBound)...] {
            guard hole.offset < range.upperBound else { return }
            guard case .footnoteReference(let reference) = hole.kind else { continue }
            let footnote = document.footnoteReferences[reference]
            if numbers[footnote] == nil {
                shown.append(footnote)
                numbers[footnote] = shown.count
            }
            ordinals[reference] = counts[footnote, default: 0]
            counts[footnote, default: 0] += 1
        }
    }

    /// Whether no footnote is shown.
    package var isEmpty: Bool { shown.isEmpty }

    /// The number that a reference shows; 0 where it is not shown.
    package func number(ofReference reference: Int, in document: MarkupDocument) -> Int {
        ordinals[reference] == nil ? 0 : numbers[document.footnoteReferences[reference]] ?? 0
    }

    /// Writes a reference. `page` stands before the `#` of its address,
    /// `idPrefix` keeps ids apart from those of other texts on the page.
    package func append(
        reference: Int, of document: MarkupDocument, page: String, idPrefix: String,
        to output: inout ByteBuffer
    ) {
        guard let ordinal = ordinals[reference],
            let number = numbers[document.footnoteReferences[reference]]
        else { return }
        output.append("<sup class=\"footnote-ref\"><a href=\"")
        output.append(page, escaping: .markup)
        output.append("#")
        output.append(idPrefix)
        output.append("fn")
        output.append(decimal: number)
        output.append("\" id=\"")
        output.append(idPrefix)
        appendName(ofReference: ordinal, to: number, &output)
        output.append("\">")
        output.append(decimal: number)
        output.append("</a></sup>")
    }

    /// Writes the ways back from a footnote's text to its references.
    package func append(
        backlinksOf footnote: Int, isInParagraph: Bool, page: String, idPrefix: String,
        to output: inout ByteBuffer
    ) {
        guard let number = numbers[footnote] else { return }
        for ordinal in 0..<counts[footnote, default: 0] {
            if isInParagraph || ordinal > 0 { output.append(" ") }
            output.append("<a href=\"")
            output.append(page, escaping: .markup)
            output.append("#")
            output.append(idPrefix)
            appendName(ofReference: ordinal, to: number, &output)
            output.append("\" class=\"footnote-backref\">↩")
            if ordinal > 0 {
                output.append("<sup>")
                output.append(decimal: ordinal + 1)
                output.append("</sup>")
            }
            output.append("</a>")
        }
    }

    private func appendName(ofReference ordinal: Int, to number: Int, _ output: inout ByteBuffer) {
        output.append("fnref")
        output.append(decimal: number)
        guard ordinal > 0 else { return }
        output.append("-")
        output.append(decimal: ordinal + 1)
    }

    /// Writes the list: `text` writes the text of one footnote.
    package func append(
        idPrefix: String, to output: inout ByteBuffer, text: (Int, inout ByteBuffer) -> Void
    ) {
        guard !isEmpty else { return }
        output.append("<section class=\"footnotes\">\n<ol>\n")
        for (index, footnote) in shown.enumerated() {
            output.append("<li id=\"")
            output.append(idPrefix)
            output.append("fn")
            output.append(decimal: index + 1)
            output.append("\">\n")
            text(footnote, &output)
            output.append("</li>\n")
        }
        output.append("</ol>\n</section>\n")
    }
}

extension [Hole] {
    /// The index of the first hole at or behind an offset.
    package func first(at offset: Int) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle].offset < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
