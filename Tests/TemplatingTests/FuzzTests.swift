import Bytes
import Diagnostics
import Foundation
import Templating
import Testing

/// Random templates neither crash the engine nor keep it busy for long.
@Suite struct FuzzTests {
    /// More with `DAYBOOK_FUZZ_COUNT=1000000`; others with `DAYBOOK_FUZZ_SEED`.
    @Test func fuzzTemplates() {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["DAYBOOK_FUZZ_COUNT"].flatMap { Int($0) } ?? 2000
        let seed = environment["DAYBOOK_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
        let host = RenderHost()
        host.limits.steps = 20_000
        host.limits.outputSize = 1 << 20
        host.limits.valueSize = 1 << 16
        var output = ByteBuffer()
        var renderedCount = 0
        let clock = ContinuousClock()
        for offset in 0..<UInt64(count) {
            var generator = TemplateGenerator(seed: seed &+ offset)
            let start = clock.now
            if render(generator.site(), host, &output) { renderedCount += 1 }
            let time = clock.now - start
            #expect(time < .seconds(5), "seed \(seed &+ offset) took \(time)")
        }
        // Templates that only ever fail would test little.
        #expect(renderedCount > count / 50, "\(renderedCount) of \(count) rendered")
    }

    /// Whether the first template compiled and rendered.
    private func render(
        _ site: [(name: String, text: String)], _ host: RenderHost, _ output: inout ByteBuffer
    ) -> Bool {
        let sources = site.map { TemplateSource(name: $0.name, bytes: Array($0.text.utf8)) }
        let (library, diagnostics) = TemplateLibrary.compile(sources, symbols: ["note", "name"])
        for diagnostic in diagnostics {
            let source = sources.first { $0.file == diagnostic.span?.file }
            let end = diagnostic.span?.range?.upperBound ?? 0
            #expect(end <= (source?.bytes.count ?? 0) + 1, "\(diagnostic)")
        }
        let note = StubObject(
            "note", ["a": .string("<A>"), "title": .string("T"), "x": .missing],
            parts: [.integer(1), .integer(2)], shown: "note")
        let globals: [(Symbol, TemplateValue)] = [
            (Symbol(rawValue: 0), .object(note)), (Symbol(rawValue: 1), .string("part.html")),
            (library.symbol(of: "a"), .integer(3)), (library.symbol(of: "b"), .string("b")),
            (library.symbol(of: "x"), .list([.string("x"), .string("y")])),
            (
                library.symbol(of: "items"),
                .list([.integer(1), .string("b"), .markup(MarkupBytes("<i>"))])
            ),
            (
                library.symbol(of: "d"),
                .dictionary(TemplateDictionary([("a", .list([.integer(3)]))]))
            ),
        ]
        var rendered = false
        // What was not understood must refuse to render, not crash.
        for id in library.templates {
            output.clear()
            do {
                try library.render(id, with: globals, host: host, into: &output)
                rendered = rendered || diagnostics.isEmpty
            } catch {
                #expect(output.count == 0)
                #expect(!error.diagnostic.message.isEmpty)
            }
        }
        return rendered
    }
}
