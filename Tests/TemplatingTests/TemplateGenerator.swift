/// Random templates that are mostly well formed, from a seed.
struct TemplateGenerator {
    private var state: UInt64
    private var budget = 0

    init(seed: UInt64) {
        state = seed
    }

    // MARK: Chance

    mutating func next() -> UInt64 {
        // SplitMix64: the same sequence on every machine.
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    mutating func below(_ count: Int) -> Int {
        Int(next() % UInt64(count))
    }

    private mutating func chance(_ percent: Int) -> Bool {
        below(100) < percent
    }

    private mutating func pick(_ choices: [String]) -> String {
        choices[below(choices.count)]
    }

    // MARK: Templates

    private static let files = ["t.html", "base.html", "part.txt", "feed.xml"]

    /// Which of the files is being written: it names later ones, mostly.
    private var file = 0
    private var blockCount = 0

    /// Names and texts of one set of templates.
    mutating func site() -> [(name: String, text: String)] {
        let isTame = chance(60)
        return Self.files.indices.map { place in
            file = place
            budget = isTame ? 1 + below(4) : 20
            var text = ""
            if place == 0, chance(40) { text += "{% extends \(template()) %}" }
            text += body(depth: isTame ? 3 : 0)
            return (Self.files[place], !isTame && chance(15) ? damaged(text) : text)
        }
    }

    private mutating func template() -> String {
        if file == Self.files.count - 1 { return pick(["name", "'nope'", "b"]) }
        switch below(20) {
        case 0: return pick(["name", "['nope', 'feed.xml']", "1", "t"])
        case 1: return "'\(pick(Self.files))'"
        default: return "'\(Self.files[min(file + 1 + below(3), Self.files.count - 1)])'"
        }
    }

    private mutating func body(depth: Int) -> String {
        (0..<(1 + below(4))).map { _ in statement(depth) }.joined()
    }

    private mutating func statement(_ depth: Int) -> String {
        budget -= 1
        if budget < 0 || depth > 5 { return text() }
        let inner = depth + 1
        switch below(20) {
        case 0, 1: return text()
        case 2, 3, 4, 5: return "{{\(mark()) \(expression(0)) \(mark())}}"
        case 6, 7:
            let recursive = chance(20) ? " recursive" : ""
            let condition = chance(20) ? " if \(expression(2))" : ""
            let otherwise = chance(20) ? "{% else %}" + body(depth: inner) : ""
            return tag("for \(target()) in \(expression(1))\(condition)\(recursive)")
                + body(depth: inner) + otherwise + tag("endfor")
        case 8, 9:
            let otherwise = chance(40) ? "{% else %}" + body(depth: inner) : ""
            let branch = chance(20) ? "{% elif \(expression(2)) %}" + body(depth: inner) : ""
            return tag("if \(expression(1))") + body(depth: inner) + branch + otherwise
                + tag("endif")
        case 10: return tag("set \(target()) = \(expression(0))")
        case 11:
            return tag("set \(name())\(chance(30) ? " | upper" : "")") + body(depth: inner)
                + tag("endset")
        case 12:
            blockCount += 1
            let options = pick(["", "", " scoped"])
            return tag("block block\(blockCount % 7)\(options)") + body(depth: inner)
                + tag("endblock")
        case 13:
            return tag("macro \(name())(\(name()), \(name())2=\(expression(2)))")
                + body(depth: inner)
                + tag("endmacro")
        case 14:
            return tag("call(\(name())) \(name())(\(expression(2)))") + body(depth: inner)
                + tag("endcall")
        case 15:
            return tag("include \(template())\(pick(["", " ignore missing", " without context"]))")
        case 16:
            return chance(50)
                ? tag("import \(template()) as \(name())\(pick(["", " with context"]))")
                : tag("from \(template()) import \(name()), \(name()) as \(name())")
        case 17:
            return tag("with \(name()) = \(expression(1))") + body(depth: inner) + tag("endwith")
        case 18:
            return tag("filter \(pick(Self.filters))") + body(depth: inner) + tag("endfilter")
        default:
            return tag("autoescape \(expression(2))") + body(depth: inner) + tag("endautoescape")
        }
    }

    private mutating func mark() -> String { pick(["", "", "", "-"]) }

    private mutating func tag(_ text: String) -> String {
        "{%\(pick(["", "", "-", "+"])) \(text) \(pick(["", "", "-", "+"]))%}"
    }

    private mutating func text() -> String {
        pick([
            "", " ", "\n", "<p>", "é", "a & b", "{# c #}", "{% raw %}{{{% endraw %}", "\r\n", "}}",
        ])
    }

    private mutating func name() -> String {
        pick(["a", "b", "x", "name", "items", "note", "d", "ns", "loop", "caller", "self"])
    }

    private mutating func target() -> String {
        switch below(8) {
        case 0: "\(name()), \(name())"
        case 1: "(\(name()), \(name())), \(name())"
        case 2: "ns.\(name())"
        default: name()
        }
    }

    // MARK: Expressions

    private static let filters = [
        "upper", "title", "length", "sort", "unique", "join(', ')", "tojson", "first", "last",
        "list", "int", "round(1)", "default('d')", "map('upper')", "select", "batch(2)",
        "slice(3)", "truncate(5)", "wordwrap(4)", "indent", "replace('a', 'bb')", "urlize",
        "striptags", "escape", "safe", "groupby('a')", "sum", "min", "max", "reverse", "center(9)",
        "format(1, 2)", "xmlattr", "dictsort", "urlencode", "filesizeformat", "wordcount",
        "attr('a')",
        "sort(attribute='a')", "map(attribute='a')", "items", "forceescape", "abs", "float",
    ]

    private mutating func expression(_ depth: Int) -> String {
        if depth > 4 { return atom() }
        let inner = depth + 1
        switch below(16) {
        case 0, 1, 2, 3: return atom()
        case 4:
            let operation = pick(["+", "-", "*", "/", "//", "%", "**", "~"])
            return "\(expression(inner)) \(operation) \(expression(inner))"
        case 5:
            let operation = pick(["==", "!=", "<", "<=", ">", ">=", "in", "not in"])
            return "\(expression(inner)) \(operation) \(expression(inner))"
        case 6: return "\(expression(inner)) \(pick(["and", "or"])) \(expression(inner))"
        case 7: return "\(pick(["not ", "-", "+"]))\(expression(inner))"
        case 8, 9: return "\(expression(inner)) | \(pick(Self.filters))"
        case 10:
            let test = pick([
                "defined", "odd", "string", "none", "in [1, 2]", "divisibleby 2", "iterable",
            ])
            return "\(expression(inner)) is \(pick(["", "not "]))\(test)"
        case 11: return "\(expression(inner)) if \(expression(inner)) else \(expression(inner))"
        case 12: return "(\(expression(inner)))\(access())"
        case 13: return "[\(expression(inner)), \(expression(inner))]"
        case 14: return "{'a': \(expression(inner)), \(atom()): \(expression(inner))}"
        default:
            return "\(name())(\(expression(inner))\(pick(["", ", a=1", ", *items", ", **d"])))"
        }
    }

    private mutating func access() -> String {
        pick([
            ".a", "[0]", "[-1]", "['b']", "[1:]", "[::-1]", ".upper()", ".split()", ".items()",
            ".index", ".x.y", ".format(1)", ".cycle(1, 2)", "[x]",
        ])
    }

    private mutating func atom() -> String {
        pick([
            "1", "0", "-7", "2.5", "9223372036854775807", "'text'", "'<b>&'", "'é'", "''", "true",
            "none", "[]", "{}", "()", "(1, 2)", "range(5)", "range(100000)", "namespace(a=1)",
            "dict(a=1)", "joiner()", "cycler(1, 2)", "'x' * 1000", "'{} {x}'", "'%s'", "1e300",
            name(), name(), name(), "note.a", "d.a", "loop.index", "super()", "caller()",
            "self.a()",
        ])
    }

    // MARK: Damage

    /// Cuts, doubles or replaces a few stretches.
    private mutating func damaged(_ text: String) -> String {
        var scalars = Array(text.unicodeScalars)
        for _ in 0..<(1 + below(3)) where !scalars.isEmpty {
            let start = below(scalars.count)
            let end = min(scalars.count, start + 1 + below(6))
            switch below(4) {
            case 0: scalars.removeSubrange(start..<end)
            case 1: scalars.insert(contentsOf: scalars[start..<end], at: start)
            case 2: scalars.insert(contentsOf: "{%-".unicodeScalars, at: start)
            default: scalars[start] = Array("{}%#'\"([,.|\\\u{0}\u{FEFF}".unicodeScalars)[below(14)]
            }
        }
        var result = ""
        result.unicodeScalars.append(contentsOf: scalars)
        return result
    }
}
