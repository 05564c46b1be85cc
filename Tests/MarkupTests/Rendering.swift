import CCmark
import Markup

/// The document of a text.
func parse(_ markdown: String, _ dialect: Dialect = .notes) -> MarkupDocument {
    let bytes = Array(markdown.utf8)
    var parser = MarkupParser()
    return parser.parse(bytes, in: 0..<bytes.count, dialect: dialect)
}

/// The HTML of a text with its holes filled as typed.
func html(_ markdown: String, _ dialect: Dialect = .notes) -> String {
    String(decoding: parse(markdown, dialect).htmlAsTyped(), as: UTF8.self)
}

/// The HTML that cmark itself makes of a text.
func cmarkHTML(_ bytes: [UInt8]) -> [UInt8] {
    let count = bytes.count
    return bytes.withUnsafeBufferPointer { bytes in
        bytes.withMemoryRebound(to: CChar.self) { text in
            guard let root = cmark_parse_document(text.baseAddress, count, CMARK_OPT_DEFAULT)
            else { return [] }
            defer { cmark_node_free(root) }
            guard let html = cmark_render_html(root, CMARK_OPT_UNSAFE) else { return [] }
            defer { cmark_get_default_mem_allocator().pointee.free(html) }
            var result: [UInt8] = []
            var index = 0
            while html[index] != 0 {
                result.append(UInt8(bitPattern: html[index]))
                index += 1
            }
            return result
        }
    }
}
