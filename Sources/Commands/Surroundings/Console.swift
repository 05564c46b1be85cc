#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import Bytes
import Diagnostics
import Synchronization

/// Where words go: results to standard output, talk to standard error; and the
/// few facts of the surroundings that a command may ask for.
struct Console {
    /// Whether only errors are said.
    var isQuiet = false

    /// What became of results; shared by all copies of the console.
    private let fate = Fate()

    /// Written by the thread that runs the command alone.
    private final class Fate: Sendable {
        let failure = Mutex<Int32?>(nil)
    }

    /// Writes a result: as it is where a program reads it, so that a path stays
    /// that path.
    func result(_ text: String) {
        let isRead = isatty(1) == 1
        guard let code = Self.write(isRead ? Self.drawable(text) : text, to: 1) else { return }
        fate.failure.withLock { $0 = $0 ?? code }
    }

    /// Why a result could not be written; nil where all were. That a reader has
    /// gone away is no failure: it has heard enough.
    var failure: FileError? {
        fate.failure.withLock { code in
            code.map { FileError("cannot write", "standard output", code: $0) }
        }
    }

    /// Says something.
    func say(_ text: String) { if !isQuiet { sayAlways(text) } }

    /// Says something even where only errors are said.
    func sayAlways(_ text: String) { Self.write(Self.drawable(text), to: 2) }

    /// Says why something is not done, which is about no place in a file.
    func sayFault(_ words: String) {
        Self.write("daybook: " + DiagnosticPrinter.harmless(words) + "\n", to: 2)
    }

    /// Words for people as they may be drawn: of all that controls a terminal only
    /// line breaks, and on one what this program itself colours and clears with.
    /// Whatever a file is called, and wherever its name is put into words, this is
    /// passed.
    static func drawable(_ text: String) -> String {
        func isOwn(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\t" }
        guard
            text.unicodeScalars.contains(where: { DiagnosticPrinter.isControl($0) && !isOwn($0) })
        else { return text }
        var result = ""
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            let count = isOwn(scalar) ? 1 : talksToTerminal ? lengthOfControlCode(rest) : 0
            if count == 0 { result += DiagnosticPrinter.harmless(String(scalar)) }
            result.unicodeScalars.append(contentsOf: rest.prefix(count))
            rest = rest.dropFirst(max(1, count))
        }
        return result
    }

    /// The length of a code at the start of a text that colours (`ESC [ 1 ; 31 m`)
    /// or goes back and clears the line (`CR ESC [ K`); 0 where there is neither.
    private static func lengthOfControlCode(_ text: Substring.UnicodeScalarView) -> Int {
        let clearing = "\r\u{1B}[K".unicodeScalars
        if text.starts(with: clearing) { return clearing.count }
        let start = "\u{1B}[".unicodeScalars
        guard text.starts(with: start) else { return 0 }
        let numbers = text.dropFirst(start.count).prefix {
            ("0"..."9").contains($0) || $0 == ";"
        }
        guard numbers.endIndex < text.endIndex, text[numbers.endIndex] == "m" else { return 0 }
        return start.count + numbers.count + 1
    }

    /// Does work that the file system may refuse; then that is said, and the
    /// work failed.
    func attempt(_ work: () throws(FileError) -> ExitCode) -> ExitCode {
        do throws(FileError) {
            return try work()
        } catch {
            sayFault(error.message)
            return .failed
        }
    }

    /// Writes a text; the system's error number where that fails, unless it is
    /// for a reader that has gone away.
    @discardableResult
    private static func write(_ text: String, to file: Int32) -> Int32? {
        var text = text
        return text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while let start = rest.baseAddress, !rest.isEmpty {
                let count = systemWrite(file, start, rest.count)
                if count < 0 { return errno == EPIPE ? nil : errno }
                if count == 0 { return EIO }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
            return nil
        }
    }

    // MARK: The terminal

    /// Whether talk reaches a terminal.
    static var talksToTerminal: Bool { isatty(2) == 1 }

    /// Whether the terminal understands codes that move and colour.
    static var isPlainTerminal: Bool { variable("TERM").map { $0 == "dumb" } ?? true }

    /// How messages are drawn: with source lines on a terminal, in colours
    /// unless `NO_COLOR` is set.
    static var style: DiagnosticPrinter.Style {
        guard talksToTerminal else { return .plain }
        let noColour = variable("NO_COLOR").map { !$0.isEmpty } ?? false
        return .drawn(colours: !noColour && !isPlainTerminal, width: width)
    }

    /// The columns that there are: the terminal's, else those of `COLUMNS`,
    /// else 80. Never less than one.
    static var width: Int {
        for file: Int32 in [1, 2] where isatty(file) == 1 {
            var size = winsize()
            if ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
                return Int(size.ws_col)
            }
        }
        return variable("COLUMNS").flatMap { Int($0) }.map { max(1, $0) } ?? 80
    }

    // MARK: The surroundings

    /// An environment variable; nil also where it is empty.
    static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// All environment variables.
    static func environment() -> [String: String] {
        var result: [String: String] = [:]
        // Absent after clearenv, which the type does not say.
        guard var next = Optional(environ) else { return result }
        while let entry = next.pointee {
            let text = String(cString: entry)
            if let sign = text.firstIndex(of: "=") {
                result[String(text[..<sign])] = String(text[text.index(after: sign)...])
            }
            next = next.successor()
        }
        return result
    }

    /// Makes a folder of its own for what is needed for a while, in the folder
    /// that `TMPDIR` names, else in the system's.
    static func makeTemporaryFolder() throws(FileError) -> Folder {
        // The folder of the C library: no path of a system stands here.
        let pattern = (variable("TMPDIR") ?? P_tmpdir) + "/daybook-XXXXXX"
        guard let name = strdup(pattern) else {
            throw FileError("cannot create", pattern, code: ENOMEM)
        }
        defer { free(name) }
        guard mkdtemp(name) != nil else { throw FileError("cannot create", pattern, code: errno) }
        return try Folder(String(cString: name))
    }

    /// Removes such a folder with all that is in it.
    static func removeTemporaryFolder(_ folder: Folder) {
        for (name, kind) in (try? folder.entries()) ?? [] {
            if kind == .folder { try? folder.removeTree(name) } else { try? folder.remove(name) }
        }
        FilePath.removeEmptyFolder(folder.path)
    }

    /// The clock, in milliseconds since 1970.
    static func clock() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Milliseconds from some start: a clock that nobody sets.
    static func monotonicClock() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// The folder that the program was started in. ``hasCurrentFolder`` was
    /// asked before.
    static func currentFolder() -> String {
        guard let current = getcwd(nil, 0) else { return "/" }
        defer { free(current) }
        return String(cString: current)
    }

    /// Whether there is a current folder: it may have been removed. No command
    /// goes on without one, since paths would then be taken from the root.
    static func hasCurrentFolder() -> Bool {
        guard let current = getcwd(nil, 0) else { return false }
        defer { free(current) }
        // The system's word for a folder that cannot be reached.
        return current.pointee == UInt8(ascii: "/")
    }

    /// A path from the root, as seen from the current folder.
    static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : currentFolder() + "/" + path
    }

    /// A path for people: as seen from the current folder where it lies there.
    static func shown(_ path: String) -> String {
        let current = currentFolder()
        guard current != "/", let inside = FilePath.relative(path, to: current), !inside.isEmpty
        else { return path }
        return inside
    }

    /// Stands for this very program, by the identity that the linker gave it, else
    /// by its bytes; absent where the system does not show them.
    static func programFingerprint() -> Fingerprint {
        guard let folder = try? Folder("/proc/self") else { return .absent }
        if let head = try? folder.head(of: "exe", count: 1 << 16),
            let identity = ProgramIdentity.buildID(inELF: head)
        {
            return Fingerprint(of: identity)
        }
        let bytes = try? folder.read("exe")
        return bytes.map { Fingerprint(of: $0) } ?? .absent
    }

    /// Keeps a value until the process ends, which is about to: that gives memory
    /// back faster than freeing a hundred thousand values does.
    static func keepUntilTheEnd<Value>(_ value: Value) {
        _ = Unmanaged.passRetained(Kept(value))
    }

    private final class Kept<Value> {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    /// Puts a file in the place of the one at a path, wholly or not at all.
    static func replaceFile(at path: String, with text: String) throws(FileError) {
        try ReportFile(at: path).write(text)
    }

    /// What a file is called until it is whole.
    static func draft(of path: String) -> String {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let start = slash.map { path.utf8.index(after: $0) } ?? path.startIndex
        return "\(path[..<start]).\(path[start...]).daybook"
    }

    /// The SHA-256 digest of this very program; nil where the system does not
    /// show its bytes.
    static func programChecksum() -> String? {
        let bytes = try? Folder("/proc/self").read("exe")
        return bytes.map { SHA256.hexadecimal(of: $0) }
    }

    /// The number of processors that are at work.
    static func processorCount() -> Int { Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Lets the process open as many files as the system allows it: a server's
    /// connections are files too.
    static func raiseFileLimit() {
        #if canImport(Glibc)
            var limit = rlimit()
            guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
                return
            }
            limit.rlim_cur = min(limit.rlim_max, 16_384)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #endif
    }

    /// Opens an address in the browser that `BROWSER` names, else in the
    /// desktop's own. Nothing is said where there is none.
    static func openInBrowser(_ address: String) {
        let program = variable("BROWSER") ?? "xdg-open"
        let words = ["sh", "-c", "exec \(program) \"$1\" >/dev/null 2>&1", "sh", address]
        var arguments = words.map { strdup($0) } + [nil]
        var process = pid_t()
        posix_spawn(&process, "/bin/sh", nil, nil, &arguments, environ)
        for argument in arguments { free(argument) }
    }

    /// Becomes the editor that `VISUAL` or `EDITOR` names, with a file open.
    /// Returns only where that fails.
    static func becomeEditor(_ editor: String, opening path: String) {
        // The variable may hold options, so the shell reads it; the path stays
        // one word whatever is in it.
        let words = ["sh", "-c", "exec \(editor) \"$1\"", "sh", path]
        var arguments = words.map { strdup($0) } + [nil]
        execv("/bin/sh", &arguments)
        for argument in arguments { free(argument) }
    }
}

private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    while true {
        let written = write(file, bytes, count)
        if written >= 0 || errno != EINTR { return written }
    }
}
