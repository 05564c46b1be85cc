// Tags that name other templates.

extension Parser {
    mutating func parseExtends() throws(Stop) -> Statement.Form {
        let template = try parseExpression()
        endTag()
        return .extends(template)
    }

    mutating func parseInclude() throws(Stop) -> Statement.Form {
        let template = try parseExpression()
        var ignoresMissing = false
        if isName("ignore"), isName("missing", after: 1) {
            ignoresMissing = true
            advance()
            advance()
        }
        let withContext = parseContext() ?? true
        endTag()
        return .include(
            Statement.Inclusion(template: template, withContext: withContext),
            ignoresMissing: ignoresMissing)
    }

    mutating func parseImport() throws(Stop) -> Statement.Form {
        let template = try parseExpression()
        try expect(name: "as")
        let name = try expectName()
        let withContext = parseContext() ?? false
        endTag()
        return .importing(
            Statement.Inclusion(template: template, withContext: withContext), as: name.name)
    }

    mutating func parseFrom() throws(Stop) -> Statement.Form {
        let template = try parseExpression()
        try expect(name: "import")
        var names: [(name: Expression.Reference, alias: String)] = []
        var withContext: Bool?
        while true {
            if !names.isEmpty {
                withContext = parseContext()
                if withContext != nil || !isSign(.comma) { break }
                advance()
                // A comma may stand behind the last name.
                withContext = parseContext()
                if withContext != nil { break }
            }
            let name = try expectName()
            if name.name.hasPrefix("_") {
                throw complain(.privateImport(name.name), at: name.range)
            }
            let alias = skip(name: "as") ? try expectName().name : name.name
            names.append((name, alias))
        }
        endTag()
        return .importingNames(
            Statement.Inclusion(template: template, withContext: withContext ?? false), names)
    }

    private mutating func parseContext() -> Bool? {
        guard isName("with") || isName("without"), isName("context", after: 1) else { return nil }
        let withContext = isName("with")
        advance()
        advance()
        return withContext
    }
}
