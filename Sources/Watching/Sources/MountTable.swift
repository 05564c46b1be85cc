import Bytes

/// The file systems that are mounted, as Linux lists them (proc(5), "mountinfo").
struct MountTable {
    private var mounts: [(place: String, type: String)] = []

    /// The table of this process; empty where the system has none.
    static func current() -> MountTable {
        let bytes = try? Folder("/proc/self").read("mountinfo", limit: 1 << 24)
        return MountTable(reading: String(decoding: bytes ?? [], as: UTF8.self))
    }

    /// Reads lines such as `36 35 0:32 / /mnt/nas rw - nfs4 nas:/home rw`.
    init(reading text: String) {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 4, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count
            else { continue }
            mounts.append((Self.unescaped(fields[4]), String(fields[dash + 1])))
        }
    }

    /// The type of the file system that a real path lies in: of the innermost
    /// mount above it, and of several at one place the latest.
    func type(of path: String) -> String? {
        var best: (place: String, type: String)?
        for mount in mounts where FilePath.isInside(path, mount.place) {
            if mount.place.utf8.count >= best?.place.utf8.count ?? 0 { best = mount }
        }
        return best?.type
    }

    /// Whether files of such a system change without this system's knowledge:
    /// over a network, or outside a virtual machine.
    static func isRemote(_ type: String) -> Bool {
        remoteTypes.contains(type) || type.hasPrefix("fuse.") || type.hasPrefix("nfs")
    }

    private static let remoteTypes: Set<String> = [
        "cifs", "smb3", "smbfs", "9p", "virtiofs", "fuse", "fakeowner", "grpcfuse", "vboxsf",
        "prl_fs", "vmhgfs", "drvfs", "ceph", "afs", "lustre", "gpfs", "ocfs2", "gfs2", "coda",
        "orangefs", "ncpfs", "acfs",
    ]

    /// A path with blanks and the like as typed: they are listed as `\040`.
    private static func unescaped(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), rest.count >= 3,
                let code = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8)
            {
                bytes.append(code)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
