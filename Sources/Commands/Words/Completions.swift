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
        var values = ""
        for command in Command.all {
            let options = (command.options.map { "--\($0.name)" } + ["--help"]).joined(
                separator: " ")
            let arguments =
                command.choices.isEmpty
                ? "" : " arguments=\"\(command.choices.joined(separator: " "))\""
            cases += "    \(command.name)) words=\"\(options)\"\(arguments) ;;\n"
            for option in command.options where !option.choices.isEmpty {
                values +=
                    "    \(command.name):--\(option.name)) arguments=\"\(option.choices.joined(separator: " "))\" ;;\n"
            }
        }
        return """
            _daybook() {
              local current=${COMP_WORDS[COMP_CWORD]} words arguments
              if [ "$COMP_CWORD" -eq 1 ]; then
                COMPREPLY=($(compgen -W "\(names) --help --version" -- "$current"))
                return
              fi
              case ${COMP_WORDS[1]} in
            \(cases)  esac
              case ${COMP_WORDS[1]}:${COMP_WORDS[COMP_CWORD-1]} in
            \(values)  esac
              if [[ $current == -* ]]; then
                COMPREPLY=($(compgen -W "$words" -- "$current"))
              elif [ -n "$arguments" ]; then
                COMPREPLY=($(compgen -W "$arguments" -- "$current"))
              else
                local name
                COMPREPLY=()
                while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -f -- "$current")
              fi
            }
            complete -o filenames -F _daybook daybook

            """
    }

    private static var fish: String {
        var lines = ["complete -c daybook -n __fish_use_subcommand -f"]
        for command in Command.all {
            lines.append(
                "complete -c daybook -n __fish_use_subcommand -f -a \(command.name) -d \(quoted(command.summary))"
            )
            let inside = "complete -c daybook -n '__fish_seen_subcommand_from \(command.name)'"
            if !command.choices.isEmpty {
                lines.append("\(inside) -f -a '\(command.choices.joined(separator: " "))'")
            }
            for option in command.options {
                var line = "\(inside) -l \(option.name)"
                if option.value != nil { line += " -r" }
                if !option.choices.isEmpty {
                    line += " -f -a '\(option.choices.joined(separator: " "))'"
                }
                lines.append("\(line) -d \(quoted(option.help))")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A text between the single quotes of fish.
    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
