/// Words messages for people: with the source line and a caret on a terminal,
/// one line each in a pipe.
///
/// Works out lines and columns, which messages do not carry. Keeps the line
/// starts of files it has seen, so printing many messages of one file reads it
/// once.
package struct DiagnosticPrinter {
    /// How messages are drawn.
    package enum Style: Sendable {
        /// One line for a message, and one for each further place.
        case plain
        /// With as much of the source line as `width` columns hold and a
        /// caret; in colours where asked for.
        case drawn(colours: Bool, width: Int = 100)
    }

    private let style: Style
    private let text: (String) -> [UInt8]?
    private var files: [String: SourceText] = [:]

    /// A printer that asks `text` for the bytes of files.
    package init(style: Style, text: @escaping (_ file: String) -> [UInt8]?) {
        self.style = style
        self.text = text
    }

    /// Where a span begins, in lines and columns from 1.
    ///
    /// Columns count characters as Unicode scalars; nil where the span is about
    /// the file as a whole, or the file cannot be read any more.
    package mutating func position(of span: SourceSpan) -> (line: Int, column: Int)? {
        guard let range = span.range, let source = source(span.file) else { return nil }
        return source.position(of: range.lowerBound)
    }

    private mutating func source(_ file: String) -> SourceText? {
        if let known = files[file] { return known }
        guard let bytes = text(file) else { return nil }
        let source = SourceText(bytes)
        files[file] = source
        return source
    }

    /// The message as text that ends in a line break.
    ///
    /// Control characters, which file names and notes may hold, reach no terminal
    /// and begin no line: see ``harmless(_:)``. In a source line, where all else
    /// keeps its column, each is shown as U+FFFD, and each sign of a password as
    /// an asterisk.
    package mutating func print(_ diagnostic: Diagnostic) -> String {
        let word = diagnostic.severity == .error ? "error" : "warning"
        var result = place(diagnostic.span)
        let isError = diagnostic.severity == .error
        result += coloured("\(word):", isError ? "1;31" : "1;33") + " "
        result +=
            coloured(Self.harmless(diagnostic.message), "1") + " "
            + coloured("[\(diagnostic.id)]", "2")
        switch style {
        case .plain:
            if let help = diagnostic.help { result += "; help: \(Self.harmless(help))" }
            result += "\n"
        case .drawn:
            result += "\n"
            if let span = diagnostic.span { result += excerpt(span, isError ? "1;31" : "1;33") }
            if let help = diagnostic.help {
                result += "  " + coloured("help:", "1;36") + " \(Self.harmless(help))\n"
            }
        }
        for note in diagnostic.notes {
            result +=
                place(note.span) + coloured("note:", "1;34") + " \(Self.harmless(note.message))\n"
            if case .drawn = style, let span = note.span { result += excerpt(span, "1;34") }
        }
        return result
    }

    private mutating func place(_ span: SourceSpan?) -> String {
        guard let span else { return "" }
        guard let position = position(of: span) else { return "\(Self.harmless(span.file)): " }
        return "\(Self.harmless(span.file)):\(position.line):\(position.column): "
    }

    /// A text with each control character written out, as `\u{1B}`: it could be an
    /// order to a terminal, begin a line, or turn what follows round, so that a
    /// name reads as another.
    package static func harmless(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isControl(scalar) {
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Whether a character controls what others do: of a terminal, of lines
    /// (U+2028, U+2029), or of the direction in which text runs.
    package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private func coloured(_ text: String, _ code: String) -> String {
        if case .drawn(colours: true, _) = style { return "\u{1B}[\(code)m\(text)\u{1B}[0m" }
        return text
    }

    private mutating func excerpt(_ span: SourceSpan, _ colour: String) -> String {
        guard case .drawn(_, let columns) = style, let range = span.range,
            let source = source(span.file)
        else { return "" }
        let position = source.position(of: range.lowerBound)
        let line = Secrets.covered(source.line(position.line))
        let number = String(position.line)
        // A very long line shows the part around the place. On a terminal that
        // has no room for that, the place in the message has to do.
        let width = min(100, columns - number.count - 6)
        guard width >= 8 else { return "" }
        let scalars = Array(line.unicodeScalars)
        let cells = scalars.map(Self.cells)
        let start = Self.start(
            ofWindow: width, on: min(position.column - 1, scalars.count), cells: cells)
        var shown = ""
        var underline = ""
        let length = max(1, source.columns(of: range))
        var taken = 0
        for index in start..<scalars.count {
            let scalar = scalars[index]
            taken += cells[index]
            if taken > width { break }
            let sign: Character =
                scalar == "\t" ? " " : Self.isControl(scalar) ? "\u{FFFD}" : Character(scalar)
            shown.append(sign)
            let column = index + 1
            if column < position.column {
                underline += String(repeating: " ", count: cells[index])
            } else if column == position.column {
                underline += "^" + String(repeating: "~", count: max(0, cells[index] - 1))
            } else if column < position.column + length {
                underline += String(repeating: "~", count: cells[index])
            }
        }
        if !underline.contains("^") { underline += "^" }
        let margin = String(repeating: " ", count: number.count)
        return "  \(coloured("\(number) |", "2")) \(start > 0 ? "…" : "")\(shown)\n"
            + "  \(margin) \(coloured("|", "2")) \(start > 0 ? " " : "")\(coloured(underline, colour))\n"
    }

    /// The first character of a line that is shown where `width` cells are too
    /// few for all of it: so that the one at `place` stands about the middle.
    private static func start(ofWindow width: Int, on place: Int, cells: [Int]) -> Int {
        let before = cells[..<place].reduce(0, +)
        guard before > width * 2 / 3, before + cells[place...].reduce(0, +) > width else {
            return 0
        }
        var start = place
        var room = width / 2
        while start > 0, cells[start - 1] <= room {
            start -= 1
            room -= cells[start]
        }
        return start
    }

    /// The cells that a terminal gives to a character.
    private static func cells(_ scalar: Unicode.Scalar) -> Int {
        isWide(scalar) ? 2 : isCombining(scalar) && !isControl(scalar) ? 0 : 1
    }

    /// Whether a terminal gives the character two cells.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
            0x20000...0x3FFFD:
            true
        default: false
        }
    }

    private static func isCombining(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: true
        default: false
        }
    }
}

/// A file's bytes with the starts of its lines.
private struct SourceText {
    private let bytes: [UInt8]
    private var starts = [0]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        for (index, byte) in bytes.enumerated() {
            // CR LF is one line end; so is either alone.
            if byte == 0x0A
                || byte == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A)
            {
                starts.append(index + 1)
            }
        }
    }

    func position(of offset: Int) -> (line: Int, column: Int) {
        let offset = min(max(offset, 0), bytes.count)
        var low = 0
        var high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        var start = starts[low - 1]
        if start == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { start = min(3, offset) }
        let column = bytes[start..<offset].count { $0 & 0xC0 != 0x80 }
        return (low, column + 1)
    }

    func line(_ number: Int) -> String {
        var start = starts[number - 1]
        if start == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
        var end = number < starts.count ? starts[number] : bytes.count
        while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    func columns(of range: Range<Int>) -> Int {
        let clamped = range.clamped(to: 0..<bytes.count)
        let line = bytes[clamped].prefix { $0 != 0x0A && $0 != 0x0D }
        return line.count { $0 & 0xC0 != 0x80 }
    }
}
