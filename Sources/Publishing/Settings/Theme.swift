/// Properties of the look's style sheet that the settings give.
package struct Theme: Sendable, Equatable {
    /// The properties that there are, without their hyphens, in the order of
    /// the style sheet.
    package static let names = [
        "font-text", "font-ui", "font-head", "font-code", "text-size", "line-height", "measure",
        "gutter", "paper", "shade", "line", "ink", "ink-strong", "ink-soft", "accent",
        "accent-line", "mark", "select", "blue", "green", "violet", "amber", "red", "grey",
    ]

    /// Those of them that are colours, which may differ on light and on dark
    /// pages.
    package static let colours = Set(names.drop { $0 != "paper" })

    /// Those that are one length or number, with what is expected of them.
    private static let measures = [
        "text-size": "one size such as 1.125rem", "line-height": "one number such as 1.65",
        "measure": "one width such as 38rem", "gutter": "one width such as 2rem",
    ]

    private var values: [String: String] = [:]

    /// No property: the look as it is.
    package init() {}

    /// Why a text cannot be the value of a property.
    package enum Fault: Error, Equatable {
        /// It ends its declaration, its block or its element.
        case ends
        /// It is empty, as what stands behind `#` is to YAML.
        case isEmpty
        /// A bracket or a quotation mark of it is open at its end.
        case isOpen
        /// It names a file, which the page would ask somebody for.
        case asks
        /// A comma parts it, where it is one of two colours.
        case isList

        var message: String {
            switch self {
            case .isEmpty: "expected a value, found nothing"
            case .ends: "this is no value of a property: it holds a sign that ends one"
            case .isOpen: "this is no value of a property: a bracket or a quote has no other half"
            case .asks: "a property of the theme loads nothing"
            case .isList: "expected one colour for light and one for dark pages"
            }
        }

        var help: String {
            switch self {
            case .isEmpty: "put a colour that starts with `#` in quotes"
            case .ends: "leave out ; { } < > and line ends"
            case .isOpen: "close it"
            case .asks: "load files in static/custom.css"
            case .isList: "leave out the comma"
            }
        }
    }

    /// What is expected of a property of which a comma outside brackets makes a
    /// list, where CSS takes none; nil where that is not so.
    static func expected(of name: String, insteadOf text: String) -> String? {
        guard let expected = measures[name] else { return nil }
        do throws(Fault) {
            try check(text, isOfPair: true)
            return nil
        } catch {
            return error == .isList ? expected : nil
        }
    }

    /// What to write instead of a list, where a property is one value: fonts are
    /// a list to CSS, and one text here.
    static func help(insteadOf texts: [String], for name: String) -> String {
        measures[name].map { "write \($0)" } ?? "write `\(texts.joined(separator: ", "))`"
    }

    /// Refuses a text that would reach beyond its own property; one of a pair
    /// also where a comma parts it.
    package static func check(_ text: String, isOfPair: Bool = false) throws(Fault) {
        if text.isEmpty { throw .isEmpty }
        if text.contains("/*") { throw .ends }
        var open: [Unicode.Scalar] = []
        var quote: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            guard scalar.value >= 0x20, scalar.value != 0x7F,
                !";{}<>\\".unicodeScalars.contains(scalar)
            else { throw .ends }
            switch scalar {
            case _ where quote != nil: if scalar == quote { quote = nil }
            case "\"", "'": quote = scalar
            case "(": open.append(")")
            case "[": open.append("]")
            case ")", "]": guard open.popLast() == scalar else { throw .isOpen }
            case "," where isOfPair && open.isEmpty: throw .isList
            default: break
            }
        }
        guard open.isEmpty, quote == nil else { throw .isOpen }
        let lowered = text.lowercased()
        guard !["url(", "src(", "image-set("].contains(where: { lowered.contains($0) }) else {
            throw .asks
        }
    }

    /// Gives a property its value, or one for light and one for dark pages.
    mutating func set(_ name: String, to texts: [String]) {
        values[name] =
            texts.count == 2 ? "light-dark(\(texts[0]), \(texts[1]))" : texts.first
    }

    /// The properties as a rule for the end of the style sheet; empty where
    /// there are none.
    package var css: String {
        let lines = Self.names.compactMap { name in
            values[name].map { "  --\(name): \($0);\n" }
        }
        return lines.isEmpty ? "" : "\n/* From the settings. */\n:root {\n\(lines.joined())}\n"
    }
}
