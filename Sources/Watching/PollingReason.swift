package import Diagnostics

/// Why a watch looks again and again instead of being told.
package enum PollingReason: Sendable, Equatable {
    /// It was asked to.
    case asked
    /// The system has nothing that tells.
    case missing
    /// The system has no more watches to give; so many folders had one.
    case limit(folders: Int)
    /// The files are on a file system that others change unseen.
    case remote(path: String, type: String)

    /// What is to be said; nil where it was asked for.
    package var message: Diagnostic? {
        switch self {
        case .asked: nil
        case .missing:
            Diagnostic(
                .warning, "polling", "this system cannot tell of changes; files are looked at again"
            )
        case .limit(let folders):
            Diagnostic(
                .warning, "polling",
                "the system's limit of watches is reached after \(folders) folders; files are looked at again instead",
                help: "raise it: sudo sysctl fs.inotify.max_user_watches=524288")
        case .remote(let path, let type):
            Diagnostic(
                .warning, "polling",
                "\(path) is on a file system (\(type)) whose changes may not be told; files are looked at again"
            )
        }
    }
}
