import Foundation
import Testing

/// What a terminal sees, through the pseudo-terminal that `script` opens.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")))
struct `On a terminal` {
    /// Runs the program on a terminal of so many columns.
    private func run(
        _ words: String, in site: TestSite, columns: Int, environment: [String: String] = [:]
    ) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/script")
        process.arguments = [
            "-qec", "stty cols \(columns); exec '\(Daybook.binary.path)' \(words)", "/dev/null",
        ]
        process.currentDirectoryURL = site.root
        var variables = ProcessInfo.processInfo.environment
        variables["TERM"] = "xterm-256color"
        variables["NO_COLOR"] = nil
        variables["GITHUB_ACTIONS"] = nil
        variables["GITLAB_CI"] = nil
        process.environment = variables.merging(environment) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: printed, as: UTF8.self).replacing("\r\n", with: "\n")
    }

    private func site() throws -> TestSite {
        try TestSite(notes: [
            "a.md": "Some words before \(String(repeating: "x ", count: 60))[[nope]] and after.\n"
        ])
    }

    @Test func `messages have colours and the line they are about`() throws {
        let printed = try run("check", in: site(), columns: 80)
        #expect(printed.contains("\u{1B}[1;33mwarning:\u{1B}[0m"))
        #expect(printed.contains("[[nope]]") && printed.contains("^~~~"))
    }

    @Test func `NO_COLOR takes the colours away, and nothing else`() throws {
        let printed = try run("check", in: site(), columns: 80, environment: ["NO_COLOR": "1"])
        #expect(!printed.contains("\u{1B}["))
        #expect(printed.contains("^~~~"))
        #expect(
            try run("check", in: site(), columns: 80, environment: ["TERM": "dumb"]).contains(
                "^~~~"))
    }

    @Test(arguments: [1, 2, 10, 20, 33, 80])
    func `what is drawn fits the width`(_ columns: Int) throws {
        let printed = try run("check", in: site(), columns: columns, environment: ["NO_COLOR": "1"])
        #expect(printed.contains("[broken-link]"))
        let drawn = printed.split(separator: "\n").filter { $0.hasPrefix("  ") }
        #expect(columns < 20 || drawn.count == 2)
        for line in drawn { #expect(line.count <= columns, "\(line)") }
        let help = try run("build --help", in: site(), columns: columns)
        #expect(help.contains("--keep-going"))
    }

    @Test func `a long build says how far it is, and takes that away`() throws {
        let notes = Dictionary(
            uniqueKeysWithValues: (0..<6000).map {
                ("n\($0).md", "# Note \($0)\n\nWords. [[n\($0 / 2)]]\n")
            })
        let site = try TestSite(notes: notes)
        let start = ContinuousClock.now
        let printed = try run("build", in: site, columns: 30)
        let duration = ContinuousClock.now - start
        // How long it takes is the machine's affair; but a long one is drawn.
        let lines = printed.components(separatedBy: "\r\u{1B}[K").dropFirst().dropLast()
        #expect(!lines.isEmpty || duration < .seconds(1))
        for line in lines {
            #expect(line.count < 30, "\(line)")
            #expect(
                line.contains(
                    /^(reading notes: \d+ of|rendering pages: \d+ of|planning the site|placing files)|^$/
                ))
        }
        #expect(printed.contains("6000 notes"))
        #expect(try !run("build --quiet", in: site, columns: 80).contains("\u{1B}[K"))
    }
}
