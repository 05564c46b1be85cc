import YAML

/// The file of a note that is about to be written: its name and its text.
package struct NoteDraft: Sendable {
    /// The title, not empty.
    package var title: String
    /// The date as it is to be written; none is where nil.
    package var date: String?
    /// The tags.
    package var tags: [String] = []
    /// Whether it is not to be published yet.
    package var isDraft = false
    /// What follows the front matter.
    package var body = ""

    /// A note with a title.
    package init(title: String, date: String?, tags: [String] = []) {
        self.title = title
        self.date = date
        self.tags = tags
    }

    /// The file's name: the title, so that `[[title]]` finds it, less what
    /// file systems and links cannot hold. A title that would make the note a
    /// folder's page has the date before it.
    package var fileName: String {
        var name = ""
        for character in title {
            let isForbidden = character.unicodeScalars.contains { scalar in
                scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
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
        if NotePath.indexRank(ofName: name) != nil {
            name = "\(date?.prefix(10) ?? "note") \(name)"
        }
        return name + ".md"
    }

    /// The note's text: front matter and an empty line to begin at.
    package var text: String {
        var lines = ["---", "title: \(YAMLText.scalar(title))"]
        if let date { lines.append("date: \(date)") }
        if !tags.isEmpty {
            lines.append("tags: [\(tags.map { YAMLText.scalar($0) }.joined(separator: ", "))]")
        }
        if isDraft { lines.append("draft: true") }
        return (lines + ["---", "", body]).joined(separator: "\n")
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
