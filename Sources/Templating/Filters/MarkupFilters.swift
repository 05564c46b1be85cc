/// Filters that make, undo or protect markup.
enum MarkupFilters {
    static let all: [NativeCallable] = [
        .filter("safe") { (call) throws(TemplateProblem) in
            if case .markup = call.value { return call.value }
            return .markup(try call.text())
        },
        .filter("escape") { (call) throws(TemplateProblem) in
            .markup(MarkupBytes(try call.value.escaped(call.host)))
        },
        .filter("forceescape") { (call) throws(TemplateProblem) in
            let text = TemplateValue.string(try call.text())
            return .markup(MarkupBytes(try text.escaped(call.host)))
        },
        .filter("striptags") { (call) throws(TemplateProblem) in
            .string(TagStripper.strip(try call.text()))
        },
        .filter("xmlattr", ["autospace"]) { (call) throws(TemplateProblem) in
            try attributes(call)
        },
        .filter("tojson", ["indent"]) { (call) throws(TemplateProblem) in
            var writer = JSONText(indent: try call.arguments.wholeNumber(0), host: call.host)
            try writer.append(call.value, level: 0)
            return .markup(writer.text)
        },
        .filter("urlencode") { (call) throws(TemplateProblem) in
            .string(try urlEncoded(call))
        },
        .filter(
            "urlize", ["trim_url_limit", "nofollow", "target", "rel", "extra_schemes"]
        ) { (call) throws(TemplateProblem) in try linked(call) },
    ]

    private static func attributes(_ call: NativeCall) throws(TemplateProblem) -> TemplateValue {
        guard case .dictionary(let dictionary) = call.value else {
            throw call.wrongValue("a dictionary")
        }
        var result: [UInt8] = []
        let leadsWithBlank = try call.arguments.flag(0) ?? true
        for (place, key) in dictionary.keys.enumerated() {
            let value = dictionary.values[place]
            if value.isAbsent { continue }
            if case .none = value { continue }
            let name = try key.text(call.host)
            if name.utf8.contains(where: { " \t\n\r\u{0B}\u{0C}/>=".utf8.contains($0) }) {
                throw .invalidArgument(
                    "\(TemplateValue.quoted(name)) cannot be the name of an attribute")
            }
            if !result.isEmpty || leadsWithBlank { result.append(Ascii.space) }
            result += try TemplateValue.string(name).escaped(call.host)
            result += Array("=\"".utf8)
            result += try value.escaped(call.host)
            result.append(Ascii.quote)
            try call.host.checkSize(result.count)
        }
        if call.escaping != nil { return .markup(MarkupBytes(result)) }
        return .string(String(decoding: result, as: UTF8.self))
    }

    // MARK: Addresses

    private static func urlEncoded(_ call: NativeCall) throws(TemplateProblem) -> String {
        let pairs: [TemplateValue]
        switch call.value {
        case .dictionary(let dictionary): pairs = dictionary.items
        case .list(let elements), .tuple(let elements): pairs = elements
        default: return percentEncoded(try call.text())
        }
        var parts: [String] = []
        for pair in pairs {
            let halves = try pair.elements(call.host)
            guard halves.count == 2 else { throw call.wrongValue("pairs of a name and a value") }
            let name = percentEncoded(try halves[0].text(call.host), isQuery: true)
            let value = percentEncoded(try halves[1].text(call.host), isQuery: true)
            parts.append("\(name)=\(value)")
        }
        return parts.joined(separator: "&")
    }

    private static func percentEncoded(_ text: String, isQuery: Bool = false) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.append(byte)
            case UInt8(ascii: "/") where !isQuery: result.append(byte)
            case UInt8(ascii: " ") where isQuery: result.append(UInt8(ascii: "+"))
            default: result += [Ascii.percent, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func linked(_ call: NativeCall) throws(TemplateProblem) -> TemplateValue {
        let arguments = call.arguments
        var relations = Set((try arguments.text(3) ?? "").pythonWords)
        if try arguments.flag(1) ?? false { relations.insert("nofollow") }
        relations.insert("noopener")
        var linker = URLLinker(
            limit: try arguments.wholeNumber(0),
            relation: relations.sorted().joined(separator: " "), target: try arguments.text(2))
        if let schemes = arguments[4] {
            for scheme in try schemes.elements(call.host) {
                let text = try scheme.text(call.host)
                guard URLLinker.isScheme(text) else {
                    throw .invalidArgument(
                        "\(TemplateValue.quoted(text)) is not the start of an address")
                }
                linker.schemes.append(text)
            }
        }
        let escaped = String(decoding: try call.value.escaped(call.host), as: UTF8.self)
        let text = linker.link(escaped)
        try call.host.checkSize(text.utf8.count)
        return .text(text, isMarkup: call.escaping != nil)
    }
}
