/// Turns the body of a note into a ``MarkupDocument``.
///
/// Holds buffers that are used again from note to note: keep one parser for
/// each thread. The result depends on nothing but the arguments.
///
/// Three stages, each in files of its own: *rewrite* (a pass over the lines,
/// then one over the text of each leaf, put what CommonMark does not know into
/// a form that it does), *parse once* (cmark, which alone judges structure),
/// *walk* (gives what was put in its meaning). With the dialect off nothing is
/// rewritten.
package struct MarkupParser: ~Copyable {
    private var gate = SourceGate()
    private var rewritten: [UInt8] = []
    private var renderer = HTMLRenderer()
    private var inlines = InlinePass()
    private var lines = LinePass()

    /// Makes a parser with empty buffers.
    package init() {}

    /// Parses the body that stands in `source` at `range`.
    ///
    /// The bytes are valid UTF-8. Every span of the result counts from
    /// `range.lowerBound`.
    package mutating func parse(
        _ source: [UInt8], in range: Range<Int>, dialect: Dialect
    ) -> MarkupDocument {
        gate.open(source, in: range, replacesMarks: dialect != .commonmark)
        lines.run(gate.text, dialect: dialect)
        // What a pass has found goes on to the next; the memory goes round.
        swap(&lines.found, &inlines.found)
        inlines.run(gate.text, dialect: dialect)
        let isRewritten = inlines.write(to: &rewritten)
        swap(&inlines.found, &renderer.found)
        swap(&inlines.marks, &renderer.marks)
        var document = renderer.render(isRewritten ? rewritten : gate.text, dialect: dialect)
        gate.restorePlaces(in: &document)
        return document
    }
}
