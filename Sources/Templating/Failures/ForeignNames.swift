/// What other template languages call the filters of this one, for those who
/// come from Liquid, Go, Twig, Nunjucks or Django.
enum ForeignNames {
    static let filters: [String: String] = [
        "upcase": "upper", "toUpper": "upper", "uppercase": "upper",
        "downcase": "lower", "toLower": "lower", "lowercase": "lower",
        "strip": "trim", "len": "length", "size": "length",
        "strip_html": "striptags", "plainify": "striptags",
        "raw": "safe", "safeHTML": "safe", "jsonify": "tojson", "json": "tojson",
        "json_encode": "tojson", "dump": "tojson", "url_encode": "urlencode",
        "truncatewords": "truncate", "where": "selectattr", "sort_by": "sort",
        "sort_natural": "sort", "uniq": "unique", "group_by": "groupby", "humanize": "title",
        "number_with_delimiter": "format", "filesize": "filesizeformat", "merge": "join",
    ]
}
