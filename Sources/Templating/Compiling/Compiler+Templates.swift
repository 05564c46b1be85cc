// Tags that name other templates.

extension Compiler {
    /// What is known of the template that an expression names.
    private enum Named {
        case known(Int)
        /// None of the constant names exists.
        case missing
        /// Known only at run time; its value is the top.
        case computed
    }

    private mutating func compileName(
        _ expression: Expression, ignoresMissing: Bool = false
    ) -> Named {
        guard let names = expression.constantNames else {
            compile(expression)
            return .computed
        }
        let known = names.compactMap { builder.templatePlaces[$0] }
        for index in known where !builder.templates[template].references.contains(index) {
            builder.templates[template].references.append(index)
        }
        let absent = names.prefix { builder.templatePlaces[$0] == nil }
        builder.templates[template].missing += absent
        if let first = known.first { return .known(first) }
        if !ignoresMissing {
            complain(
                .unknownTemplate(names, candidates: builder.templatePlaces.keys.sorted()),
                at: expression.range)
        }
        return .missing
    }

    private mutating func emit(
        _ operation: Instruction.Operation, _ named: Named, flag: UInt8 = 0, operand: Int = -1,
        _ range: Range<Int>
    ) {
        switch named {
        case .known(let index):
            emit(
                operation, range, flag: flag | Instruction.TemplateFlag.isKnown,
                symbol: UInt16(clamping: index), operand: operand)
        case .computed: emit(operation, range, flag: flag, operand: operand)
        case .missing: break
        }
    }

    mutating func compileExtends(_ expression: Expression, _ range: Range<Int>) {
        guard function.kind == .root else {
            return complain(
                .misplaced("extends", belongs: "outside blocks and macros"), at: range)
        }
        let named = compileName(expression)
        noteNeed(of: named, expression.range)
        emit(.extends, named, expression.range)
        extending = conditions == 0 && function.scopes.isEmpty ? .yes : .perhaps
    }

    mutating func compileInclude(
        _ inclusion: Statement.Inclusion, _ ignoresMissing: Bool, _ range: Range<Int>
    ) {
        let named = compileName(inclusion.template, ignoresMissing: ignoresMissing)
        if conditions == 0, function.kind == .root { noteNeed(of: named, inclusion.template.range) }
        var flag: UInt8 = ignoresMissing ? Instruction.TemplateFlag.ignoresMissing : 0
        if inclusion.withContext { flag |= Instruction.TemplateFlag.withContext }
        let map = inclusion.withContext ? emitLocalMap() : -1
        emit(.include, named, flag: flag, operand: map, inclusion.template.range)
    }

    /// Leaves the imported module as the top.
    mutating func compileImport(_ inclusion: Statement.Inclusion, _ range: Range<Int>) {
        let named = compileName(inclusion.template)
        if conditions == 0, function.kind == .root { noteNeed(of: named, inclusion.template.range) }
        let flag = inclusion.withContext ? Instruction.TemplateFlag.withContext : 0
        let map = inclusion.withContext ? emitLocalMap() : -1
        emit(.importing, named, flag: flag, operand: map, inclusion.template.range)
    }

    private mutating func noteNeed(of named: Named, _ range: Range<Int>) {
        if case .known(let index) = named { needs.append((template, index, range)) }
    }

    /// Reports templates that need each other in a ring, once for each ring,
    /// at the place in its first template.
    func cycles() -> [(template: Int, PlacedProblem)] {
        var found: [(template: Int, PlacedProblem)] = []
        var reported: Set<Set<Int>> = []
        for need in needs {
            guard let path = path(from: need.to, to: need.from),
                reported.insert(Set(path)).inserted
            else { continue }
            let names = ([need.from] + path).map { builder.templates[$0].source.name }
            found.append(
                (need.from, PlacedProblem(problem: .templateCycle(names), range: need.range)))
        }
        return found
    }

    /// The shortest way along needs, both ends included.
    private func path(from start: Int, to goal: Int) -> [Int]? {
        var previous: [Int: Int] = [start: start]
        var queue = [start]
        var next = 0
        while next < queue.count {
            let current = queue[next]
            next += 1
            if current == goal {
                var path = [goal]
                while let last = path.last, last != start, let before = previous[last] {
                    path.append(before)
                }
                return path.reversed()
            }
            for need in needs where need.from == current && previous[need.to] == nil {
                previous[need.to] = current
                queue.append(need.to)
            }
        }
        return nil
    }
}

extension Expression {
    /// The template names of a constant text, or of a list of such.
    fileprivate var constantNames: [String]? {
        switch form {
        case .constant(.string(let name)): return [name]
        case .list(let elements), .tuple(let elements):
            var names: [String] = []
            for element in elements {
                guard case .constant(.string(let name)) = element.form else { return nil }
                names.append(name)
            }
            return names.isEmpty ? nil : names
        default: return nil
        }
    }
}
