package import Bytes

/// A place of the output where `{{ object.member }}` was printed.
package struct PrintedMember: Sendable {
    /// The number that the object gave; see ``TemplateObject/printed(_:)``.
    package let number: Int
    /// How the text is escaped there.
    package let escaping: Escaping?
    /// Its bytes in the output.
    package let range: Range<Int>
}
