import Bytes
import Diagnostics

extension BuildReport {
    /// Whether nothing was published because another process had the output:
    /// another build, or one that sends it. The same build may come to something
    /// else as soon as that is done.
    package var foundOutputTaken: Bool {
        outcome == .untouched
            && messages.contains {
                $0.id == "output" && $0.message.hasPrefix("another build is writing to ")
            }
    }

    /// Whether the output can be taken now.
    package var isOutputFree: Bool {
        // Where there is none, a build says so itself.
        (try? Folder(output))?.lock() ?? true
    }
}
