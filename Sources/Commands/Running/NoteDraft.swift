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
