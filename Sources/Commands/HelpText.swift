import Publishing

/// The words of `--help`, made from the table of commands.
enum HelpText {
    /// What `daybook --help` prints.
    static var overview: String {
        var text = """
            Daybook publishes a folder of dated Markdown notes as a website.

            usage: daybook COMMAND [OPTIONS] [DIR]


            """
        let width = Command.all.map(\.name.count).max() ?? 0
        for command in Command.all {
            text += "  \(padded(command.name, width))  \(command.summary)\n"
        }
        text += """

            `daybook COMMAND --help` has the options of a command; `daybook --version` the version.

            """
        return text
    }

    /// What `daybook COMMAND --help` prints.
    static func of(_ command: Command) -> String {
        var text = "usage: daybook \(command.name)"
        if !command.options.isEmpty { text += " [OPTIONS]" }
        if let argument = command.argument { text += " [\(argument)]" }
        text += "\n\n\(command.summary.prefix(1).uppercased())\(command.summary.dropFirst()).\n\n"
        text += wrapped(command.details, 78) + "\n"
        if command.options.isEmpty { return text }
        let names = command.options.map { option in
            "--\(option.name)" + (option.value.map { " \($0)" } ?? "")
        }
        let width = names.map(\.count).max() ?? 0
        text += "\n"
        for (name, option) in zip(names, command.options) {
            text += "  \(padded(name, width))  \(option.help)\n"
        }
        return text
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func wrapped(_ text: String, _ width: Int) -> String {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + word.count + 1 <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n")
    }
}

/// Completions for shells, made from the table of commands.
enum Completions {
    static let shells = ["bash", "zsh", "fish"]

    static func script(for shell: String) -> String? {
        switch shell {
        case "bash": bash
        case "zsh": "autoload -U +X bashcompinit && bashcompinit\n" + bash
        case "fish": fish
        default: nil
        }
    }

    private static var bash: String {
        let names = Command.all.map(\.name).joined(separator: " ")
        var cases = ""
        for command in Command.all {
            let options = (command.options.map { "--\($0.name)" } + ["--help"]).joined(
                separator: " ")
            cases += "    \(command.name)) words=\"\(options)\" ;;\n"
        }
        return """
            _daybook() {
              local current=${COMP_WORDS[COMP_CWORD]} words
              if [ "$COMP_CWORD" -eq 1 ]; then
                COMPREPLY=($(compgen -W "\(names) --help --version" -- "$current"))
                return
              fi
              case ${COMP_WORDS[1]} in
            \(cases)  esac
              if [[ $current == -* ]]; then
                COMPREPLY=($(compgen -W "$words" -- "$current"))
              else
                COMPREPLY=($(compgen -d -- "$current"))
              fi
            }
            complete -F _daybook daybook

            """
    }

    private static var fish: String {
        var lines = ["complete -c daybook -f"]
        for command in Command.all {
            lines.append(
                "complete -c daybook -n __fish_use_subcommand -a \(command.name) -d '\(command.summary)'"
            )
            for option in command.options {
                lines.append(
                    "complete -c daybook -n '__fish_seen_subcommand_from \(command.name)' -l \(option.name)"
                        + (option.value == nil ? "" : " -r") + " -d '\(option.help)'")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
