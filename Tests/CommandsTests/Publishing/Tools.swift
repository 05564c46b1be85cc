import Foundation
import Testing

/// The tools that publishing hands files to, and servers for them on loopback.
/// A test whose tool is not installed is skipped, and says so.
enum Tool {
    static let hasRsync = path("rsync") != nil
    static let hasRclone = path("rclone") != nil
    static let hasGit = path("git") != nil
    static let hasSSH = path("ssh") != nil && path("sshd") != nil && path("ssh-keygen") != nil

    static func path(_ name: String) -> String? {
        let places = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return (places.map { String($0) } + ["/usr/sbin"]).map { $0 + "/" + name }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs a tool to its end; what it printed.
    @discardableResult
    static func run(
        _ name: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> (code: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: try #require(path(name), "\(name) is not installed"))
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}

/// A server on loopback that ends with the test.
final class LoopbackServer {
    let port: Int
    private let process: Process
    private let input: Pipe

    /// Starts a program with a port that was free a moment ago, and waits until
    /// it answers there; tries others where somebody was faster.
    init(_ tool: String, _ arguments: (Int) -> [String], environment: [String: String] = [:]) throws
    {
        let program = try #require(Tool.path(tool))
        for _ in 0..<3 {
            let port = try Self.freePort()
            let (process, input) = try Self.start([program] + arguments(port), environment)
            // Generous: the machine may be busy with anything.
            for _ in 0..<400 {
                if Self.answers(port) {
                    (self.port, self.process, self.input) = (port, process, input)
                    return
                }
                usleep(50_000)
            }
            try? input.fileHandleForWriting.close()
        }
        throw Failure()
    }

    /// Foundation takes a program for ended when it closes the descriptors that it
    /// inherited, as sshd does, and waits for it then, with all others. The shell
    /// in between closes none, and ends the server when its own input ends: also
    /// where the tests are killed.
    private static func start(
        _ words: [String], _ environment: [String: String]
    ) throws -> (Process, Pipe) {
        let (process, input) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "\"$@\" & read -r end; kill -9 $!", "sh"] + words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return (process, input)
    }

    struct Failure: Error {}

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    private static func freePort() throws -> Int {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(file) }
        var address = loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, length) == 0 && getsockname(file, $0, &length) == 0
            }
        }
        guard isBound else { throw Failure() }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private static func answers(_ port: Int) -> Bool {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(file) }
        var address = loopback(port)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}

/// A machine to reach by ssh: this one, by a server with a key and a
/// configuration of its own.
final class SSHHost {
    private let folder: URL
    private let server: LoopbackServer
    /// What makes rsync reach it under the name `target`.
    var environment: [String: String] { ["RSYNC_RSH": "ssh -F '\(folder.path)/client'"] }
    /// The same with a key that the server does not know.
    var strangersEnvironment: [String: String] {
        ["RSYNC_RSH": "ssh -F '\(folder.path)/stranger'"]
    }

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "daybook-ssh-\(UUID().uuidString)")
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for key in ["host", "user", "other"] {
            try Tool.run(
                "ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", folder.path + "/" + key])
        }
        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        if getuid() == 0 {
            // Without it the server does not start as root; Debian's own makes it
            // when it is started by the system.
            try? FileManager.default.createDirectory(
                atPath: "/run/sshd", withIntermediateDirectories: true)
        }
        server = try LoopbackServer("sshd") { port in
            try? write(
                "server",
                """
                Port \(port)
                ListenAddress 127.0.0.1
                HostKey \(folder.path)/host
                AuthorizedKeysFile \(folder.path)/user.pub
                PidFile none
                StrictModes no
                UsePAM no
                PasswordAuthentication no
                KbdInteractiveAuthentication no
                PermitRootLogin prohibit-password

                """)
            return ["-D", "-f", folder.path + "/server"]
        }
        for (name, key) in [("client", "user"), ("stranger", "other")] {
            try write(
                name,
                """
                Host target
                HostName 127.0.0.1
                Port \(server.port)
                User \(NSUserName())
                IdentityFile \(folder.path)/\(key)
                IdentitiesOnly yes
                IdentityAgent none
                StrictHostKeyChecking no
                UserKnownHostsFile /dev/null
                LogLevel ERROR
                BatchMode yes

                """)
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }
}

/// A file system of few bytes, unmounted at the end.
final class SmallDisk {
    private let folder: URL

    /// Whether one can be made here: not without root, nor in every container.
    static let isPossible: Bool = {
        guard getuid() == 0 else { return false }
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "daybook-disk-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        return (try? SmallDisk(at: folder, kilobytes: 64)) != nil
    }()

    init(at folder: URL, kilobytes: Int) throws {
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let run = try Tool.run(
            "mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", folder.path])
        guard run.code == 0 else { throw LoopbackServer.Failure() }
    }

    func resize(kilobytes: Int) throws {
        try Tool.run("mount", ["-o", "remount,size=\(kilobytes)k", folder.path])
    }

    deinit {
        _ = try? Tool.run("umount", [folder.path])
    }
}
