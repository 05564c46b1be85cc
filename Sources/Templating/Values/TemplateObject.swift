/// Something of the caller's own that templates read: a note, a page, the site.
///
/// A conformer answers from its render's reader; it lives no longer than the
/// render. It must answer alike when asked twice.
package protocol TemplateObject: AnyObject {
    /// What messages call it: `note`, `page`, `site`.
    var typeName: String { get }
    /// The member's value; nil: there is no such member, and its use becomes
    /// an error with the closest of ``memberNames``.
    func value(of member: Symbol, named name: String) throws(TemplateFailure) -> TemplateValue?
    /// The text of a member that is printed here; nil: ``value(of:named:)`` is asked.
    ///
    /// Called only where ``RenderHost/isRecordingPrints`` says so. The text is that of
    /// the string which `value(of:named:)` answers. The number is the caller's name for
    /// this print in ``RenderHost/prints``.
    func printed(_ member: Symbol) -> (number: Int, text: String)?
    /// All members, for messages.
    var memberNames: [String] { get }
    /// The elements when it is iterated; nil: it cannot be.
    func elements() throws(TemplateFailure) -> [TemplateValue]?
    /// The number of elements without making them; nil: it has none.
    func count() throws(TemplateFailure) -> Int?
    /// What it prints as; nil: printing it is an error.
    func text() -> String?
    /// Whether it is the same thing as another, for `==`, `in` and `unique`.
    func isSame(as other: any TemplateObject) -> Bool
    /// Whether it sorts before another, for `sort`, `<` and `max`; nil: the
    /// two have no order.
    func isOrdered(before other: any TemplateObject) -> Bool?
}

extension TemplateObject {
    /// Nil: nobody wants to know where its members are printed.
    package func printed(_ member: Symbol) -> (number: Int, text: String)? { nil }
    /// None: the object's members are not listed in messages.
    package var memberNames: [String] { [] }
    /// Nil: it cannot be iterated.
    package func elements() throws(TemplateFailure) -> [TemplateValue]? { nil }
    /// Nil: it has no elements.
    package func count() throws(TemplateFailure) -> Int? { nil }
    /// Nil: it cannot be printed.
    package func text() -> String? { nil }
    /// Whether it is the very same object.
    package func isSame(as other: any TemplateObject) -> Bool { self === other }
    /// Nil: it has no order.
    package func isOrdered(before other: any TemplateObject) -> Bool? { nil }
}
