/// Properties of the look's style sheet that the settings give.
package struct Theme: Sendable, Equatable {
    /// The properties that there are, without their hyphens, in the order of
    /// the style sheet.
    package static let names = [
        "font-text", "font-ui", "font-head", "font-code", "text-size", "line-height", "measure",
        "gutter", "paper", "shade", "line", "ink", "ink-strong", "ink-soft", "accent",
        "accent-line", "mark", "select", "blue", "green", "violet", "amber", "red", "grey",
    ]

    private var values: [String: String] = [:]

    /// No property: the look as it is.
    package init() {}

    /// Whether a text can be a value: it ends no declaration, no block and no
    /// element.
    package static func isValue(_ text: String) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy { scalar in
                scalar.value >= 0x20 && scalar.value != 0x7F
                    && !";{}<>\\".unicodeScalars.contains(scalar)
            } && !text.contains("/*")
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
