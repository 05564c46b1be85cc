import Bytes
import Diagnostics
import Templating

/// A set of templates, compiled, of which tests render the first.
struct Site {
    let library: TemplateLibrary
    let diagnostics: [Diagnostic]
    let sources: [TemplateSource]

    init(
        _ templates: KeyValuePairs<String, String>, symbols: [String] = [],
        filters: [String: CustomFilter] = [:], functions: [String: CustomFunction] = [:]
    ) {
        sources = templates.map { TemplateSource(name: $0.key, bytes: Array($0.value.utf8)) }
        (library, diagnostics) = TemplateLibrary.compile(
            sources, symbols: symbols, filters: filters, functions: functions)
    }

    /// What the first template renders to, or what it fails with, as drawn
    /// by ``drawn(_:)``.
    func render(
        _ globals: [String: TemplateValue] = [:], host: RenderHost = RenderHost()
    ) -> String {
        guard diagnostics.isEmpty else {
            return diagnostics.map(drawn).joined(separator: "\n")
        }
        var output = ByteBuffer()
        do {
            try library.render(
                library.templates[0],
                with: globals.map { (library.symbol(of: $0.key), $0.value) }, host: host,
                into: &output)
            return output.text()
        } catch {
            return drawn(error.diagnostic)
        }
    }

    /// `file:line:column: message (help)`, then the notes alike.
    func drawn(_ diagnostic: Diagnostic) -> String {
        let help = diagnostic.help.map { " (\($0))" } ?? ""
        let first = place(diagnostic.span) + diagnostic.message + help
        let notes = diagnostic.notes.map { "\n  " + place($0.span) + $0.message }
        return first + notes.joined()
    }

    private func place(_ span: SourceSpan?) -> String {
        guard let span, let range = span.range,
            let source = sources.first(where: { $0.file == span.file })
        else { return "" }
        let before = source.bytes.prefix(range.lowerBound)
        let line = 1 + before.count { $0 == 0x0A }
        let column = before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
        return "\(span.file):\(line):\(column): "
    }
}

/// A note as the page renderer's objects answer: members by symbol.
final class StubObject: TemplateObject {
    let typeName: String
    let members: [String: TemplateValue]
    let parts: [TemplateValue]?
    let shown: String?
    /// The number under which members are printed; nil: it does not care.
    var number: Int?

    /// The members that are printed so, by the names of their symbols.
    var printedMembers: [UInt16: String] = [:]

    func printed(_ member: Symbol) -> (number: Int, text: String)? {
        guard let number, let name = printedMembers[member.rawValue],
            case .string(let text)? = members[name]
        else { return nil }
        return (number, text)
    }

    init(
        _ typeName: String, _ members: [String: TemplateValue] = [:],
        parts: [TemplateValue]? = nil, shown: String? = nil
    ) {
        self.typeName = typeName
        self.members = members
        self.parts = parts
        self.shown = shown
    }

    var memberNames: [String] { members.keys.sorted() }

    func value(of member: Symbol, named name: String) throws(TemplateFailure) -> TemplateValue? {
        members[name]
    }

    func elements() throws(TemplateFailure) -> [TemplateValue]? { parts }
    func count() throws(TemplateFailure) -> Int? { parts?.count }
    func text() -> String? { shown }

    func isOrdered(before other: any TemplateObject) -> Bool? {
        guard let shown, let other = other.text() else { return nil }
        return shown < other
    }
}
