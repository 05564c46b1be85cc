/// A stretch of a source file, in bytes.
///
/// Kept as offsets, never as lines: lines and columns are worked out when a
/// message is printed, so that an edit above it changes no recorded value.
package struct SourceSpan: Hashable, Sendable {
    /// The file's path, relative to the site folder.
    package var file: String
    /// Bytes from the file's first byte, a byte order mark included; nil where
    /// the message is about the file as a whole.
    package var range: Range<Int>?

    /// A span of `range` in `file`.
    package init(file: String, range: Range<Int>? = nil) {
        self.file = file
        self.range = range
    }
}

/// A message to the person who wrote a note, a template or the settings.
///
/// States facts: what was found and what was expected. Where and how it is
/// drawn is decided by ``DiagnosticPrinter``.
package struct Diagnostic: Hashable, Sendable {
    /// How bad it is.
    package enum Severity: Int, Sendable, Comparable {
        /// Worth knowing; the site is what was asked for.
        case warning
        /// The source cannot be published as it stands.
        case error

        package static func < (one: Severity, other: Severity) -> Bool {
            one.rawValue < other.rawValue
        }
    }

    /// A further place that belongs to a message, such as the other of two
    /// colliding notes.
    package struct Note: Hashable, Sendable {
        /// What is to be said of the place.
        package var message: String
        /// The place, where there is one.
        package var span: SourceSpan?

        /// Says `message` of `span`.
        package init(_ message: String, at span: SourceSpan? = nil) {
            self.message = message
            self.span = span
        }
    }

    /// How bad it is.
    package var severity: Severity
    /// A short, lasting name in kebab case, such as `broken-link`; printed in
    /// brackets after the message.
    package var id: String
    /// What was found and what was expected, in one sentence without a final
    /// full stop.
    package var message: String
    /// Where.
    package var span: SourceSpan?
    /// The likely fix, in the imperative; printed after `help:`.
    package var help: String?
    /// Further places.
    package var notes: [Note]

    /// Makes a message.
    package init(
        _ severity: Severity, _ id: String, _ message: String, at span: SourceSpan? = nil,
        help: String? = nil, notes: [Note] = []
    ) {
        self.severity = severity
        self.id = id
        self.message = message
        self.span = span
        self.help = help
        self.notes = notes
    }
}

extension Diagnostic: Comparable {
    /// By place first (messages without one lead), then by severity, worst
    /// first, then by text, so that a run's messages have one order.
    package static func < (one: Diagnostic, other: Diagnostic) -> Bool {
        let oneFile = one.span?.file ?? ""
        let otherFile = other.span?.file ?? ""
        if oneFile != otherFile { return oneFile.utf8.lexicographicallyPrecedes(otherFile.utf8) }
        let oneStart = one.span?.range?.lowerBound ?? -1
        let otherStart = other.span?.range?.lowerBound ?? -1
        if oneStart != otherStart { return oneStart < otherStart }
        if one.severity != other.severity { return one.severity > other.severity }
        if one.id != other.id { return one.id < other.id }
        return one.message < other.message
    }
}
