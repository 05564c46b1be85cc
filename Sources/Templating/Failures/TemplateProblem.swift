import Diagnostics

/// What can be wrong with a template, as facts. The words are in
/// `TemplateProblem+Words.swift`.
indirect enum TemplateProblem: Error, Equatable {
    // Found by the lexer.
    case invalidText
    case unclosedTag(String)
    case unclosedComment
    case unclosedRaw
    case unclosedText
    case unexpectedCharacter(String)
    case unbalanced(found: String, expected: String?)
    case invalidNumber(String)
    case invalidEscape(String)
    // Found by the parser.
    case unexpected(found: String, expected: String)
    case unknownTag(String, candidates: [String])
    case strayTag(String, open: String?)
    case unclosedBlock(tag: String, end: String)
    case nestedTooDeep(limit: Int)
    case notAssignable(String)
    case blockDefinedTwice(String)
    case requiredBlockWithContent(String)
    case hyphenInBlockName
    case defaultBeforePlain(String)
    case privateImport(String)
    case argumentGivenTwice(String)
    case positionalAfterKeyword
    case callExpected
    case chainedTest
    // Found by the compiler.
    case unknownFilter(String, candidates: [String], isTest: Bool)
    case unknownTest(String, candidates: [String], isFilter: Bool)
    case unknownTemplate([String], candidates: [String])
    case templateCycle([String])
    case tooManyNames
    case tooLargeToCompile(limit: Int)
    case misplaced(String, belongs: String)
    case unknownArgument(callee: String, name: String, candidates: [String])
    case tooManyArguments(callee: String, limit: Int)
    case missingArgument(callee: String, name: String)
    // Found while rendering.
    case unsoundTemplate(String)
    case undefinedName(String, candidates: [String], isInRender: Bool)
    case undefinedMember(String, of: String, candidates: [String])
    case undefinedElement(String, of: String)
    case parameterNotGiven(String)
    case notExported(String, template: String, candidates: [String])
    case absent(String)
    case cannot(String, of: [String])
    case expected(String, found: String, by: String)
    case invalidArgument(String)
    case notPrintable(String, typeName: String?, candidates: [String])
    case notCallable(String)
    case notIterable(String)
    case cannotUnpack(count: Int, into: Int)
    case overflow(String)
    case divisionByZero
    case requiredBlockMissing(String)
    case unknownBlock(String, candidates: [String])
    case noParentBlock(String)
    case extendsTwice
    case loopNotRecursive
    case noCaller
    case callerNotTaken(macro: String)
    case tooDeep(limit: Int)
    case tooMuchWork(limit: Int)
    case outputTooLarge(limit: Int)
    case valueTooLarge(limit: Int)
    /// Thrown by something of the caller's.
    case host(id: String, message: String, help: String?)
}

extension TemplateProblem {
    /// What the caller's code threw.
    init(_ failure: TemplateFailure) {
        self = .host(
            id: failure.diagnostic.id, message: failure.diagnostic.message,
            help: failure.diagnostic.help)
    }
}
