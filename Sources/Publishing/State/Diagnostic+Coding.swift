import Bytes
import Diagnostics

/// Messages as bytes. Places stay offsets: lines and columns are worked out
/// when a message is printed.
extension Diagnostic {
    func write(to writer: inout BinaryWriter) {
        writer.write(severity == .error)
        writer.write(id)
        writer.write(message)
        writer.write(optional: span) { $1.write(to: &$0) }
        writer.write(optional: help) { $0.write($1) }
        writer.write(list: notes) { writer, note in
            writer.write(note.message)
            writer.write(optional: note.span) { $1.write(to: &$0) }
        }
    }

    init(from reader: inout BinaryReader) {
        let severity: Severity = reader.flag() ? .error : .warning
        let (id, message) = (reader.text(), reader.text())
        let span = reader.optional { SourceSpan(from: &$0) }
        let help = reader.optional { $0.text() }
        let notes = reader.list { reader in
            Note(reader.text(), at: reader.optional { SourceSpan(from: &$0) })
        }
        self.init(severity, id, message, at: span, help: help, notes: notes)
    }

    /// Every file that the message points into.
    var files: [String] {
        ([span] + notes.map(\.span)).compactMap { $0?.file }
    }
}

extension SourceSpan {
    fileprivate func write(to writer: inout BinaryWriter) {
        writer.write(file)
        writer.write(optional: range) { writer, range in
            writer.write(range.lowerBound)
            writer.write(range.upperBound)
        }
    }

    fileprivate init(from reader: inout BinaryReader) {
        let file = reader.text()
        let range = reader.optional { reader -> Range<Int> in
            let (start, end) = (reader.number(), reader.number())
            return start..<max(start, end)
        }
        self.init(file: file, range: range)
    }
}
