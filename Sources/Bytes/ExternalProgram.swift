#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A program of the system, such as rsync, that is run and waited for.
///
/// It is given a list of words, never a line for a shell: whatever a word holds
/// (blanks, quotes, line breaks) it stays one word. What it reads and writes
/// passes through files of a folder for such things, so that neither side waits
/// for the other.
package struct ExternalProgram: Sendable {
    /// Where it is.
    package let path: String
    private let environment: [String: String]
    private let work: Folder?

    /// What a run came to.
    package struct Outcome: Sendable {
        /// The exit code; 128 and the signal's number where a signal ended it.
        package var code: Int32
        /// What it wrote to standard output.
        package var output: [UInt8]
        /// What it wrote to standard error.
        package var errors: String
    }

    /// Looks for a program by its name in the `PATH` of `environment`; nil where
    /// there is none. It will run in that environment, with its input and output
    /// in files of `work`; where there is no such folder it can only be read from.
    package init?(_ name: String, environment: [String: String], work: Folder? = nil) {
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        let places = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
        guard
            let path = places.first(where: {
                FilePath.status($0)?.kind == .file && access($0, X_OK) == 0
            })
        else { return nil }
        self.path = path
        self.environment = environment
        self.work = work
    }

    /// Runs it to its end with `input` as its standard input. A lock that is
    /// `held` stays held as long as the program runs, even if this one is
    /// killed meanwhile.
    package func run(
        _ arguments: [String], input: [UInt8] = [], adding variables: [String: String] = [:],
        held: HeldLock? = nil
    ) throws(FileError) -> Outcome {
        let work = try place
        try work.write(input, to: "input")
        let child = try start(arguments, variables) { actions in
            posix_spawn_file_actions_addopen(&actions, 0, work.path + "/input", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(
                &actions, 1, work.path + "/output", Self.writing, 0o600)
            posix_spawn_file_actions_addopen(
                &actions, 2, work.path + "/errors", Self.writing, 0o600)
            // The copy is passed on to the program, which the original is not.
            if let held { posix_spawn_file_actions_adddup2(&actions, held.descriptor, 3) }
        }
        let code = Self.wait(for: child)
        let errors = String(decoding: try work.read("errors"), as: UTF8.self)
        return Outcome(code: code, output: try work.read("output"), errors: errors)
    }

    private var place: Folder {
        get throws(FileError) {
            guard let work else { throw FileError("cannot run", path, code: ENOENT) }
            return work
        }
    }

    /// Runs it to its end without input, and hands on what it prints as it
    /// comes; what it says of faults is dropped. Its exit code; 127 where it
    /// cannot be run.
    package func read(
        _ arguments: [String], _ take: (UnsafeRawBufferPointer) -> Void
    ) -> Int32 {
        guard let (ourEnd, itsEnd) = try? Self.pipe() else { return 127 }
        let child = try? start(arguments, ["LC_ALL": "C"]) { actions in
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_adddup2(&actions, itsEnd, 1)
            posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        }
        close(itsEnd)
        defer { close(ourEnd) }
        guard let child else { return 127 }
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
            while true {
                let count = systemRead(ourEnd, buffer)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        }
        return Self.wait(for: child)
    }

    /// Starts it, gives it `input`, and reads one line of what it answers; it
    /// then runs on until the lock goes, which ends its input.
    package func hold(
        _ arguments: [String], input: String
    ) throws(FileError) -> (answer: String, lock: HeldLock) {
        let work = try place
        let (inputEnd, ourInput) = try Self.pipe()
        let (ourOutput, outputEnd) = try Self.pipe()
        defer {
            close(inputEnd)
            close(ourOutput)
        }
        let child = try start(arguments, [:]) { actions in
            posix_spawn_file_actions_adddup2(&actions, inputEnd, 0)
            posix_spawn_file_actions_adddup2(&actions, outputEnd, 1)
            posix_spawn_file_actions_addopen(
                &actions, 2, work.path + "/errors", Self.writing, 0o600)
        }
        // The reading end is still open here, so that a program that has ended
        // already makes this no fatal signal.
        let bytes = Array(input.utf8)
        _ = bytes.withUnsafeBytes { write(ourInput, $0.baseAddress, $0.count) }
        close(outputEnd)
        var answer: [UInt8] = []
        var byte: UInt8 = 0
        while answer.count < 4096 {
            let count = withUnsafeMutableBytes(of: &byte) { systemRead(ourOutput, $0) }
            if count < 0, errno == EINTR { continue }
            guard count == 1, byte != UInt8(ascii: "\n") else { break }
            answer.append(byte)
        }
        return (
            String(decoding: answer, as: UTF8.self), HeldLock(descriptor: ourInput, child: child)
        )
    }

    private static let writing = O_WRONLY | O_CREAT | O_TRUNC

    private func start(
        _ arguments: [String], _ variables: [String: String],
        _ prepare: (inout posix_spawn_file_actions_t) -> Void
    ) throws(FileError) -> pid_t {
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let pairs =
            environment.merging(variables) { $1 }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in words + pairs { free(word) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        prepare(&actions)
        // Signals that were kept from this program when it was started are not
        // kept from that one: it waits for its own helpers by them.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var child = pid_t()
        let code = posix_spawn(&child, path, &actions, &attributes, words, pairs)
        guard code == 0 else { throw FileError("cannot run", path, code: code) }
        return child
    }

    /// Two ends that no program inherits by itself.
    private static func pipe() throws(FileError) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard systemPipe(&ends) == 0 else { throw FileError("cannot open", "a pipe", code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    fileprivate static func wait(for child: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { return 127 }
        }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}

/// Something that is held until this goes: a lock of a folder, or a program that
/// holds one elsewhere.
package final class HeldLock: Sendable {
    fileprivate let descriptor: Int32
    private let child: pid_t?

    /// Takes the folder at `path`; nil where another process holds it.
    package init?(folder path: String) throws(FileError) {
        child = nil
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("cannot open", path, code: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }

    fileprivate init(descriptor: Int32, child: pid_t) {
        self.descriptor = descriptor
        self.child = child
    }

    deinit {
        // Closed, never unlocked: the program that holds it too may be running still.
        close(descriptor)
        if let child { _ = ExternalProgram.wait(for: child) }
    }
}

private func systemPipe(_ ends: inout [Int32]) -> Int32 { pipe(&ends) }

private func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(file, buffer.baseAddress, buffer.count)
}
