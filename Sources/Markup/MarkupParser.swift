/// Turns the body of a note into a ``MarkupDocument``.
///
/// Holds buffers that are used again from note to note: keep one parser for
/// each thread. The result depends on nothing but the arguments.
package struct MarkupParser: ~Copyable {
    /// Makes a parser with empty buffers.
    package init() {}

    /// Parses the body that stands in `source` at `range`.
    ///
    /// The bytes are valid UTF-8. Every span of the result counts from
    /// `range.lowerBound`.
    package mutating func parse(
        _ source: [UInt8], in range: Range<Int>, dialect: Dialect
    ) -> MarkupDocument {
        MarkupDocument()
    }
}
