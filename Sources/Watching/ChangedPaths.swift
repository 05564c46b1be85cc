/// What may have changed: a hint where to look, never what to believe.
///
/// A path that ends in `/` stands for a folder and all below it.
package enum ChangedPaths: Sendable, Equatable {
    /// These paths, from the root.
    case paths(Set<String>)
    /// Anything: events were lost, or what is watched has changed.
    case everything

    /// Adds what others say.
    package mutating func formUnion(_ other: ChangedPaths) {
        switch (self, other) {
        case (.paths(let one), .paths(let two)): self = .paths(one.union(two))
        default: self = .everything
        }
    }
}
