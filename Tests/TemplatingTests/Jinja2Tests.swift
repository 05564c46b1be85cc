import Bytes
import Diagnostics
import Foundation
import Templating
import Testing

/// The engine against Jinja2 itself; see `Jinja2Cases/README.md`.
@Suite struct Jinja2Tests {
    /// Cases in which this engine differs on purpose, with the reason.
    static let differences: [String: String] = [
        "markup-filters-33":
            "Jinja2 loses markup where it folds constants: ('<' | safe) ~ '<' is all escaped",
        "for-43": "Jinja2 fails on 'recursive' together with 'if', which is a defect of it",
        "inheritance-35": "'extends' takes a list of names here, as 'include' does",
        "includes-5":
            "Jinja2 hands 'loop' to an included template only where the loop itself mentions it",
    ]

    @Test func rendersAsJinja2Does() throws {
        let suite = try Jinja2Suite.load()
        #expect(suite.cases.count >= 300)
        for entry in suite.cases {
            let outcome = suite.outcome(of: entry)
            if let reason = Self.differences[entry.id] {
                #expect(
                    !outcome.agrees(with: entry),
                    "\(entry.id) agrees with Jinja2 after all, though: \(reason)")
                continue
            }
            #expect(
                outcome.agrees(with: entry),
                """
                \(entry.id): \(entry.templates)
                Jinja2: \(entry.expectation)
                here:   \(outcome)
                """)
        }
    }
}

/// What this engine makes of a case.
enum Outcome {
    case output(String)
    case failure([Diagnostic], line: Int?)

    func agrees(with entry: Jinja2Case) -> Bool {
        switch self {
        case .output(let text):
            text == entry.output && text.utf8.elementsEqual((entry.output ?? "").utf8)
        case .failure(let diagnostics, let line):
            entry.error != nil
                && (entry.template == nil || entry.template == diagnostics.first?.span?.file)
                && (entry.line == nil || entry.line == line)
        }
    }
}

struct Jinja2Case: Decodable {
    var id: String
    var main: String
    var templates: [String: String]
    var output: String?
    var error: String?
    var template: String?
    var line: Int?

    var expectation: String {
        if let output { return output }
        return "\(error ?? "?") at \(template ?? "?"):\(line.map { String($0) } ?? "?")"
    }
}

struct Jinja2Suite: Decodable {
    var context: JSONValue
    var cases: [Jinja2Case]

    static func load() throws -> Jinja2Suite {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let file = folder.appendingPathComponent("Jinja2Cases/cases.json")
        return try JSONDecoder().decode(Jinja2Suite.self, from: Data(contentsOf: file))
    }

    func outcome(of entry: Jinja2Case) -> Outcome {
        let names = entry.templates.keys.sorted()
        let sources = names.map { name in
            TemplateSource(name: name, bytes: Array((entry.templates[name] ?? "").utf8))
        }
        let (library, diagnostics) = TemplateLibrary.compile(sources)
        guard diagnostics.isEmpty, let id = library.template(named: entry.main) else {
            return failure(diagnostics, entry)
        }
        guard case .dictionary(let globals) = context else { return .output("no context") }
        var output = ByteBuffer()
        do {
            try library.render(
                id, with: globals.map { (library.symbol(of: $0.0), $0.1.value) },
                host: RenderHost(), into: &output)
            return .output(output.text())
        } catch {
            return failure([error.diagnostic], entry)
        }
    }

    private func failure(_ diagnostics: [Diagnostic], _ entry: Jinja2Case) -> Outcome {
        let span = diagnostics.first?.span
        let bytes = Array((entry.templates[span?.file ?? ""] ?? "").utf8)
        let line = span?.range.map { range in
            1 + bytes.prefix(range.lowerBound).count { $0 == 0x0A }
        }
        return .failure(diagnostics, line: line)
    }
}

/// A value of the context, as generate.py writes it.
indirect enum JSONValue: Decodable {
    case none
    case boolean(Bool)
    case integer(Int)
    case string(String)
    case list([JSONValue])
    case dictionary([(String, JSONValue)])
    case number(Double)
    case markup(String)
    case tuple([JSONValue])

    private enum Tag: String, CodingKey {
        case markup = "$markup"
        case number = "$float"
        case tuple = "$tuple"
        case dictionary = "$dict"
    }

    init(from decoder: any Decoder) throws {
        if let tagged = try? decoder.container(keyedBy: Tag.self) {
            if let text = try? tagged.decode(String.self, forKey: .markup) {
                self = .markup(text)
            } else if let text = try? tagged.decode(String.self, forKey: .number) {
                self = .number(Double(text) ?? .nan)
            } else if let elements = try? tagged.decode([JSONValue].self, forKey: .tuple) {
                self = .tuple(elements)
            } else {
                let pairs = try tagged.decode([[JSONValue]].self, forKey: .dictionary)
                self = .dictionary(
                    pairs.map { pair in
                        guard case .string(let key) = pair[0] else { return ("?", pair[1]) }
                        return (key, pair[1])
                    })
            }
            return
        }
        let plain = try decoder.singleValueContainer()
        if plain.decodeNil() {
            self = .none
        } else if let flag = try? plain.decode(Bool.self) {
            self = .boolean(flag)
        } else if let number = try? plain.decode(Int.self) {
            self = .integer(number)
        } else if let text = try? plain.decode(String.self) {
            self = .string(text)
        } else {
            self = .list(try plain.decode([JSONValue].self))
        }
    }

    var value: TemplateValue {
        switch self {
        case .none: TemplateValue.none
        case .boolean(let flag): .boolean(flag)
        case .integer(let number): .integer(number)
        case .number(let number): .number(number)
        case .string(let text): .string(text)
        case .markup(let text): .markup(MarkupBytes(text))
        case .list(let elements): .list(elements.map(\.value))
        case .tuple(let elements): .tuple(elements.map(\.value))
        case .dictionary(let pairs):
            .dictionary(TemplateDictionary(pairs.map { ($0.0, $0.1.value) }))
        }
    }
}
