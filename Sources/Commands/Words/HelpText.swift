/// The words of `--help`, made from the table of commands.
enum HelpText {
    /// What `daybook --help` prints on `width` columns.
    static func overview(width: Int) -> String {
        let commands = columns(Command.all.map { ($0.name, $0.summary) }, width)
        let more =
            "`daybook COMMAND --help` has the options of a command; `daybook --version` the version."
        return """
            \(wrapped("Daybook publishes a folder of dated Markdown notes as a website.", width))

            \(wrapped("usage: daybook COMMAND [OPTIONS] [DIR]", width))

            \(commands)
            \(wrapped(more, width))

            """
    }

    /// What `daybook COMMAND --help` prints on `width` columns.
    static func of(_ command: Command, width: Int) -> String {
        var usage = "usage: daybook \(command.name)"
        if !command.options.isEmpty { usage += " [OPTIONS]" }
        if let argument = command.argument {
            usage += command.needs == nil ? " [\(argument)]" : " \(argument)"
        }
        let summary = "\(command.summary.prefix(1).uppercased())\(command.summary.dropFirst())."
        let paragraphs = [usage, summary, command.details].map { wrapped($0, width) }
        let text = paragraphs.joined(separator: "\n\n") + "\n"
        if command.options.isEmpty { return text }
        let options = command.options.map { option in
            ("--\(option.name)" + (option.value.map { " \($0)" } ?? ""), option.help)
        }
        return text + "\n" + columns(options, width)
    }

    /// Names with what they mean beside them, or below them where there is no
    /// room for both.
    private static func columns(_ rows: [(name: String, meaning: String)], _ width: Int) -> String {
        let names = rows.map(\.name.count).max() ?? 0
        let room = width - names - 4
        return rows.map { name, meaning in
            if room < 24 {
                return wrapped(name, width) + "\n"
                    + wrapped(meaning, width, indent: width > 12 ? 4 : 0) + "\n"
            }
            let lines = wrapped(meaning, room).split(separator: "\n")
            let margin = String(repeating: " ", count: names + 4)
            return "  " + name + String(repeating: " ", count: names - name.count + 2)
                + lines.joined(separator: "\n" + margin) + "\n"
        }.joined()
    }

    private static func wrapped(_ text: String, _ width: Int, indent: Int = 0) -> String {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + word.count + 1 <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(margin + word)
            }
        }
        return lines.joined(separator: "\n")
    }
}
