/// What one worker keeps between renders: memory to reuse, and the caller's
/// reader. Owned by one thread at a time.
package final class RenderHost {
    /// The caller's per-render reader, handed to custom filters and functions.
    package var context: AnyObject?
    /// The templates that the render in progress, or the last one, has used,
    /// each once, by first use.
    package private(set) var used: [TemplateID] = []
    /// Names of templates that the templates used give or worked out, and that
    /// no template has, which `ignore missing` and lists of names allow.
    package private(set) var missed: Set<String> = []
    /// How much one render may do.
    package var limits = RenderLimits()
    /// Whether renders write down where members of objects are printed.
    package var isRecordingPrints = false
    /// Where the latest render did so, in the order of the output; where
    /// ``isRecordingPrints`` says so.
    package private(set) var prints: [PrintedMember] = []
    /// The numbers of members whose text became part of a value, with which anything
    /// may have been done.
    package private(set) var takenPrints: [Int] = []
    /// The most bytes that the output had when text of it became a value.
    package private(set) var takenPeak = 0

    private(set) var stepsLeft = 0
    /// The evaluator's memory, kept from render to render.
    var memory = EvaluatorMemory()

    /// A host for one worker.
    package init(context: AnyObject? = nil) {
        self.context = context
    }

    /// The templates of the render. Held here and not in each call of a filter:
    /// all workers share them, and counting references makes them wait.
    private(set) var program: Program?

    func beginRender(_ program: Program) {
        self.program = program
        used.removeAll(keepingCapacity: true)
        missed.removeAll(keepingCapacity: true)
        prints.removeAll(keepingCapacity: true)
        takenPrints.removeAll(keepingCapacity: true)
        takenPeak = 0
        stepsLeft = limits.steps
    }

    func noteUse(of template: Int) {
        let id = TemplateID(index: template)
        if !used.contains(id) { used.append(id) }
    }

    func note(_ print: PrintedMember) { prints.append(print) }

    /// Forgets the prints since `start`, whose text became a value; the output had
    /// `count` bytes then.
    func takePrints(from start: Int, count: Int) {
        takenPeak = max(takenPeak, count)
        while let last = prints.last, last.range.lowerBound >= start {
            takenPrints.append(last.number)
            prints.removeLast()
        }
    }

    func noteAbsence(of template: String) {
        missed.insert(template)
    }

    /// Pays for work whose amount the template decides.
    func charge(_ steps: Int) throws(TemplateProblem) {
        stepsLeft -= steps
        if stepsLeft < 0 { throw .tooMuchWork(limit: limits.steps) }
    }

    /// Refuses a text or list before it is made.
    func checkSize(_ count: Int) throws(TemplateProblem) {
        if count > limits.valueSize { throw .valueTooLarge(limit: limits.valueSize) }
    }
}

/// How much one render may do before it is given up: a template that is wrong
/// ends in an error with its place, not in a process that hangs.
package struct RenderLimits: Sendable {
    /// Includes, macros, blocks and recursive loops within each other.
    package var depth = 100
    /// Rounds of loops, calls, and work on long values.
    package var steps = 10_000_000
    /// Bytes that one render may write.
    package var outputSize = 64 << 20
    /// Bytes of a text, elements of a list.
    package var valueSize = 16 << 20
    /// Elements of a `range`.
    package var rangeSize = 100_000

    /// The limits of a page.
    package init() {}
}
