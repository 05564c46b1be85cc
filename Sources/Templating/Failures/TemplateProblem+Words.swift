import Diagnostics

// Every sentence this floor says to an author, in one place.

extension TemplateProblem {
    /// What was found, in one sentence without a final full stop.
    var message: String {
        switch self {
        case .invalidText: "the template is not valid UTF-8 here"
        case .unclosedTag(let opening): "'\(opening)' is never closed"
        case .unclosedComment: "'{#' is never closed; expected '#}'"
        case .unclosedRaw: "'raw' is never closed; expected '{% endraw %}'"
        case .unclosedText: "this text is never closed; expected its quotation mark"
        case .unexpectedCharacter(let character): "unexpected character '\(character)'"
        case .unbalanced(let found, let expected?): "found '\(found)'; expected '\(expected)'"
        case .unbalanced(let found, nil): "'\(found)' closes nothing"
        case .invalidNumber(let text): "'\(text)' is not a number of at most 64 bits"
        case .invalidEscape(let text): "'\(text)' is not an escape sequence"
        case .unexpected(let found, let expected): "found \(found); expected \(expected)"
        case .unknownTag(let name, _): "unknown tag '\(name)'"
        case .strayTag(let name, let open?): "'\(name)' does not belong to the open '\(open)'"
        case .strayTag(let name, nil): "'\(name)' stands outside the tag it belongs to"
        case .unclosedBlock(let tag, let end): "'\(tag)' is never closed; expected '\(end)'"
        case .nestedTooDeep(let limit): "nested deeper than \(limit) levels"
        case .notAssignable(let what): "cannot assign to \(what); expected a name"
        case .blockDefinedTwice(let name): "block '\(name)' is defined twice"
        case .requiredBlockWithContent(let name):
            "required block '\(name)' may hold only blanks and comments"
        case .hyphenInBlockName: "a block's name may not contain '-'"
        case .defaultBeforePlain(let name):
            "parameter '\(name)' without a default follows one that has a default"
        case .privateImport(let name):
            "'\(name)' cannot be imported: it begins with an underscore"
        case .argumentGivenTwice(let name): "argument '\(name)' is given twice"
        case .positionalAfterKeyword: "an argument without a name follows one that has a name"
        case .callExpected: "'call' expects a call of a macro"
        case .chainedTest: "tests cannot be chained with 'is'"
        case .unknownFilter(let name, _, _): "unknown filter '\(name)'"
        case .unknownTest(let name, _, _): "unknown test '\(name)'"
        case .unknownTemplate(let names, _) where names.count == 1:
            "there is no template '\(names[0])'"
        case .unknownTemplate(let names, _):
            "there is none of the templates \(Self.quoted(names))"
        case .templateCycle(let names):
            "templates need each other in a ring: \(names.joined(separator: " → "))"
        case .tooManyNames: "the templates use more than 65,535 different names"
        case .tooLargeToCompile(let limit): "more than \(limit) variables in one scope"
        case .misplaced(let name, let belongs): "'\(name)' can be used only \(belongs)"
        case .unknownArgument(let callee, let name, _): "\(callee) takes no argument '\(name)'"
        case .tooManyArguments(let callee, 0): "\(callee) takes no arguments"
        case .tooManyArguments(let callee, 1): "\(callee) takes at most 1 argument"
        case .tooManyArguments(let callee, let limit):
            "\(callee) takes at most \(limit) arguments"
        case .missingArgument(let callee, let name): "\(callee) needs the argument '\(name)'"
        case .unsoundTemplate(let name): "template '\(name)' has errors"
        case .undefinedName(let name, _, _): "'\(name)' is undefined"
        case .undefinedMember(let name, let type, _): "\(type) has no member '\(name)'"
        case .undefinedElement(let key, let type): "\(type) has no element \(key)"
        case .parameterNotGiven(let name): "parameter '\(name)' was not given"
        case .notExported(let name, let template, _):
            "template '\(template)' does not export '\(name)'"
        case .absent(let explanation): explanation
        case .cannot(let operation, let kinds):
            "cannot \(operation) \(kinds.joined(separator: " and "))"
        case .expected(let expected, let found, let user):
            "\(user) expects \(expected); found \(found)"
        case .invalidArgument(let explanation): explanation
        case .notPrintable(let kind, _, _): "\(kind) cannot be printed"
        case .notCallable(let kind): "\(kind) cannot be called"
        case .notIterable(let kind): "\(kind) has no elements to go through"
        case .cannotUnpack(let count, let names):
            "cannot unpack \(count) value\(count == 1 ? "" : "s") into \(names) names"
        case .overflow(let operation): "the result of '\(operation)' does not fit into 64 bits"
        case .divisionByZero: "division by zero"
        case .requiredBlockMissing(let name): "required block '\(name)' is not defined"
        case .unknownBlock(let name, _): "there is no block '\(name)'"
        case .noParentBlock(let name): "there is no parent block of '\(name)'"
        case .extendsTwice: "a second template is extended"
        case .loopNotRecursive: "the loop cannot be called: it lacks 'recursive'"
        case .noCaller: "'caller' is undefined: the macro was not used by a 'call' tag"
        case .callerNotTaken(let macro):
            "macro '\(macro)' cannot be used by 'call': it has no place for the body"
        case .tooDeep(let limit): "includes and macros nest deeper than \(limit) levels"
        case .tooMuchWork: "the template does not come to an end"
        case .outputTooLarge(let limit): "the output exceeds \(limit) bytes"
        case .valueTooLarge(let limit): "a value exceeds the limit of \(limit)"
        case .host(_, let message, _): message
        }
    }

    /// The likely fix.
    var help: String? {
        switch self {
        case .unknownTag(let name, let candidates): Self.closest(name, candidates)
        case .strayTag(_, let open?): "close '\(open)' first with '{% end\(open) %}'"
        case .hyphenInBlockName: "use '_' instead"
        case .blockDefinedTwice(let name): "print it again with '{{ self.\(name)() }}'"
        case .chainedTest: "join two tests with 'and'"
        case .unknownFilter(let name, _, isTest: true):
            "'\(name)' is a test: write 'is \(name)'"
        case .unknownFilter(let name, let candidates, _):
            ForeignNames.filters[name].map { "did you mean '\($0)'?" }
                ?? Self.closest(name, candidates)
        case .unknownTest(let name, _, isFilter: true):
            "'\(name)' is a filter: write '| \(name)'"
        case .unknownTest(let name, let candidates, _): Self.closest(name, candidates)
        case .unknownTemplate(let names, let candidates):
            Self.closest(names.first ?? "", candidates)
        case .unknownArgument(_, let name, let candidates):
            Self.closest(name, candidates)
                ?? (candidates.isEmpty ? nil : "it takes \(Self.quoted(candidates))")
        case .undefinedName(_, _, isInRender: true):
            "add 'with context' to the import of this template"
        case .undefinedName(let name, let candidates, _),
            .undefinedMember(let name, _, let candidates),
            .notExported(let name, _, let candidates),
            .unknownBlock(let name, let candidates):
            Self.closest(name, candidates)
        case .cannot("add", let kinds) where kinds.contains("a text"):
            "join texts with '~'"
        case .notPrintable(_, let typeName?, let candidates):
            Self.memberHelp(typeName, candidates)
        case .notPrintable("a macro", _, _), .notPrintable("a block", _, _): "call it with '()'"
        case .loopNotRecursive: "write '{% for … recursive %}'"
        case .tooMuchWork(let limit): "loops and calls of one render may take \(limit) steps"
        case .callerNotTaken: "print '{{ caller() }}' in the macro"
        case .host(_, _, let help): help
        default: nil
        }
    }

    /// The lasting name that is printed in brackets.
    var id: String {
        switch self {
        case .undefinedName, .undefinedMember, .undefinedElement, .parameterNotGiven,
            .notExported, .absent, .noCaller, .noParentBlock, .unknownBlock,
            .requiredBlockMissing:
            "template-undefined"
        case .unknownFilter, .unknownTest, .unknownArgument, .tooManyArguments,
            .missingArgument, .misplaced:
            "template-name"
        case .unknownTemplate: "template-missing"
        case .templateCycle: "template-cycle"
        case .unsoundTemplate: "template-unsound"
        case .tooDeep, .tooMuchWork, .outputTooLarge, .valueTooLarge, .tooManyNames,
            .tooLargeToCompile, .nestedTooDeep:
            "template-limit"
        case .cannot, .expected, .invalidArgument, .notPrintable, .notCallable, .notIterable,
            .callerNotTaken,
            .cannotUnpack, .overflow, .divisionByZero, .extendsTwice, .loopNotRecursive:
            "template-value"
        case .host(let id, _, _): id
        default: "template-syntax"
        }
    }

    /// The whole message, of a place.
    func diagnostic(at span: SourceSpan?) -> Diagnostic {
        Diagnostic(.error, id, message, at: span, help: help)
    }

    private static func closest(_ name: String, _ candidates: [String]) -> String? {
        closestName(to: name, among: candidates).map { "did you mean '\($0)'?" }
    }

    private static func memberHelp(_ typeName: String, _ candidates: [String]) -> String? {
        for likely in ["title", "name", "label", "text", "url"] where candidates.contains(likely) {
            return "did you mean '\(typeName).\(likely)'?"
        }
        return candidates.first.map { "print one of its members, such as '\(typeName).\($0)'" }
    }

    private static func quoted(_ names: [String]) -> String {
        names.map { "'\($0)'" }.joined(separator: ", ")
    }
}
