package import Diagnostics

/// Why a render was given up.
///
/// Thrown by the engine with the place in the template and the chain of
/// templates that led there; thrown by objects, filters and functions of the
/// caller without a place, which the engine adds.
package struct TemplateFailure: Error, Sendable {
    /// What to tell the author. Its notes say, innermost first, which
    /// template was included, extended or called from where.
    package var diagnostic: Diagnostic

    /// A failure of the caller's own; the engine adds place and chain.
    package init(_ message: String, id: String = "template-value", help: String? = nil) {
        diagnostic = Diagnostic(.error, id, message, help: help)
    }

    init(_ diagnostic: Diagnostic) {
        self.diagnostic = diagnostic
    }
}
