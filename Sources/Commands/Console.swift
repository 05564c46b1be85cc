#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import Diagnostics

/// Where words go: results to standard output, talk to standard error; and the
/// few facts of the surroundings that a command may ask for.
struct Console {
    /// Whether only errors are said.
    var isQuiet = false

    /// Writes a result.
    func result(_ text: String) { Self.write(text, to: 1) }

    /// Says something.
    func say(_ text: String) { if !isQuiet { Self.write(text, to: 2) } }

    /// Says something even where only errors are said.
    func sayAlways(_ text: String) { Self.write(text, to: 2) }

    private static func write(_ text: String, to file: Int32) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while let start = rest.baseAddress, !rest.isEmpty {
                let count = systemWrite(file, start, rest.count)
                // A reader that has gone away has heard enough.
                if count <= 0 { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    /// How messages are drawn: with source lines on a terminal, in colours
    /// unless `NO_COLOR` is set.
    static var style: DiagnosticPrinter.Style {
        guard isatty(2) == 1 else { return .plain }
        let noColour = variable("NO_COLOR").map { !$0.isEmpty } ?? false
        return .drawn(colours: !noColour && variable("TERM") != "dumb")
    }

    /// An environment variable.
    static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// The clock, in milliseconds since 1970.
    static func clock() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    while true {
        let written = write(file, bytes, count)
        if written >= 0 || errno != EINTR { return written }
    }
}
