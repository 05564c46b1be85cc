import Bytes

/// A GFM table as the line pass finds it.
struct TableBlock {
    /// How a column stands.
    enum Alignment: UInt8 {
        case none, left, center, right
    }

    /// The line of column names, and the line of dashes.
    var header: TextLine
    var delimiter: TextLine
    /// One for each column.
    var alignments: [Alignment]
    /// The other rows, in ``FoundBlocks/lines``.
    var rows: Range<Int>
    /// The cells' carriers, row by row, the header first; -1 for an empty
    /// cell. A row may be short. Filled in by the inline pass.
    var cells: [[Int]] = []
    /// Where it ends in the gated text.
    var end = 0
}

extension LinePass {
    /// Takes the line as a row of the open table, or as the row of dashes
    /// that makes one of the open paragraph's last line.
    mutating func addTableLine() -> Bool {
        if leaf == .table {
            found.lines.append(line(from: firstNonspace))
            return true
        }
        guard leaf == .paragraph, dialect.contains(.tables),
            let header = found.lines[leafStart...].last, !header.spansLines, !header.isGuarded
        else { return false }
        guard
            let alignments = TableRow.alignments(
                in: reader.text, firstNonspace..<reader.limit),
            TableRow.cells(in: reader.text, header.start..<header.end).count == alignments.count
        else { return false }
        let delimiter = line(from: firstNonspace)
        let headerLine = found.lines.count - leafStart
        found.lines.removeLast()
        if headerLine == 1 {
            if tracing { found.trace.remove(at: paragraphTrace) }
        } else {
            closeParagraph(asHeading: false)
            if !containers.isEmpty { containers[containers.count - 1].childCount += 1 }
        }
        if tracing {
            let above = header.isLazy ? 0 : 1
            found.trace.append(FoundBlocks.Trace(kind: .htmlBlock, line: lineNumber - above))
        }
        leaf = .table
        leafStart = found.lines.count
        found.tables.append(
            TableBlock(
                header: header, delimiter: delimiter, alignments: alignments,
                rows: leafStart..<leafStart))
        return true
    }

    /// Ends the open table.
    mutating func closeTable() {
        let last = found.tables.count - 1
        let rows = leafStart..<found.lines.count
        found.tables[last].rows = rows
        found.tables[last].end =
            rows.isEmpty ? found.tables[last].delimiter.end : found.lines[rows.upperBound - 1].end
    }
}

/// The grammar of a table's lines.
enum TableRow {
    /// What a row of dashes says of the columns; nil where it is none.
    static func alignments(in text: [UInt8], _ range: Range<Int>) -> [TableBlock.Alignment]? {
        var alignments: [TableBlock.Alignment] = []
        var index = range.lowerBound
        func peek() -> UInt8 { index < range.upperBound ? text[index] : 0 }
        func skipBlanks() { while peek().isBlank { index += 1 } }
        if peek() == .ascii("|") { index += 1 }
        while true {
            skipBlanks()
            let isLeft = peek() == .ascii(":")
            if isLeft { index += 1 }
            let dashes = index
            while peek() == .ascii("-") { index += 1 }
            guard index > dashes else { return nil }
            let isRight = peek() == .ascii(":")
            if isRight { index += 1 }
            skipBlanks()
            alignments.append(isLeft ? (isRight ? .center : .left) : (isRight ? .right : .none))
            if index == range.upperBound { return alignments }
            guard peek() == .ascii("|") else { return nil }
            index += 1
            skipBlanks()
            if index == range.upperBound { return alignments }
        }
    }

    /// The cells of a row, blanks around them left off.
    ///
    /// A bar right behind a backslash never parts cells, not even behind two.
    static func cells(in text: [UInt8], _ range: Range<Int>) -> [Range<Int>] {
        var cells: [Range<Int>] = []
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, text[start].isSpace { start += 1 }
        while end > start, text[end - 1].isSpace { end -= 1 }
        if start < end, text[start] == .ascii("|") { start += 1 }
        var index = start
        while index < end {
            if text[index] == .ascii("|"),
                index == range.lowerBound
                    || text[index - 1] != .ascii("\\")
            {
                cells.append(trimmed(text, start..<index))
                start = index + 1
            }
            index += 1
        }
        if start < end { cells.append(trimmed(text, start..<end)) }
        return cells
    }

    private static func trimmed(_ text: [UInt8], _ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, text[start].isSpace { start += 1 }
        while end > start, text[end - 1].isSpace { end -= 1 }
        return start..<end
    }
}

extension InlinePass {
    /// Puts a mark in a table's place and its cells in front of the text.
    mutating func rewrite(table number: Int) {
        let table = found.tables[number]
        let start: Int
        if table.header.isLazy {
            // The line of dashes has the containers' markers, the names' line
            // has not.
            replace(table.header.lineStart..<table.delimiter.lineStart)
            start = table.delimiter.blockStart
        } else {
            start = table.header.blockStart
        }
        placeholder(.table, number: number, replacing: start..<table.end)
        var cells: [[Int]] = []
        cells.reserveCapacity(table.rows.count + 1)
        let width = table.alignments.count
        cells.append(carriers(of: table.header, width: width))
        for row in table.rows {
            cells.append(carriers(of: found.lines[row], width: width))
        }
        found.tables[number].cells = cells
    }

    private mutating func carriers(of line: TextLine, width: Int) -> [Int] {
        TableRow.cells(in: source, line.start..<line.end).prefix(width).map { cell in
            cell.isEmpty ? -1 : carrier(ofCell: cell)
        }
    }

    /// Scans one cell, whose bars behind a backslash lose it.
    private mutating func carrier(ofCell cell: Range<Int>) -> Int {
        beginText()
        var runStart = cell.lowerBound
        for index in cell
        where source[index] == .ascii("\\") && index + 1 < cell.upperBound
            && source[index + 1] == .ascii("|")
        {
            appendText(runStart..<index)
            runStart = index + 1
        }
        appendText(runStart..<cell.upperBound)
        return finishCarrier()
    }
}

extension HTMLRenderer {
    /// So many cells may be added to short rows beyond the size of the text:
    /// a wide header over many short rows asks for their product.
    private static var mostPadding: Int { 10_000 }

    /// Writes a table; its cells' inlines stand in front of the tree.
    mutating func append(table number: Int) {
        let table = found.tables[number]
        startLine()
        html.append("<table>\n<thead>\n")
        for (row, cells) in table.cells.enumerated() {
            if row == 1 { html.append("<tbody>\n") }
            html.append("<tr>\n")
            let name: StaticString = row == 0 ? "th" : "td"
            for (column, cell) in cells.enumerated() {
                startCell(name, table.alignments[column])
                if cell >= 0 { append(carrier: cell) }
                html.append("</")
                html.append(name)
                html.append(">\n")
            }
            for column in cells.count..<table.alignments.count {
                guard padding < Self.mostPadding + tree.bytes.count else { break }
                padding += 1
                startCell(name, table.alignments[column])
                html.append("</")
                html.append(name)
                html.append(">\n")
            }
            html.append("</tr>\n")
            if row == 0 { html.append("</thead>\n") }
        }
        if table.cells.count > 1 { html.append("</tbody>\n") }
        html.append("</table>\n")
    }

    private mutating func startCell(_ name: StaticString, _ alignment: TableBlock.Alignment) {
        html.append(.ascii("<"))
        html.append(name)
        switch alignment {
        case .none: break
        case .left: html.append(" align=\"left\"")
        case .center: html.append(" align=\"center\"")
        case .right: html.append(" align=\"right\"")
        }
        html.append(.ascii(">"))
    }
}
