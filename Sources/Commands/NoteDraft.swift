import Notes

/// The file of a note that is about to be written: its name and its text.
struct NoteDraft {
    var title: String
    var date: String
    var tags: [String] = []

    /// The file's name: the title, so that `[[title]]` finds it, less what
    /// file systems and links cannot hold. A title that would make the note a
    /// folder's page has the date before it.
    var fileName: String {
        var name = ""
        for character in title {
            let isForbidden = character.unicodeScalars.contains { scalar in
                scalar.value < 0x20 || scalar.value == 0x7F
                    || "/\\:*?\"<>|#^[]%".unicodeScalars.contains(scalar)
            }
            name.append(isForbidden ? " " : character)
        }
        name = name.split(separator: " ").joined(separator: " ")
        // A leading dot would hide it, an underscore make it special to others.
        while let first = name.first, "._- ".contains(first) { name.removeFirst() }
        // Room for a date, the ending and a temporary name.
        while name.utf8.count > 200 { name.removeLast() }
        name = name.trimmingBlanks()
        if name.isEmpty { name = Slug.make(from: title) }
        if NotePath.indexRank(ofName: name) != nil { name = "\(date.prefix(10)) \(name)" }
        return name + ".md"
    }

    /// The note's text: front matter and an empty line to begin at.
    var text: String {
        var lines = ["---", "title: \(YAMLText.scalar(title))", "date: \(date)"]
        if !tags.isEmpty {
            lines.append("tags: [\(tags.map { YAMLText.scalar($0) }.joined(separator: ", "))]")
        }
        return (lines + ["---", "", ""]).joined(separator: "\n")
    }
}

extension String {
    /// The text without blanks at its ends.
    fileprivate func trimmingBlanks() -> String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

/// Writes text so that every reader of YAML takes it for that text.
enum YAMLText {
    /// A text as a scalar: plain where nothing in it could mean anything else,
    /// else in double quotes.
    static func scalar(_ text: String) -> String {
        isPlain(text) ? text : quoted(text)
    }

    private static let words: Set<String> = [
        "true", "false", "yes", "no", "on", "off", "y", "n", "null", "nan", "inf",
    ]

    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first.properties.isAlphabetic,
            text.last != " ", !words.contains(text.lowercased())
        else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
                || (0x30...0x39).contains(scalar.value)
                || " -'.()!?/_".unicodeScalars.contains(scalar)
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                result += "\\"
                result.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
                let digits = String(scalar.value, radix: 16)
                result += "\\x" + (digits.count < 2 ? "0" : "") + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
