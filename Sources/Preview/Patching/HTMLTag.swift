/// An element's name with what the HTML standard says of such elements, as far as
/// trees are told by it (section 13.2.6).
struct HTMLTag: Equatable {
    /// The name in lower case, packed; zero for long names, which no rule names.
    let key: UInt128
    /// What is so of the element.
    let rules: Rules

    struct Rules: OptionSet {
        let rawValue: UInt32
        /// Has no content and no end tag.
        static let void = Rules(rawValue: 1)
        /// What is in it is compared as a whole.
        static let opaque = Rules(rawValue: 1 << 1)
        /// Such elements may hold each other.
        static let nesting = Rules(rawValue: 1 << 2)
        /// May stand in the head.
        static let inHead = Rules(rawValue: 1 << 3)
        /// Follows rules that are not known here.
        static let refused = Rules(rawValue: 1 << 4)
        /// Stands in tables only.
        static let onlyInTables = Rules(rawValue: 1 << 5)
        /// Holds no text.
        static let textless = Rules(rawValue: 1 << 6)
        static let heading = Rules(rawValue: 1 << 7)
        /// Nothing in it closes what is around it.
        static let scope = Rules(rawValue: 1 << 8)
        /// Closes an open paragraph.
        static let closesParagraph = Rules(rawValue: 1 << 9)
        static let rowGroup = Rules(rawValue: 1 << 10)
        static let cell = Rules(rawValue: 1 << 11)
        /// May stand right in a table.
        static let inTable = Rules(rawValue: 1 << 12)
        /// Closes an open one of its kind.
        static let single = Rules(rawValue: 1 << 13)
        static let list = Rules(rawValue: 1 << 14)
        static let term = Rules(rawValue: 1 << 15)
        static let isolated = Rules(rawValue: 1 << 16)
    }

    init(_ name: ArraySlice<UInt8>) {
        key = Self.key(of: name)
        rules = key == 0 ? [] : Self.all[key] ?? []
    }

    /// What stands for a name; zero for a long one.
    static func key(of name: ArraySlice<UInt8>) -> UInt128 {
        guard name.count <= 16 else { return 0 }
        return name.reduce(0) { $0 << 8 | UInt128($1 >= 0x41 && $1 <= 0x5A ? $1 | 0x20 : $1) }
    }

    static func == (one: HTMLTag, other: HTMLTag) -> Bool { one.key == other.key }

    static let html = packed("html"), head = packed("head"), body = packed("body")
    static let table = packed("table"), row = packed("tr"), columns = packed("colgroup")
    static let column = packed("col"), paragraph = packed("p"), item = packed("li")
    static let preformatted = packed("pre"), script = packed("script")
    static let title = packed("title")

    private static func packed(_ name: String) -> UInt128 {
        name.utf8.reduce(0) { $0 << 8 | UInt128($1) }
    }

    private static let all: [UInt128: Rules] = {
        var all: [UInt128: Rules] = [:]
        func add(_ rules: Rules, _ names: String) {
            for name in names.split(separator: " ") {
                all[packed(String(name)), default: []].insert(rules)
            }
        }
        add(.void, "br img meta link input hr wbr col base area embed source track")
        add(
            .opaque,
            "script style title textarea noscript iframe xmp noembed noframes svg math template select"
        )
        add(.nesting, "svg math template select")
        add(.isolated, "template select")
        add(.inHead, "meta link title base style script noscript template")
        add(
            .refused,
            "html head body frame frameset plaintext image isindex marquee applet object option optgroup rp rt rb rtc"
        )
        add(.onlyInTables, "caption colgroup col thead tbody tfoot tr td th")
        add(.inTable, "caption colgroup thead tbody tfoot")
        add(.rowGroup, "thead tbody tfoot")
        add(.cell, "td th")
        add(.textless, "html head table thead tbody tfoot tr colgroup")
        add(.heading, "h1 h2 h3 h4 h5 h6")
        add(.scope, "button td th caption table")
        add(
            .closesParagraph,
            """
            address article aside blockquote center details dialog dir div dl fieldset figcaption \
            figure footer form header hgroup hr main menu nav ol p search section summary ul h1 h2 \
            h3 h4 h5 h6 pre listing table li dd dt xmp
            """)
        add(.single, "a button form nobr")
        add(.list, "ul ol dl")
        add(.term, "dd dt")
        return all
    }()
}
