import Markup

extension MarkupDocument {
    /// Where a part stands in the HTML: the section of a heading's anchor, or a
    /// block (`^id`); nil where there is none such.
    func part(_ anchor: String) -> Range<Int>? {
        if anchor.hasPrefix("^") { return blocks.first { $0.id == anchor.dropFirst() }?.range }
        return headings.first { $0.id == anchor }?.section
    }
}
