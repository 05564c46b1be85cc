package import Bytes
package import Diagnostics

/// All templates of a site, compiled: an immutable value that all threads
/// share without locks.
package struct TemplateLibrary: Sendable {
    private let program: Program

    /// Compiles all templates and reports every error of every one of them.
    ///
    /// Besides syntax it finds, where the name is constant: templates that do
    /// not exist, unknown filters and tests, arguments nobody takes, and
    /// templates that need each other in a ring. A template with errors is
    /// never run: whatever needs it fails.
    ///
    /// `symbols` become the first names of the library in their order. Custom
    /// functions replace built-in ones of the same name; custom filters do so
    /// for objects only.
    package static func compile(
        _ sources: [TemplateSource], symbols: [String] = [],
        filters: [String: CustomFilter] = [:], functions: [String: CustomFunction] = [:]
    ) -> (library: TemplateLibrary, diagnostics: [Diagnostic]) {
        let natives = NativeTable(filters: filters, functions: functions)
        var builder = ProgramBuilder(symbols: SymbolTable(symbols), natives: natives)
        for name in natives.functions.keys.sorted() { _ = builder.symbols.intern(name) }
        for (index, source) in sources.enumerated() {
            builder.templatePlaces[source.name] = index
            builder.templates.append(
                CompiledTemplate(source: source, escaping: Escaping(template: source.name)))
        }
        var compiler = Compiler(builder)
        var diagnostics: [Diagnostic] = []
        for (index, source) in sources.enumerated() {
            let (statements, problems) = Parser.parse(source)
            compiler.compile(statements, template: index)
            for placed in problems + compiler.diagnostics {
                diagnostics.append(placed.problem.diagnostic(at: source.span(placed.range)))
            }
            compiler.builder.templates[index].isSound =
                problems.isEmpty && compiler.diagnostics.isEmpty
            compiler.diagnostics = []
        }
        for (template, placed) in compiler.cycles() {
            diagnostics.append(
                placed.problem.diagnostic(at: sources[template].span(placed.range)))
        }
        if compiler.builder.symbols.isFull {
            diagnostics.append(TemplateProblem.tooManyNames.diagnostic(at: nil))
        }
        return (TemplateLibrary(program: Program(compiler.builder)), diagnostics.sorted())
    }

    /// The template of a name; nil: there is none.
    package func template(named name: String) -> TemplateID? {
        program.templatePlaces[name].map(TemplateID.init(index:))
    }

    /// All templates, in the order they were given in.
    package var templates: [TemplateID] {
        program.templates.indices.map(TemplateID.init(index:))
    }

    /// What a template was compiled from.
    package func source(of id: TemplateID) -> TemplateSource {
        program.templates[id.index].source
    }

    /// The symbol of a name: of those given to the compiler, their place.
    package func symbol(of name: String) -> Symbol {
        program.symbols.symbol(of: name)
    }

    /// Renders a template at the end of `output`. One host renders one
    /// template at a time.
    ///
    /// On failure `output` is as before. The host's ``RenderHost/used`` then
    /// names the templates the render took part in, on success too. Takes
    /// about 100 ns for each printed member, and a copy.
    ///
    /// Throws what is wrong with its place in the template:
    ///
    ///     note.html:3:9: error: a note has no member 'titel' [template-undefined]
    ///     help: did you mean 'title'?
    package func render(
        _ id: TemplateID, with globals: [(Symbol, TemplateValue)], host: RenderHost,
        into output: inout ByteBuffer
    ) throws(TemplateFailure) {
        let start = output.count
        let context = RenderContext(program: program)
        for (symbol, value) in globals { context.give(symbol, value) }
        host.beginRender(program)
        var evaluator = Evaluator(
            program: program, host: host, context: context, outputStart: start)
        do {
            try evaluator.render(id.index, into: &output)
        } catch {
            output.truncate(to: start)
            throw error
        }
    }
}

extension TemplateSource {
    fileprivate func span(_ range: Range<Int>) -> SourceSpan {
        SourceSpan(file: file, range: range)
    }
}

extension Escaping {
    /// How a template of this name escapes: `.html`, `.htm`, `.xml` and `.svg`
    /// do, others do not.
    fileprivate init?(template name: String) {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        switch name[name.index(after: dot)...].lowercased() {
        case "html", "htm", "svg": self = .template
        case "xml": self = .xml
        default: return nil
        }
    }
}
