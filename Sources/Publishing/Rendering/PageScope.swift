import Bytes
import Diagnostics
import Notes
import Templating

/// What the objects of one render share: the reader, the page, and what is to
/// be said.
final class PageScope {
    let reader: SiteReader
    /// Messages of the page in work.
    var messages: [Diagnostic] = []
    /// What a render writes bodies into before templates print them.
    private var scratch = ByteBuffer(capacity: 16 * 1024)

    init(_ reader: SiteReader) {
        self.reader = reader
    }

    func start() {
        reader.start()
        messages.removeAll()
    }

    /// A note's body with its holes filled.
    func body(of id: NoteID, isAbsolute: Bool) -> TemplateValue {
        scratch.clear()
        var renderer = BodyRenderer(reader: reader, isAbsolute: isAbsolute)
        renderer.append(bodyOf: id, to: &scratch)
        messages += renderer.messages
        let bytes = scratch.copy()
        return .markup(MarkupBytes(isAbsolute ? XMLText.allowed(bytes) : bytes))
    }

    // MARK: Values

    func note(_ id: NoteID?) -> TemplateValue {
        id.map { .object(NoteObject(self, $0)) } ?? .none
    }

    func date(_ date: NoteDate?) -> TemplateValue {
        date.map { .object(DateObject(self, $0)) } ?? .none
    }

    func text(_ text: String?) -> TemplateValue {
        text.map { .string($0) } ?? .none
    }

    func texts(_ texts: [String]) -> TemplateValue {
        .list(texts.map { .string($0) })
    }

    func tag(_ key: String) -> TemplateValue { .object(TagObject(self, key)) }

    func folder(_ path: String) -> TemplateValue { .object(FolderObject(self, path)) }

    func list(_ list: NoteList) -> TemplateValue { .object(ListObject(self, list)) }

    // MARK: Addresses

    var basePath: String { reader.text(.basePath) }

    /// The address of an output, or none where it is not made.
    func url(ofOutput output: String, _ path: String? = nil) -> TemplateValue {
        guard reader.isMade(output) else { return .none }
        return .string(AddressPath(wellFormed: path ?? output).url(base: basePath))
    }

    /// Whether an address needs nothing before it: it has a scheme, or takes
    /// the page's (`//host/`).
    static func isWhole(_ url: String) -> Bool {
        if url.hasPrefix("//") { return true }
        let name = url.utf8.prefix { $0 != UInt8(ascii: ":") }
        guard name.count < url.utf8.count, let first = name.first, first | 0x20 >= 0x61,
            first | 0x20 <= 0x7A
        else { return false }
        return name.allSatisfy {
            0x61...0x7A ~= $0 | 0x20 || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "+")
                || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
        }
    }

    /// An address with scheme and host; nil where the site has no base URL.
    func absolute(_ url: String) -> String? {
        if Self.isWhole(url) { return url }
        let origin = reader.text(.origin)
        return origin.isEmpty ? nil : origin + url
    }
}

/// A base for the objects that templates read.
class ScopedObject {
    let scope: PageScope
    var reader: SiteReader { scope.reader }

    init(_ scope: PageScope) {
        self.scope = scope
    }
}
