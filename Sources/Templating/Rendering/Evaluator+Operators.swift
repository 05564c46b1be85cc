extension Evaluator {
    mutating func runOperator(_ instruction: Instruction) throws(TemplateProblem) {
        let count = Int(instruction.operand)
        switch instruction.operation {
        case .item:
            let key = pop()
            push(try pop().element(key, program, host))
        case .slice:
            let bounds = pop(3)
            let result = try pop().slice(bounds[0], bounds[1], bounds[2], host)
            try host.charge(result.weight)
            push(result)
        case .makeList: push(.list(pop(count)))
        case .makeTuple: push(.tuple(pop(count)))
        case .makeDictionary: push(try makeDictionary(pop(count * 2)))
        case .unpack: try unpack(into: count)
        case .not: push(.boolean(try !pop().truth()))
        case .negate: push(try pop().negated())
        case .plus: push(try pop().unsigned())
        case .binary:
            let right = pop()
            let result = try pop().combined(Expression.Binary(code: instruction.flag), right, host)
            try host.charge(result.weight)
            push(result)
        case .concat: push(try concatenate(pop(count)))
        case .compare:
            let right = pop()
            push(.boolean(try compare(pop(), instruction.flag, right)))
        case .compareOrJump:
            let right = pop()
            if try compare(pop(), instruction.flag, right) {
                push(right)
            } else {
                push(.boolean(false))
                place = count
            }
        default: return
        }
    }

    private func makeDictionary(
        _ flat: [TemplateValue]
    ) throws(TemplateProblem) -> TemplateValue {
        var dictionary = TemplateDictionary()
        for place in stride(from: 0, to: flat.count, by: 2) {
            try flat[place].requireDefined()
            guard let key = DictionaryKey(flat[place]) else {
                throw .cannot("use as a key", of: [flat[place].kindName])
            }
            dictionary.insert(flat[place + 1], under: flat[place], key: key)
        }
        return .dictionary(dictionary)
    }

    private mutating func unpack(into count: Int) throws(TemplateProblem) {
        let value = pop()
        let elements = try value.elements(host)
        guard elements.count == count else {
            throw .cannotUnpack(count: elements.count, into: count)
        }
        memory.stack.append(contentsOf: elements.reversed())
    }

    /// Joins values as text; under autoescape with markup among them, as
    /// markup.
    private func concatenate(
        _ values: [TemplateValue]
    ) throws(TemplateProblem) -> TemplateValue {
        if escaping != nil, values.contains(where: \.isMarkup) {
            var bytes: [UInt8] = []
            for value in values {
                bytes += try value.escaped(host)
                try host.checkSize(bytes.count)
            }
            try host.charge(bytes.count >> 6)
            return .markup(MarkupBytes(bytes))
        }
        var text = ""
        for value in values {
            text += try value.text(host)
            try host.checkSize(text.utf8.count)
        }
        try host.charge(text.utf8.count >> 6)
        return .string(text)
    }

    private func compare(
        _ left: TemplateValue, _ code: UInt8, _ right: TemplateValue
    ) throws(TemplateProblem) -> Bool {
        switch Expression.Comparison(rawValue: code) {
        case .equal, nil: return try left.isEqual(to: right, host)
        case .unequal: return try !left.isEqual(to: right, host)
        case .less: return try left.isLess(than: right, host)
        case .greater: return try right.isLess(than: left, host)
        case .lessOrEqual:
            if try left.isLess(than: right, host) { return true }
            return try left.isEqual(to: right, host)
        case .greaterOrEqual:
            if try right.isLess(than: left, host) { return true }
            return try left.isEqual(to: right, host)
        case .isIn: return try left.isContained(in: right, host)
        case .isNotIn: return try !left.isContained(in: right, host)
        }
    }
}
