import Bytes
import Synchronization

/// The pages that were shown of late, by their digests: what a page that listens
/// again has to be compared with.
///
/// Guarded by its lock.
final class PageVersions: Sendable {
    private struct State {
        var pages: [String: [UInt8]] = [:]
        /// The oldest first.
        var order: [String] = []
        var size = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Keeps pages of so many bytes in all.
    init(limit: Int = 16 << 20) { self.limit = limit }

    /// Keeps a page; its digest.
    func keep(_ bytes: [UInt8]) -> String {
        let version = bytes.withUnsafeBytes { ContentHash(of: $0) }.hexadecimal
        state.withLock { state in
            guard state.pages[version] == nil else { return }
            state.pages[version] = bytes
            state.order.append(version)
            state.size += bytes.count
            while state.size > limit, state.order.count > 1 {
                let oldest = state.order.removeFirst()
                state.size -= state.pages.removeValue(forKey: oldest)?.count ?? 0
            }
        }
        return version
    }

    /// The page of a digest, where it is still kept.
    func page(_ version: String) -> [UInt8]? { state.withLock { $0.pages[version] } }
}
