import Bytes

/// What a tool said of why it failed.
struct ToolWords {
    /// The line that names the cause; nil where the tool said nothing.
    let cause: String?
    /// The other lines, each once, a screen of them at most.
    let notes: [String]

    /// Reads what `tool` (`rsync`, `rclone`, `git push`) said.
    init(_ tool: String, _ outcome: ExternalProgram.Outcome) {
        let isRclone = tool == "rclone"
        var lines: [String] = []
        for line in outcome.errors.split(whereSeparator: \.isNewline) {
            let line = String(
                (isRclone ? Self.withoutTime(line) : line).drop { $0 == " " })
            // rclone tries again, and fails in the same words.
            if !line.isEmpty, !isRclone || !lines.contains(line) { lines.append(line) }
        }
        let cause =
            switch tool {
            // It warns first, and sums up last.
            case "rclone":
                lines.last { $0.hasPrefix("Failed to ") || $0.hasPrefix("Fatal error: ") }
                    ?? lines.last { $0.hasPrefix("ERROR ") }
            // git's own word, since a server's may come before it.
            case _ where tool.hasPrefix("git"): lines.first { $0.hasPrefix("fatal: ") }
            default: nil as String?
            }
        // What is said first the rest follows from.
        self.cause = cause ?? lines.first
        notes = Array(lines.filter { [first = self.cause] in $0 != first }.suffix(12))
    }

    /// A line without the moment before it: `2026/12/24 08:00:00 `.
    private static func withoutTime(_ line: Substring) -> Substring {
        let pattern = "0000/00/00 00:00:00 "
        let isMoment =
            line.utf8.count > pattern.utf8.count
            && zip(line.utf8, pattern.utf8).allSatisfy { sign, expected in
                expected == UInt8(ascii: "0") ? 0x30...0x39 ~= sign : sign == expected
            }
        return isMoment ? line.dropFirst(pattern.count) : line
    }
}
